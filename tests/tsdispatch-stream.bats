#!/usr/bin/env bats
# tsdispatch and stream handlers that do not do what they should; the order of calls over several handlers.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp "$(data tsdispatch/tools.jsonl)" tools.jsonl
}

dispatch() { tsdispatch -q -c tools.jsonl "$@"; }

# A stream handler for every tool: a script for sh.
script() { # SCRIPT
  printf '%s\n' "$1" >script.sh
  printf '{"type":"handler","name":"*","argv":["sh","script.sh"],"stream":true}\n' >handlers.jsonl
}

calls() { # ID...
  local id
  for id in "$@"; do printf '{"id":"%s","name":"oven"}\n' "$id"; done >calls
}

says() { # LINE ID TEXT: result number LINE is an error of the handler that says so
  assert_line -n "$1" --partial "\"id\":\"$2\",\"name\":\"oven\",\"is_error\":true,\"content\":\"handler 'sh' $3"
}

# --- no answer is another call's ----------------------------------------------------------------------------

@test "an answer with the id of another call ends the handler; the next calls get answers of their own" {
  script 'while read -r l; do case $l in *\"b\"*) echo "{\"id\":\"a\",\"content\":\"of a\"}" ;;
    *) printf "{\"id\":\"%s\",\"content\":\"right\"}\n" "$(expr "$l" : ".*\"id\":\"\([a-z]*\)")" ;; esac; done'
  calls a b c
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  assert_output - <<'END'
{"type":"result","id":"a","name":"oven","is_error":false,"content":"right"}
{"type":"result","id":"b","name":"oven","is_error":true,"content":"handler 'sh' wrote what is no result record: it has the id of another call"}
{"type":"result","id":"c","name":"oven","is_error":false,"content":"right"}
END
}

@test "an id may be answered as a number, or not at all" {
  script 'read -r l; echo "{\"id\":7,\"content\":1}"; read -r l; echo "{\"id\":null,\"content\":2}"; read -r l; echo "{\"content\":3}"'
  printf '%s\n' '{"id":7,"name":"oven"}' '{"id":"8","name":"oven"}' '{"name":"oven"}' >calls
  run dispatch --handlers handlers.jsonl calls
  assert_success
  assert_line -n 0 --partial '"content":1}'
  assert_line -n 2 '{"type":"result","name":"oven","is_error":false,"content":3}'
}

@test "a line too many, without ids, is told at the end: status 2" {
  script 'read -r a; read -r b; read -r c; for i in 1 2 3 4; do echo "{\"content\":$i}"; done; read -r d'
  calls 1 2 3
  run -2 --separate-stderr dispatch --handlers handlers.jsonl calls
  assert_equal "$(grep -c '"is_error":false' <<<"$output")" 3
  assert_equal "$stderr" "tsdispatch: handler 'sh' wrote more answers than it got calls: answers may be those of other calls"
  script 'while read -r l; do id=${l#*\"id\":}; echo "{\"id\":${id%%,*},\"content\":1}"; done; echo bye' # ids vouch for the answers
  run -0 --separate-stderr dispatch --handlers handlers.jsonl calls
  assert_equal "$stderr" ''
  script 'while read -r l; do echo "{\"content\":1}"; done; echo; echo bye' # what is no answer is none
  run -0 --separate-stderr dispatch --handlers handlers.jsonl calls
  assert_equal "$stderr" ''
}

@test "a handler that says more than it is asked serves no call with it" {
  script 'echo ready; while read -r l; do printf "{\"content\":%s}\n" "$l"; done'
  calls 1 2 3 4 5 6 7
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  says 0 1 'wrote what is no result record: unexpected byte 0x72"'
  says 5 6 'ended too often without an answer; it is not started again\n'
  assert_equal "$(grep -c '"is_error":true' <<<"$output")" 7
  script 'while read -r l; do printf "{\"content\":%s}\ndone\n" "$l"; done' # the next call's answer would be "done"
  calls 1 2 3 4
  run dispatch --handlers handlers.jsonl calls
  assert_equal "$(sed 's/.*"id":"\(.\)".*"is_error":false,"content":.*"id":"\(.\)".*/\1\2/' <<<"$output" | grep -cx '11\|22\|33\|44')" \
    "$(grep -c '"is_error":false' <<<"$output")"
}

@test "a line before the call has been read is no answer to it" {
  script 'echo "{\"content\":\"early\"}"; sleep 100'
  { printf '{"id":"a","name":"oven","arguments":{"dish":"'; head -c 3000000 /dev/zero | tr '\0' x; printf '"}}\n'; } >calls
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  says 0 a 'wrote a line before it had read the call"'
}

@test "an answer that comes after its time-out is nobody's" {
  script 'trap "" TERM; read -r l; sleep 1.3; echo "{\"content\":\"late\"}"; read -r l; echo "{\"content\":\"fresh\"}"; sleep 100'
  calls a b
  run dispatch --timeout 1 --handlers handlers.jsonl calls
  assert_failure 1
  says 0 a 'timed out"'
  says 1 b 'timed out"' # its successor sleeps, too, and is not given the first one's second answer
}

@test "an answer that is too long is refused at the byte; the next call is served" {
  script 'n=0; while read -r l; do case $l in *long*) echo "{\"content\":\"12345\"}" ;; *) echo "{\"content\":\"1234\"}" ;; esac; done'
  printf '%s\n' '{"id":"a","name":"oven","arguments":{"dish":"long"}}' '{"id":"b","name":"oven"}' >calls
  run dispatch --max-output 18 --handlers handlers.jsonl calls
  assert_failure 1
  says 0 a 'wrote an answer that is longer than 18 bytes"'
  assert_line -n 1 --partial '"is_error":false,"content":"1234"'
}

