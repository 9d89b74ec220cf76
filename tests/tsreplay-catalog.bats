#!/usr/bin/env bats
# tsreplay: what a catalog says of the calls: names, arguments, discovery.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp "$(data tsreplay/tools.jsonl)" tools.jsonl
  source "$(data tsreplay/records.bash)"
}

# --- names --------------------------------------------------------------------------------------------------

@test "each call has its verdict: an alias dispatches, removed and unknown are two words, a deprecated name is a note" {
  { an_user go
    an_blocks assistant "$(use t1 read_file '{"path":"a"}')" && an_blocks user "$(result t1)"
    an_blocks assistant "$(use t2 write_file '{"path":"a"}')" && an_blocks user "$(result t2)"
    an_blocks assistant "$(use t3 list_defs '{"path":"."}')" && an_blocks user "$(result t3)"
    an_blocks assistant "$(use t4 run '{"command":"ls"}')" && an_blocks user "$(result t4)"
    an_blocks assistant "$(use t5 telnet)" && an_blocks user "$(result t5)"
    an_blocks assistant "$(text done)"; } >history.jsonl
  run -1 --separate-stderr tsreplay -c tools.jsonl history.jsonl
  assert_output - <<'END'
{"type":"finding","rule":"removed-call","severity":"error","vector":{"R":"error"},"message":"tool 'write_file' is removed (deprecated since 1.0.0, its removal was planned for 2.0.0): use 'edit' instead","id":"t2","name":"write_file","source":{"file":"history.jsonl","line":4,"column":32},"fingerprint":"192a94ff0094b38b"}
{"type":"finding","rule":"unknown-call","severity":"error","vector":{"R":"error"},"message":"unknown tool 'list_defs'","id":"t3","name":"list_defs","source":{"file":"history.jsonl","line":6,"column":32},"fingerprint":"76b6f0469951337d"}
{"type":"finding","rule":"deprecated-call","severity":"note","vector":{"R":"note"},"message":"'run' is deprecated since 1.8.0: use 'shell' instead","id":"t4","name":"run","source":{"file":"history.jsonl","line":8,"column":32},"fingerprint":"f6bf16ee3b690460"}
{"type":"finding","rule":"removed-call","severity":"error","vector":{"R":"error"},"message":"tool 'telnet' is removed (deprecated since 1.0.0, its removal was planned for 2.0.0)","id":"t5","name":"telnet","source":{"file":"history.jsonl","line":10,"column":32},"fingerprint":"5af5bb49a613ced5"}
{"type":"summary","files":1,"skipped":0,"lines":12,"bad_lines":0,"bytes":1020,"calls":5,"answered":5,"sub_calls":0,"results":5,"by_state":{"hidden-compatibility":1,"deprecated":1,"removed":2,"unknown":1},"by_rule":{"removed-call":2,"unknown-call":1,"deprecated-call":1},"by_severity":{"error":{"removed-call":2,"unknown-call":1},"note":{"deprecated-call":1}},"names":{"list_defs":{"calls":1,"files":1,"state":"unknown"},"read_file":{"calls":1,"files":1,"state":"hidden-compatibility","replacement":"read"},"run":{"calls":1,"files":1,"state":"deprecated","replacement":"shell"},"telnet":{"calls":1,"files":1,"state":"removed"},"write_file":{"calls":1,"files":1,"state":"removed","replacement":"edit"}}}
END
  assert_equal "$stderr" "tsreplay: 1 file, 12 lines, 5 calls: 3 do not dispatch (2 removed, 1 unknown), 3 errors, 1 note"
  run -1 tsreplay -q -c tools.jsonl --verdicts history.jsonl
  assert_line -n 0 '{"type":"verdict","id":"t1","name":"read_file","canonical":"read","state":"hidden-compatibility","dispatches":true,"arguments":"fit","source":{"file":"history.jsonl","line":2,"format":"anthropic"}}'
  assert_line -n 1 '{"type":"verdict","id":"t2","name":"write_file","canonical":"edit","state":"removed","dispatches":false,"arguments":"unchecked","source":{"file":"history.jsonl","line":4,"format":"anthropic"}}'
  assert_line -n 2 '{"type":"verdict","id":"t3","name":"list_defs","state":"unknown","dispatches":false,"arguments":"unchecked","source":{"file":"history.jsonl","line":6,"format":"anthropic"}}'
  assert_line -n 3 '{"type":"verdict","id":"t4","name":"run","canonical":"shell","state":"deprecated","dispatches":true,"arguments":"unchecked","source":{"file":"history.jsonl","line":8,"format":"anthropic"}}'
  assert_line -n 4 '{"type":"verdict","id":"t5","name":"telnet","state":"removed","dispatches":false,"arguments":"unchecked","source":{"file":"history.jsonl","line":10,"format":"anthropic"}}'
  assert_equal "${#lines[@]}" 6
}

