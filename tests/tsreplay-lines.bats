#!/usr/bin/env bats
# tsreplay: files as they are found: cut, glued, spoilt, packed.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp "$(data tsreplay/tools.jsonl)" tools.jsonl
  source "$(data tsreplay/records.bash)"
  { cc_user go && cc_call t1 shell && cc_result t1 && cc_call t2 shell && cc_result t2 && cc_text done; } >good.jsonl
}

# Line N of good.jsonl; and its first and last lines around what is on standard input.
line() { sed -n "$1p" good.jsonl; }
spoil() { sed -n 1,3p good.jsonl && cat && sed -n '4,$p' good.jsonl; }

@test "a bad line in the middle is named, and everything behind it is read" {
  printf '{"type":"file-history-snapshot","snapsho\n' | spoil >cut.jsonl
  { head -c 300 /dev/zero && echo; } | spoil >nul.jsonl
  printf 'Traceback (most recent call last):\n' | spoil >text.jsonl
  printf '{"type":"x","a":"b\tc"}\n' | spoil >control.jsonl
  local f
  for f in nul text control; do
    audit 1 -c tools.jsonl $f.jsonl <<'END'
4 bad-line
calls 2 answered 2 results 2
END
    grep -q '"lines":7,"bad_lines":1,' said
  done
  audit 1 -c tools.jsonl cut.jsonl <<'END'
4 torn-line
calls 2 answered 2 results 2
END
  grep -q 'the lines after it were read' said
}

@test "NUL bytes are counted, not printed; a record behind them is read" {
  { sed -n 1,3p good.jsonl && head -c 300 /dev/zero && sed -n '4,$p' good.jsonl; } >glued.jsonl
  audit 1 -c tools.jsonl glued.jsonl <<'END'
4 bad-line
calls 2 answered 2 results 2
END
  grep -q '300 NUL bytes' said
  tsreplay -q --format text -c tools.jsonl glued.jsonl >text || true
  assert_equal "$(tr -d '\0' <text | wc -c)" "$(wc -c <text)"
}

@test "two records on one line are both read; of a cut one and a whole one the whole one is" {
  { line 1 && line 2 | tr -d '\n' && line 3 && sed -n '4,$p' good.jsonl; } >whole.jsonl
  audit 1 -c tools.jsonl whole.jsonl <<'END'
2 glued-records
calls 2 answered 2 results 2
END
  { line 1 && line 2 && printf '{"type":"assistant","message":{"role":"assis' && line 3 && sed -n '4,$p' good.jsonl; } >cut.jsonl
  audit 1 -c tools.jsonl cut.jsonl <<'END'
3 torn-line
calls 2 answered 2 results 2
END
  local calls
  calls=$(tsreplay -q -c tools.jsonl --verdicts cut.jsonl | grep -c '"type":"verdict"')
  assert_equal "$calls" 2
}

@test "the same record again is a note, and counts once" {
  { cat good.jsonl && line 2 && line 3; } >again.jsonl
  audit 0 -c tools.jsonl again.jsonl <<'END'
7 repeated-record
8 repeated-record
calls 2 answered 2 results 2
END
}

@test "a file without a last newline is in order; one cut in its last record is a warning" {
  head -c -1 good.jsonl >short.jsonl
  audit 0 -c tools.jsonl short.jsonl <<<'calls 2 answered 2 results 2'
  head -c -30 good.jsonl >torn.jsonl
  audit 0 -c tools.jsonl torn.jsonl <<'END'
6 torn-line
calls 2 answered 2 results 2
END
  grep -q '"by_severity":{"warning":{"torn-line":1}}' said
  audit 1 -c tools.jsonl --fail-on torn-line=warning torn.jsonl <expected
}

