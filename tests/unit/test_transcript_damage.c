/* What is wrong with lines and documents, where it is said to be, and which records are read all the same. */
#include "unit/events.h"
#include "unit/tap.h"

#define CALL "{\"type\":\"tool/call\",\"data\":{\"callId\":\"1\",\"name\":\"a\"}}"
#define RESULT "{\"type\":\"tool/result\",\"data\":{\"callId\":\"1\",\"content\":[]}}"
#define CUT "{\"type\":\"tool/call\",\"data\":{\"callId\":\"1\",\"na"

struct row {
  const char *what;
  struct ts_str text;
  const char *want;
};

static void check(const struct row *row, const char *format, uint64_t max_line) {
  struct ts_buf got = { 0 };
  struct ts_read_options options = { .format = format ? ts_format_find(ts_str_z(format)) : NULL, .max_line = max_line };
  struct ts_input *in = ts_input_memory(row->text);
  show_transcript(in, &options, &got);
  IS(ts_buf_str(&got), ts_str_z(row->want), "%s", row->what);
  ts_input_close(in);
  ts_buf_free(&got);
}

/* Lines of dsh. */
static const struct row lines[] = {
  { "whole", TS_STR(CALL "\n" RESULT "\n"),
    "1:1 call id=1 name=a\n2:1 result id=1 content=[]\n= 1 dsh, 2 lines, 0 bad\n" },
  { "no final newline, CRLF, blank lines and a byte order mark", TS_STR("\xef\xbb\xbf" CALL "\r\n\r\n \t\n" RESULT),
    "1:1 call id=1 name=a\n4:1 result id=1 content=[]\n= 1 dsh, 4 lines, 0 bad\n" },
  { "other JSON is no record, and no fault",
    TS_STR("1\nnull\n[]\n{}\n\"a\"\n[1,{\"type\":7}]\n{\"type\":\"tool/call\"}\n"),
    "7:1 call\n= 1 dsh, 7 lines, 0 bad\n" },
  { "two records on a line", TS_STR(CALL RESULT "\n" CALL "\n"),
    "1:1 call id=1 name=a\n1:54 result id=1 content=[]\n"
    "1:1 finding glued-records: 2 records on one line; all were read\n"
    "2:1 call id=1 name=a\n= 1 dsh, 2 lines, 1 bad\n" },
  { "three, with blanks between", TS_STR(CALL " \t" RESULT " {} "),
    "1:1 call id=1 name=a\n1:56 result id=1 content=[]\n"
    "1:1 finding glued-records: 3 records on one line; all were read\n= 1 dsh, 1 lines, 1 bad\n" },
  { "cut off in the middle of the file", TS_STR(CUT "\n" CALL "\n"),
    "1:45 finding torn-line: the line ends inside a record (text ends inside a string, byte 44 of the file): it was "
    "left "
    "out, the lines after it were read\n2:1 call id=1 name=a\n= 1 dsh, 2 lines, 1 bad\n" },
  { "cut off at the tail", TS_STR(CALL "\n" CUT),
    "1:1 call id=1 name=a\n2:45 finding torn-line R=warning: the line ends inside a record (text ends inside a string, "
    "byte 98 of the file): it was left out\n= 1 dsh, 2 lines, 1 bad\n" },
  { "cut off at the tail, blank lines behind", TS_STR(CALL "\n" CUT " \n\n  \n"),
    "1:1 call id=1 name=a\n2:46 finding torn-line R=warning: the line ends inside a record (text ends inside a string, "
    "byte 99 of the file): it was left out\n= 1 dsh, 4 lines, 1 bad\n" },
  { "a cut one and a whole one", TS_STR(CUT CALL " \n" RESULT "\n"),
    "1:45 call id=1 name=a\n1:47 finding torn-line: a record is cut off and 1 whole one follows on the line: that was "
    "read, and so were the lines after it\n2:1 result id=1 content=[]\n= 1 dsh, 2 lines, 1 bad\n" },
  { "cut where a value would begin", TS_STR("{\"type\":\"tool/call\",\"data\":" CALL "\n" RESULT),
    "1:28 call id=1 name=a\n1:81 finding torn-line: a record is cut off and 1 whole one follows on the line: that was "
    "read, and so were the lines after it\n2:1 result id=1 content=[]\n= 1 dsh, 2 lines, 1 bad\n" },
  { "cut inside a list, a string with quotes and backslashes, and two whole ones",
    TS_STR("[\"{\\\"\\\\\",\"x\\\\\\\"{" CALL RESULT "\n{}"),
    "1:17 call id=1 name=a\n1:70 result id=1 content=[]\n"
    "1:19 finding torn-line: a record is cut off and 2 whole ones follow on the line: those were read, and so were the "
    "lines after it\n= 1 dsh, 2 lines, 1 bad\n" },
  { "a whole one and a cut one", TS_STR(CALL CUT "\n" RESULT),
    "1:1 call id=1 name=a\n1:98 finding torn-line: 1 whole record and one that is cut off (text ends inside a string): "
    "it was left out, the lines after it were read\n2:1 result id=1 content=[]\n= 1 dsh, 2 lines, 1 bad\n" },
  { "a whole one, a cut one, a whole one", TS_STR(CALL CUT RESULT),
    "1:1 call id=1 name=a\n1:98 result id=1 content=[]\n1:100 finding torn-line R=warning: a record is cut off and 1 "
    "whole "
    "one follows on the line: that was read\n= 1 dsh, 1 lines, 1 bad\n" },
  { "what ends a torn record is no record", TS_STR("{\"type\":\"x/y\",\"data\":{\"a\":{\"type\":\"b\"}"),
    "1:39 finding torn-line R=warning: the line ends inside a record (text ends inside an object, byte 38 of the "
    "file): "
    "it was left out\n= 1 dsh, 1 lines, 1 bad\n" },
  { "only NULs", TS_STR("\0\0\0\n" CALL),
    "1:1 finding bad-line: 3 NUL bytes (from byte 0 of the file); the lines after it were read\n"
    "2:1 call id=1 name=a\n= 1 dsh, 2 lines, 1 bad\n" },
  { "NULs before a record", TS_STR("\0\0 \0" CALL "\n"),
    "1:5 call id=1 name=a\n1:1 finding bad-line: 3 NUL bytes (from byte 0 of the file); the record on it was read\n"
    "= 1 dsh, 1 lines, 1 bad\n" },
  { "a NUL behind a record", TS_STR(CALL "\0\n" RESULT),
    "1:1 call id=1 name=a\n1:54 finding bad-line: 1 NUL byte (from byte 53 of the file); the record on it was read; "
    "the lines after it were read\n2:1 result id=1 content=[]\n= 1 dsh, 2 lines, 1 bad\n" },
  { "NULs and a cut record", TS_STR("\0\0" CUT),
    "1:47 finding torn-line R=warning: the line ends inside a record (text ends inside a string, byte 46 of the file): "
    "it "
    "was left out\n= 1 dsh, 1 lines, 1 bad\n" },
  { "text", TS_STR("Traceback:\n" CALL),
    "1:1 finding bad-line: not a JSON value: unexpected byte 0x54 (byte 0 of the file); the lines after it were read\n"
    "2:1 call id=1 name=a\n= 1 dsh, 2 lines, 1 bad\n" },
  { "a stray comma", TS_STR(CALL "\n{\"type\":\"tool/call\",\"data\":{},}\n"),
    "1:1 call id=1 name=a\n2:31 finding bad-line: not a JSON value: unexpected byte 0x7d (byte 84 of the file)\n"
    "= 1 dsh, 2 lines, 1 bad\n" },
  { "a record and text", TS_STR(CALL " and so on\n"),
    "1:1 call id=1 name=a\n1:55 finding bad-line: not a JSON value: unexpected byte 0x61 (byte 54 of the file); the "
    "record "
    "on it was read\n= 1 dsh, 1 lines, 1 bad\n" },
  { "bytes that are not UTF-8, in a string",
    TS_STR("{\"type\":\"tool/call\",\"data\":{\"callId\":\"\xff\",\"name\":\"a\"}}"),
    "1:39 finding bad-utf8: at '/data/callId' there are bytes that are not UTF-8; the record was read\n"
    "1:1 call id=\\xff name=a\n= 1 dsh, 1 lines, 1 bad\n" },
  { "bytes that are not UTF-8, elsewhere", TS_STR("{\"type\":\xff}\n"),
    "1:9 finding bad-line: not a JSON value: unexpected byte 0xff (byte 8 of the file)\n= 1 dsh, 1 lines, 1 bad\n" },
  { "half a surrogate pair, a NUL, a doubled key",
    TS_STR("{\"type\":\"x/y\",\"type\":\"tool/"
           "call\",\"data\":{\"callId\":\"\\ud800\",\"name\":\"a\\u0000b\",\"name\":\"c\"}}"),
    "1:15 finding duplicate-key: at '/type' the key is there twice; its last value counts\n"
    "1:52 finding lone-surrogate: at '/data/callId' there is half of a surrogate pair; the record was read\n"
    "1:69 finding nul-escape: at '/data/name' there is a \\u0000; the record was read\n"
    "1:1 call id=\\xed\\xa0\\x80 name=c\n= 1 dsh, 1 lines, 0 bad\n" },
  { "a raw control character", TS_STR("{\"type\":\"tool/call\",\"data\":{\"name\":\"a\tb\"}}\n" CALL),
    "1:38 finding bad-line: not a JSON value: control character 0x09 in a string (byte 37 of the file); the lines "
    "after it were "
    "read\n2:1 call id=1 name=a\n= 1 dsh, 2 lines, 1 bad\n" },
};

