#!/usr/bin/env bats
# tsreplay: views, options, files, and how it ends.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp "$(data tsreplay/tools.jsonl)" tools.jsonl
  source "$(data tsreplay/records.bash)"
  { cc_user go && cc_call t1 shell && cc_result t1 && cc_text done; } >good.jsonl
  { session=s2 cc_user go && session=s2 at=2026-01-01T00:00:00Z cc_call t1 write_file && session=s2 cc_result t1 &&
    session=s2 at=2026-02-01T00:00:00Z cc_call t2 shell && session=s2 cc_result t2 && session=s2 cc_text done; } >bad.jsonl
}

summary_of() { sed -n 's/^{"type":"summary",//p'; }

# --- views --------------------------------------------------------------------------------------------------

@test "no view: findings, then the summary; standard error says it in one line, -q does not" {
  run -1 --separate-stderr tsreplay -c tools.jsonl bad.jsonl
  assert_equal "${#lines[@]}" 2
  assert_line -n 0 --partial '{"type":"finding","rule":"removed-call",'
  assert_line -n 1 --partial '{"type":"summary","files":1,"skipped":0,"lines":6,"bad_lines":0,'
  assert_equal "$stderr" 'tsreplay: 1 file, 6 lines, 2 calls: 1 does not dispatch (1 removed), 1 error'
  run -1 --separate-stderr tsreplay -q -c tools.jsonl bad.jsonl
  assert_equal "$stderr" ''
}

@test "-l names the files with a call that does not dispatch; -0 ends them with a NUL; --only-... chooses" {
  run -1 --separate-stderr tsreplay -q -l -c tools.jsonl good.jsonl bad.jsonl
  assert_output bad.jsonl
  tsreplay -q -l -0 --exit-zero -c tools.jsonl good.jsonl bad.jsonl >said
  printf 'bad.jsonl\0' >expected
  bytes_equal said expected
  run -0 --separate-stderr tsreplay -q -l -c tools.jsonl good.jsonl
  assert_output ''
  run -0 --separate-stderr tsreplay -q -l -c tools.jsonl --only-name shell good.jsonl bad.jsonl
  assert_output $'bad.jsonl\ngood.jsonl'
  run -1 --separate-stderr tsreplay -q -l -c tools.jsonl --only-state removed,unknown good.jsonl bad.jsonl
  assert_output bad.jsonl
  run -0 --separate-stderr tsreplay -q -l -c tools.jsonl --only-state deferred good.jsonl bad.jsonl
  assert_output ''
  run -0 --separate-stderr tsreplay -l good.jsonl
  assert_output ''
  assert_regex "$stderr" 'no catalog: names and arguments not checked$'
}

@test "--names tells who still calls what, and when" {
  run -1 tsreplay -q --names -c tools.jsonl good.jsonl bad.jsonl
  assert_output - <<'END'
{"type":"name","name":"shell","calls":2,"files":2,"first":"2026-02-01T00:00:00.000Z","last":"2026-03-04T05:06:07.000Z","state":"active"}
{"type":"name","name":"write_file","calls":1,"files":1,"first":"2026-01-01T00:00:00.000Z","last":"2026-01-01T00:00:00.000Z","state":"removed","replacement":"edit"}
END
  run -0 tsreplay -q --names -c tools.jsonl --only-name shell good.jsonl bad.jsonl
  assert_output --regexp '^\{"type":"name","name":"shell","calls":2,[^\n]*$'
  run -1 tsreplay -q --names --format text -c tools.jsonl good.jsonl bad.jsonl
  assert_output - <<'END'
NAME           CALLS   FILES  FIRST                     LAST                      STATE                 REPLACEMENT
shell              2       2  2026-02-01T00:00:00.000Z  2026-03-04T05:06:07.000Z  active                -
write_file         1       1  2026-01-01T00:00:00.000Z  2026-01-01T00:00:00.000Z  removed               edit
END
}

