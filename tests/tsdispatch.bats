#!/usr/bin/env bats
# tsdispatch: names, policies, handlers, order, and how it ends.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp "$(data tsdispatch/tools.jsonl)" tools.jsonl
  stream=$(data tsdispatch/stream.sh)
}

# tsdispatch with the catalog; calls on standard input.
dispatch() { tsdispatch -q -c tools.jsonl "$@"; }

stream_handlers() { # NAME...
  local name
  for name in "$@"; do printf '{"type":"handler","name":"%s","argv":["%s"],"stream":true}\n' "$name" "$stream"; done >handlers.jsonl
}

# --- names and states ---------------------------------------------------------------------------------------

@test "an old name gives the bytes of the new one; only a deprecated one has a notice, in the metadata" {
  local name
  for name in oven stove bake; do
    printf '{"id":"c","name":"%s","arguments":{"dish":"pie", "minutes":1e1}}\n' "$name"
  done >calls
  run dispatch --handler cat calls
  assert_success
  assert_output - <<'EOF'
{"type":"result","id":"c","name":"oven","is_error":false,"content":"{\"dish\":\"pie\",\"minutes\":1e1}"}
{"type":"result","id":"c","name":"stove","is_error":false,"content":"{\"dish\":\"pie\",\"minutes\":1e1}"}
{"type":"result","id":"c","name":"bake","is_error":false,"content":"{\"dish\":\"pie\",\"minutes\":1e1}","metadata":{"notice":"deprecated: use oven instead","name":"bake","replacement":"oven","since":"1.3.0","note":"Ovens do more."}}
EOF
}

@test "a deprecated name that fails has no notice" {
  run dispatch --handler false <<<'{"id":"c","name":"bake","arguments":{}}'
  assert_failure 1
  assert_output '{"type":"result","id":"c","name":"bake","is_error":true,"content":"handler '\''false'\'' exited with status 1"}'
}

@test "removed and unknown names are error results; the rest of the batch goes on, nothing runs for them" {
  printf '%s\n' '{"id":"a","name":"campfire"}' '{"id":"b","name":"pit"}' '{"id":"c","name":"ovens"}' \
    '{"id":"d","name":"item"}' '{"id":"e","name":"OVEN"}' '{"id":"f","name":"oven"}' >calls
  printf '#!/bin/sh\necho run >>runs; cat\n' >handler && chmod +x handler
  run dispatch --handler ./handler calls
  assert_failure 1
  assert_line -n 0 '{"type":"result","id":"a","name":"campfire","is_error":true,"content":"tool '\''campfire'\'' is removed (deprecated since 1.0.0, its removal was planned for 1.3.0): use '\''oven'\'' instead"}'
  assert_line -n 1 '{"type":"result","id":"b","name":"pit","is_error":true,"content":"tool '\''pit'\'' is removed (deprecated since 1.0.0, its removal was planned for 1.3.0)"}'
  assert_line -n 2 '{"type":"result","id":"c","name":"ovens","is_error":true,"content":"unknown tool '\''ovens'\'': did you mean '\''oven'\''?"}'
  assert_line -n 3 --regexp '"id":"d".*"is_error":true.*todo_write'
  assert_line -n 4 --regexp '"id":"e".*"is_error":true,"content":"unknown tool '\''OVEN'\'''
  assert_line -n 5 '{"type":"result","id":"f","name":"oven","is_error":false,"content":"{}"}'
  assert_equal "$(wc -l <runs)" 1
}

@test "without handlers, or with --routes, routes are written" {
  printf '%s\n' '{"id":"a","session":"s","name":"bake"}' '{"id":"b","name":"campfire"}' '{"id":"c","name":"ovn"}' '{"id":"d","name":"oven","arguments":[]}' >calls
  run dispatch calls
  assert_failure 1
  assert_output - <<'EOF'
{"type":"route","session":"s","id":"a","name":"bake","canonical":"oven","state":"deprecated","dispatches":true}
{"type":"route","id":"b","name":"campfire","canonical":"oven","state":"removed","dispatches":false,"message":"tool 'campfire' is removed (deprecated since 1.0.0, its removal was planned for 1.3.0): use 'oven' instead"}
{"type":"route","id":"c","name":"ovn","state":"unknown","dispatches":false,"suggestions":["oven"],"message":"unknown tool 'ovn': did you mean 'oven'?"}
{"type":"route","id":"d","name":"oven","canonical":"oven","state":"active","dispatches":false,"message":"invalid arguments: not an object"}
EOF
  head -n 1 calls >first
  run dispatch --routes --handler ./never first
  assert_success
}

