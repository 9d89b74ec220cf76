#!/usr/bin/env python3
"""What a transcript with damaged lines holds, counted without any of the project's code:  recount.py FORMAT FILE

A line that is no JSON value is bad; of a bad line the record is still counted where it is whole: all records of a line
with several, one with bytes that are not UTF-8, and one behind a cut beginning. Prints a line of JSON: lines, bad lines,
calls, results and crc_sum, and how many of the calls and results stand on bad lines."""
import json
import sys
import zlib


def blocks(record):
    content = (record.get("message") or {}).get("content")
    return [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []


def claude(record):
    kind = record.get("type")
    calls = [(b["name"], b["id"]) for b in blocks(record) if kind == "assistant" and b.get("type") == "tool_use"]
    return calls, sum(kind == "user" and b.get("type") == "tool_result" for b in blocks(record))


def codex(record):
    payload = record.get("payload") or {}
    kind = payload.get("type") if record.get("type") == "response_item" else None
    calls = [(payload["name"], payload["call_id"])] if kind in ("function_call", "custom_tool_call") else []
    return calls, int(kind in ("function_call_output", "custom_tool_call_output"))


def dsh(record):
    data = record.get("data") or {}
    calls = [(data["name"], data["callId"])] if record.get("type") == "tool/call" else []
    return calls, int(record.get("type") == "tool/result")


def parse(text):
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def several(line):
    """The records of a line that is several values one behind the other, or None."""
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(line):
        try:
            value, at = decoder.raw_decode(line, at)
        except ValueError:
            return None
        found.append(value)
        while at < len(line) and line[at] in " \t\r":
            at += 1
    return [v for v in found if isinstance(v, dict)]


def salvage(raw):
    """The records of a bad line."""
    line = raw.decode("utf-8", "replace")
    whole = several(line)
    if whole:
        return whole
    at = line.find('{"', 1)
    while at > 0:
        record = parse(line[at:])
        if record is not None:
            return [record] if "type" in record else []
        at = line.find('{"', at + 1)
    return []


def main():
    take = {"claude": claude, "codex": codex, "dsh": dsh}[sys.argv[1]]
    total = dict(lines=0, bad=0, calls=0, results=0, crc_sum=0, calls_on_bad=0, results_on_bad=0)
    with open(sys.argv[2], "rb") as lines:
        for raw in lines:
            raw = raw.rstrip(b"\n")
            total["lines"] += 1
            try:
                records = [json.loads(raw.decode("utf-8"))]
                is_bad = False
            except ValueError:
                records, is_bad = salvage(raw), True
            total["bad"] += is_bad
            for record in records:
                calls, results = take(record)
                total["calls"] += len(calls)
                total["results"] += results
                total["calls_on_bad"] += is_bad * len(calls)
                total["results_on_bad"] += is_bad * results
                for name, ident in calls:
                    total["crc_sum"] += zlib.crc32(name.encode() + b"\0" + ident.encode())
    total["crc_sum"] %= 1 << 64
    print(json.dumps(total, separators=(",", ":")))


main()