@test "--verdicts, --only-state and --only-name: the others are left out, the counts are of all" {
  run -1 tsreplay -q --verdicts --only-state removed -c tools.jsonl good.jsonl bad.jsonl
  assert_equal "${#lines[@]}" 2
  assert_line -n 0 --partial '"name":"write_file"'
  assert_line -n 1 --partial '"calls":3,'
  run -0 tsreplay -q --only-name shell,lookup -c tools.jsonl good.jsonl bad.jsonl
  assert_equal "${#lines[@]}" 1
  assert_output --partial '"by_state":{"active":2,"removed":1},"by_rule":{},"by_severity":{}'
  run -1 tsreplay -q --only-name shell --only-name write_file -c tools.jsonl good.jsonl bad.jsonl
  assert_equal "${#lines[@]}" 2
}

@test "--verdicts as text: a line a call" {
  run -1 tsreplay -q --verdicts --format text -c tools.jsonl bad.jsonl
  assert_line -n 0 'bad.jsonl:2: write_file: removed, does not dispatch: use edit, arguments unchecked'
  assert_line -n 1 'bad.jsonl:4: shell: active, arguments unchecked'
  assert_line -n 2 'Would not replay: 1 of 2 calls does not dispatch.'
}

@test "--calls, --results and --events: the transcript without its dialect, and back again" {
  run -0 tsreplay -q --calls bad.jsonl
  assert_output - <<'END'
{"type":"call","session":"s2","id":"t1","name":"write_file","arguments":{},"at":"2026-01-01T00:00:00Z","source":{"file":"bad.jsonl","line":2,"format":"claude-code"},"turn":"m5"}
{"type":"call","session":"s2","id":"t2","name":"shell","arguments":{},"at":"2026-02-01T00:00:00Z","source":{"file":"bad.jsonl","line":4,"format":"claude-code"},"turn":"m7"}
END
  run -0 tsreplay -q --calls --only-state removed -c tools.jsonl bad.jsonl
  assert_equal "${#lines[@]}" 1
  assert_output --partial '"name":"write_file"'
  run -0 tsreplay -q --calls --only-name shell bad.jsonl
  assert_output --partial '"id":"t2"'
  run -0 tsreplay -q --results bad.jsonl
  assert_equal "${#lines[@]}" 2
  assert_line -n 0 --partial '{"type":"result","session":"s2","id":"t1","is_error":false,"content":"ok"'
  run -0 --separate-stderr tsreplay --events bad.jsonl
  assert_equal "$stderr" "tsreplay: ${#lines[@]} records of 1 file, 6 lines"
  # the same audit from the neutral records
  tsreplay -q --events bad.jsonl >neutral.jsonl
  tsreplay -q -c tools.jsonl --verdicts bad.jsonl | sed -n 's/,"source".*//p' | grep '"verdict"' >one
  tsreplay -q -c tools.jsonl --verdicts neutral.jsonl | sed -n 's/,"source".*//p' | grep '"verdict"' >two
  bytes_equal two one
}

@test "in --calls a bad line is said on standard error, and counts" {
  { sed -n 1,2p good.jsonl && echo '{"cut' && sed -n '3,$p' good.jsonl; } >cut.jsonl
  run -1 --separate-stderr tsreplay -q --calls cut.jsonl
  assert_equal "${#lines[@]}" 1
  assert_regex "$stderr" '^tsreplay: cut.jsonl:3:[0-9]*: torn-line: '
  run -0 --separate-stderr tsreplay -q --calls --exit-zero cut.jsonl
}

