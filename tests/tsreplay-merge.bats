#!/usr/bin/env bats
# tsreplay --partial and --merge: shares of an audit add up to the whole, however they are split.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp "$(data tsreplay/tools.jsonl)" tools.jsonl
  source "$(data tsreplay/records.bash)"
}

# Twelve files of several formats, with faults of many kinds.
make_files() {
  mkdir files
  local i
  for i in 1 2 3; do
    { session=a$i at=2026-01-0${i}T00:00:00Z && cc_user go && cc_call x run_all && cc_call y run '{}' m && cc_call z write_file '{}' m && cc_result z &&
      cc_result y && cc_result y && cc_text done; } >files/a$i.jsonl
    { session=b$i && cx_meta && cx_call c1 "tool$i" && cx_compacted x && cx_output c1 && cx_call c2 shell '[]' && cx_message user on; } >files/b$i.jsonl
    { session=c$i && dsh_session && dsh_tools '[{"name":"list'$i'","parameters":{}}]' && dsh_call 1 d1 shell && dsh_sub_call n d1 x && dsh_result 1 d1 &&
      printf '{"cut'; } >files/c$i.jsonl
    { an_user go && an_blocks assistant "$(use p read '{"path":1}')" "$(use q read)" && an_blocks user "$(text no)" "$(result q)" "$(result p)"; } >files/d$i.jsonl
  done
}