@test "bytes that are not UTF-8, lone surrogates and NUL escapes are located; the records are used" {
  { line 1 && cc_call t1 shell '{"a":"\ud800","b":"\u0000"}' && cc_result t1 && cc_text $'caf\xe9'; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
2 lone-surrogate
2 nul-escape
4 bad-utf8
calls 1 answered 1 results 1
END
}

@test "what CRLF, a byte order mark and blank lines do: nothing" {
  { printf '\xef\xbb\xbf' && sed 's/$/\r/' good.jsonl && printf '\r\n\n'; } >crlf.jsonl
  audit 0 -c tools.jsonl crlf.jsonl <<<'calls 2 answered 2 results 2'
}

@test "packed files are read like plain ones, whatever they are called" {
  gzip -c good.jsonl >a.jsonl.gz
  zstd -q -c good.jsonl >b.jsonl.zst
  { sed -n 1,3p good.jsonl | zstd -q -c && sed -n '4,$p' good.jsonl | zstd -q -c; } >c.jsonl
  local f
  for f in a.jsonl.gz b.jsonl.zst c.jsonl; do
    audit 0 -c tools.jsonl $f <<<'calls 2 answered 2 results 2'
    grep -q "\"lines\":6,\"bad_lines\":0,\"bytes\":$(wc -c <good.jsonl)," said
  done
  head -c -20 a.jsonl.gz >cut.jsonl.gz
  run -2 --separate-stderr tsreplay -q -c tools.jsonl cut.jsonl.gz
  assert_output --partial '"files":1,'
  assert_equal "$(wc -l <<<"$stderr")" 1
  assert_regex "$stderr" '^tsreplay: cut.jsonl.gz: '
}

@test "a line beyond --max-line is bad, and the next one is read" {
  { line 1 && line 2 && line 3 && cc_text "$(head -c 5000 /dev/zero | tr '\0' x)" && line 4 && line 5; } >long.jsonl
  audit 1 -c tools.jsonl --max-line 4k long.jsonl <<'END'
4 bad-line
calls 2 answered 2 results 2
END
  audit 0 -c tools.jsonl --max-line 8k long.jsonl <<<'calls 2 answered 2 results 2'
}

@test "a whole-file document that is cut is audited as far as it goes" {
  { printf '{"messages":[' && an_user go | tr '\n' , && an_blocks assistant "$(use a shell)" | tr '\n' , && an_blocks user "$(result a)" | tr '\n' ,
    printf '{"role":"assist'; } >t.json
  audit 1 -c tools.jsonl t.json <<'END'
1 bad-document
calls 1 answered 1 results 1
END
}

@test "the cases from practice, where they are at hand" {
  local shared cases f
  shared=$(shared) || return 0
  cases=$shared/cases
  for f in cut:torn-line nul:bad-line nul-glued:bad-line; do
    assert_equal "$(tsreplay -q -c "$cases/R24-bad-line-mid-file/catalog.jsonl" "$cases/R24-bad-line-mid-file/${f%:*}.jsonl" | brief)" \
      "4 ${f#*:}"$'\ncalls 2 answered 2 results 2'
  done
  assert_equal "$(tsreplay -q -c "$cases/R26-records-glued/catalog.jsonl" "$cases/R26-records-glued/whole-whole.jsonl" | brief)" $'2 glued-records\ncalls 1 answered 1 results 1'
  assert_equal "$(tsreplay -q -c "$cases/R26-records-glued/catalog.jsonl" "$cases/R26-records-glued/cut-whole.jsonl" | brief)" $'3 torn-line\ncalls 1 answered 1 results 1'
  # every recorded session is read, and every call is there once
  tsreplay -q --partial "$shared/corpus" >sum
  assert_equal "$(brief <sum | tail -n 1)" 'calls 105 answered 105 results 105'
  grep -q '"files":93,"skipped":0,.*"sub_calls":9,' sum
}

@test "damage inside arguments that stand in a string is told like that of an object, once a kind and call" {
  local bad='{\"a\":1,\"a\":\"\\u0000\\ud800\\u0000\",\"a\":9007199254740993}'
  cx_call c1 shell "$bad" >codex.jsonl
  oa_call c1 shell "$bad" >openai.jsonl
  { dsh_session && dsh_call 1 c1 shell "$bad"; } >dsh.jsonl
  printf '{"type":"call","id":"c1","name":"shell","arguments":"%s"}\n' "$bad" >neutral.jsonl
  local f line kinds='duplicate-key c1|lone-surrogate c1|nul-escape c1'
  for f in codex openai dsh neutral; do
    line=$(wc -l <$f.jsonl)
    run tsreplay -q --fail-on duplicate-key=error $f.jsonl
    assert_failure 1
    assert_equal "$(brief <<<"$output" | grep -v 'interrupted-call\|^calls' | paste -sd'|')" "$line ${kinds//|/|$line }"
    assert_output --partial "in the arguments of 'shell', at '/a', the key is there twice; its last value counts"
    tsreplay -q --events $f.jsonl >events 2>remarks
    assert_equal "$(wc -l <remarks)" 3
    tsreplay -q events | brief | grep -v interrupted | sed 's/^[0-9]* //' >short || true
    assert_equal "$(head -n 3 short | paste -sd'|')" "$kinds"
    assert_equal "$(wc -l <short)" 4 # not told once more
  done
  tsreplay -q codex.jsonl >said || true
  grep -q '"line":1,"column":125}' said # where the string begins
}

@test "what is no JSON, or free text, has no damage of its own" {
  { cx_call c1 shell '{\"a\":1,\"a\":2' && cx_custom c2 shell '{\"a\":1,\"a\":2}' && cx_call c3 shell '{\"a\":1}'; } >t.jsonl
  tsreplay -q t.jsonl >said || true
  run grep -c 'duplicate-key' said
  assert_output 0
  grep -q '"rule":"malformed-arguments"' said
  run ! grep -q '"id":"c1","name":"shell","arguments":{' said
}