@test "every --format of the report" {
  run -1 --separate-stderr tsreplay --format text -c tools.jsonl bad.jsonl
  assert_output - <<'END'
bad.jsonl:2:260: error: tool 'write_file' is removed (deprecated since 1.0.0, its removal was planned for 2.0.0): use 'edit' instead [removed-call]

Would not replay: 1 of 2 calls does not dispatch.
  read      1 file, 6 lines
  calls     2, 2 answered; 1 active, 1 removed
  names     write_file: removed, use edit (1 call)
  errors    1 removed-call
  next      give the removed names an alias that dispatches, or keep an older catalog for these files
END
  assert_equal "$stderr" ''
  run -1 tsreplay -q --format github -c tools.jsonl bad.jsonl
  assert_line -n 0 --partial '::error file=bad.jsonl,line=2,col=260,title=removed-call::tool '
  run -1 tsreplay -q --format sarif -c tools.jsonl bad.jsonl
  assert_output --partial '"ruleId":"removed-call"'
  run -1 tsreplay -q --format junit -c tools.jsonl bad.jsonl
  assert_output --partial '<testsuite name="bad.jsonl" tests="1" failures="1"'
  run -1 tsreplay -q --format markdown -c tools.jsonl bad.jsonl
  assert_line --partial '| error | bad.jsonl:2:260 | removed-call |'
  run -1 tsreplay -q --format jsonl -c tools.jsonl bad.jsonl
  assert_line -n 0 --partial '{"type":"finding"'
}

@test "the text report shows the worst first, and of many alike only the first" {
  { cc_user go
    for i in $(seq 25); do cc_call "r$i" run && cc_result "r$i"; done
    for i in $(seq 23); do cc_call "n$i" "nobody$i" && cc_result "n$i"; done
    cc_text done; } >many.jsonl
  run -1 tsreplay -q --format text -c tools.jsonl many.jsonl
  assert_line -n 0 --regexp '^many.jsonl:52:[0-9]+: error: .*unknown-call'
  assert_line -n 20 '... and 3 more unknown-call: --format jsonl lists them all'
  assert_line -n 21 --regexp '^many.jsonl:2:[0-9]+: note: .*deprecated-call'
  assert_line -n 41 '... and 5 more deprecated-call: --format jsonl lists them all'
  assert_line -n 42 'Would not replay: 23 of 48 calls do not dispatch.'
  assert_line --regexp '^  names     nobody1: unknown \(1 call\)$'
  assert_line '            and 15 more: --names lists them all'
}

@test "on a terminal the report is text and coloured; NO_COLOR and a pipe make it plain" {
  script -qec 'tsreplay -q -c tools.jsonl bad.jsonl' /dev/null </dev/null >tty || true
  grep -q $'\e\[1;31mWould not replay\e\[0m' tty
  NO_COLOR=1 script -qec 'tsreplay -q -c tools.jsonl bad.jsonl' /dev/null </dev/null >plain || true
  grep -q 'Would not replay' plain
  run grep -c $'\e' plain
  assert_output 0
  tsreplay -q --format text -c tools.jsonl bad.jsonl >piped || true
  run grep -c $'\e' piped
  assert_output 0
}

# --- counting -----------------------------------------------------------------------------------------------

@test "--crc adds the sum of CRC-32 over name, NUL and id; without it there is none" {
  run -0 tsreplay -q --crc good.jsonl
  assert_output --partial '"crc_sum":2418195278}' # zlib's crc32 of "shell\0t1"
  run -0 tsreplay -q good.jsonl
  refute_output --partial crc_sum
}

@test "--fail-on and --exit-zero decide over the exit status, not over what is shown" {
  run -1 tsreplay -q -c tools.jsonl bad.jsonl
  local before=$output
  run -0 tsreplay -q -c tools.jsonl --exit-zero bad.jsonl
  assert_output "$before"
  run -0 tsreplay -q -c tools.jsonl --fail-on removed-call=off bad.jsonl
  assert_output "$before"
  run -0 tsreplay -q -c tools.jsonl --fail-on R=off bad.jsonl
  run -1 tsreplay -q -c tools.jsonl --fail-on all=off,removed-call=note bad.jsonl
}

# --- files --------------------------------------------------------------------------------------------------

