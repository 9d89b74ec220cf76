#!/usr/bin/env bats
# todo-write: what is accepted and answered, what the log then holds, and what it never loses.

load helper
bats_require_minimum_version 1.5.0

setup() {
  data=$tests_dir/data/todo
  cd "$BATS_TEST_TMPDIR"
  cp "$data/log.jsonl" "$data/recording.jsonl" .
}

one='{"todos":[{"content":"one","status":"pending"}]}'
one_answer='{"type":"result","name":"todo_write","is_error":false,"content":"Updated todo list: 1 pending, 0 in progress, 0 completed.",'
one_value='"value":{"todos":[{"content":"one","status":"pending"}],"counts":{"pending":1,"inProgress":0,"completed":0}}}'

# Times as T.
timeless() { sed -E 's/"(time|createdAt)":[0-9]+/"\1":T/'; }

# Writes the text into the log, and keeps what was said.
give() { # TEXT OPTION...
  local text=$1
  shift
  run --separate-stderr todo-write "$@" <<<"$text"
}

# The log is what it was, byte for byte.
unchanged() { bytes_equal log.jsonl "$data/log.jsonl"; }

# --- new logs ------------------------------------------------------------------------------------------------

@test "--init creates a log for its owner alone" {
  run --separate-stderr todo-write --init pier -s new.jsonl <&-
  assert_success
  assert_output ''
  [ "$(stat -c %a new.jsonl)" = 600 ]
  timeless <new.jsonl >got
  holds got <<<'{"type":"session","version":0,"id":"pier","createdAt":T,"delegationDepth":0}'
  [ "$(echo new.jsonl*)" = new.jsonl ]
}

@test "--init never writes over a file or through a link" {
  ln -s nowhere link
  for f in log.jsonl link; do
    run --separate-stderr todo-write --init pier -s "$f"
    assert_failure 2
    [ "$stderr" = "todo-write: $f: cannot create: File exists" ]
  done
  unchanged
  [ ! -e nowhere ]
  run --separate-stderr todo-write --init pier -s no/such.jsonl
  assert_failure 2
  [ "$stderr" = "todo-write: no/such.jsonl: cannot create: No such file or directory" ]
  run --separate-stderr todo-write --init '' -s new.jsonl
  assert_failure 2
  [ "$stderr" = "todo-write: a session's id is not empty" ]
  [ ! -e new.jsonl ]
}

# --- what is written -----------------------------------------------------------------------------------------

@test "lists follow each other in a new log, numbered from 0" {
  todo-write --init pier -s new.jsonl
  give "$one" -s new.jsonl
  assert_success
  assert_output "$one_answer$one_value"
  [ -z "$stderr" ]
  give '{"todos":[{"status":"completed","content":" one\u00e9\n"},{"content":"t/wo","status":"in_progress"}]}' -s new.jsonl
  assert_success
  timeless <new.jsonl >got
  holds got <<'END'
{"type":"session","version":0,"id":"pier","createdAt":T,"delegationDepth":0}
{"type":"todo/write","seq":0,"time":T,"data":{"todos":[{"content":"one","status":"pending"}]}}
{"type":"todo/write","seq":1,"time":T,"data":{"todos":[{"content":"oneé","status":"completed"},{"content":"t/wo","status":"in_progress"}]}}
END
}

@test "a log goes on where it is, a recording without numbers" {
  todo-write -s log.jsonl <<<"$one" >/dev/null
  todo-write -s recording.jsonl <<<"$one" >/dev/null
  tail -n 1 log.jsonl | timeless >got
  holds got <<<'{"type":"todo/write","seq":4,"time":T,"data":{"todos":[{"content":"one","status":"pending"}]}}'
  tail -n 1 recording.jsonl >got
  holds got <<<'{"type":"todo/write","data":{"todos":[{"content":"one","status":"pending"}]}}'
}

@test "what a list leaves out is counted" {
  give '{"todos":[{"content":"sweep the quay","status":"completed"}]}' -s log.jsonl
  assert_success
  assert_output --partial '"metadata":{"dropped":{"pending":0,"in_progress":1}}'
  give '{"todos":[]}' -s log.jsonl
  assert_success
  refute_output --partial metadata
}