@test "names match byte for byte, and one with a NUL in it is another name" {
  { cx_meta && cx_call c1 shell && cx_output c1 && cx_call 'c2\u0000x' 'read\u0000_file' && cx_output c2 && cx_call c3 Shell && cx_output c3; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 unanswered-call c2\u0000x
4 unknown-call c2\u0000x
4 nul-escape
5 orphan-result c2
6 unknown-call c3
calls 3 answered 2 results 3
END
  assert_equal "$(tsreplay -q -c tools.jsonl --fail-on all=off --names t.jsonl)" '{"type":"name","name":"Shell","calls":1,"files":1,"first":"2026-03-04T05:06:07.000Z","last":"2026-03-04T05:06:07.000Z","state":"unknown"}
{"type":"name","name":"read\u0000_file","calls":1,"files":1,"first":"2026-03-04T05:06:07.000Z","last":"2026-03-04T05:06:07.000Z","state":"unknown"}
{"type":"name","name":"shell","calls":1,"files":1,"first":"2026-03-04T05:06:07.000Z","last":"2026-03-04T05:06:07.000Z","state":"active"}'
  grep -q "unknown tool 'read.*x00_file'" said
}

# --- arguments ----------------------------------------------------------------------------------------------

@test "arguments are checked by the called name's schema, then, mapped, by the tool's" {
  call() { oa_call "$1" "$2" "$3" && oa_result "$1"; }
  { oa_user go
    call a1 read '{\"path\":\"x\"}'
    call a2 read '{\"path\":1}'
    call a3 read '{}'
    call a4 edit '{\"path\":\"x\",\"action\":\"burn\"}'
    call a5 append_file '{\"file\":\"x\",\"text\":\"y\",\"verbose\":true}'
    call a6 append_file '{\"path\":\"x\"}'
    call a7 append_file '{\"file\":\"x\",\"depth\":1}'
    call a8 shell '{\"anything\":[1]}'
    oa_text done; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 arguments-misfit a2
6 arguments-misfit a3
8 arguments-misfit a4
12 arguments-misfit a6
14 arguments-misfit a7
calls 8 answered 8 results 8
END
  assert_equal "$(sed -n 's/\\"/'"'/g"'; s/.*"message":"\([^"]*\)".*"pointer":"\([^"]*\)".*/\2|\1/p' said)" "/path|arguments of 'read' do not fit at '/path': expected string, came number 1
|arguments of 'read' do not fit: expected property 'path', came nothing
/action|arguments of 'edit' do not fit at '/action': expected one of ['replace','append'], came string 'burn'
|arguments of 'append_file' do not fit: expected property 'file', came nothing
/depth|arguments of 'append_file' do not fit at '/depth': expected no property 'depth', came number 1"
  assert_equal "$(tsreplay -q -c tools.jsonl --verdicts t.jsonl | sed -n 's/.*"arguments":"\([^"]*\)".*/\1/p' | tr '\n' ' ')" \
    'fit misfit misfit misfit fit misfit misfit unchecked '
}

@test "blank arguments mean none; what is no object is malformed, with and without a catalog" {
  call() { oa_call "$1" lookup "$2" && oa_result "$1"; }
  { oa_user go
    call a1 '' && call a2 '  ' && call a3 '{}' && call a4 '[]' && call a5 'nul' && call a6 '{} {}' && call a7 '[REDACTED]'
    call a8 '{\"a\":' && call a9 '\"{}\"'
    oa_text done; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
8 malformed-arguments a4
10 malformed-arguments a5
12 malformed-arguments a6
14 malformed-arguments a7
16 malformed-arguments a8
18 malformed-arguments a9
calls 9 answered 9 results 9
END
  assert_equal "$(sed -n 's/.*"message":"arguments of .lookup. are malformed: \([^"]*\)".*/\1/p' said)" "a list, not an object
not JSON: text ends inside a word at byte 4
not JSON: bytes after the value at byte 4
they were redacted
not JSON: text ends inside an object at byte 6
text, not an object"
  audit 1 t.jsonl <expected
}

@test "the last of doubled keys counts, and the record says that there are two" {
  { an_user go && an_blocks assistant "$(use t1 read '{"path":1,"path":"x"}')" && an_blocks user "$(result t1)" && an_blocks assistant "$(text done)"; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<'END'
2 duplicate-key
calls 1 answered 1 results 1
END
}

@test "doubled names with different schemas: arguments fit if any takes them" {
  cat >two.jsonl <<'END'
{"type":"tool","name":"t","state":"active","input_schema":{"type":"object","required":["a"]}}
{"type":"tool","name":"t","state":"active","input_schema":{"type":"object","required":["b"]}}
END
  { an_user go && an_blocks assistant "$(use 1 t '{"a":1}')" "$(use 2 t '{"b":1}')" "$(use 3 t '{"c":1}')" &&
    an_blocks user "$(result 1)" "$(result 2)" "$(result 3)" && an_blocks assistant "$(text done)"; } >t.jsonl
  audit 1 -c two.jsonl t.jsonl <<'END'
2 arguments-misfit 3
calls 3 answered 3 results 3
END
}

# --- lists that a transcript carries ------------------------------------------------------------------------

@test "without -c the lists of the transcript judge it: the latest in force before the call" {
  list() { printf '[{"type":"function","name":"%s","parameters":{"type":"object","required":["p"]}}]' "$1"; }
  { dsh_session && dsh_user go && dsh_tools "$(list one)" && dsh_call 1 a one '{\"p\":1}' && dsh_result 1 a && dsh_call 1 b two '{\"p\":1}' && dsh_result 1 b &&
    dsh_tools "$(list two)" && dsh_call 2 c two '{}' && dsh_result 2 c && dsh_tools '"{{tools}}"' && dsh_call 3 d one && dsh_result 3 d && dsh_text 4 done; } >t.jsonl
  audit 1 t.jsonl <<'END'
6 unknown-call b
9 arguments-misfit c
12 unknown-call d
calls 4 answered 4 results 4
END
  # a given catalog stands above them
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 unknown-call a
6 unknown-call b
9 unknown-call c
12 unknown-call d
calls 4 answered 4 results 4
END
}

@test "one request a line: each line has its own list" {
  local messages='"messages":[{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"%s","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}]'
  { printf '{"tools":[{"name":"one","input_schema":{"type":"object"}}],'"$messages"'}\n' one
    printf '{"tools":[{"name":"two","input_schema":{"type":"object"}}],'"$messages"'}\n' one
    printf '{'"$messages"'}\n' one; } >t.jsonl
  run -1 --separate-stderr tsreplay t.jsonl
  assert_equal "$(brief <<<"$output")" $'2 unknown-call t1\ncalls 3 answered 3 results 3'
  assert_equal "$stderr" 'tsreplay: 1 file, 3 lines, 3 calls: 1 error; no catalog for 1 of them: names and arguments not checked'
}

@test "without any catalog the transcript alone is checked, and that is said" {
  { cc_user go && cc_call t1 anything && cc_result t1 && cc_text done; } >t.jsonl
  run -0 --separate-stderr tsreplay t.jsonl
  assert_equal "$stderr" 'tsreplay: 1 file, 4 lines, 1 call: no findings; no catalog: names and arguments not checked'
  assert_output --partial '"by_state":{},"by_rule":{},"by_severity":{},"names":{"anything":{"calls":1,"files":1,"first"'
  run -0 tsreplay -q --verdicts t.jsonl
  assert_line -n 0 '{"type":"verdict","session":"s1","id":"t1","name":"anything","dispatches":null,"arguments":"unchecked","source":{"file":"t.jsonl","line":2,"format":"claude-code"}}'
  run -0 tsreplay --format text t.jsonl
  assert_line --partial 'Would replay: 1 call, 1 answered.'
  assert_line --partial 'no catalog: names and arguments were not checked; give one with -c'
}

@test "\$TSCATALOG, then ./tscatalog.jsonl stand in for -c" {
  { cc_user go && cc_call t1 nobody && cc_result t1 && cc_text done; } >t.jsonl
  TSCATALOG=tools.jsonl run -1 tsreplay -q t.jsonl
  assert_output --partial unknown-call
  cp tools.jsonl tscatalog.jsonl
  run -1 tsreplay -q t.jsonl
  assert_output --partial unknown-call
  run -2 tsreplay -q -c nowhere.jsonl t.jsonl
  assert_output 'tsreplay: nowhere.jsonl: cannot open: No such file or directory'
}

@test "catalogs that are none: half a list, and an empty one" {
  { cc_user go && cc_text done; } >t.jsonl
  echo '{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"2"}' >page1.json
  echo '{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}' >page2.json
  run -2 tsreplay -q -c page1.json t.jsonl
  assert_output 'tsreplay: the catalog ends with a nextCursor: more of its pages are needed'
  run -0 tsreplay -q -c page1.json -c page2.json t.jsonl
  : >empty.jsonl
  run -2 tsreplay -q -c empty.jsonl t.jsonl
  assert_output 'tsreplay: the catalog has no tools: there is nothing to check against'
  run -2 tsreplay -q -c tools.jsonl --mode sideways t.jsonl
  assert_output "tsreplay: the catalog has no mode 'sideways'"
}

@test "--mode plan: an action that is shown in another mode only does not fit" {
  cat >family.jsonl <<'END'
{"type":"tool","name":"File","state":"active","actions":[{"name":"read"},{"name":"write","modes":["agent"]}],"input_schema":{"type":"object","properties":{"action":{"enum":["read","write"]}}}}
END
  printf '%s\n' '{"type":"call","id":"1","name":"File","arguments":{"action":"write"}}' \
    '{"type":"result","id":"1","name":"File","is_error":false,"content":""}' >t.jsonl
  run -0 tsreplay -q -c family.jsonl --verdicts t.jsonl
  assert_line -n 0 --partial '"dispatches":true,"arguments":"fit"'
  run -1 tsreplay -q -c family.jsonl --mode plan --verdicts t.jsonl
  assert_line -n 0 --partial '"dispatches":true,"arguments":"misfit"'
}

@test "--feature turns records off: their names are unknown then" {
  echo '{"type":"tool","name":"web","state":"active","feature":"network"}' >>tools.jsonl
  { cc_user go && cc_call t1 web && cc_result t1 && cc_text done; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<<'calls 1 answered 1 results 1'
  audit 0 -c tools.jsonl --feature network t.jsonl <<<'calls 1 answered 1 results 1'
  audit 1 -c tools.jsonl --feature other t.jsonl <<'END'
2 unknown-call t1
calls 1 answered 1 results 1
END
}

# --- discovery ----------------------------------------------------------------------------------------------

@test "claude-code: a deferred tool is called before, and after, a search has named it; a compaction forgets" {
  found() { cc_record user '"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"'"$1"'","content":[{"type":"tool_reference","tool_name":"'"$2"'"}]}]}'; }
  { cc_user go && cc_call t1 lookup && cc_result t1 && cc_call t2 shell && found t2 lookup && cc_call t3 lookup && cc_result t3 && cc_boundary &&
    cc_call t4 lookup && cc_result t4 && cc_text done; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<'END'
2 undiscovered-call t1
9 undiscovered-call t4
calls 4 answered 4 results 4
END
  audit 1 -c tools.jsonl --fail-on undiscovered-call=note t.jsonl <expected
}

@test "a list that a request declares names its tools; a format that writes none down is not judged" {
  { dsh_session && dsh_tools '[{"name":"shell","parameters":{}}]' && dsh_call 1 a lookup && dsh_result 1 a &&
    dsh_tools '[{"type":"function","function":{"name":"lookup","parameters":{}}}]' && dsh_call 2 b lookup && dsh_result 2 b && dsh_text 3 done; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<'END'
3 undiscovered-call a
calls 2 answered 2 results 2
END
  { dsh_session && dsh_call 1 a lookup && dsh_result 1 a && dsh_text 3 done; } >u.jsonl
  audit 0 -c tools.jsonl u.jsonl <<<'calls 1 answered 1 results 1'
}

@test "the cases from practice, where they are at hand" {
  local shared case
  shared=$(shared) || return 0
  case=$shared/cases/R14-legacy-tool-names
  assert_equal "$(tsreplay -q -c "$case/catalog.jsonl" "$case/history.jsonl" | brief)" $'4 removed-call toolu_2\n6 unknown-call toolu_3\ncalls 3 answered 3 results 3'
  case=$shared/cases/R28-nul-in-strings
  assert_equal "$(tsreplay -q -c "$case/catalog.jsonl" "$case/rollout.jsonl" | brief | grep -v nul-escape)" \
    $'4 interrupted-call call_2\\u0000x\n4 unknown-call call_2\\u0000x\n5 orphan-result call_2\ncalls 2 answered 1 results 2'
  case=$shared/cases/R34-empty-arguments
  assert_equal "$(tsreplay -q -c "$case/catalog.jsonl" "$case/chat.jsonl" | brief)" 'calls 1 answered 1 results 1'
}