@test "a directory is walked for transcripts; others in it are passed over with a note and counted, named they are an error" {
  mkdir -p d/e d/none.jsonl
  cp bad.jsonl d/e/b.jsonl && gzip -c good.jsonl >d/g.json.gz && cp good.jsonl d/e/readme.txt && cp tools.jsonl d/tools.jsonl
  : >d/empty.json && ln -s ../../good.jsonl d/e/link.jsonl && ln -s . d/loop && mkfifo d/pipe.jsonl && ln -s nowhere d/dangling.jsonl
  run -1 --separate-stderr timeout 20 tsreplay -c tools.jsonl d
  assert_output --partial '"files":3,"skipped":3,'
  assert_output --partial '"file":"d/e/b.jsonl"'
  assert_equal "$(wc -l <<<"$stderr")" 4
  assert_regex "$stderr" 'tsreplay: d/empty.json: no known transcript format: it is empty.*tsreplay: d/pipe.jsonl: not a regular file.*tsreplay: d/tools.jsonl: no known transcript format'
  assert_regex "$stderr" 'tsreplay: 3 files, 14 lines, 4 calls: 1 does not dispatch \(1 removed\), 1 error; 3 skipped'
  run -1 --separate-stderr tsreplay -q -c tools.jsonl d
  assert_equal "$stderr" ''
  run -2 --separate-stderr tsreplay -q -c tools.jsonl d/tools.jsonl d/e
  assert_output --partial '"files":2,"skipped":0,'
  assert_regex "$stderr" '^tsreplay: d/tools.jsonl: no known transcript format'
  assert_equal "$(wc -l <<<"$stderr")" 1
}

@test "a FIFO, a device or a link to one that is found in a directory is never opened: a note, and counted" {
  mkdir d && mkfifo d/a.jsonl && ln -s a.jsonl d/b.json.gz && ln -s /dev/zero d/c.jsonl && mkfifo d/no-name && cp good.jsonl d/g.jsonl
  local v
  for v in '' --calls --verdicts -j2; do
    run -0 --separate-stderr timeout 20 tsreplay $v -c tools.jsonl d
    assert_equal "$(head -n 3 <<<"$stderr")" "$(printf 'tsreplay: d/%s: not a regular file\n' a.jsonl b.json.gz c.jsonl)"
    assert_equal "$(grep -c 'not a regular' <<<"$stderr")" 3
  done
  assert_output --partial '"files":1,"skipped":3,'
  run -0 --separate-stderr timeout 20 tsreplay -q -c tools.jsonl d
  assert_equal "$stderr" ''
}

@test "an empty directory is in order: nothing was found" {
  mkdir empty
  run -0 tsreplay -q empty
  assert_output --partial '{"type":"summary","files":0,"skipped":0,'
}

@test "--files0-from: names, each ended by a NUL, the last one perhaps not" {
  mkdir 'a b' && cp bad.jsonl $'a b/new\nline.jsonl'
  printf 'good.jsonl\0a b/new\nline.jsonl' >list
  run -1 tsreplay -q -c tools.jsonl --files0-from list
  assert_output --partial '"file":"a b/new\nline.jsonl"'
  assert_output --partial '"files":2,'
  run -1 bash -c 'find . -name "*.jsonl" -not -name tools.jsonl -print0 | tsreplay -q -c tools.jsonl --files0-from -'
  assert_output --partial '"files":3,'
  printf 'good.jsonl\0\0bad.jsonl\0' >list
  run -2 tsreplay -q --files0-from list
  assert_output 'tsreplay: list: name 2 is empty'
  run -2 tsreplay -q --files0-from nowhere
  assert_output 'tsreplay: nowhere: cannot open: No such file or directory'
}

@test "standard input: without operands, and as -" {
  run -1 tsreplay -q -c tools.jsonl <bad.jsonl
  assert_output --partial '"file":"-","line":2'
  run -1 tsreplay -q -c tools.jsonl - good.jsonl <bad.jsonl
  assert_output --partial '"files":2,'
  run -1 bash -c 'zstd -q -c bad.jsonl | tsreplay -q -c tools.jsonl -'
  assert_output --partial '"rule":"removed-call"'
  run -2 tsreplay -q -c - <tools.jsonl
  assert_output --partial 'the catalog and a transcript cannot both be standard input'
}