@test "the embedded catalog stands in when there is no other" {
  run tsdispatch -q <<<'{"name":"read_file"}'
  assert_failure 1
  assert_output '{"type":"route","name":"read_file","canonical":"File","state":"removed","dispatches":false,"message":"tool '\''read_file'\'' is removed: use '\''File'\'' with action '\''read'\'' instead"}'
}

# --- arguments ----------------------------------------------------------------------------------------------

@test "an alias maps arguments: drop, rename, set; all other bytes stay" {
  printf '%s\n' '{"id":"a","name":"chop","arguments":{"what":"l\u0065ek","n":1.0}}' \
    '{"id":"b","name":"slice","arguments":{"loud":true,"food":"leek","big":12345678901234567890}}' >calls
  run dispatch --handler cat calls
  assert_success
  assert_line -n 0 --partial '"content":"{\"what\":\"l\\u0065ek\",\"n\":1.0,\"action\":\"cut\"}"'
  assert_line -n 1 --partial '"content":"{\"what\":\"leek\",\"big\":12345678901234567890,\"action\":\"cut\"}"'
}

@test "no arguments, in five spellings, are {}; what is no object is refused and runs nothing" {
  local a
  for a in '"arguments":""' '"x":0' '"arguments":"{}"' '"arguments":{}' '"arguments":" \t"' '"arguments":null' \
    '"arguments":"[]"' '"arguments":"{"' '"arguments":"{} {}"' '"arguments":[1]' '"arguments":3'; do
    printf '{"id":"c","name":"todo_write",%s}\n' "$a"
  done >calls
  printf '#!/bin/sh\necho run >>runs; cat\n' >handler && chmod +x handler
  run dispatch --handler ./handler calls
  assert_failure 1
  local i
  for i in 0 1 2 3 4 5; do assert_line -n $i --partial '"is_error":false,"content":"{}"'; done
  assert_line -n 6 --partial '"is_error":true,"content":"invalid arguments: not an object"'
  assert_line -n 7 --partial '"is_error":true,"content":"invalid arguments: not JSON: '
  assert_line -n 8 --partial '"is_error":true,"content":"invalid arguments: not JSON: bytes after the value at byte 4"'
  assert_line -n 9 --partial '"is_error":true,"content":"invalid arguments: not an object"'
  assert_line -n 10 --partial '"is_error":true,"content":"invalid arguments: not an object"'
  assert_equal "$(wc -l <runs)" 6
}

@test "a key given twice is refused anywhere; keys are compared byte for byte, after unescaping" {
  printf '%s\n' '{"id":"a","name":"oven","name":"pit"}' '{"id":"b","name":"oven","arguments":{"a":[{"x":1,"\u0078":2}]}}' \
    '{"id":"c","name":"oven","Name":"pit","arguments":{"dish":"a","DISH":"b"}}' '{"id":"d","n\u0061me":"oven"}' \
    '{"id":"e","name":"oven","arguments":"{\"a\":1,\"a\":2}"}' >calls
  run dispatch --handler cat calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true,"content":"duplicate key in the call record: '\''/name'\'' is given twice"'
  assert_line -n 1 --partial '"is_error":true,"content":"duplicate key in the call record: '\''/arguments/a/0/x'\'' is given twice"'
  assert_line -n 2 --partial '"is_error":false,"content":"{\"dish\":\"a\",\"DISH\":\"b\"}"'
  assert_line -n 3 --partial '"is_error":false,"content":"{}"'
  assert_line -n 4 --partial '"is_error":true,"content":"duplicate key in the arguments: '\''/a'\'' is given twice"'
}

