#!/usr/bin/env bats
# How tsdispatch ends: by signals, without a reader, with handlers that do not want to; and what it leaves behind.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp "$(data tsdispatch/tools.jsonl)" tools.jsonl
  printf '{"id":"a","name":"oven"}\n' >call
}

teardown() { [ ! -s pid ] || kill -KILL "$(cat pid)" 2>/dev/null || true; }

dispatch() { tsdispatch -q -c tools.jsonl "$@"; }

# A handler for every tool: a script for sh. Its process id is in the file pid.
handler() { # true|false SCRIPT: a stream handler or not
  printf '%s\n' "echo \$\$ >pid.new; mv pid.new pid; $2" >script.sh
  printf '{"type":"handler","name":"*","argv":["sh","script.sh"],"stream":%s}\n' "$1" >handlers.jsonl
}

within() { # SECONDS COMMAND...: it comes true in time
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}

ends_with() { # STATUS: the program started last
  local status=0
  wait $! || status=$?
  assert_equal $status "$1"
}

is_gone() { ! kill -0 "$(cat pid)" 2>/dev/null; }

# --- signals ------------------------------------------------------------------------------------------------

@test "a signal is seen while half a line of a FIFO is there; the half is no call" {
  mkfifo in
  tsdispatch -q -c tools.jsonl --handler cat in >out 2>err &
  exec 9>in
  printf '{"id":"a","name":"oven"}\n{"id":"b","name":"ov' >&9
  within 10 [ -s out ]
  kill -TERM $!
  ends_with 143
  exec 9>&-
  printf '%s\n' '{"type":"result","id":"a","name":"oven","is_error":false,"content":"{}"}' | holds out
  [ ! -s err ]
}

@test "a signal is seen while nobody writes to the FIFO that is to be read" {
  mkfifo in
  tsdispatch -q -c tools.jsonl --handler cat in >out 2>err &
  sleep 0.5
  kill -TERM $!
  ends_with 143
  [ ! -s out ] && [ ! -s err ]
}

@test "a signal is seen while calls come without end and nothing is waited for" {
  mkfifo in
  (while :; do cat call; done) >in 2>/dev/null &
  tsdispatch -q -c tools.jsonl --routes in >/dev/null &
  sleep 0.5
  kill -HUP $!
  ends_with 129
}

@test "a signal is seen while the reader takes nothing" {
  mkfifo pipe
  exec 9<>pipe # holds it open, reads nothing
  seq 20000 | sed 's/.*/{"id":"&","name":"oven"}/' >calls
  tsdispatch -q -c tools.jsonl calls >pipe 2>err &
  sleep 0.5
  kill -TERM $!
  ends_with 143
  exec 9>&-
  [ ! -s err ]
}

@test "a handler that ignores TERM is killed; a second signal does not wait for that" {
  handler true "trap '' TERM; while :; do sleep 0.1; done"
  tsdispatch -q -c tools.jsonl --handlers handlers.jsonl call >out 2>err &
  within 10 [ -s pid ]
  kill -TERM $!
  ends_with 143
  is_gone
  rm pid
  tsdispatch -q -c tools.jsonl --handlers handlers.jsonl call >out 2>err &
  within 10 [ -s pid ]
  local begun=$SECONDS
  kill -TERM $!
  sleep 0.3
  kill -TERM $!
  ends_with 143
  [ $((SECONDS - begun)) -lt 2 ]
  is_gone
}

@test "a handler has time to clean up when a signal ends the run, also one that is idle" {
  handler true "trap 'sleep 0.2; echo clean >>cleaned; exit' TERM; read -r l; echo '{\"content\":1}'; while :; do sleep 0.1; done"
  mkfifo in
  tsdispatch -q -c tools.jsonl --handlers handlers.jsonl in >out &
  exec 9>in
  cat call >&9
  within 10 [ -s out ]
  kill -TERM $!
  ends_with 143
  exec 9>&-
  is_gone
  assert_equal "$(cat cleaned)" clean
}