@test "--from: a file without one record of that format is an error, found in a directory a note" {
  source "$(data tsreplay/records.bash)"
  mkdir d && { cx_meta && cx_call c1 shell && cx_output c1; } >d/codex.jsonl && { cc_user go && cc_text on; } >d/claude.jsonl
  run -2 --separate-stderr tsreplay --from codex d/claude.jsonl
  assert_output --partial '{"type":"summary","files":0,"skipped":0,"lines":0,'
  assert_equal "${stderr_lines[0]}" 'tsreplay: d/claude.jsonl: no record of format codex (it looks like claude-code)'
  run -0 --separate-stderr tsreplay --from codex d
  assert_output --partial '{"type":"summary","files":1,"skipped":1,"lines":3,'
  assert_equal "${stderr_lines[0]}" 'tsreplay: d/claude.jsonl: no record of format codex (it looks like claude-code)'
  run -2 --separate-stderr tsreplay --from codex --calls d/codex.jsonl d/claude.jsonl
  assert_equal "${#lines[@]}" 1
  printf '{"colour":1}\n5\n' >other.jsonl
  run -2 --separate-stderr tsreplay -q --from codex other.jsonl
  assert_equal "$stderr" 'tsreplay: other.jsonl: no record of format codex'
  run -2 tsreplay -q --from codex -c tools.jsonl --first-break=a..b d/claude.jsonl
}

@test "--from: nothing but blanks, broken lines or one record of the format among others is no wrong format" {
  source "$(data tsreplay/records.bash)"
  : >empty && printf '\n \n' >blank && printf '[]\n' >list && printf '{"type":"resp\n' >torn
  run -0 tsreplay -q --from codex empty blank list
  assert_output --partial '"files":3,"skipped":0,"lines":3,'
  run -0 tsreplay -q --from codex torn
  assert_output --partial '"rule":"torn-line"'
  { cc_user go && cc_text on && cx_message user hi; } >mixed
  run -0 tsreplay -q --from codex mixed
  assert_output --partial '"files":1,"skipped":0,"lines":3,'
  printf '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' >ping
  run -0 tsreplay -q --from mcp ping
  printf '{"id":"m","type":"user","content":"hi"}\n' >gemini
  run -0 tsreplay -q --from gemini gemini
}

@test "--from reads a file as what it is told, and refuses another word" {
  printf '{"name":"shell","id":"1"}\n' >calls.jsonl
  run -1 tsreplay -q -c tools.jsonl --from neutral calls.jsonl
  assert_output --partial '"rule":"interrupted-call"'
  run -2 tsreplay --from morse good.jsonl
  assert_line -n 0 --partial "morse"
}

@test "one bad file does not stop the others" {
  printf 'hello\n' >text.jsonl
  run -2 --separate-stderr tsreplay -q -c tools.jsonl bad.jsonl nowhere.jsonl text.jsonl good.jsonl
  assert_output --partial '"rule":"removed-call"'
  assert_output --partial '"files":2,'
  assert_equal "${stderr_lines[0]}" 'tsreplay: nowhere.jsonl: cannot open: No such file or directory'
  assert_regex "${stderr_lines[1]}" '^tsreplay: text.jsonl: no known transcript format: '
  chmod 0 good.jsonl
  [ "$(id -u)" -eq 0 ] || run -2 --separate-stderr tsreplay -q good.jsonl
}

@test "a file that is UTF-16 is refused by name" {
  printf '\xff\xfe{\0}\0\n\0' >wide.jsonl
  run -2 tsreplay -q wide.jsonl
  assert_output --partial 'UTF-16'
}

# --- threads ------------------------------------------------------------------------------------------------

@test "any number of threads gives the same bytes, in every view" {
  mkdir many
  for i in $(seq 40); do
    case $((i % 4)) in
      0) cp good.jsonl many/$i.jsonl ;;
      1) cp bad.jsonl many/$i.jsonl ;;
      2) { dsh_session && dsh_call 1 a read && dsh_call 1 b nobody && dsh_result 1 b && echo '{"cut'; } >many/$i.jsonl ;;
      3) printf 'no transcript %s\n' $i >many/$i.jsonl ;;
    esac
  done
  local view j
  for view in '' --verdicts -l --calls --results --events --names --partial '--format text' '--format sarif'; do
    for j in 1 2 7 64; do
      # shellcheck disable=SC2086 # a view is words
      tsreplay -j $j -c tools.jsonl $view many >out.$j 2>err.$j || [ $? -eq 1 ]
      bytes_equal out.$j out.1 && bytes_equal err.$j err.1
    done
    [ -s out.1 ]
  done
}