@test "the arguments may stand on many lines" {
  todo-write -s log.jsonl >out <<'END'
{
  "todos": [
    { "content": "one", "status": "pending" }
  ]
}
END
  tail -n 1 log.jsonl | grep -q '"data":{"todos":\[{"content":"one","status":"pending"}\]}}$'
}

@test "the arguments are taken as they are: no mark is dropped, nothing is unpacked" {
  printf '\xef\xbb\xbf{"todos":[]}' >marked
  printf '{"todos":[]}' | gzip >packed
  for f in marked packed; do
    run todo-write -s log.jsonl <"$f"
    assert_failure 1
    assert_output --partial '\"arguments\" must be an object'
  done
  unchanged
  run todo-write -s log.jsonl </dev/null
  assert_failure 1
  assert_output --partial 'missing required property'
}

@test "a NUL is not the end of a text" {
  give '{"todos":[{"content":"a\u0000b","status":"pending"},{"content":"a","status":"pending"}]}' -s log.jsonl
  assert_success
  tail -n 1 log.jsonl | grep -qF '[{"content":"a\u0000b","status":"pending"},{"content":"a","status":"pending"}]'
}

@test "--dry-run answers and writes nothing" {
  give '{"todos":[]}' -s log.jsonl --dry-run
  assert_success
  assert_output --partial '"dropped":{"pending":1,"in_progress":1}'
  unchanged
  give '{"todos":1}' -s log.jsonl --dry-run
  assert_failure 1
}

# --- what is refused -----------------------------------------------------------------------------------------

@test "a refused list is an error result, and the log keeps every byte" {
  while IFS='|' read -r args content; do
    give "$args" -s log.jsonl
    assert_failure 1
    assert_output "{\"type\":\"result\",\"name\":\"todo_write\",\"is_error\":true,\"content\":\"$content\"}"
    [ -z "$stderr" ]
    unchanged
  done <<'END'
not json|Error: invalid arguments: \"arguments\" must be an object
{}|Error: invalid arguments: missing required property \"todos\"
{"todos":null}|Error: invalid arguments: \"todos\" must be an array
{"todos":"[]"}|Error: invalid arguments: \"todos\" must be an array
{"todos":["x"]}|Error: invalid arguments: \"todos[0]\" must be an object
{"todos":[{"content":"x","status":"doing"}]}|Error: invalid arguments: \"todos[0].status\" must be one of [\"pending\",\"in_progress\",\"completed\"]
{"todos":[{"content":"x","status":"pending","id":1}]}|Error: invalid arguments: \"todos[0].id\" is not a declared property (additionalProperties: false)
{"todos":[{"content":" ","status":"pending"}]}|Error: invalid todo: `content` must be a non-empty string
{"todos":[{"content":"\"","status":"pending"},{"content":"\"","status":"pending"}]}|Error: invalid todos: duplicate content \"\\\"\"
{"todos":[],"n":-0}|Error: tool execution arguments must be losslessly JSON-serializable
END
}

@test "--exit-zero turns an error result into 0" {
  give '{}' -s log.jsonl --exit-zero
  assert_success
  assert_output --partial '"is_error":true'
}

@test "--single refuses what is otherwise accepted" {
  local two='{"todos":[{"content":"a","status":"in_progress"},{"content":"b","status":"in_progress"}]}'
  give "$two" -s log.jsonl --single
  assert_failure 1
  assert_output --partial 'at most one task may be in_progress (got 2)'
  unchanged
  give "$two" -s log.jsonl
  assert_success
  tail -n 1 log.jsonl | grep -q '"a","status":"in_progress"},{"content":"b","status":"in_progress"'
}

@test "a list needs the session whose log it is" {
  local refused='{"type":"result","name":"todo_write","is_error":true,"content":"Error: todo_write requires an owning agent session"}'
  give "$one"
  assert_failure 1
  assert_output "$refused"
  give "$one" -s log.jsonl --session-id harbour-2
  assert_failure 1
  assert_output "$refused"
  unchanged
  give "$one" -s log.jsonl --session-id harbour-1
  assert_success
}

# --- dialect codewhale ---------------------------------------------------------------------------------------

