#!/usr/bin/env bats
# todo-write: many writers at once, writers that are killed, and locks that others hold.

load helper
bats_require_minimum_version 1.5.0

writers=32
appends=200

setup() {
  cd "$BATS_TEST_TMPDIR"
  todo-write --init race -s log.jsonl
}

# calls N: the call records of writer N.
calls() {
  seq "$appends" | sed "s/.*/{\"type\":\"call\",\"id\":\"$1.&\",\"name\":\"todo_write\",\"arguments\":{\"todos\":[{\"content\":\"$1.&\",\"status\":\"pending\"}]}}/"
}

# The contents of the events in the log, in order; fails when an event is not the next one, or is no event.
contents() {
  awk -v want='^\\{"type":"todo/write","seq":%d,"time":[0-9]+,"data":\\{"todos":\\[\\{"content":"[0-9.]+","status":"pending"\\}\\]\\}\\}$' '
    NR > 1 {
      if ($0 !~ sprintf(want, NR - 2)) { print "line " NR ": " $0 > "/dev/stderr"; exit 1 }
      gsub(/.*"content":"|".*/, "")
      print
    }' log.jsonl
}

# The ids of the calls that were answered, each without an error.
acknowledged() {
  if grep -h '"is_error":true' out.*; then return 1; fi
  sed -n 's/^{"type":"result","id":"\([0-9.]*\)",.*}$/\1/p' out.*
}

@test "32 writers, 200 lists each: 6400 results, 6400 events, none twice" {
  local n
  for ((n = 1; n <= writers; n++)); do calls "$n" >"in.$n"; done
  for ((n = 1; n <= writers; n++)); do todo-write --calls -q -s log.jsonl <"in.$n" >"out.$n" & done
  wait
  contents | sort >written
  acknowledged | sort >answered
  sort -u written | wc -l | grep -qx "$((writers * appends))"
  cmp written answered
  [ "$(wc -l <written)" -eq "$((writers * appends))" ]
  [ "$(todo-snapshot log.jsonl 2>&1 | wc -l)" -eq 2 ]
}

@test "a third of them killed: nothing that was answered is lost, nothing is torn in the middle" {
  local n pids=()
  for ((n = 1; n <= writers; n++)); do calls "$n" >"in.$n"; done
  for ((n = 1; n <= writers; n++)); do
    todo-write --calls -q -s log.jsonl <"in.$n" >"out.$n" 2>/dev/null &
    pids+=($!)
  done
  for ((n = 0; n < writers; n += 3)); do
    sleep "0.0$((RANDOM % 8))"
    kill -9 "${pids[n]}" 2>/dev/null || true
  done
  wait || true
  todo-write -s log.jsonl >out.last 2>err <<<'{"todos":[{"content":"0.0","status":"pending"}]}'
  grep -q '"is_error":false' out.last
  contents | sort >written
  acknowledged | sort >answered
  [ -z "$(comm -13 written answered)" ]
  [ -z "$(uniq -d written)" ]
  [ "$(wc -l <written)" -gt "$((writers * appends / 3))" ]
}

@test "long lines and short ones, a process each" {
  local n
  for ((n = 1; n <= 16; n++)); do
    { printf '{"todos":[{"content":"%d.%0*d","status":"pending"}]}' "$n" $((n % 2 * 200000 + 1)) 0; } >"in.$n"
  done
  for ((n = 1; n <= 16; n++)); do todo-write -s log.jsonl <"in.$n" >"out.$n" & done
  wait
  [ "$(grep -l '"is_error":false' out.* | wc -l)" -eq 16 ]
  [ "$(contents | cut -d. -f1 | sort -u | wc -l)" -eq 16 ]
}

@test "a lock that somebody holds is waited for" {
  flock log.jsonl sleep 0.5 &
  sleep 0.1
  local began=${EPOCHREALTIME/./}
  todo-write -s log.jsonl >out <<<'{"todos":[]}'
  [ $((${EPOCHREALTIME/./} - began)) -gt 200000 ]
  grep -q '"is_error":false' out
  wait
}
