#!/usr/bin/env bash
# Appends a second: todo-write, alone and as 32 writers at once, against a bare loop of flock, write and fdatasync
# that appends lines as long. All in one run, in turns, so that whatever else the disk is doing hits them alike;
# the totals of all rounds are compared.
#
#   tests/bench/appends.sh [ROUNDS]      default 5; CC compiles the yardstick; todo-write is the one on PATH
#
# Bars: one writer at least 0.8 times the bare loop, 32 writers together at least twice one. Exit status 1 when a
# ratio is below its bar.
set -eu
here=$(cd "${0%/*}" && pwd)
rounds=${1:-5} alone=500 each=200 writers=32
tmp=$(mktemp -d "${TMPDIR:-/tmp}/appends.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

"${CC:-cc}" -O2 -o bare "$here/appends.c"
event='{"type":"todo/write","seq":1000,"time":1700000000000,"data":{"todos":[{"content":"one item","status":"pending"}]}}'
call='{"type":"call","id":"c","name":"todo_write","arguments":{"todos":[{"content":"one item","status":"pending"}]}}'
yes "$call" | head -n "$alone" >calls
head -n "$each" calls >fewer

now() { echo "${EPOCHREALTIME/./}"; } # microseconds

bare_us=0 one_us=0 many_us=0
for ((round = 0; round < rounds; round++)); do
  rm -f bare.log one.log many.log
  todo-write --init one -s one.log
  todo-write --init many -s many.log
  a=$(now)
  ./bare bare.log "$alone" "$event"
  b=$(now)
  todo-write --calls -q -s one.log <calls >/dev/null
  c=$(now)
  for ((n = 0; n < writers; n++)); do todo-write --calls -q -s many.log <fewer >/dev/null & done
  wait
  d=$(now)
  [ "$(wc -l <many.log)" -eq $((writers * each + 1)) ]
  bare_us=$((bare_us + b - a)) one_us=$((one_us + c - b)) many_us=$((many_us + d - c))
done

awk -v bare="$bare_us" -v one="$one_us" -v many="$many_us" -v n=$((rounds * alone)) -v all=$((rounds * writers * each)) -v writers="$writers" 'BEGIN {
  bare = n / bare * 1e6; one = n / one * 1e6; many = all / many * 1e6
  printf "%-44s %8.0f/s\n", "bare loop of flock, write, fdatasync", bare
  printf "%-44s %8.0f/s  %5.2f times the bare loop (bar: 0.8)\n", "todo-write, one writer", one, one / bare
  printf "%-44s %8.0f/s  %5.2f times one writer (bar: 2)\n", "todo-write, " writers " writers", many, many / one
  exit !(one / bare >= 0.8 && many / one >= 2)
}'