@test "a signal that is ignored when it starts stays ignored" {
  printf '{"type":"handler","name":"*","argv":["sleep","1"]}\n' >handlers.jsonl
  (trap '' HUP; exec tsdispatch -q -c tools.jsonl --handlers handlers.jsonl call >out) &
  sleep 0.5
  kill -HUP $!
  ends_with 0
  assert_equal "$(wc -l <out)" 1
}

@test "handlers start with default signals, in a session of their own" {
  [ -r /proc/self/status ] || return 0
  printf '#!/bin/sh\ngrep SigIgn /proc/self/status; cut -d" " -f6 /proc/$$/stat; echo $$\n' >handler && chmod +x handler
  (trap '' HUP INT USR1; exec tsdispatch -q -c tools.jsonl --handler ./handler call) >out
  run cat out
  assert_output --regexp '"content":"SigIgn:\\t[0-9a-f]{8}[08]0000000\\n([0-9]+)\\n([0-9]+)\\n"'
  assert_equal "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
}

# --- the end of the work ------------------------------------------------------------------------------------

@test "a stream handler ends with its input; one that does not is told, then killed" {
  handler true 'while read -r l; do echo "{\"content\":1}"; done; sleep 0.3; echo bye >>said'
  run dispatch --handlers handlers.jsonl call
  assert_success
  assert_equal "$(cat said)" bye
  handler true "trap 'echo told >>said; exit' TERM; read -r l; echo '{\"content\":1}'; while :; do sleep 0.1; done"
  run dispatch --handlers handlers.jsonl call
  assert_success
  assert_equal "$(tail -n 1 said)" told
  handler true "trap '' TERM; read -r l; echo '{\"content\":1}'; while :; do sleep 0.1; done"
  run dispatch --handlers handlers.jsonl call
  assert_success
  is_gone
}

@test "a stream handler that says much at its end is heard out" {
  handler true 'while read -r l; do echo "{\"content\":1}"; done; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2; echo bye >said'
  run dispatch --handlers handlers.jsonl call
  assert_success
  assert_equal "$(cat said)" bye
}

@test "the reader goes away while a handler hangs: the handler is ended, and the program" {
  handler false 'sleep 300 & wait'
  printf '%s\n' '{"type":"handler","name":"board","argv":["echo","x"]}' >>handlers.jsonl
  printf '%s\n' '{"id":"a","name":"board","arguments":{"action":"cut"}}' '{"id":"b","name":"oven"}' >calls
  run bash -c 'tsdispatch -q -c tools.jsonl --handlers handlers.jsonl calls | head -n 1; exit ${PIPESTATUS[0]}'
  assert_failure 141
  assert_output '{"type":"result","id":"a","name":"board","is_error":false,"content":"x\n"}'
  is_gone
}

@test "a list that was replaced is told of when its result cannot be written" {
  [ -c /dev/full ] || return 0
  todo-write -q --init s -s log.jsonl
  printf '{"id":"a","name":"todo_write","arguments":{"todos":[{"content":"x","status":"pending"}]}}\n' >call
  run bash -c 'tsdispatch -q -c tools.jsonl --session log.jsonl call >/dev/full'
  assert_failure 2
  assert_line -n 0 'tsdispatch: log.jsonl: the list was replaced 1 times, but not all of the results could be written'
  assert_line -n 1 'tsdispatch: standard output: No space left on device'
}

@test "a session log that cannot be used is a failure, said once" {
  printf '{"id":"%s","name":"todo_write","arguments":{"todos":[]}}\n' a b >calls
  run --separate-stderr dispatch --session no-log.jsonl calls
  assert_failure 2
  assert_equal "${#lines[@]}" 2
  assert_equal "$stderr" "tsdispatch: no-log.jsonl: cannot open for appending: No such file or directory"
}

# --- nothing is left ----------------------------------------------------------------------------------------