@test "--validate refuses what the schema does not take, and runs nothing" {
  printf '%s\n' '{"id":"a","name":"stove","arguments":{"dish":3}}' '{"id":"b","name":"oven","arguments":{"dish":"pie"}}' \
    '{"id":"c","name":"chop","arguments":{}}' >calls
  run dispatch --validate --handler cat calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true,"content":"invalid arguments: at '\''/dish'\'': expected string, got number 3"'
  assert_line -n 1 --partial '"is_error":false'
  assert_line -n 2 --partial '"is_error":false,"content":"{\"action\":\"cut\"}"'
}

@test "--validate in a mode or with features: only the actions that are shown there" {
  cat >family.jsonl <<'END'
{"type":"catalog","schema":1,"name":"family","version":"1.0.0"}
{"type":"tool","name":"File","state":"active","actions":[{"name":"read"},{"name":"write","modes":["agent"]},{"name":"patch","feature":"diff"}],"input_schema":{"type":"object","properties":{"action":{"enum":["read","write","patch"]}}}}
{"type":"tool","name":"Diff","state":"active","actions":[{"name":"patch","feature":"diff"}],"input_schema":{"type":"object","properties":{"action":{"enum":["patch"]}},"required":["action"]}}
END
  printf '%s\n' '{"name":"File","arguments":{"action":"read"}}' '{"name":"File","arguments":{"action":"write"}}' \
    '{"name":"File","arguments":{"action":"patch"}}' '{"name":"Diff","arguments":{"action":"patch"}}' >calls
  errors() { tsdispatch -q -c family.jsonl --validate --handler cat "$@" calls | sed 's/.*"is_error":\([a-z]*\).*/\1/' | tr '\n' ' '; }
  run errors
  assert_output 'false false false false '
  run errors --mode plan
  assert_output 'false true false false '
  run errors --mode agent --feature other
  assert_output 'false false true true '
  run -1 tsdispatch -q -c family.jsonl --validate --handler cat --mode plan calls
  assert_line -n 1 '{"type":"result","name":"File","is_error":true,"content":"invalid arguments: at '\''/action'\'': expected one of [\"read\",\"patch\"], got string \"write\""}'
}

@test "raw input goes to the handler as it is" {
  printf '{"id":"a","name":"oven","input":"*** Begin\\n\\u0000end"}\n' >calls
  printf '*** Begin\n\0end' >expected
  run dispatch --handler ./keep calls
  assert_failure 1
  printf '#!/bin/sh\ncat >kept\n' >keep && chmod +x keep
  run dispatch --handler ./keep calls
  assert_success
  cmp kept expected
}

@test "a name with a NUL is a name of its own" {
  run dispatch --handler cat <<<'{"id":"c","name":"oven\u0000x"}'
  assert_failure 1
  assert_output --partial '"name":"oven\u0000x","is_error":true,"content":"unknown tool '\''oven\\x00x'\'''
}

# --- policy -------------------------------------------------------------------------------------------------

@test "--deny closes every name of a tool, --allow opens them; deny wins; an empty --allow allows nothing" {
  local name
  for name in oven stove bake; do printf '{"id":"%s","name":"%s"}\n' $name $name; done >calls
  run dispatch --deny stove --handler cat calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true,"content":"'\''oven'\'' is denied by '\''stove'\''"'
  assert_line -n 2 --partial '"is_error":true,"content":"'\''bake'\'' is denied by '\''stove'\''"'
  run dispatch --allow 'st*' --handler cat calls
  assert_success
  run dispatch --allow oven --deny 'b*' --handler cat calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true'
  run dispatch --allow '' --handler cat calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true,"content":"'\''oven'\'' is not on the list of allowed names"'
}

@test "--deny of an alias with an action closes that action of the tool, and only that" {
  # A call that names no action might be any: to be safe it is denied, too.
  printf '%s\n' '{"id":"a","name":"board","arguments":{"action":"cut"}}' '{"id":"b","name":"board","arguments":{"action":"list"}}' \
    '{"id":"c","name":"board"}' >calls
  run dispatch --deny chop --handler cat calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true'
  assert_line -n 1 --partial '"is_error":false'
  assert_line -n 2 --partial '"is_error":true'
  run dispatch --deny slice --handler cat calls # its action stands in its argument map
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true'
  assert_line -n 1 --partial '"is_error":false'
}