/* What looks like a record and is a part of one, in the formats where that can be. */
static const struct {
  const char *format;
  struct row row;
} parts[] = {
  { "openai",
    { "a message of a torn conversation",
      TS_STR("{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}\n"
             "{\"messages\":[{\"role\":\"user\",\"content\":\"y\"}]}\n"),
      "1:43 finding torn-line: the line ends inside a record (text ends inside an array, byte 42 of the file): it was "
      "left "
      "out, the lines after it were read\n2:14 message\n= 1 openai, 2 lines, 1 bad\n" } },
  { "openai",
    { "a message behind a torn message",
      TS_STR("{\"role\":\"user\",\"content\":{\"role\":\"user\",\"content\":\"y\"}\n"),
      "1:26 message\n1:55 finding torn-line R=warning: a record is cut off and 1 whole one follows on the line: that "
      "was "
      "read\n= 1 openai, 1 lines, 1 bad\n" } },
  { "codex",
    { "the payload of a torn envelope",
      TS_STR("{\"type\":\"session_meta\",\"payload\":{\"id\":\"s\"}}\n"
             "{\"type\":\"response_item\",\"payload\":{\"type\":\"function_call\",\"call_id\":\"1\",\"name\":\"a\"}\n"),
      "2:84 finding torn-line R=warning: the line ends inside a record (text ends inside an object, byte 128 of the "
      "file): "
      "it was left out\n= 1 codex, 2 lines, 1 bad\n" } },
  { "codex",
    { "an old record behind a torn one", TS_STR("{\"type\":\"rea{\"type\":\"function_call\",\"call_id\":\"1\"}"),
      "1:13 call id=1 turn=1\n1:15 finding torn-line R=warning: a record is cut off and 1 whole one follows on the "
      "line: that "
      "was read\n= 1 codex, 1 lines, 1 bad\n" } },
  { "claude-code",
    { "the copy in a torn progress record",
      TS_STR("{\"type\":\"progress\",\"sessionId\":\"s\",\"data\":{\"message\":{\"type\":\"assistant\",\"uuid\":\"u\","
             "\"message\":"
             "{\"content\":[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"a\"}]}}"),
      "1:149 finding torn-line R=warning: the line ends inside a record (text ends inside an object, byte 148 of the "
      "file): "
      "it was left out\n= 1 claude-code, 1 lines, 1 bad\n" } },
  { "claude-code",
    { "a glued record that comes again",
      TS_STR("{\"type\":\"user\",\"uuid\":\"1\",\"sessionId\":\"s\",\"message\":{\"content\":\"x\"}}"
             "{\"type\":\"user\",\"uuid\":\"2\",\"sessionId\":\"s\",\"message\":{\"content\":\"y\"}}\n"
             "{\"type\":\"user\",\"uuid\":\"2\",\"sessionId\":\"s\",\"message\":{\"content\":\"y\"}}\n"
             "{\"type\":\"user\",\"uuid\":\"2\",\"sessionId\":\"t\",\"message\":{\"content\":\"y\"}}\n"),
      "1:1 message session=s\n1:69 message session=s\n1:1 finding glued-records: 2 records on one line; all were read\n"
      "2:1 finding repeated-record: the record with uuid 2 was read before in this session; it is not counted again\n"
      "3:1 message session=t\n= 1 claude-code, 3 lines, 1 bad\n" } },
};

