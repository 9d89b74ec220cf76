#!/usr/bin/env bats
# todo-snapshot: whose list, from what, as of when; what it looks like; and what no item can do to it.

load helper
bats_require_minimum_version 1.5.0

setup() {
  data=$tests_dir/data/todo
  cd "$BATS_TEST_TMPDIR"
}

# Renders, and keeps what was said.
render() { run --separate-stderr todo-snapshot "$@"; }

# The output is exactly the text on standard input, and nothing was said.
shows() {
  assert_success
  [ -z "$stderr" ]
  assert_output "$(cat)"
}

shows_nothing() {
  assert_success
  assert_output ''
}

# --- where lists come from -----------------------------------------------------------------------------------

@test "a bare list, however it is laid out" {
  echo '{"todos":[{"content":"a","status":"in_progress"},{"status":"cancelled","content":"b"}]}' >list
  render list
  shows <<'END'
To-do (50% settled)
- [~] #1 a
- [-] #2 b
END
  printf '\xef\xbb\xbf{ "x": {"todos":[1]},\r\n "todos" : [ {"content":"a","status":"pending"} ] }\r\n' >list
  render list
  shows <<<'To-do (0% settled)
- [ ] #1 a'
  run --separate-stderr todo-snapshot <list
  shows <<<'To-do (0% settled)
- [ ] #1 a'
}

@test "a snapshot, with its own numbers" {
  render "$data/snapshot.json"
  shows <<'END'
To-do (67% settled)
- [x] #3 paint the gate
- [ ] #7 oil the hinges
- [-] #9 hang the sign
END
  render --dialect codewhale --max-items 1 "$data/snapshot.json"
  shows <<'END'
To-do (50% settled)
- [ ] #7 oil the hinges
- … +2 more To-do items omitted
END
}

@test "a session log, a recording, either compressed" {
  zstd -q "$data/log.jsonl" -o log.jsonl.zst
  gzip -c "$data/log.jsonl" >log.jsonl.gz
  for f in "$data/log.jsonl" log.jsonl.zst log.jsonl.gz; do
    render "$f"
    shows <<'END'
To-do (33% settled)
- [x] #1 moor the ferry
- [~] #2 count the crates
- [ ] #3 sweep the quay
END
  done
  render "$data/recording.jsonl"
  shows <<'END'
To-do (0% settled)
- [~] #1 moor the ferry
- [ ] #2 count the crates
END
}

@test "transcripts: claude-code, anthropic, openai, neutral" {
  render "$data/claude-code.jsonl"
  shows <<'END'
To-do (50% settled)
- [x] #1 load
- [~] #2 sail
END
  render "$data/anthropic.json"
  shows <<'END'
To-do (100% settled)
- [x] #1 first
END
  render "$data/openai.json"
  shows <<'END'
To-do (50% settled)
- [x] #1 dig
- [~] #2 plant
END
  printf '%s\n' '{"type":"call","session":"s","id":"1","name":"work_update","arguments":{"todos":[{"content":"a"}]}}' \
    '{"type":"result","session":"s","id":"1","name":"work_update","is_error":false,"content":"ok"}' >calls
  render calls
  shows <<<'To-do (0% settled)
- [ ] #1 a'
  render --from neutral calls
  shows <<<'To-do (0% settled)
- [ ] #1 a'
}

@test "a list that was sent in this very turn is in the fork's state" {
  head -n 3 "$data/claude-code.jsonl" >turn.jsonl
  render --frame fork-state turn.jsonl
  shows <<'END'
<codewhale:fork_state>
### To-do

To-do (0% settled)
- [~] #1 load
- [ ] #2 sail
</codewhale:fork_state>
END
}

@test "update_plan is no to-do list unless it is wanted" {
  for frame in body fork-state relay card; do
    render --frame "$frame" "$data/codex.jsonl"
    shows_nothing
  done
  render --plan "$data/codex.jsonl"
  shows <<'END'
To-do (50% settled)
- [x] #1 look
- [~] #2 leap
END
}