# --- hydration ----------------------------------------------------------------------------------------------

@test "--hydrate: the first call of a deferred tool loads its schema, the next one runs" {
  printf '%s\n' '{"id":"a","name":"cellar","arguments":{"color":"red"}}' '{"id":"b","name":"cellar","arguments":{"colour":"red"}}' >calls
  run dispatch --hydrate --handler cat calls
  assert_success
  assert_line -n 0 '{"type":"result","id":"a","name":"cellar","is_error":false,"content":"The schema of '\''cellar'\'' has just been loaded; the tool was not run. Call it again.\n\nExpected fields:\n  bottles: integer | null\n  colour: string (red | white) required\n\nReceived fields:\n  color\n\nMissing required fields:\n  colour\n\nUnexpected fields:\n  color\n","metadata":{"event":"tool.schema_hydrated","tool":"cellar","executed":false,"retry_required":true,"reason":"deferred_tool_first_use","expected_fields":["bottles: integer | null","colour: string (red | white) required"],"received_fields":["color"],"missing_required_fields":["colour"],"unexpected_fields":["color"]}}'
  assert_line -n 1 --partial '"content":"{\"colour\":\"red\"}"'
}

@test "--hydrate comes before --validate: what is missing is told, not refused" {
  printf '%s\n' '{"id":"a","name":"cellar"}' '{"id":"b","name":"cellar"}' >calls
  run dispatch --hydrate --validate --handler cat calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":false'
  assert_line -n 0 --partial '"missing_required_fields":["colour"]'
  assert_line -n 1 --partial '"is_error":true,"content":"invalid arguments: '
}

@test "--hydrate: calls of one turn are treated alike" {
  printf '%s\n' '{"id":"a","turn":"1","name":"cellar"}' '{"id":"b","turn":"1","name":"cellar"}' '{"id":"c","turn":"2","name":"cellar"}' >calls
  run dispatch --hydrate --handler cat calls
  assert_line -n 0 --partial '"executed":false'
  assert_line -n 1 --partial '"executed":false'
  assert_line -n 2 --partial '"content":"{}"'
}

@test "--hydrate: eight names are remembered, the one least recently used goes first" {
  local i
  { printf '{"type":"catalog","schema":1,"name":"many","version":"1.0.0"}\n'
    for i in 1 2 3 4 5 6 7 8 9; do printf '{"type":"tool","name":"t%s","state":"deferred","description":"d"}\n' $i; done; } >tools.jsonl
  for i in 1 2 3 4 5 6 7 8 1 9 1 2; do printf '{"id":"%s","name":"t%s"}\n' $i $i; done >calls
  dispatch --hydrate --handler cat calls | sed 's/.*"id":"\(.\)".*"executed":false.*/\1 loaded/; s/.*"id":"\(.\)".*/\1 ran/' >out
  printf '%s\n' '1 loaded' '2 loaded' '3 loaded' '4 loaded' '5 loaded' '6 loaded' '7 loaded' '8 loaded' '1 ran' '9 loaded' '1 ran' '2 loaded' |
    holds out
}

# --- one-shot handlers --------------------------------------------------------------------------------------

@test "a handler gets the arguments on standard input and three variables, and nothing on its command line" {
  printf '#!/bin/sh\necho "$TS_TOOL $TS_CALLED_AS $TS_CALL_ID $#"; cat\n' >handler && chmod +x handler
  run dispatch --handler ./handler <<<'{"id":"-x","name":"stove","arguments":{"dish":"-h"}}'
  assert_success
  assert_output '{"type":"result","id":"-x","name":"stove","is_error":false,"content":"oven stove -x 0\n{\"dish\":\"-h\"}"}'
}