/* Documents: two messages, whole and not. */
#define M1 "{\"role\":\"user\",\"content\":\"x\"}"
#define M2 "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"a\"}}]}"
static const struct row documents[] = {
  { "one line", TS_STR("{\"messages\":[" M1 "," M2 "]}"),
    "1:14 message\n1:44 message turn=1\n1:44 call id=1 name=a turn=1\n"
    "= 1 openai, 1 lines, 0 bad\n" },
  { "a list of messages, one a line", TS_STR("[\n" M1 ",\n" M2 "\n]\n"),
    "2:1 message\n3:1 message turn=1\n"
    "3:1 call id=1 name=a turn=1\n= 1 openai, 4 lines, 0 bad\n" },
  { "cut off", TS_STR("{\n\"messages\": [" M1 ",\n" M2 ",\n{\"role\":\"us"),
    "2:14 message\n3:1 message turn=1\n3:1 call id=1 name=a turn=1\n"
    "4:12 finding bad-document: the document is cut off here (text ends inside a string); what comes before was read\n"
    "= 1 openai, 4 lines, 0 bad\n" },
  { "cut off, on one line", TS_STR("{\"messages\":[" M1 "," M2 ",{\"ro"),
    "1:14 message\n1:44 message turn=1\n1:44 call id=1 name=a turn=1\n"
    "1:119 finding bad-document: the document is cut off here (text ends inside a string); what comes before was read\n"
    "= 1 openai, 1 lines, 0 bad\n" },
  { "malformed", TS_STR("{\"messages\":[" M1 ",\n" M2 " " M1 "]}\n"),
    "1:14 message\n2:1 message turn=1\n2:1 call id=1 name=a turn=1\n"
    "2:72 finding bad-document: the document is not JSON here (unexpected byte 0x7b); what comes before was read\n"
    "= 1 openai, 2 lines, 0 bad\n" },
  { "a list cut off inside a conversation", TS_STR("[{\"traj\":[" M1 "]},{\"traj\":[" M2 "," M1 ",\n{"),
    "1:11 message\n1:43 end\n1:52 message turn=1\n1:52 call id=1 name=a turn=1\n1:123 message\n"
    "2:2 finding bad-document: the document is cut off here (text ends inside an object); what comes before was read\n"
    "= 1 openai, 2 lines, 0 bad\n" },
  { "two documents", TS_STR("{\n\"messages\":[" M1 "]}\n{\n\"messages\":[" M1 "]}\n"),
    "2:13 message\n3:1 finding bad-document: another value follows the document; it was read too\n3:1 end\n4:13 "
    "message\n"
    "= 1 openai, 4 lines, 0 bad\n" },
  { "doubled key and bad UTF-8", TS_STR("{\n\"messages\":[],\"messages\":[" M1 "],\n\"x\":\"\xc3\"}"),
    "3:6 finding bad-utf8: at '/x' there are bytes that are not UTF-8; the record was read\n"
    "2:15 finding duplicate-key: at '/messages' the key is there twice; its last value counts\n2:27 message\n"
    "= 1 openai, 3 lines, 0 bad\n" },
  { "a torn line before records is no document", TS_STR("{\"role\":\"us\n" M1 "\n" M2 "\n"),
    "1:12 finding torn-line: the line ends inside a record (text ends inside a string, byte 11 of the file): it was "
    "left "
    "out, the lines after it were read\n2:1 message\n3:1 message turn=1\n3:35 call id=1 name=a turn=1\n"
    "= 1 openai, 3 lines, 1 bad\n" },
};