@test "codewhale: answers with a snapshot, and the last in progress stays" {
  todo-write --init pier -s new.jsonl
  todo-write --dialect codewhale -s new.jsonl >out <<<'{"todos":[{"content":" a","status":"in-progress"},{"content":"b","status":"In Progress"},{"content":"c","status":"DONE"}]}'
  holds out <<'END'
{"type":"result","name":"todo_write","is_error":false,"content":"Todo list updated (3 items, 33% settled)\n{\n  \"items\": [\n    {\n      \"id\": 1,\n      \"content\": \" a\",\n      \"status\": \"pending\"\n    },\n    {\n      \"id\": 2,\n      \"content\": \"b\",\n      \"status\": \"in_progress\"\n    },\n    {\n      \"id\": 3,\n      \"content\": \"c\",\n      \"status\": \"completed\"\n    }\n  ],\n  \"completion_pct\": 33,\n  \"in_progress_id\": 2\n}","metadata":{"demoted":[1],"task_updates":{"checklist":{"items":[{"id":1,"content":" a","status":"pending"},{"id":2,"content":"b","status":"in_progress"},{"id":3,"content":"c","status":"completed"}],"completion_pct":33,"in_progress_id":2}}},"value":{"todos":[{"content":" a","status":"pending"},{"content":"b","status":"in_progress"},{"content":"c","status":"completed"}],"counts":{"pending":1,"inProgress":1,"completed":1,"cancelled":0}}}
END
  tail -n 1 new.jsonl | grep -qF '[{"content":" a","status":"pending"},{"content":"b","status":"in_progress"},{"content":"c","status":"completed"}]'
}

@test "codewhale: needs no session, and its errors are bare" {
  give '{"todos":[]}' --dialect codewhale
  assert_success
  assert_output --partial '"content":"Todo list updated (0 items, 0% settled)\n{\n  \"completion_pct\": 0\n}"'
  assert_output --partial '"in_progress_id":null'
  give '{"todos":[{"content":"a","status":"later"}]}' --dialect codewhale -s log.jsonl
  assert_failure 1
  assert_output '{"type":"result","name":"todo_write","is_error":true,"content":"unknown todo status '"'later'"'; expected pending, in_progress, completed, or cancelled"}'
  unchanged
}

# --- call records --------------------------------------------------------------------------------------------

@test "--calls serves todo_write under all its names, in order, and nothing else" {
  todo-write --calls -s log.jsonl >out 2>err <<'END' || [ $? -eq 1 ]
{"type":"call","session":"harbour-1","id":"a","name":"TodoWrite","arguments":{"todos":[]}}
{"id":"b","name":"checklist_write","arguments":"{\"todos\":[{\"content\":\"b\",\"status\":\"pending\"}]}"}

{"type":"result","id":"a","name":"TodoWrite"}
{"type":"call","id":"c","name":"Bash","arguments":{}}
{"type":"call","id":"d","name":"todo_add","arguments":{}}
{"type":"call","id":"e","name":"todo_writ","arguments":{}}
{"type":"call","id":"f","name":"todo_write"}
{"type":"call","id":"g","name":"todo_write","input":"a, b"}
{"type":"call","id":"h","session":"harbour-2","name":"todo_write","arguments":{"todos":[]}}
{"type":"call","id":"i","agent":"mate","name":"todo_write","arguments":{"todos":[]}}
{"type":"call","id":"j","agent":"harbour-1","session":"harbour-1","name":"work_update","arguments":{"todos":[]}}
END
  sed -E 's/,"value":.*/}/; s/,"metadata":.*/}/' out >short
  holds short <<'END'
{"type":"result","session":"harbour-1","id":"a","name":"TodoWrite","is_error":false,"content":"Updated todo list: 0 pending, 0 in progress, 0 completed."}
{"type":"result","id":"b","name":"checklist_write","is_error":false,"content":"Updated todo list: 1 pending, 0 in progress, 0 completed."}
{"type":"result","id":"c","name":"Bash","is_error":true,"content":"Error: 'Bash' is not served here: only todo_write is"}
{"type":"result","id":"d","name":"todo_add","is_error":true,"content":"Error: tool 'todo_add' is removed: use 'todo_write' instead"}
{"type":"result","id":"e","name":"todo_writ","is_error":true,"content":"Error: unknown tool 'todo_writ': did you mean 'todo_write'?"}
{"type":"result","id":"f","name":"todo_write","is_error":true,"content":"Error: invalid arguments: missing required property \"todos\""}
{"type":"result","id":"g","name":"todo_write","is_error":true,"content":"Error: invalid arguments: \"arguments\" must be an object"}
{"type":"result","session":"harbour-2","id":"h","name":"todo_write","is_error":true,"content":"Error: todo_write requires an owning agent session"}
{"type":"result","agent":"mate","id":"i","name":"todo_write","is_error":true,"content":"Error: todo_write requires an owning agent session"}
{"type":"result","session":"harbour-1","agent":"harbour-1","id":"j","name":"work_update","is_error":false,"content":"Updated todo list: 0 pending, 0 in progress, 0 completed."}
END
  holds err <<<'todo-write: 10 calls, 7 errors'
  [ "$(grep -c todo/write log.jsonl)" -eq 4 ]
}