@test "handler records: argv, env, clean_env, shell, by name or for all" {
  cat >handlers.jsonl <<'EOF'
{"type":"handler","name":"oven","argv":["env"],"env":{"A":"1=2"},"clean_env":true}

{"type":"handler","name":"board","argv":["echo \"$1-$B\"","x"],"shell":true,"env":{"B":"y"}}
{"type":"handler","name":"*","argv":["echo","other"]}
EOF
  printf '%s\n' '{"id":"a","name":"oven"}' '{"id":"b","name":"board"}' '{"id":"c","name":"cellar"}' >calls
  PATH_BEFORE=$PATH run dispatch --handlers handlers.jsonl calls
  assert_success
  assert_line -n 0 --regexp '"content":"PATH=[^"]*\\nA=1=2\\nTS_TOOL=oven\\nTS_CALLED_AS=oven\\nTS_CALL_ID=a\\n"'
  assert_line -n 1 --partial '"content":"x-y\n"'
  assert_line -n 2 --partial '"content":"other\n"'
}

@test "a handlers file that is wrong is a usage error that names the line" {
  local record
  while read -r record; do
    printf '\n%s\n' "$record" >handlers.jsonl
    run dispatch --handlers handlers.jsonl </dev/null
    assert_failure 2
    assert_output --regexp 'handlers.jsonl:2:.*'
  done <<'EOF'
{"type":"handler","name":"oven"}
{"type":"handler","name":"oven","argv":[]}
{"type":"handler","name":"oven","argv":[1]}
{"type":"handler","name":"","argv":["x"]}
{"type":"handler","name":"oven","argv":["x\u0000y"]}
{"type":"handler","name":"oven","argv":["x"],"stream":1}
{"type":"handler","name":"oven","argv":["x"],"env":{"A=":"b"}}
{"type":"handler","name":"oven","name":"pit","argv":["x"]}
{"name":"oven","argv":["x"]}
{"type":"handler"
EOF
}

@test "no handler, a program that cannot be started, a status, a signal: error results that say so" {
  printf '%s\n' '{"id":"a","name":"oven"}' '{"id":"b","name":"board"}' '{"id":"c","name":"cellar"}' '{"id":"d","name":"todo_write"}' >calls
  cat >handlers.jsonl <<'EOF'
{"type":"handler","name":"board","argv":["/no/such/program"]}
{"type":"handler","name":"cellar","argv":["echo out; echo why >&2; exit 3"],"shell":true}
{"type":"handler","name":"todo_write","argv":["kill -9 $$"],"shell":true}
EOF
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true,"content":"no handler for '\''oven'\''"'
  assert_line -n 1 --partial '"is_error":true,"content":"cannot start '\''/no/such/program'\'': No such file or directory"'
  assert_line -n 2 --partial '"is_error":true,"content":"out\nhandler '\''/bin/sh'\'' exited with status 3\nwhy\n"'
  assert_line -n 3 --partial '"is_error":true,"content":"handler '\''/bin/sh'\'' was killed by signal 9 (Killed)"'
}

@test "content that is not UTF-8 goes out as base64" {
  printf '#!/bin/sh\nprintf "a\\377b"\n' >handler && chmod +x handler
  run dispatch --handler ./handler <<<'{"id":"c","name":"oven"}'
  assert_success
  assert_output '{"type":"result","id":"c","name":"oven","is_error":false,"content":"Yf9i","encoding":"base64"}'
}

@test "arguments of any size go through, even to a handler that writes first or never reads" {
  { printf '{"id":"c","name":"oven","arguments":{"dish":"'; head -c 3000000 /dev/zero | tr '\0' x; printf '"}}\n'; } >call
  printf '#!/bin/sh\nwc -c\n' >count && printf '#!/bin/sh\nhead -c 1000000 /dev/zero | tr "\\0" y; cat >/dev/null\n' >chatty
  printf '#!/bin/sh\nexec echo done\n' >deaf && chmod +x count chatty deaf
  run dispatch --handler ./count call
  assert_success
  assert_output --regexp '"content":" *3000011\\n"'
  dispatch --handler ./chatty call >out
  assert_equal "$(tr -cd y <out | wc -c)" 1000001 # "type" and the handler's million
  run dispatch --handler ./deaf call
  assert_success
  assert_output --partial '"content":"done\n"'
}

@test "--max-output cuts at the bound, between characters, and says so; memory stays bounded" {
  printf '#!/bin/sh\nprintf "aaaa\\303\\244bbbb"\n' >handler && chmod +x handler
  run dispatch --max-output 5 --handler ./handler <<<'{"id":"c","name":"oven"}'
  assert_success
  assert_output '{"type":"result","id":"c","name":"oven","is_error":false,"content":"aaaa","metadata":{"truncated":true,"output_bytes":10}}'
  printf '#!/bin/sh\nhead -c 300000000 /dev/zero\n' >handler
  sanitized || ulimit -v 200000
  dispatch --max-output 1k --handler ./handler <<<'{"id":"c","name":"oven"}' >out
  assert_equal "$(sed 's/.*"metadata"/"metadata"/' out)" '"metadata":{"truncated":true,"output_bytes":300000000}}'
}

@test "--timeout ends the whole group of a handler: TERM, then KILL" {
  cat >handlers.jsonl <<'EOF'
{"type":"handler","name":"oven","argv":["sleep 300 & echo $! >pid; echo begun; wait"],"shell":true}
{"type":"handler","name":"board","argv":["trap '' TERM; echo stubborn; sleep 300"],"shell":true}
EOF
  printf '%s\n' '{"id":"a","name":"oven"}' '{"id":"b","name":"board"}' '{"id":"c","name":"pit"}' >calls
  run dispatch -j 2 --timeout 1 --handlers handlers.jsonl calls
  assert_failure 1
  assert_line -n 0 --partial '"is_error":true,"content":"begun\nhandler '\''/bin/sh'\'' timed out'
  assert_line -n 1 --partial '"is_error":true,"content":"stubborn\nhandler '\''/bin/sh'\'' timed out'
  assert_equal "${#lines[@]}" 3
  run kill -0 "$(cat pid)"
  assert_failure
}

@test "a handler sees descriptors 0, 1 and 2 and no other" {
  printf '#!/bin/sh\nls /proc/self/fd\n' >handler && chmod +x handler
  [ -d /proc/self/fd ] || return 0
  printf '%s\n' '{"id":"a","name":"oven"}' '{"id":"b","name":"oven"}' '{"id":"c","name":"oven"}' >calls
  run dispatch -j 3 --handler ./handler calls 7</dev/null 8</dev/null
  assert_success
  local i
  for i in 0 1 2; do assert_line -n $i --partial '"content":"0\n1\n2\n3\n"'; done # 3 is the listing's own
}

@test "-j: many at once, output in the order of the calls, no process and no descriptor left" {
  local i
  for i in $(seq 1000); do printf '{"id":"%s","name":"oven","arguments":{"dish":"%s"}}\n' $i $i; done >calls
  printf '#!/bin/sh\nread -r a; case $a in *7*) sleep 0.01;; esac; printf %%s "$a"\n' >handler && chmod +x handler
  dispatch -j 8 --handler ./handler calls >out
  seq 1000 | sed 's/.*/{"type":"result","id":"&","name":"oven","is_error":false,"content":"{\\"dish\\":\\"&\\"}"}/' >expected
  cmp out expected
}

# --- stream handlers ----------------------------------------------------------------------------------------

@test "a stream handler is started once, gets the tool's own name, and may answer any JSON" {
  stream_handlers oven
  printf '%s\n' '{"id":"a","session":"s","agent":"g","name":"stove","arguments":{"dish": "pie"}}' '{"id":"b","name":"oven","arguments":{"dish":"extra"}}' \
    '{"id":"c","name":"bake","input":"raw"}' '{"id":"d","name":"oven","arguments":{"dish":"refuse"}}' >calls
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  assert_output - <<'EOF'
{"type":"result","session":"s","agent":"g","id":"a","name":"stove","is_error":false,"content":{"type":"call","session":"s","agent":"g","id":"a","name":"oven","arguments":{"dish":"pie"}}}
{"type":"result","id":"b","name":"oven","is_error":false,"content":[1.0,12345678901234567890],"metadata":{"cost":1e2},"seconds":0.10}
{"type":"result","id":"c","name":"bake","is_error":false,"content":{"type":"call","id":"c","name":"oven","input":"raw"},"metadata":{"notice":"deprecated: use oven instead","name":"bake","replacement":"oven","since":"1.3.0","note":"Ovens do more."}}
{"type":"result","id":"d","name":"oven","is_error":true,"content":"no"}
EOF
}

@test "a stream handler that dies costs the call it owed; its successor serves the rest" {
  stream_handlers oven
  printf '%s\n' '{"id":"a","name":"oven"}' '{"id":"b","name":"oven","arguments":{"dish":"die"}}' '{"id":"c","name":"oven"}' \
    '{"id":"d","name":"oven","arguments":{"dish":"garbage"}}' '{"id":"e","name":"oven"}' >calls
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  assert_line -n 0 --partial '"id":"a","name":"oven","is_error":false'
  assert_line -n 1 --partial '"id":"b","name":"oven","is_error":true,"content":"handler '\'"$stream"\'' exited with status 7\ndying as asked\n"'
  assert_line -n 2 --partial '"id":"c","name":"oven","is_error":false'
  assert_line -n 3 --partial '"id":"d","name":"oven","is_error":true,"content":"handler '\'"$stream"\'' wrote what is no result record: '
  assert_line -n 4 --partial '"id":"e","name":"oven","is_error":false'
}

@test "a stream handler that only dies is given up" {
  stream_handlers oven
  local i
  for i in 1 2 3 4 5 6 7; do printf '{"id":"%s","name":"oven","arguments":{"dish":"die"}}\n' $i; done >calls
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  assert_equal "${#lines[@]}" 7
  assert_line -n 4 --partial 'exited with status 7'
  assert_line -n 5 --partial 'ended too often without an answer; it is not started again'
}

@test "--timeout of a stream handler: the call it hangs in fails, the rest is served" {
  stream_handlers oven
  printf '%s\n' '{"id":"a","name":"oven","arguments":{"dish":"wait"}}' '{"id":"b","name":"oven"}' >calls
  run dispatch --timeout 1 --handlers handlers.jsonl calls
  assert_failure 1
  assert_line -n 0 --partial '"id":"a","name":"oven","is_error":true,"content":"handler '\'"$stream"\'' timed out"'
  assert_line -n 1 --partial '"id":"b","name":"oven","is_error":false'
}

@test "results come out while input is still open" {
  stream_handlers oven
  mkfifo in
  dispatch --handlers handlers.jsonl <in >out &
  exec 9>in
  printf '{"id":"a","name":"oven"}\n' >&9
  local i
  for i in $(seq 1200); do [ -s out ] && break; sleep 0.05; done
  exec 9>&-
  wait $!
  assert_equal "$(wc -l <out)" 1
}

# --- the to-do list -----------------------------------------------------------------------------------------

@test "--session serves todo_write, under each of its names, without a handler" {
  todo-write --init s1 -s log.jsonl
  printf '%s\n' '{"id":"a","name":"checklist_write","arguments":{"todos":[{"content":"x","status":"pending"}]}}' \
    '{"id":"b","name":"todo_write","arguments":{"todos":[{"content":"x"}]}}' '{"id":"c","name":"oven"}' >calls
  run dispatch --session log.jsonl calls
  assert_failure 1
  assert_line -n 0 '{"type":"result","id":"a","name":"checklist_write","is_error":false,"content":"Updated todo list: 1 pending, 0 in progress, 0 completed.","value":{"todos":[{"content":"x","status":"pending"}],"counts":{"pending":1,"inProgress":0,"completed":0}}}'
  assert_line -n 1 --partial '"id":"b","name":"todo_write","is_error":true,"content":"Error: invalid arguments: missing required property \"todos[0].status\""'
  assert_line -n 2 --partial '"content":"no handler for '\''oven'\''"'
  assert_equal "$(grep -c todo/write log.jsonl)" 1
}

# --- bad input and ends -------------------------------------------------------------------------------------

@test "a line that is no record is named and passed over; other records are, too; the exit status is 2" {
  printf '%s\n' '{"id":"a","name":"oven"}' 'no' '[1]' '' '{"type":"result","id":"z","name":"oven"}' '{"id":"b","name":"oven"}' >calls
  run --separate-stderr dispatch --handler cat calls
  assert_failure 2
  assert_equal "${#lines[@]}" 2
  assert_equal "$stderr" "tsdispatch: calls:2:2: not JSON: unexpected byte 0x6f
tsdispatch: calls:3:1: not a call record: not an object"
}

@test "a record without a name, and invalid UTF-8, are error results" {
  printf '{"id":"a"}\n{"id":"b","name":"oven","arguments":{"dish":"\377"}}\n' >calls
  run dispatch --handler cat calls
  assert_failure 1
  assert_line -n 0 '{"type":"result","id":"a","is_error":true,"content":"the call record has no name"}'
  assert_line -n 1 --partial '"is_error":true,"content":"invalid UTF-8 in the call record at byte 46"'
}

@test "nesting of 10,000 goes through" {
  { printf '{"id":"a","name":"oven","arguments":{"dish":'; printf '%10000s' '' | tr ' ' '['; printf '%10000s' '' | tr ' ' ']'; printf '}}\n'; } >call
  dispatch --handler cat call >out
  assert_equal "$(tr -cd '[' <out | wc -c)" 10000
}

@test "several files, and one that is not there" {
  printf '{"id":"a","name":"oven"}\n' >one
  run --separate-stderr dispatch --handler cat one none - one </dev/null
  assert_failure 2
  assert_equal "${#lines[@]}" 2
  assert_equal "$stderr" "tsdispatch: none: cannot open: No such file or directory"
}

@test "usage errors" {
  local args
  while read -r args; do
    # shellcheck disable=SC2086
    run tsdispatch $args </dev/null
    assert_failure 2
    assert_output --partial "tsdispatch: "
  done <<'EOF'
--no-such-option
--jobs 0
--timeout never
--max-output -1
--handlers /no/such/file
--dialect other
-c /no/such/catalog
--mode no-such-mode
--profile no-such-profile
EOF
}

@test "a full disk, a closed standard output and a reader that goes away" {
  local i
  for i in $(seq 20000); do printf '{"id":"%s","name":"oven"}\n' $i; done >calls
  [ ! -c /dev/full ] || run bash -c 'tsdispatch -q -c tools.jsonl calls >/dev/full'
  assert_failure 2
  assert_output "tsdispatch: standard output: No space left on device"
  run bash -c 'tsdispatch -q -c tools.jsonl calls >&-'
  assert_failure 2
  assert_output "tsdispatch: standard output: Bad file descriptor"
  run bash -c 'tsdispatch -q -c tools.jsonl calls | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}'
  assert_failure 141
  refute_output
  run bash -c 'trap "" PIPE; tsdispatch -q -c tools.jsonl calls | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}'
  assert_failure 2
  assert_output "tsdispatch: standard output: Broken pipe"
}

@test "SIGTERM ends the handlers, writes what is complete, and dies by the same signal" {
  cat >handlers.jsonl <<'EOF'
{"type":"handler","name":"oven","argv":["echo","done"]}
{"type":"handler","name":"board","argv":["echo $$ >pid; exec sleep 300"],"shell":true}
EOF
  printf '%s\n' '{"id":"a","name":"oven"}' '{"id":"b","name":"board"}' '{"id":"c","name":"oven"}' >calls
  tsdispatch -q -c tools.jsonl -j 3 --handlers handlers.jsonl calls >out &
  local program=$! i
  for i in $(seq 1200); do [ -s pid ] && break; sleep 0.05; done
  sleep 0.2
  kill -TERM $program
  local status=0
  wait $program || status=$?
  assert_equal $status 143
  grep -c '"content":"done\\n"' out
  run kill -0 "$(cat pid)"
  assert_failure
}

@test "--exit-zero turns findings into 0, not failures" {
  run dispatch --exit-zero <<<'{"name":"pit"}'
  assert_success
  run dispatch --exit-zero <<<'x'
  assert_failure 2
}