static const struct row unknown[] = {
  { "nothing", TS_STR(""),
    "= 0 no format, 0 lines, 0 bad; file: no known transcript format: it is empty; --from FORMAT names one\n" },
  { "blanks", TS_STR(" \n\n"),
    "= 0 no format, 0 lines, 0 bad; file: no known transcript format: it is empty; --from FORMAT names one\n" },
  { "text", TS_STR("hello\nyou\n"),
    "= 0 no format, 0 lines, 0 bad; file: no known transcript format: there is no JSON in what "
    "was looked at; --from FORMAT names one\n" },
  { "other records", TS_STR("{\"type\":\"foo\",\"a\":1,\"b\":2}\n{\"c\":1}\n"),
    "= 0 no format, 0 lines, 0 bad; file: no known "
    "transcript format: its first record has the keys type (\"foo\"), a, b; --from FORMAT names one\n" },
  { "another document", TS_STR("{\n\"x\":[\n1]}\n"),
    "= 0 no format, 0 lines, 0 bad; file: no known transcript format: its first "
    "record has the keys x; --from FORMAT names one\n" },
  { "numbers", TS_STR("1\n2\n"),
    "= 0 no format, 0 lines, 0 bad; file: no known transcript format: its first line is no record; "
    "--from FORMAT names one\n" },
  { "UTF-16 with a mark", TS_STR("\xff\xfe{\0}\0"),
    "= -1 no format, 0 lines, 0 bad; file: this is UTF-16 text (little-endian, by "
    "its byte order mark): convert it to UTF-8 first\n" },
  { "UTF-16, the other order", TS_STR("\xfe\xff\0{\0}"),
    "= -1 no format, 0 lines, 0 bad; file: this is UTF-16 text (big-endian, by "
    "its byte order mark): convert it to UTF-8 first\n" },
  { "UTF-16 without a mark", TS_STR("{\0\"\0a\0\"\0"),
    "= -1 no format, 0 lines, 0 bad; file: this is UTF-16 text (little-endian): "
    "convert it to UTF-8 first\n" },
};