@test "--calls: -q says nothing, and 1 is the status of an error" {
  run --separate-stderr todo-write --calls -q -s log.jsonl <<<'{"name":"Bash"}'
  assert_failure 1
  [ -z "$stderr" ]
  run --separate-stderr todo-write --calls -q -s log.jsonl <<<'{"name":"todo_write","arguments":{"todos":[]}}'
  assert_success
  [ -z "$stderr" ]
}

@test "--calls: what is no call record is named, and the others are served" {
  printf '%s\n' '{"name":' '[]' '{"x":1}' "{\"name\":\"todo_write\",\"arguments\":$one}" >calls
  run --separate-stderr todo-write --calls -s log.jsonl <calls
  assert_failure 2
  assert_output --partial '"is_error":false'
  [ "$stderr" = "todo-write: standard input:1:9: not JSON: text ends inside an object
todo-write: standard input:2:1: not a call record: not an object
todo-write: standard input:3:1: not a call record: it names no tool" ]
  run --separate-stderr todo-write --calls --max-line 10 -s log.jsonl <calls
  assert_failure 2
  [ "${stderr##*$'\n'}" = "todo-write: standard input:4: longer than --max-line" ]
}

@test "--calls: a deprecated name gets its notice, an alias its arguments" {
  todo-write --calls -q -c "$data/overlay.jsonl" -s log.jsonl >out <<'END' || [ $? -eq 1 ]
{"id":"a","name":"jot","arguments":{"todos":[]}}
{"id":"b","name":"jot","arguments":{}}
{"id":"c","name":"list_write","arguments":{"verbose":true,"list":[{"content":"c","status":"pending"}]}}
{"id":"d","name":"list_write","arguments":"x"}
{"id":"e","name":"TodoWrite","arguments":{"todos":[]}}
END
  holds out <<'END'
{"type":"result","id":"a","name":"jot","is_error":false,"content":"Updated todo list: 0 pending, 0 in progress, 0 completed.","metadata":{"notice":"deprecated: use todo_write instead","name":"jot","replacement":"todo_write","since":"1.0.0","note":"it was short","dropped":{"pending":1,"in_progress":1}},"value":{"todos":[],"counts":{"pending":0,"inProgress":0,"completed":0}}}
{"type":"result","id":"b","name":"jot","is_error":true,"content":"Error: invalid arguments: missing required property \"todos\""}
{"type":"result","id":"c","name":"list_write","is_error":false,"content":"Updated todo list: 1 pending, 0 in progress, 0 completed.","value":{"todos":[{"content":"c","status":"pending"}],"counts":{"pending":1,"inProgress":0,"completed":0}}}
{"type":"result","id":"d","name":"list_write","is_error":true,"content":"Error: invalid arguments: \"arguments\" must be an object"}
{"type":"result","id":"e","name":"TodoWrite","is_error":true,"content":"Error: unknown tool 'TodoWrite': did you mean 'todo_write'?"}
END
}

# --- logs that can't be used ---------------------------------------------------------------------------------

# An error result, status 2, and the reason on standard error too.
unusable() { # FILE REASON
  give "$one" -s "$1"
  assert_failure 2
  assert_output "{\"type\":\"result\",\"name\":\"todo_write\",\"is_error\":true,\"content\":\"Error: ${2//\"/\\\"}\"}"
  [ "$stderr" = "todo-write: $2" ]
}

@test "what is no file is not written to" {
  mkfifo fifo
  mkdir folder
  ln -s log.jsonl link
  unusable nothing 'nothing: cannot open for appending: No such file or directory'
  unusable fifo 'fifo: cannot append: it is a FIFO'
  unusable folder 'folder: cannot append: it is a directory'
  unusable link 'link: cannot append: it is a symbolic link'
  unusable /dev/null '/dev/null: cannot append: it is a character device'
  unchanged
  [ ! -e nothing ]
}

@test "what is no session log is not written to" {
  local head='{"type":"session","version":0,"id":"x","createdAt":1,"delegationDepth":0}'
  mkdir logs && cd logs
  cp "$data/log.jsonl" .
  : >empty
  printf '%s' "$head" >unended
  echo hello >text
  echo '{"type":"summary"}' >other
  echo '{"type":"session","version":7,"id":"x","createdAt":1}' >newer
  printf '%s\n' "$head" '{"type":"brand/new","seq":0,"time":1,"data":{}}' >unknown
  printf '%s\n' "$head" '{bad' '{"type":"turn/end","seq":0,"time":1,"data":{}}' >corrupt
  printf '%s\n' "$head" '{"type":"turn/start","seq":0,"time":1,"data":{}}' '{bad' >open
  zstd -q log.jsonl -o packed.zst
  gzip -k log.jsonl
  cp -R . ../kept
  unusable empty 'empty: not a session log: it is empty'
  unusable unended 'unended:1: not a session log: no newline behind the header'
  unusable text 'text:1: not a session log: the header is not JSON: unexpected byte 0x68'
  unusable other 'other:1: not a session log: the first line is not a session header'
  unusable newer 'newer:1: the log is of version 7, and only version 0 is known here'
  unusable unknown "unknown:2: event 0 (brand/new) is of no known type and can't be ignored: the log is of a newer version"
  unusable corrupt 'corrupt:2: not JSON: column 2: unexpected byte 0x62'
  unusable open 'open:3: not JSON: column 2: unexpected byte 0x62; nothing is appended behind a line that no reader gets past'
  unusable packed.zst 'packed.zst: cannot append to a compressed log'
  unusable log.jsonl.gz 'log.jsonl.gz: cannot append to a compressed log'
  rm -f separate-stderr-*
  diff -r . ../kept
}

@test "a file that may only be read is not written to" {
  # root may write anything, so somebody else has to try
  local place as=()
  place=$(mktemp -d /tmp/todo-write.XXXXXX)
  chmod 755 "$place"
  cp log.jsonl "$place/log.jsonl"
  cp "$(command -v todo-write)" "$place/todo-write"
  chmod 444 "$place/log.jsonl"
  [ "$(id -u)" -ne 0 ] || as=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  run --separate-stderr "${as[@]}" "$place/todo-write" -s "$place/log.jsonl" <<<"$one"
  cp "$place/log.jsonl" log.jsonl
  rm -rf "$place"
  assert_failure 2
  assert_output --partial '"is_error":true'
  [ "$stderr" = "todo-write: $place/log.jsonl: cannot open for appending: Permission denied" ]
  unchanged
}

@test "a log that is full is cut back to what it was" {
  local long
  long=$(printf '{"todos":[{"content":"%04000d","status":"pending"}]}' 1)
  run --separate-stderr bash -c 'ulimit -f 1; todo-write -s log.jsonl' <<<"$long"
  assert_failure 1
  assert_output '{"type":"result","name":"todo_write","is_error":true,"content":"Error: log.jsonl: cannot append: No space left for the whole line; the list is as it was"}'
  unchanged
}

@test "one call's error is no other's" {
  local long
  long=$(printf '{"name":"todo_write","arguments":{"todos":[{"content":"%04000d","status":"pending"}]}}' 1)
  printf '%s\n' "$long" "{\"name\":\"todo_write\",\"arguments\":$one}" >calls
  run --separate-stderr bash -c 'ulimit -f 2; todo-write --calls -q -s log.jsonl <calls'
  assert_failure 1
  assert_line --index 0 --partial '"is_error":true'
  assert_line --index 1 --partial '"is_error":false'
  tail -n 1 log.jsonl | timeless >got
  holds got <<<'{"type":"todo/write","seq":4,"time":T,"data":{"todos":[{"content":"one","status":"pending"}]}}'
}

@test "a log that is taken away between two calls" {
  local call="{\"name\":\"todo_write\",\"arguments\":$one}" answer
  coproc writer { todo-write --calls -q -s log.jsonl 2>err || echo "status $?"; }
  exec 8>&"${writer[1]}" 9<&"${writer[0]}"
  eval "exec ${writer[1]}>&- ${writer[0]}<&-"
  echo "$call" >&8 && read -r answer <&9
  [[ $answer == *'"is_error":false'* ]]
  cp log.jsonl before
  rm log.jsonl
  echo "$call" >&8 && read -r answer <&9
  [[ $answer == *'"is_error":true,"content":"Error: log.jsonl: the log is gone: No such file or directory"'* ]]
  mkdir log.jsonl
  echo "$call" >&8 && read -r answer <&9
  [[ $answer == *'"is_error":true,"content":"Error: log.jsonl: cannot append: it is a directory"'* ]]
  rmdir log.jsonl
  cp before log.jsonl
  echo "$call" >&8 && read -r answer <&9
  [[ $answer == *'"is_error":false'* ]]
  cp before other && mv other log.jsonl
  echo "$call" >&8 && read -r answer <&9
  [[ $answer == *'"content":"Error: log.jsonl: the log was replaced by another file"'* ]]
  bytes_equal log.jsonl before
  echo "$call" >&8 && read -r answer <&9
  [[ $answer == *'"is_error":false'* ]]
  exec 8>&-
  read -r answer <&9
  [ "$answer" = "status 2" ]
  [ "$(wc -l <err)" -eq 3 ]
}

# --- torn tails ----------------------------------------------------------------------------------------------

@test "a whole event without its newline gets it" {
  printf '{"type":"todo/write","seq":4,"time":5,"data":{"todos":[{"content":"x","status":"pending"}]}}' >>log.jsonl
  give "$one" -s log.jsonl
  assert_success
  assert_output --partial '"dropped":{"pending":1,"in_progress":0}'
  [ -z "$stderr" ]
  tail -n 2 log.jsonl | timeless >got
  holds got <<'END'
{"type":"todo/write","seq":4,"time":T,"data":{"todos":[{"content":"x","status":"pending"}]}}
{"type":"todo/write","seq":5,"time":T,"data":{"todos":[{"content":"one","status":"pending"}]}}
END
  give "$one" -s log.jsonl
  assert_success
  tail -n 1 log.jsonl | grep -q '"seq":6,'
}

@test "in a recording, whatever parses" {
  printf '{"type":"anything"}' >>recording.jsonl
  give "$one" -s recording.jsonl
  assert_success
  tail -n 2 recording.jsonl >got
  holds got <<'END'
{"type":"anything"}
{"type":"todo/write","data":{"todos":[{"content":"one","status":"pending"}]}}
END
}

@test "half an event is set aside, and kept" {
  printf '{"type":"todo/write","seq":4,"ti' >>log.jsonl
  give "$one" -s log.jsonl
  assert_success
  [ "$stderr" = "todo-write: log.jsonl: a torn last line of 32 bytes was moved to log.jsonl.torn" ]
  printf '{"type":"todo/write","seq":4,"ti\n' | cmp - log.jsonl.torn
  tail -n 1 log.jsonl | timeless >got
  holds got <<<'{"type":"todo/write","seq":4,"time":T,"data":{"todos":[{"content":"one","status":"pending"}]}}'
  head -n 5 log.jsonl >kept
  bytes_equal kept "$data/log.jsonl"
}

@test "a line that somebody is still writing is left alone" {
  printf '{"type":"todo/wr' >>log.jsonl
  cp log.jsonl before
  (sleep 0.4 && printf 'i' >>log.jsonl) &
  give "$one" -s log.jsonl
  wait
  assert_failure 2
  [ "$stderr" = "todo-write: log.jsonl: another program is writing to it without the lock" ]
  printf 'i' >>before
  bytes_equal log.jsonl before
  [ ! -e log.jsonl.torn ]
}

# --- output that goes nowhere --------------------------------------------------------------------------------

@test "a result that can't be written: standard error says what became of the list" {
  run --separate-stderr bash -c 'todo-write -s log.jsonl >/dev/full' <<<"$one"
  assert_failure 2
  [ "$stderr" = "todo-write: the list was replaced, but its result could not be written: No space left on device" ]
  [ "$(grep -c todo/write log.jsonl)" -eq 2 ]
  run --separate-stderr bash -c 'todo-write -s log.jsonl >&-' <<<"$one"
  assert_failure 2
  [ "$stderr" = "todo-write: the list was replaced, but its result could not be written: Bad file descriptor" ]
}

@test "a reader that went away: the list was replaced, or the program ends quietly" {
  run --separate-stderr bash -c '{ sleep 0.3; todo-write -s log.jsonl <<<"$1"; echo $? >status; } | true' - "$one"
  [ "$stderr" = "todo-write: the list was replaced, but its result could not be written: Broken pipe" ]
  [ "$(cat status)" -eq 2 ]
  run --separate-stderr bash -c '{ sleep 0.3; todo-write -s log.jsonl <<<"{}"; echo $? >status; } | true'
  [ -z "$stderr" ]
  [ "$(cat status)" -eq 141 ]
  run --separate-stderr bash -c 'trap "" PIPE; { sleep 0.3; todo-write -s log.jsonl <<<"{}"; echo $? >status; } | true'
  [ "$stderr" = "todo-write: standard output: Broken pipe" ]
  [ "$(cat status)" -eq 2 ]
}

@test "no further call is served when nobody reads the results" {
  printf '%s\n' "{\"name\":\"todo_write\",\"arguments\":$one}" "{\"name\":\"todo_write\",\"arguments\":$one}" >calls
  run bash -c 'todo-write --calls -s log.jsonl <calls >/dev/full'
  assert_failure 2
  [ "$(grep -c todo/write log.jsonl)" -eq 2 ]
}

# --- usage ---------------------------------------------------------------------------------------------------

@test "usage errors" {
  run todo-write log.jsonl
  assert_failure 2
  assert_output "todo-write: unexpected operand 'log.jsonl': a session log is named with -s (try 'todo-write --help')"
  run todo-write --init x
  assert_failure 2
  assert_output "todo-write: --init needs -s SESSION (try 'todo-write --help')"
  run todo-write --init x -s y --calls
  assert_failure 2
  assert_output "todo-write: --init goes with -s alone (try 'todo-write --help')"
  run todo-write --dialect codewhale --single
  assert_failure 2
  assert_output "todo-write: --single belongs to dialect dsh (try 'todo-write --help')"
  run todo-write --dialect other
  assert_failure 2
  run todo-write --calls -c nothing.jsonl -s log.jsonl
  assert_failure 2
  assert_output --partial 'nothing.jsonl'
  unchanged
}

@test "standard input that can't be read" {
  run --separate-stderr todo-write -s log.jsonl </
  assert_failure 2
  assert_output ''
  [ "$stderr" = "todo-write: standard input: Is a directory" ]
  unchanged
}

@test "--help and --version" {
  run todo-write --help
  assert_success
  assert_line --index 0 'usage: todo-write [-s SESSION] [OPTION]...'
  run todo-write --version
  assert_success
  run bash -c 'todo-write --help >/dev/full'
  assert_failure 2
}

# --- cases that lie beside a checkout on some machines -------------------------------------------------------

@test "cases from practice" {
  shared=$(shared) || return 0
  local cases=$shared/cases f
  for f in "$cases"/R46-*/args-*.json; do
    cp "$cases"/R46-*/log.jsonl t.jsonl
    run todo-write -s t.jsonl <"$f"
    assert_failure 1
    assert_output --partial 'todos'
    cmp "$cases"/R46-*/log.jsonl t.jsonl
  done
  run todo-write -s t.jsonl <"$(echo "$cases"/R46-*/ok-empty.json)"
  assert_success
  tail -n 1 t.jsonl | grep -qxF '{"type":"todo/write","data":{"todos":[]}}'
  cp "$cases"/R48-*/log.jsonl t.jsonl
  run todo-write --single -s t.jsonl <"$(echo "$cases"/R48-*/args-three.json)"
  assert_failure 1
  assert_output --partial 'got 3'
  cp "$cases"/R28-*/empty.jsonl t.jsonl
  run todo-write -s t.jsonl <"$(echo "$cases"/R28-*/args.json)"
  assert_success
  cp "$cases"/R50-*/*.jsonl .
  run todo-write -s child.jsonl <"$(echo "$cases"/R50-*/args.json)"
  assert_success
  cmp parent.jsonl "$cases"/R50-*/parent.jsonl
}