# --- usage and ends -----------------------------------------------------------------------------------------

@test "views and options that do not go together" {
  local words
  for words in '--verdicts --names' '--merge --partial' '-0' '--results --only-name x' '--merge --only-state removed' '--merge -c tools.jsonl' \
    '--verdicts --format sarif' '-l --format text' '--calls --format text' '-j 0' '-j x' '--only-state gone' '--only-name ,' '--fail-on nonsense' \
    '--format yaml' '--repair' '--compare x' '--first-break a..b' '--max-line x'; do
    # shellcheck disable=SC2086
    run -2 --separate-stderr tsreplay $words good.jsonl
    assert_output ''
    assert_regex "$stderr" '^tsreplay: '
  done
  run -1 tsreplay -q --names --names -c tools.jsonl bad.jsonl
}

@test "--rules and --explain" {
  run -0 tsreplay --rules
  assert_output --partial unanswered-call
  refute_output --partial name-duplicate
  run -0 tsreplay --explain orphan-result
  assert_output --partial orphan-result
  run -2 tsreplay --explain orphan-resul
  assert_output --partial "orphan-result"
}

@test "an output that cannot be written is exit 2, one line; a closed pipe ends quietly by its signal" {
  local view
  for view in '' --verdicts -l --calls --names --partial '--format text' --rules; do
    # shellcheck disable=SC2086
    run -2 --separate-stderr bash -c 'tsreplay -q -c tools.jsonl '"$view"' bad.jsonl >/dev/full'
    assert_equal "$stderr" 'tsreplay: standard output: No space left on device'
    run -2 --separate-stderr bash -c 'tsreplay -q -c tools.jsonl '"$view"' bad.jsonl >&-'
    assert_regex "$stderr" '^tsreplay: standard output: '
  done
  for i in $(seq 3000); do cc_call "c$i" "a_rather_long_name_of_a_tool_$i"; done >long.jsonl
  run bash -c 'set -o pipefail; tsreplay -q -c tools.jsonl long.jsonl | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"'
  assert_output 141
  run --separate-stderr bash -c 'trap "" PIPE; tsreplay -q -c tools.jsonl long.jsonl | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"'
  assert_output 2
  assert_equal "$stderr" 'tsreplay: standard output: Broken pipe'
}

@test "closed descriptors, and an input that is a directory" {
  run -2 --separate-stderr bash -c 'tsreplay -q -c tools.jsonl - <&-'
  run -1 bash -c 'tsreplay -c tools.jsonl bad.jsonl 2>&-'
  assert_output --partial '"rule":"removed-call"'
  mkdir d
  run -2 tsreplay -q --files0-from d
  assert_output 'tsreplay: d: cannot open: Is a directory'
}

@test "what names and ids hold cannot reach a terminal" {
  { cc_user go && cc_call $'t\\u001b[2J' $'no\\u001b]0;x\\u0007\\u202ebody' && cc_result $'t\\u001b[2J' && cc_text done; } >t.jsonl
  tsreplay --format text -c tools.jsonl t.jsonl >text 2>&1 || true
  tsreplay --verdicts --format text -c tools.jsonl t.jsonl >>text 2>&1 || true
  tsreplay --names --format text -c tools.jsonl t.jsonl >>text 2>&1 || true
  run grep -c $'[\e\a]' text
  assert_output 0
  grep -q 'no\\x1b\]0;x\\x07' text
}

@test "--help names every option once; --version is one line" {
  run -0 tsreplay --help
  assert_line -n 0 'usage: tsreplay [VIEW] [-c SOURCE]... [OPTION]... [FILE|DIRECTORY]...'
  run -0 tsreplay --version
  assert_output --regexp '^tsreplay [0-9]+\.[0-9]+\.[0-9]+$'
}