/* Arguments in a string: what the scan of the record cannot see. */
#define TWICE "{\\\"a\\\":1,\\\"a\\\":2}"
static const struct {
  const char *format;
  struct row row;
} in_arguments[] = {
  { "dsh",
    { "nested calls, too",
      TS_STR(
          "{\"type\":\"tool/code-dispatch-start\",\"data\":{\"subCallId\":\"1\",\"name\":\"n\",\"arguments\":\"" TWICE
          "\"}}"),
      "1:83 finding id=1 name=n duplicate-key: in the arguments of 'n', at '/a', the key is there twice; its last "
      "value counts\n"
      "1:1 sub-call id=1 name=n arguments={\"a\":1,\"a\":2} string\n"
      "= 1 dsh, 1 lines, 0 bad\n" } },
  { "openai",
    { "each call of a message",
      TS_STR("{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"m\",\"arguments\":\"" TWICE
             "\"}},{\"id\":\"2\",\"function\":{\"name\":\"n\",\"arguments\":\" " TWICE "\"}}]}"),
      "1:1 message turn=1\n"
      "1:80 finding id=1 name=m duplicate-key: in the arguments of 'm', at '/a', the key is there twice; its last "
      "value counts\n"
      "1:35 call id=1 name=m arguments={\"a\":1,\"a\":2} string turn=1\n"
      "1:147 finding id=2 name=n duplicate-key: in the arguments of 'n', at '/a', the key is there twice; its last "
      "value counts\n"
      "1:102 call id=2 name=n arguments= {\"a\":1,\"a\":2} string turn=1\n"
      "= 1 openai, 1 lines, 0 bad\n" } },
  { "openai",
    { "in a document of several lines, at the place of the call",
      TS_STR(
          "{\"messages\":[\n "
          "{\"role\":\"assistant\",\"tool_calls\":[\n{\"id\":\"1\",\"function\":{\"name\":\"m\",\"arguments\":\"" TWICE
          "\"}}]}\n]}"),
      "2:2 message turn=1\n"
      "2:2 finding id=1 name=m duplicate-key: in the arguments of 'm', at '/a', the key is there twice; its last value "
      "counts\n"
      "2:2 call id=1 name=m arguments={\"a\":1,\"a\":2} string turn=1\n"
      "= 1 openai, 4 lines, 0 bad\n" } },
  { "gemini",
    { "kept until the end",
      TS_STR("{\"sessionId\":\"s\",\"projectHash\":\"p\"}\n{\"id\":\"1\",\"type\":\"gemini\",\"toolCalls\":[{\"id\":"
             "\"1\",\"name\":\"n\",\"args\":\"" TWICE "\",\"result\":[]}]}"),
      "2:1 message session=s turn=1\n"
      "2:1 finding session=s id=1 name=n duplicate-key: in the arguments of 'n', at '/a', the key is there twice; its "
      "last value counts\n"
      "2:1 call session=s id=1 name=n arguments={\"a\":1,\"a\":2} string turn=1\n"
      "2:1 result session=s id=1 name=n content=[]\n"
      "= 1 gemini, 2 lines, 0 bad\n" } },
  { "neutral",
    { "told where the record comes from",
      TS_STR("{\"type\":\"call\",\"id\":\"1\",\"name\":\"n\",\"arguments\":\"" TWICE
             "\",\"source\":{\"format\":\"dsh\"}}"),
      "1:1 call id=1 name=n arguments={\"a\":1,\"a\":2} string\n"
      "= 1 neutral, 1 lines, 0 bad\n" } },
  { "dsh",
    { "half a pair that the record has is the record's",
      TS_STR("{\"type\":\"tool/"
             "call\",\"data\":{\"callId\":\"1\",\"name\":\"n\",\"arguments\":\"{\\\"a\\\":\\\"\\ud800\\\"}\"}}"),
      "1:75 finding lone-surrogate: at '/data/arguments' there is half of a surrogate pair; the record was read\n"
      "1:1 call id=1 name=n arguments={\"a\":\"\\xed\\xa0\\x80\"} string\n"
      "= 1 dsh, 1 lines, 0 bad\n" } },
};