# Merges all of $@ in pairs until one is left: a tree, from the left, or from the right.
merge_tree() {
  local next=() n=0
  while [ $# -gt 1 ]; do
    next=()
    while [ $# -gt 1 ]; do
      n=$((n + 1))
      tsreplay -q --exit-zero --merge "$2" "$1" >m.$n || return
      next+=("m.$n")
      shift 2
    done
    set -- "${next[@]}" "$@"
  done
  cat "$1"
}

@test "any split, order and tree of merges gives the bytes of one run" {
  make_files
  tsreplay -q --exit-zero --crc -c tools.jsonl files >whole
  [ "$(grep -c '"finding"' whole)" -gt 30 ]
  local f i=0 parts=()
  for f in files/*; do
    i=$((i + 1))
    tsreplay -q --exit-zero --crc -c tools.jsonl --partial "$f" >p.$i
    parts+=(p.$i)
  done
  assert_equal "${#parts[@]}" 12
  tsreplay -q --exit-zero --merge "${parts[@]}" >flat
  bytes_equal flat whole
  cat p.7 p.1 p.12 p.2 p.11 p.3 p.10 p.4 p.9 p.5 p.8 p.6 | tsreplay -q --exit-zero --merge >shuffled
  bytes_equal shuffled whole
  merge_tree "${parts[@]}" >tree
  bytes_equal tree whole
  merge_tree p.3 p.12 p.1 p.9 p.2 p.8 p.11 p.4 p.10 p.7 p.5 p.6 >tree
  bytes_equal tree whole
  tsreplay -q --exit-zero --crc -c tools.jsonl --partial files/[ab]* >left
  tsreplay -q --exit-zero --crc -c tools.jsonl --partial -j 3 files/[cd]* >right
  tsreplay -q --exit-zero --merge right left >halves
  bytes_equal halves whole
  # sorted, as a shuffle between map and reduce leaves them
  sort right left | tsreplay -q --exit-zero --merge >sorted
  bytes_equal sorted whole
  tsreplay -q --exit-zero --merge whole >again
  bytes_equal again whole
}

@test "lists that the files carry: states merge whatever the order" {
  make_files
  tsreplay -q --exit-zero files >whole
  tsreplay -q --exit-zero --partial files/c* >one
  tsreplay -q --exit-zero --partial files/[abd]* >two
  tsreplay -q --exit-zero --merge one two >a
  tsreplay -q --exit-zero --merge two one >b
  bytes_equal a whole && bytes_equal b whole
}

@test "--merge takes its status from the sum, under its own --fail-on" {
  make_files
  tsreplay -q --exit-zero -c tools.jsonl --partial files >part
  run -1 tsreplay -q --merge part
  run -0 tsreplay -q --fail-on all=off --merge part
  # findings that were left on the way still count
  grep '"summary"' part >bare
  run -1 tsreplay -q --merge bare
  run -1 tsreplay -q --fail-on all=off,orphan-result --merge bare
  # a torn line at the tail is a warning, and stays one
  { cc_user go && printf '{"cut'; } >tail.jsonl
  tsreplay -q --partial tail.jsonl | grep '"summary"' >bare
  run -0 tsreplay -q --merge bare
  run -1 tsreplay -q --fail-on torn-line=warning --merge bare
}

@test "--merge as a report for people, and its line on standard error" {
  make_files
  tsreplay -q --exit-zero -c tools.jsonl --partial files >part
  tsreplay --exit-zero --format text -c tools.jsonl files >direct
  tsreplay --exit-zero --format text --merge part >merged
  bytes_equal merged direct
  run -1 --separate-stderr tsreplay --merge part
  assert_regex "$stderr" '^tsreplay: 12 files, [0-9]+ lines, 24 calls and 3 nested: '
}

@test "--partial is records whatever the terminal" {
  { cc_user go && cc_text done; } >t.jsonl
  script -qec 'tsreplay -q --partial t.jsonl' /dev/null </dev/null >tty
  grep -q '^{"type":"summary"' tty
  run -2 tsreplay --partial --format text t.jsonl
}

@test "an empty share adds nothing" {
  mkdir none
  make_files
  tsreplay -q --exit-zero -c tools.jsonl --partial none >empty
  tsreplay -q --exit-zero -c tools.jsonl --partial files >part
  tsreplay -q --exit-zero --merge empty part empty >sum
  bytes_equal sum part
}

@test "shares that are not whole are refused, and nothing is written" {
  make_files
  tsreplay -q --exit-zero -c tools.jsonl --partial files >part
  grep -v '"summary"' part >cut
  run -2 --separate-stderr tsreplay -q --merge cut
  assert_output ''
  assert_equal "$stderr" 'tsreplay: nothing to merge: there is no summary'
  tsreplay -q --exit-zero -c tools.jsonl --partial files/c1.jsonl >small
  run -2 --separate-stderr tsreplay -q --merge cut small
  assert_output ''
  assert_regex "$stderr" '^tsreplay: a summary is missing: there are more [a-z-]+ findings than the summaries count$'
  run -2 --separate-stderr tsreplay -q --merge part nowhere
  assert_output ''
  assert_equal "$stderr" 'tsreplay: nowhere: cannot open: No such file or directory'
  : | run -2 --separate-stderr tsreplay -q --merge
}

@test "records that are none" {
  local row
  while IFS='|' read -r row why; do
    printf '%s\n' "$row" >bad
    run -2 --separate-stderr tsreplay -q --merge bad
    assert_output ''
    assert_equal "$stderr" "tsreplay: bad:1: $why"
  done <<'END'
{"type":"verdict"}|neither a finding nor a summary: --merge takes what --partial writes
[]|neither a finding nor a summary: --merge takes what --partial writes
{"type":"summary"|not JSON: text ends inside an object at byte 18
{"type":"summary","calls":-1}|summary: 'calls' is not a count
{"type":"summary","calls":"1"}|summary: 'calls' is not a count
{"type":"summary","by_state":{"asleep":1}}|summary: unknown state 'asleep'
{"type":"summary","by_state":[]}|summary: 'by_state' is not an object
{"type":"summary","by_rule":{"orphan-result":1}}|summary: by_rule without by_severity
{"type":"summary","by_rule":{"orphan-result":2},"by_severity":{"error":{"orphan-result":1}}}|summary: by_rule and by_severity differ on 'orphan-result'
{"type":"summary","by_severity":{"error":{"new-rule":1}}}|summary: unknown rule 'new-rule'
{"type":"summary","by_severity":{"awful":{"orphan-result":1}}}|summary: unknown severity 'awful'
{"type":"summary","names":{"x":{"calls":1,"state":"asleep"}}}|summary: unknown state 'asleep'
{"type":"finding","rule":"new-rule"}|finding: unknown rule 'new-rule'
{"type":"finding","rule":"orphan-result","vector":{"Q":"error"}}|finding: no such level: 'error' of 'Q'
END
  printf '{"type":"summary"}\n\n' >blank
  run -0 tsreplay -q --merge blank
  run -2 --separate-stderr tsreplay -q --max-line 10 --merge blank
  assert_equal "$stderr" 'tsreplay: blank:1: longer than --max-line'
}