@test "which names mean todo_write, the catalog says" {
  sed 's/TodoWrite/jot/' "$data/claude-code.jsonl" >jot.jsonl
  render jot.jsonl
  shows_nothing
  render -c "$data/overlay.jsonl" jot.jsonl
  shows <<'END'
To-do (50% settled)
- [x] #1 load
- [~] #2 sail
END
  TSCATALOG="$data/overlay.jsonl" render jot.jsonl
  assert_success
  render -c nothing.jsonl jot.jsonl
  assert_failure 2
  render -c nothing.jsonl "$data/log.jsonl"
  assert_success
}

# --- whose list ----------------------------------------------------------------------------------------------

@test "a child's list is its own" {
  render --agents "$data/claude-code.jsonl"
  shows <<'END'
{"id":"quay","session":"quay","line":9,"items":2}
{"id":"mate","session":"quay","agent":"mate","line":5,"items":1}
END
  render --agent mate "$data/claude-code.jsonl"
  shows <<<'To-do (0% settled)
- [~] #1 tie knots'
  render --agent quay "$data/claude-code.jsonl"
  assert_success
  assert_line --index 1 '- [x] #1 load'
  render --agent nobody "$data/claude-code.jsonl"
  assert_failure 2
  [ "$stderr" = "todo-snapshot: $data/claude-code.jsonl: there is no agent or session 'nobody' in it" ]
}

@test "a forked log does not show its parent's list" {
  render "$data/fork.jsonl"
  shows_nothing
  render --agents "$data/fork.jsonl"
  shows_nothing
  cp "$data/fork.jsonl" own.jsonl
  echo '{"type":"todo/write","seq":3,"time":4,"data":{"todos":[{"content":"its own","status":"pending"}]}}' >>own.jsonl
  render own.jsonl
  shows <<<'To-do (0% settled)
- [ ] #1 its own'
  render --agents own.jsonl
  shows <<<'{"id":"harbour-2","session":"harbour-2","line":5,"items":1}'
  render --agent harbour-1 own.jsonl
  assert_failure 2
  [ "$stderr" = "todo-snapshot: own.jsonl: it is the log of session 'harbour-2'" ]
}

# --- as of when ----------------------------------------------------------------------------------------------

@test "--at: what came later does not count" {
  render --at 2 "$data/log.jsonl"
  shows_nothing
  render --at 3 "$data/log.jsonl"
  assert_success
  assert_line --index 0 'To-do (33% settled)'
  render --at 6 "$data/claude-code.jsonl"
  shows <<'END'
To-do (0% settled)
- [~] #1 load
- [ ] #2 sail
END
  cp "$data/log.jsonl" torn.jsonl
  printf '%s\n' '{bad' '{"type":"turn/end","seq":4,"time":9,"data":{}}' >>torn.jsonl
  render torn.jsonl
  assert_failure 2
  [ "$stderr" = "todo-snapshot: torn.jsonl:6: not JSON: column 2: unexpected byte 0x62" ]
  render --at 5 torn.jsonl
  assert_success
  assert_line --index 0 'To-do (33% settled)'
}

@test "--standing: a new turn clears the list, the end of one does not" {
  render --standing "$data/log.jsonl"
  shows_nothing
  render --standing --at 4 "$data/log.jsonl"
  assert_success
  assert_line --index 0 'To-do (33% settled)'
  render --standing "$data/claude-code.jsonl"
  assert_failure 2
  [ "$stderr" = "todo-snapshot: $data/claude-code.jsonl: --standing is for session logs: a transcript does not mark the turns" ]
  for option in --standing --agents '--at 1'; do
    # shellcheck disable=SC2086
    render $option "$data/snapshot.json"
    assert_failure 2
  done
}

# --- work graphs ---------------------------------------------------------------------------------------------

graph() { printf '{"owner":"%s","items":%s}\n' "$1" "$2" >graph; }

@test "--graph: the graph that owns the list is right" {
  graph harbour-1 '[{"id":5,"content":"by the graph","status":"in_progress"}]'
  render --graph graph "$data/log.jsonl"
  shows <<<'To-do (0% settled)
- [~] #5 by the graph'
  graph mate '[{"id":5,"content":"by the graph","status":"in_progress"}]'
  render --agent mate --graph graph "$data/claude-code.jsonl"
  shows <<<'To-do (0% settled)
- [~] #5 by the graph'
}