/* Lines among messages that are no conversation: the call before them and the result behind stay one. */
static void stray_lines(void) {
  static const char *const strays[] = {
    "null", "5", "\"x\"", "{}", "[]", "[ ]", "[1,2]", "[[]]", "[{}]", "[{\"role\":\"\"}]", "[[{\"role\":\"user\"}]]"
  };
  static const char *const formats[] = { "openai", "anthropic" };
  for (size_t i = 0; i < TS_COUNT(strays) * TS_COUNT(formats); i++) {
    const char *stray = strays[i / TS_COUNT(formats)];
    struct ts_buf text = { 0 }, got = { 0 };
    struct ts_read_options options = { .format = ts_format_find(ts_str_z(formats[i % TS_COUNT(formats)])) };
    ts_buf_addf(&text, M1 "\n%s\n" M2 "\n[" M1 "]\n", stray);
    struct ts_input *in = ts_input_memory(ts_buf_str(&text));
    show_transcript(in, &options, &got);
    const char *end = strstr(ts_buf_z(&got), " end\n");
    OK(end && strncmp(end - 3, "4:1", 3) == 0, "%s: a conversation ends before line 4, and not before that", stray);
    OK(end && !strstr(end + 1, " end\n"), "%s: and only there", stray);
    ts_input_close(in);
    ts_buf_free(&text);
    ts_buf_free(&got);
  }
}

static void capped(void) {
  static const struct row row = {
    "a line longer than the cap", TS_STR(CALL "\n" CALL "     \n" RESULT "\n" CALL "      "),
    "1:1 call id=1 name=a\n2:1 finding bad-line: the line is longer than 57 bytes and was left out; the lines after it "
    "were "
    "read\n3:1 result id=1 content=[]\n4:1 finding bad-line: the line is longer than 57 bytes and was left out\n"
    "= 1 dsh, 4 lines, 2 bad\n"
  };
  check(&row, NULL, 57);
}

static int stop_at_call(void *context, const struct ts_event *e) {
  ++*(int *)context;
  return e->kind == TS_EVENT_CALL ? -1 : 0;
}

static void stopping(void) {
  static const struct ts_str texts[] = {
    TS_STR("{\"type\":\"user/message\",\"data\":{}}\n" CALL "\n" RESULT),
    TS_STR("{\"type\":\"user/message\",\"data\":{}}" CALL RESULT),
    TS_STR("[" M1 "," M2 "," M1 "]"),
    TS_STR("{\"messages\":[" M2 "," M1 "]}\n{\"messages\":[" M1 "]}"),
  };
  for (size_t i = 0; i < TS_COUNT(texts); i++) {
    struct ts_input *in = ts_input_memory(texts[i]);
    struct ts_read_options options = { 0 };
    struct ts_read_stats stats;
    struct ts_buf err = { 0 };
    int events = 0, status = ts_transcript_read(in, TS_STR("file"), &options, stop_at_call, &events, &stats, &err);
    IS_INT(status, 1, "text %zu: stopped, that is no error", i);
    IS_INT(events, i < 2 ? 2 : i == 2 ? 3 : 2, "text %zu: after the call nothing came", i);
    ts_input_close(in);
    ts_buf_free(&err);
  }
}