@test "a thousand calls leave no zombie and no descriptor" {
  [ -d /proc/self/fd ] || return 0
  mkfifo in
  tsdispatch -q -c tools.jsonl -j 8 --handler true in >out 9>&- &
  local program=$!
  exec 9>in
  within 10 [ -d /proc/$program/fd ]
  seq 8 | sed 's/.*/{"id":"&","name":"oven"}/' >&9
  within 20 eval '[ "$(wc -l <out)" -eq 8 ]'
  local before after
  before=$(ls /proc/$program/fd | xargs)
  seq 1000 | sed 's/.*/{"id":"&","name":"oven"}/' >&9
  within 100 eval '[ "$(wc -l <out)" -eq 1008 ]'
  after=$(ls /proc/$program/fd | xargs)
  assert_equal "$after" "$before"
  assert_equal "$(cat /proc/$program/task/*/children 2>/dev/null)" ""
  exec 9>&-
  ends_with 0
}

@test "no descriptor stays open of handlers that end before they have read their input" {
  { printf '{"id":"c","name":"oven","arguments":{"dish":"'; head -c 200000 /dev/zero | tr '\0' x; printf '"}}\n'; } >call
  local i
  for i in $(seq 60); do cat call; done >calls
  ulimit -n 40
  run dispatch -j 4 --handler true calls
  assert_success
}

@test "where there are descriptors for few processes the others wait for their turn" {
  seq 200 | sed 's/.*/{"id":"&","name":"oven"}/' >calls
  (ulimit -n 40; exec tsdispatch -q -c tools.jsonl -j 256 --handler cat calls) >out
  assert_equal "$(grep -c '"is_error":false' out)" 200
}

@test "what a handler leaves in the background is waited for as long as it holds the output, no longer" {
  printf '{"type":"handler","name":"*","argv":["sh","-c","{ sleep 1; echo late; } & echo $! >pid; sleep 300 >/dev/null 2>&1 & echo $! >pid; echo early"]}\n' >handlers.jsonl
  run dispatch --handlers handlers.jsonl call
  assert_success
  assert_output --partial '"content":"early\nlate\n"'
}

@test "of a group that had to be ended nothing stays, though its leader obeys at once" {
  handler false "trap '' TERM; sleep 300 >/dev/null 2>&1 & echo \$! >pid; trap - TERM; wait"
  run dispatch --timeout 0.2 --handlers handlers.jsonl call
  assert_failure 1
  assert_output --partial "timed out"
  within 5 is_gone
}

@test "the tail of standard error begins with a whole character" {
  printf '#!/bin/sh\nprintf x >&2; for i in $(seq 5000); do printf "\\303\\244" >&2; done; exit 1\n' >handler && chmod +x handler
  dispatch --handler ./handler call >out || true
  assert_equal "$(sed 's/.*status 1\\n//; s/"}$//' out)" "$(for _ in $(seq 2048); do printf '\303\244'; done)"
  printf '#!/bin/sh\nfor i in $(seq 5000); do printf "\\303\\244" >&2; done; printf x >&2; exit 1\n' >handler
  dispatch --handler ./handler call >out || true
  assert_equal "$(sed 's/.*status 1\\n//; s/"}$//' out)" "$(for _ in $(seq 2047); do printf '\303\244'; done)x"
}

# --- input --------------------------------------------------------------------------------------------------

@test "compressed calls are served as they come" {
  mkfifo in
  tsdispatch -q -c tools.jsonl --handler cat in >out &
  exec 9>in
  gzip -c call >&9
  within 10 [ -s out ]
  gzip -c call >&9
  exec 9>&-
  ends_with 0
  assert_equal "$(wc -l <out)" 2
}

@test "standard input is given twice" {
  run dispatch -c - <call
  assert_failure 2
  assert_output --partial "standard input is given twice"
  run dispatch call - - </dev/null
  assert_failure 2
}