@test "an answer without an end takes bounded memory" {
  script 'read -r l; exec head -c 300000000 /dev/zero'
  calls a
  sanitized || ulimit -v 200000
  run dispatch --max-output 1M --handlers handlers.jsonl calls
  assert_failure 1
  says 0 a 'wrote an answer that is longer than 1048576 bytes"'
}

# --- processes that end, or half end ------------------------------------------------------------------------

@test "a handler that ends in order before it has answered owes a call; the tail of its standard error is told" {
  script 'read -r l; printf "a \377 b\n" >&2; exit 0'
  calls a
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  assert_output '{"type":"result","id":"a","name":"oven","is_error":true,"content":"handler '\''sh'\'' exited with status 0\na � b\n"}'
}

@test "the end of a handler is seen though somebody holds its pipes" {
  script 'read -r l; sleep 300 & echo $! >>pids; exit 7'
  calls a b
  run dispatch --handlers handlers.jsonl calls
  xargs kill <pids
  assert_failure 1
  says 0 a 'exited with status 7"'
  says 1 b 'exited with status 7"'
}

@test "a handler that closes a pipe and goes on is ended after a moment" {
  script 'exec >&-; while read -r l; do :; done; sleep 300'
  calls a
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  says 0 a 'closed its input or output and does not end"'
  script 'exec <&-; sleep 300'
  { printf '{"id":"a","name":"oven","arguments":{"dish":"'; head -c 3000000 /dev/zero | tr '\0' x; printf '"}}\n'; } >calls
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  says 0 a 'closed its input or output and does not end"'
}

@test "a stream handler that cannot be started says so for each call" {
  printf '{"type":"handler","name":"*","argv":["/no/such/program"],"stream":true}\n' >handlers.jsonl
  calls 1 2 3 4 5 6 7
  run dispatch --handlers handlers.jsonl calls
  assert_failure 1
  assert_equal "$(grep -c "cannot start '/no/such/program': No such file or directory" <<<"$output")" 7
}

# --- one process, many tools --------------------------------------------------------------------------------

@test "the stream handler of * is started once, whatever tools it serves" {
  script 'echo start >>starts; while read -r l; do printf "{\"content\":%s}\n" "$l"; done'
  printf '%s\n' '{"id":"a","name":"oven"}' '{"id":"b","name":"cellar"}' '{"id":"c","name":"chop"}' >calls
  run dispatch --handlers handlers.jsonl calls
  assert_success
  assert_equal "$(wc -l <starts)" 1
  assert_line -n 2 '{"type":"result","id":"c","name":"chop","is_error":false,"content":{"type":"call","id":"c","name":"board","arguments":{"action":"cut"}}}'
}

@test "more calls than fit into the window keep their order" {
  script 'exec sed -u "s/.*\"id\":\"\([0-9]*\)\".*/{\"content\":\1}/"'
  seq 5000 | sed 's/.*/{"id":"&","name":"oven"}/' >calls
  dispatch --handlers handlers.jsonl calls >out
  seq 5000 | sed 's/.*/{"type":"result","id":"&","name":"oven","is_error":false,"content":&}/' >expected
  cmp out expected
}

@test "a notice takes the place of members of its names in a handler's metadata" {
  script 'while read -r l; do echo "{\"content\":1,\"metadata\":{\"note\":\"mine\",\"cost\":1e2,\"notice\":\"x\"}}"; done'
  printf '%s\n' '{"id":"a","name":"bake"}' '{"id":"b","name":"stove"}' >calls
  run dispatch --handlers handlers.jsonl calls
  assert_success
  assert_line -n 0 --partial '"metadata":{"cost":1e2,"notice":"deprecated: use oven instead","name":"bake","replacement":"oven","since":"1.3.0","note":"Ovens do more."}}'
  assert_line -n 1 --partial '"metadata":{"note":"mine","cost":1e2,"notice":"x"}}'
}

# --- order over handlers ------------------------------------------------------------------------------------

several_kinds() { # oven: one-shot, slow; board: stream; todo_write: the library
  printf '%s\n' 'while read -r l; do echo board >>order; echo "{\"content\":1}"; done' >script.sh
  cat >handlers.jsonl <<'END'
{"type":"handler","name":"oven","argv":["sleep 0.5; echo oven >>order"],"shell":true}
{"type":"handler","name":"board","argv":["sh","script.sh"],"stream":true}
END
  todo-write -q --init s -s log.jsonl
  local name
  for name in board board oven todo_write oven board; do
    printf '{"id":"%s","name":"%s","arguments":{"todos":[]}}\n' $name $name
  done >calls
}

@test "one job: a call begins when those before it have ended, whoever serves them" {
  several_kinds
  run dispatch --session log.jsonl --handlers handlers.jsonl calls
  assert_success
  printf '%s\n' board board oven oven board | holds order
}

@test "several jobs: a slow call does not keep the calls of other handlers waiting; the output is the same" {
  several_kinds
  dispatch --session log.jsonl --handlers handlers.jsonl calls >one
  rm order
  dispatch -j 4 --session log.jsonl --handlers handlers.jsonl calls >four
  cmp one four
  printf '%s\n' board board board oven oven | holds order
}