/* Lines that would take a careless search for records hours. */
static void long_lines(void) {
  static const struct {
    const char *what, *piece, *end;
    unsigned long long findings;
  } rows[] = {
    { "opening braces", "{", "", 1 },
    { "openings of objects", "{\"a\":", "", 1 },
    { "closing braces", "}", "", 1 },
    { "closing braces behind an opening one", "}", "{", 1 },
    { "quotes", "\"", "", 1 },
    { "backslashes and quotes", "\\\"", "}", 1 },
    { "empty objects", "{}", "", 1 },
    { "objects and commas", "{},", "}", 1 },
    { "objects that are no records", "{]{}", "}", 1 },
    { "brackets", "[]{", "}", 1 },
  };
  for (size_t i = 0; i < TS_COUNT(rows); i++) {
    struct ts_buf text = { 0 };
    ts_buf_addz(&text, CALL "\n");
    for (int n = 0; n < 400000; n++) ts_buf_addz(&text, rows[i].piece);
    ts_buf_addz(&text, rows[i].end);
    ts_buf_addz(&text, "\n" CALL "\n");
    struct ts_input *in = ts_input_memory(ts_buf_str(&text));
    struct ts_read_options options = { 0 };
    struct ts_read_stats stats;
    struct ts_buf err = { 0 }, got = { 0 };
    int status = ts_transcript_read(in, TS_STR("file"), &options, show_into, &got, &stats, &err);
    OK(status == 1 && stats.bad_lines == 1 && stats.lines == 3, "%s: one bad line", rows[i].what);
    OK(ts_str_ends(ts_buf_str(&got), TS_STR("\n3:1 call id=1 name=a\n")), "%s: the line after it is read",
       rows[i].what);
    ts_input_close(in);
    ts_buf_free(&text);
    ts_buf_free(&err);
    ts_buf_free(&got);
  }
}

/* Compressed data that is cut off: its events come before the error. */
static void cut_data(void) {
  struct ts_buf packed = { 0 }, err = { 0 }, got = { 0 };
  struct ts_input *in = ts_input_open("tests/data/transcripts/dsh.jsonl.zstd", &err);
  FILE *f = fopen("tests/data/transcripts/dsh.jsonl.zstd", "rb");
  OK(in && f, "the packed file is there");
  ts_input_close(in);
  if (!f) return;
  packed.len = fread(ts_buf_reserve(&packed, 1 << 16), 1, 1 << 16, f);
  (void)fclose(f);
  const struct ts_read_options options = { 0 };
  in = ts_input_memory(ts_str(packed.ptr, packed.len - 30));
  show_transcript(in, &options, &got);
  OK(ts_str_starts(ts_buf_str(&got), TS_STR("4:1 message session=dsh-1 at=3\n")), "events of the first frame");
  OK(ts_str_ends(ts_buf_str(&got), TS_STR("; memory: the zstd data is cut off: what comes before the cut was read\n")),
     "and then the error");
  OK(ts_str_has(ts_buf_str(&got), TS_STR("\n= -1 dsh, ")), "with its status");
  ts_input_close(in);
  ts_buf_free(&packed);
  ts_buf_free(&err);
  ts_buf_free(&got);
}

int main(void) {
  for (size_t i = 0; i < TS_COUNT(lines); i++) check(&lines[i], "dsh", 0);
  for (size_t i = 0; i < TS_COUNT(parts); i++) check(&parts[i].row, parts[i].format, 0);
  for (size_t i = 0; i < TS_COUNT(documents); i++) check(&documents[i], NULL, 0);
  for (size_t i = 0; i < TS_COUNT(unknown); i++) check(&unknown[i], NULL, 0);
  for (size_t i = 0; i < TS_COUNT(in_arguments); i++) check(&in_arguments[i].row, in_arguments[i].format, 0);
  stray_lines();
  capped();
  stopping();
  long_lines();
  cut_data();
  return tap_done();
}