@test "--graph: also when it is empty, or the log has no list" {
  graph harbour-1 '[]'
  render --graph graph "$data/log.jsonl"
  shows_nothing
  graph harbour-2 '[{"id":1,"content":"x","status":"pending"}]'
  render --graph graph "$data/fork.jsonl"
  shows <<<'To-do (0% settled)
- [ ] #1 x'
}

@test "--graph: somebody else's is ignored" {
  graph harbour-2 '[{"id":5,"content":"by the graph","status":"in_progress"}]'
  render --graph graph "$data/recording.jsonl"
  shows <<'END'
To-do (0% settled)
- [~] #1 moor the ferry
- [ ] #2 count the crates
END
  graph harbour-2 '"not even a list"'
  render --graph graph "$data/recording.jsonl"
  assert_success
  [ -z "$stderr" ]
  graph quay '[]'
  render --agent mate --graph graph "$data/claude-code.jsonl"
  shows <<<'To-do (0% settled)
- [~] #1 tie knots'
  graph quay '[]'
  render --graph graph "$data/snapshot.json"
  assert_success
  assert_line --index 1 '- [x] #3 paint the gate'
}

@test "--graph: one that can't be read is told, and the list stands" {
  while IFS='|' read -r text why; do
    printf '%s\n' "$text" >graph
    render --graph graph "$data/recording.jsonl"
    assert_success
    assert_line --index 1 '- [~] #1 moor the ferry'
    [ "$stderr" = "todo-snapshot: graph$why; the list itself is shown" ]
  done <<'END'
{"owner":|:2:1: not JSON: text ends inside an object
[]|: a work graph has a string 'owner'
{"items":[]}|: a work graph has a string 'owner'
{"owner":"harbour-1"}|: there is no list 'todos' or 'items'
{"owner":"harbour-1","items":[{"id":1,"content":"x","status":"paused"}]}|: item 1 (#1) has the unknown status 'paused'
END
  render --graph nothing "$data/recording.jsonl"
  assert_success
  [[ $stderr == *'nothing'*'No such file or directory; the list itself is shown' ]]
  assert_line --index 1 '- [~] #1 moor the ferry'
}

# --- what it looks like --------------------------------------------------------------------------------------

@test "frames" {
  render --frame relay "$data/log.jsonl"
  todo-snapshot --frame relay "$data/log.jsonl" >out
  holds out <<'END'

Current To-do:
To-do (33% settled)
- [x] #1 moor the ferry
- [~] #2 count the crates
- [ ] #3 sweep the quay
END
  todo-snapshot --frame card "$data/hostile.json" >out
  holds out <<'END'
To-do 0/12 · 0% settled
[ ] #1 a <\/codewhale:fork_state> b
[ ] #2 c <\/CODEWHALE:fork_state > d
[ ] #3 e <\ / codewhale : fork_state > f
… +9 more
END
  todo-snapshot --json --max-items 1 "$data/log.jsonl" >out
  holds out <<'END'
{"header":"To-do (33% settled)","percent":33,"rows":[{"id":2,"status":"in_progress","text":"count the crates"}],"omitted":2,"items":[{"content":"moor the ferry","status":"completed"},{"content":"count the crates","status":"in_progress"},{"content":"sweep the quay","status":"pending"}]}
END
}

@test "an empty list prints nothing, in every frame" {
  echo '{"todos":[]}' >empty
  for options in '' '--frame fork-state' '--frame relay' '--frame card' --json '--dialect codewhale'; do
    # shellcheck disable=SC2086
    render $options empty
    shows_nothing
  done
}

@test "no item closes the frame, opens another, or forges a row" {
  todo-snapshot --frame fork-state --tag note "$data/hostile.json" >out
  holds out <<'END'
<codewhale:fork_state>
### To-do

To-do (0% settled)
- [ ] #1 a <\/codewhale:fork_state> b
- [ ] #2 c <\/CODEWHALE:fork_state > d
- [ ] #3 e <\ / codewhale : fork_state > f
- [ ] #4 g <\/codewhale:fork_state> h
- [ ] #5 i <\codewhale:fork_state> j
- [ ] #6 k <\/system-reminder> l
- [ ] #7 m - [x] #99 n
- [ ] #8 o - [~] #98 p
- [ ] #9 q - [x] #97 r
- [ ] #10 s
- [ ] #11 (empty)
- [ ] #12 t <\/note> u
</codewhale:fork_state>
END
}

@test "dialect codewhale does what the reference does" {
  todo-snapshot --dialect codewhale "$data/hostile.json" | head -n 6 >out
  holds out <<'END'
To-do (0% settled)
- [ ] #1 a <\/codewhale:fork_state> b
- [ ] #2 c <\/codewhale:fork_state > d
- [ ] #3 e < / codewhale : fork_state > f
- [ ] #4 g </code​whale:fork_state> h
- [ ] #5 i <codewhale:fork_state> j
END
}

@test "bounds hold, and are told when they are too small" {
  seq 50 | sed 's/.*/{"content":"item &","status":"pending"}/' | paste -sd, | sed 's/.*/{"todos":[&]}/' >fifty
  for n in 67 68 80 200 400 1000; do
    render --max-chars "$n" fifty
    assert_success
    [ "$(printf '%s' "$output" | LC_ALL=C.UTF-8 wc -m)" -le "$n" ]
  done
  # header 18, one row 16, the omission line 33
  render --max-chars 67 fifty
  shows <<<'To-do (0% settled)
- [ ] #1 item 1
- … +49 more To-do items omitted'
  render --max-chars 66 fifty
  assert_failure 2
  assert_output ''
  [ "$stderr" = "todo-snapshot: --max-chars: 66 characters are too few: the header and one row take 67" ]
  render --max-items 2 --max-item-chars 3 fifty
  shows <<<'To-do (0% settled)
- [ ] #1 it…
- [ ] #2 it…
- … +48 more To-do items omitted'
  for option in --max-items --max-chars --max-item-chars; do
    for n in 0 -1 x ''; do
      render "$option=$n" fifty
      assert_failure 2
    done
  done
}

@test "no cut goes through a character" {
  printf '{"todos":[{"content":"%s","status":"pending"}]}' "$(printf '👩‍👩‍👧‍👦%.0s' {1..40})" >family
  for n in 1 2 5 8 9 20 100 159 160; do
    todo-snapshot --max-item-chars "$n" family >out
    iconv -f UTF-8 -t UTF-8 <out >/dev/null
    if grep -q $'\xef\xbf\xbd' out; then return 1; fi
    [ "$(sed -n '2s/^- \[ \] #1 //p' out | tr -d '\n' | LC_ALL=C.UTF-8 wc -m)" -le "$n" ]
    tail -n 1 out | grep -q '…$'
  done
  todo-snapshot --max-item-chars 20 family | tail -n 1 >out
  holds out <<<'- [ ] #1 👩‍👩‍👧‍👦👩‍👩‍👧‍👦…'
}

# --- what can't be read --------------------------------------------------------------------------------------

@test "an item with an unknown status is named" {
  for file in '{"todos":[{"content":"a","status":"pending"},{"content":"b","status":"paused"}]}' \
    '{"items":[{"id":1,"content":"a","status":"pending"},{"id":2,"content":"b","status":"paused"}]}'; do
    echo "$file" >list
    render list
    assert_failure 2
    assert_output ''
    [ "$stderr" = "todo-snapshot: list: item 2 (#2) has the unknown status 'paused'" ]
  done
  echo '{"items":[{"content":"a","status":"pending"}]}' >list
  render list
  assert_failure 2
  [ "$stderr" = "todo-snapshot: list: item 1 has no whole number 'id'" ]
  echo '{"items":[],"completion_pct":"x"}' >list
  render list
  assert_failure 2
  [ "$stderr" = "todo-snapshot: list: 'completion_pct' is not a whole number" ]
}

@test "a list that is no JSON" {
  printf '{"todos":[\n{"content":"a",}]}' >list
  render list
  assert_failure 2
  [ "$stderr" = "todo-snapshot: list:2:16: not JSON: unexpected byte 0x7d" ]
  printf '{"todos":[]}\n{"todos":[]}\n' >list
  render list
  assert_failure 2
  [ "$stderr" = "todo-snapshot: list:2:1: not JSON: bytes after the value" ]
}

@test "files that are none, or of no known kind" {
  : >empty
  mkdir folder
  echo hello >text
  for f in nothing empty folder text; do
    render "$f"
    assert_failure 2
    assert_output ''
    [[ $stderr == "todo-snapshot: $f"* ]]
  done
  render "$data/log.jsonl" "$data/log.jsonl"
  assert_failure 2
  mkfifo fifo
  cat "$data/recording.jsonl" >fifo &
  render fifo
  assert_success
  ln -s "$data/recording.jsonl" link
  render link
  assert_success
}

@test "a log of a newer version, or one that is broken" {
  sed 's/"version":0/"version":1/' "$data/log.jsonl" >newer.jsonl
  render newer.jsonl
  assert_failure 2
  [ "$stderr" = "todo-snapshot: newer.jsonl:1: the log is of version 1, and only version 0 is known here" ]
  sed 's/"seq":2/"seq":7/' "$data/log.jsonl" >gap.jsonl
  render gap.jsonl
  assert_failure 2
  [ "$stderr" = "todo-snapshot: gap.jsonl:4: seq 7 where 2 should be" ]
}

@test "a byte order mark before a log, bytes that are no UTF-8 in it" {
  { printf '\xef\xbb\xbf' && cat "$data/recording.jsonl"; } >recording.jsonl
  render recording.jsonl
  assert_success
  assert_line --index 1 '- [~] #1 moor the ferry'
  { printf '\xef\xbb\xbf' && cat "$data/log.jsonl"; } >log.jsonl
  render log.jsonl
  assert_failure 2
  [ "$stderr" = "todo-snapshot: log.jsonl:1: a byte order mark stands before the header" ]
  printf '{"todos":[{"content":"a\xff\xe2\x82b","status":"pending"}]}' >bytes
  todo-snapshot --json bytes >out
  holds out <<<'{"header":"To-do (0% settled)","percent":0,"rows":[{"id":1,"status":"pending","text":"a��b"}],"omitted":0,"items":[{"content":"a��b","status":"pending"}]}'
}

@test "lines that are not used are named, and -q leaves that out" {
  cp "$data/recording.jsonl" bad.jsonl
  printf '%s\n' '{bad' '{"type":"todo/write","data":{"todos":7}}' >>bad.jsonl
  render bad.jsonl
  assert_success
  [ "$stderr" = "todo-snapshot: bad.jsonl:4: line not used: not JSON: column 2: unexpected byte 0x62
todo-snapshot: bad.jsonl:5: not a to-do list, the one before stands: data has no list 'todos'" ]
  render -q bad.jsonl
  assert_success
  [ -z "$stderr" ]
  printf '{"type":"todo/write","seq":4,"time":1,"da' | cat "$data/log.jsonl" - >torn.jsonl
  render torn.jsonl
  assert_success
  [ "$stderr" = "todo-snapshot: torn.jsonl:6: line not used: no newline behind it" ]
  render --max-line 10 "$data/log.jsonl"
  assert_failure 2
  [ "$stderr" = "todo-snapshot: $data/log.jsonl:1: longer than --max-line" ]
}

# --- output and usage ----------------------------------------------------------------------------------------

@test "output that goes nowhere" {
  run bash -c 'todo-snapshot "$1" >/dev/full' - "$data/log.jsonl"
  assert_failure 2
  assert_output 'todo-snapshot: standard output: No space left on device'
  run bash -c 'todo-snapshot "$1" >&-' - "$data/log.jsonl"
  assert_failure 2
  assert_output 'todo-snapshot: standard output: Bad file descriptor'
  run bash -c '{ sleep 0.2; todo-snapshot "$1"; echo $? >status; } | true' - "$data/log.jsonl"
  assert_output ''
  [ "$(cat status)" -eq 141 ]
  run bash -c 'trap "" PIPE; { sleep 0.2; todo-snapshot "$1"; echo $? >status; } | true' - "$data/log.jsonl"
  assert_output 'todo-snapshot: standard output: Broken pipe'
  [ "$(cat status)" -eq 2 ]
}

@test "usage errors, --help and --version" {
  render --frame window "$data/log.jsonl"
  assert_failure 2
  render --dialect plain "$data/log.jsonl"
  assert_failure 2
  render --tag '' "$data/log.jsonl"
  assert_failure 2
  [ "$stderr" = "todo-snapshot: --tag: '' is no tag name (try 'todo-snapshot --help')" ]
  render --json --frame card "$data/log.jsonl"
  assert_failure 2
  render --from tape "$data/log.jsonl"
  assert_failure 2
  [[ $stderr == "todo-snapshot: --from: unknown format 'tape': known are claude-code, "* ]]
  run todo-snapshot --help
  assert_success
  assert_line --index 0 'usage: todo-snapshot [OPTION]... [FILE]'
  run todo-snapshot --version
  assert_success
}

# --- large lists ---------------------------------------------------------------------------------------------

# Runs with as much memory as 4 times the file and 32 MiB.
within_memory() { # FILE OPTION...
  local kib=$((4 * $(stat -c %s "$1") / 1024 + 32 * 1024))
  sanitized && { todo-snapshot "$@" && return; }
  bash -c 'ulimit -v "$1"; shift; exec todo-snapshot "$@"' - "$kib" "$@"
}

@test "a million items are counted, and as few as ever are shown" {
  awk 'BEGIN {
    printf "{\"todos\":["
    for (i = 1; i < 1000023; i++) printf "{\"content\":\"a\",\"status\":\"pending\"},"
    print "{\"content\":\"z\",\"status\":\"in_progress\"}]}"
  }' >million
  for dialect in strict codewhale; do
    within_memory million --dialect "$dialect" >out
    [ "$(wc -l <out)" -eq 26 ]
    sed -n 25,26p out >last
    holds last <<'END'
- [~] #1000023 z
- … +999999 more To-do items omitted
END
  done
}

@test "one item of 100 MB is cut like any other" {
  { printf '{"todos":[{"content":"' && head -c 100000000 /dev/zero | tr '\0' x && printf '","status":"pending"}]}'; } >large
  within_memory large >out
  printf 'To-do (0%% settled)\n- [ ] #1 %s…\n' "$(printf 'x%.0s' {1..159})" | cmp - out
  { printf '{"todos":[{"content":"<' && head -c 50000000 /dev/zero | tr '\0' ' ' && printf '/\\u0063odewhale:x>","status":"pending"}]}'; } >large
  within_memory large >out
  holds out <<'END'
To-do (0% settled)
- [ ] #1 <\…
END
}

# --- cases that lie beside a checkout on some machines -------------------------------------------------------

@test "cases from practice" {
  shared=$(shared) || return 0
  local cases=$shared/cases tag
  render "$(echo "$cases"/R50-*/parent.jsonl)"
  assert_line --index 2 '- [~] #2 build'
  [ "${#lines[@]}" -eq 6 ]
  render "$(echo "$cases"/R50-*/child.jsonl)"
  assert_line --index 0 'To-do (100% settled)'
  render "$(echo "$cases"/R50-*/child-forked.jsonl)"
  shows_nothing
  render "$(echo "$cases"/R50-*/sidechain.jsonl)"
  [ "${#lines[@]}" -eq 4 ]
  render "$(echo "$cases"/R48-*/old-log.jsonl)"
  shows <<<'To-do (0% settled)
- [~] #1 a
- [~] #2 b
- [ ] #3 c'
  for tag in codewhale:fork_state system-reminder; do
    (cd "$cases"/R52-* && ./make.sh "$tag") >wrapped.jsonl
    todo-snapshot --frame fork-state wrapped.jsonl >out
    [ "$(grep -c '^- \[ \] #' out)" -eq 13 ]
    [ "$(tr -d ' \n' <out | sed 's/\xe2\x80[\x8b-\x8d]//g; s/\xe2\x81\xa0//g; s/\xef\xbb\xbf//g' | grep -io "</\?codewhale:fork_state>" | wc -l)" -eq 2 ]
    if tr -d ' \n' <out | grep -iq '</\?system-reminder'; then return 1; fi
  done
  todo-snapshot "$cases"/R54-*/log.jsonl | iconv -f UTF-8 -t UTF-8 >/dev/null
  todo-snapshot "$cases"/R54-*/exact.jsonl | LC_ALL=C.UTF-8 awk '{ print length($0) }' >out 2>/dev/null
  [ "$(todo-snapshot "$cases"/R54-*/exact.jsonl | grep -c '…$')" -eq 1 ]
}

@test "recorded sessions are read" {
  shared=$(shared) || return 0
  local f
  for f in "$shared"/corpus/dsh/*.jsonl; do
    [ "$(wc -l <"$f")" -gt 1 ] || continue
    run --separate-stderr todo-snapshot "$f"
    assert_success
    [ -z "$stderr" ]
  done
}
