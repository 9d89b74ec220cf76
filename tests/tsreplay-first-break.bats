#!/usr/bin/env bats
# tsreplay and revisions: -c REV:PATH, and the first revision of a catalog at which a transcript no longer replays.

load helper
bats_require_minimum_version 1.5.0

# The repository `repo` has the life of three tools; the transcript calls them by the names of v1.0.0.
#   v1.0.0   replace_in_file, write_to_file, list_defs
#   v1.1.0   edit; replace_in_file is an old name of it
#   v1.2.0   write; write_to_file is removed
#   v1.3.0   list_defs is gone without a trace
setup() {
  cd "$BATS_TEST_TMPDIR"
  export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
  source "$(data tsreplay/records.bash)"
  { an_user go
    an_blocks assistant "$(use t1 replace_in_file '{"path":"a","diff":"x"}')" && an_blocks user "$(result t1)"
    an_blocks assistant "$(use t2 write_to_file '{"path":"b","content":"y"}')" && an_blocks user "$(result t2)"
    an_blocks assistant "$(use t3 list_defs '{"path":"."}')" && an_blocks user "$(result t3)"
    an_blocks assistant "$(use t4 write_to_file '{"path":"c","content":"z"}')" && an_blocks user "$(result t4)"
    an_blocks assistant "$(text done)"; } >history.jsonl
  git init -q -b main repo
  cd repo
  release 1.0.0 "$(tool replace_in_file diff)" "$(tool write_to_file content)" "$(tool list_defs)"
  release 1.1.0 "$(tool edit diff)" "$(old replace_in_file edit hidden-compatibility)" "$(tool write_to_file content)" "$(tool list_defs)"
  release 1.2.0 "$(tool edit diff)" "$(old replace_in_file edit hidden-compatibility)" "$(tool write content)" "$(old write_to_file write removed)" "$(tool list_defs)"
  release 1.3.0 "$(tool edit diff)" "$(old replace_in_file edit hidden-compatibility)" "$(tool write content)" "$(old write_to_file write removed)"
}

tool() { # NAME [PARAMETER]
  printf '{"type":"tool","name":"%s","state":"active","description":"d","input_schema":{"type":"object","properties":{"path":{"type":"string"}%s},"additionalProperties":false}}\n' \
    "$1" "${2:+,\"$2\":{\"type\":\"string\"\}}"
}

old() { # NAME REPLACEMENT STATE
  printf '{"type":"alias","name":"%s","replacement":"%s","state":"%s","first_deprecated_version":"1.1.0"}\n' "$1" "$2" "$3"
}

commits=0
commit() { # MESSAGE
  commits=$((commits + 1))
  export GIT_AUTHOR_DATE="2026-01-0$commits 12:00:00 +0000" GIT_COMMITTER_DATE="2026-01-0$commits 12:00:00 +0000"
  git add -A && git commit -q -m "$1"
}

release() { # VERSION RECORD...
  local version=$1
  shift
  printf '%s\n' "{\"type\":\"catalog\",\"schema\":1,\"name\":\"demo\",\"version\":\"$version\"}" "$@" >tools.jsonl
  commit "$version"
  git tag "v$version"
}

first_break() { # RANGE [OPTION...] [FILE]
  local range=$1
  shift
  case "$*" in *.jsonl) ;; *) set -- "$@" ../history.jsonl ;; esac
  run --separate-stderr tsreplay --first-break "$range" -c tools.jsonl "$@"
}

# --- REV:PATH ---------------------------------------------------------------------------------------------------

@test "-c REV:PATH audits against the catalog as it was" {
  run -0 tsreplay -q -c v1.1.0:tools.jsonl --verdicts ../history.jsonl
  assert_line -n 0 --partial '"name":"replace_in_file","canonical":"edit","state":"hidden-compatibility"'
  run -1 --separate-stderr tsreplay -c HEAD:tools.jsonl --fail-on all=off,removed-call,unknown-call ../history.jsonl
  assert_equal "$stderr" 'tsreplay: 1 file, 10 lines, 4 calls: 3 do not dispatch (2 removed, 1 unknown), 3 errors'
  run -2 --separate-stderr tsreplay -c nowhere:tools.jsonl ../history.jsonl
  assert_equal "$stderr" "tsreplay: no revision 'nowhere'"
  run -2 --separate-stderr tsreplay -c HEAD:none.jsonl ../history.jsonl
  assert_equal "$stderr" "tsreplay: no file 'none.jsonl' at revision 'HEAD'"
}

@test "a repository of somebody else is read with --trust-repo only" {
  [ "$(id -u)" = 0 ] || return 0 # only root can make one
  chown -R 12345 "$PWD"
  run -2 --separate-stderr tsreplay -c v1.0.0:tools.jsonl ../history.jsonl
  assert_equal "$stderr" "tsreplay: the repository '$PWD' belongs to another user; to trust it: git config --global --add safe.directory $PWD (or give --trust-repo)"
  run -0 tsreplay -q --trust-repo -c v1.0.0:tools.jsonl ../history.jsonl
  run -1 tsreplay -q --trust-repo --first-break v1.0.0.. -c tools.jsonl ../history.jsonl
}

@test "libgit2 is started only when a revision is given" {
  command -v strace >/dev/null || return 0 # where there is none, nothing can be counted
  opened() { strace -f -e trace=openat,open -o trace "$@" >/dev/null 2>&1 || true; grep -c '\.git' trace || true; }
  assert_equal "$(opened tsreplay -c tools.jsonl ../history.jsonl)" 0
  assert [ "$(opened tsreplay -c HEAD:tools.jsonl ../history.jsonl)" -gt 0 ]
  assert [ "$(opened tsreplay --first-break HEAD -c tools.jsonl ../history.jsonl)" -gt 0 ]
}

# --- where it broke ---------------------------------------------------------------------------------------------

@test "the revision, its tag and date, and per broken name the rule, how many calls and the first place" {
  first_break v1.0.0..HEAD
  assert_failure 1
  assert_output - <<END
{"type":"break","rule":"removed-call","message":"tool 'write_to_file' is removed (deprecated since 1.1.0): use 'write' instead","name":"write_to_file","calls":2,"commit":"$(git rev-parse v1.2.0)","date":"2026-01-03T12:00:00+00:00","tag":"v1.2.0","source":{"file":"../history.jsonl","line":4,"column":32}}
END
  assert_equal "$stderr" "tsreplay: 1 file, 4 calls (4 distinct): 2 stopped replaying at v1.2.0 (commit $(git rev-parse --short=12 v1.2.0) of 2026-01-03)"
  first_break v1.0.0.. --format text
  assert_failure 1
  assert_output - <<END
v1.2.0 (commit $(git rev-parse --short=12 v1.2.0) of 2026-01-03) broke 2 calls:
  ../history.jsonl:4: tool 'write_to_file' is removed (deprecated since 1.1.0): use 'write' instead [removed-call], 2 calls
END
}

@test "a range that begins later finds what broke later; what never replayed is counted, and is no break" {
  first_break v1.2.0..v1.3.0 -q
  assert_failure 1
  assert_output --partial '"rule":"unknown-call","message":"unknown tool '"'list_defs'"
  assert_output --partial '"name":"list_defs","calls":1,"commit":"'"$(git rev-parse v1.3.0)"
  assert_equal "$stderr" ''
  first_break v1.2.0..v1.3.0
  assert_equal "$stderr" "tsreplay: 1 file, 4 calls (4 distinct): 1 stopped replaying at v1.3.0 (commit $(git rev-parse --short=12 v1.3.0) of 2026-01-04); 2 did not replay at the base either"
}

@test "without a lower end the first version is the base" {
  first_break HEAD
  assert_failure 1
  assert_output --partial "\"commit\":\"$(git rev-parse v1.2.0)\""
}

@test "no break: nothing on standard output, and status 0" {
  first_break v1.0.0..v1.1.0
  assert_success
  refute_output
  assert_equal "$stderr" 'tsreplay: 1 file, 4 calls (4 distinct): none stopped replaying in 1 revision'
  first_break v1.1.0..v1.1.0
  assert_success
  assert_equal "$stderr" 'tsreplay: 1 file, 4 calls (4 distinct): none stopped replaying in 0 revisions'
}

@test "--exit-zero turns 1 into 0; a range of commits without a tag says unreleased" {
  first_break v1.0.0.. --exit-zero
  assert_success
  git tag -d v1.2.0 v1.3.0
  first_break v1.0.0..
  assert_failure 1
  refute_output --partial '"tag"'
  assert_equal "$stderr" "tsreplay: 1 file, 4 calls (4 distinct): 2 stopped replaying at unreleased (commit $(git rev-parse --short=12 HEAD~1) of 2026-01-03)"
}

@test "arguments that no longer fit are a break; calls of one reason are one record, equal calls are tried once" {
  { an_user go
    for i in 1 2 3; do an_blocks assistant "$(use "t$i" edit '{"path":"a","diff":"x"}')" && an_blocks user "$(result "t$i")"; done
    an_blocks assistant "$(use t4 edit '{"path":"a"}')" && an_blocks user "$(result t4)"
    an_blocks assistant "$(text done)"; } >../edits.jsonl
  release 2.0.0 "$(tool edit patch)"
  first_break v1.3.0.. ../edits.jsonl
  assert_failure 1
  assert_output - <<END
{"type":"break","rule":"arguments-misfit","message":"arguments of 'edit' do not fit at '/diff': expected no property 'diff', came string \"x\"","name":"edit","calls":3,"commit":"$(git rev-parse v2.0.0)","date":"2026-01-05T12:00:00+00:00","tag":"v2.0.0","source":{"file":"../edits.jsonl","line":2,"column":32}}
END
  assert_equal "$stderr" "tsreplay: 1 file, 4 calls (2 distinct): 3 stopped replaying at v2.0.0 (commit $(git rev-parse --short=12 v2.0.0) of 2026-01-05)"
}

@test "the path that goes breaks every call" {
  git rm -q tools.jsonl
  commit gone
  first_break v1.3.0..HEAD
  assert_failure 1
  assert_output --partial '"name":"replace_in_file","calls":1,"commit":"'"$(git rev-parse HEAD)"
}

# --- shapes of history ------------------------------------------------------------------------------------------

@test "a branch that is merely older breaks nothing; the merge that takes its side does" {
  git checkout -q -b side v1.0.0
  release 1.0.1 "$(tool replace_in_file diff)" "$(tool write_to_file content)" "$(tool list_defs)" "$(tool more)"
  git checkout -q main
  { an_user go && an_blocks assistant "$(use t1 edit '{"path":"a"}')" && an_blocks user "$(result t1)" && an_blocks assistant "$(text done)"; } >../edit.jsonl
  first_break v1.1.0.. ../edit.jsonl
  assert_success
  git merge -q -s ours -m merge side
  { cat tools.jsonl && tool more; } >merged && mv merged tools.jsonl
  git commit -q -a --amend -m merge
  first_break v1.1.0.. ../edit.jsonl
  assert_success
  sed -i '/"name":"edit"/d' tools.jsonl
  git commit -q -a --amend -m merge
  first_break v1.1.0.. ../edit.jsonl
  assert_failure 1
  assert_output --partial "\"commit\":\"$(git rev-parse HEAD)\""
}

@test "a version that is no catalog is passed over and said; the next one is found" {
  git checkout -q v1.1.0
  echo nonsense >tools.jsonl
  commit nonsense
  git checkout -q v1.2.0 -- tools.jsonl
  commit mended
  first_break v1.1.0..HEAD
  assert_failure 1
  assert_output --partial "\"commit\":\"$(git rev-parse HEAD)\""
  assert_equal "${stderr_lines[0]}" "tsreplay: a version is no catalog, and is passed over: $(git rev-parse HEAD~1:tools.jsonl):1:2: unexpected byte 0x6f"
  first_break HEAD~1..HEAD
  assert_failure 2
  assert_equal "${stderr_lines[1]}" "tsreplay: 'tools.jsonl' is no catalog at the lower end of 'HEAD~1..HEAD'"
}

@test "a bare repository, and a directory below the root" {
  mkdir deep && git mv tools.jsonl deep/
  commit moved
  sed -i '/"name":"edit"/d' deep/tools.jsonl
  commit less
  cd deep
  run -1 tsreplay -q --first-break HEAD~1.. -c tools.jsonl ../../history.jsonl
  assert_output --partial '"name":"replace_in_file","calls":1,'
  git clone -q --bare .. ../../bare.git
  cd ../../bare.git
  run -1 tsreplay -q --first-break HEAD~1.. -c deep/tools.jsonl ../history.jsonl
  assert_output --partial '"name":"replace_in_file","calls":1,'
}

@test "the same bytes for any number of threads and any order of the files" {
  local n
  for n in 1 2 3 4 5 6; do cp ../history.jsonl "../part$n.jsonl"; done
  first_break v1.0.0.. ../part*.jsonl
  printf '%s\n' "$output" "$stderr" >../one
  assert_equal "${stderr%% stopped*}" "tsreplay: 6 files, 24 calls (4 distinct): 12"
  run --separate-stderr tsreplay -j 3 --first-break v1.0.0.. -c tools.jsonl ../part6.jsonl ../part[1-5].jsonl
  printf '%s\n' "$output" "$stderr" | bytes_equal /dev/stdin ../one
}

# --- what cannot be done ----------------------------------------------------------------------------------------

@test "bad ranges, revisions and paths are status 2" {
  first_break a...b
  assert_failure 2
  assert_equal "$stderr" "tsreplay: a range is A..B, not 'a...b'"
  first_break nowhere..HEAD
  assert_failure 2
  assert_equal "$stderr" "tsreplay: no revision 'nowhere'"
  run -2 --separate-stderr tsreplay --first-break HEAD -c none.jsonl ../history.jsonl
  assert_equal "$stderr" "tsreplay: no commit in 'HEAD' has 'none.jsonl' as a catalog"
  cd ..
  run -2 --separate-stderr tsreplay --first-break HEAD -c history.jsonl history.jsonl
  assert_equal "$stderr" "tsreplay: not a git repository (or any of the parent directories): '.'"
}

@test "what does not go together is a usage error" {
  local usage="(try 'tsreplay --help')" why="--first-break needs one -c, with the path of the catalog in the repository"
  run -2 tsreplay --first-break HEAD ../history.jsonl
  assert_output "tsreplay: $why $usage"
  run -2 tsreplay --first-break HEAD -c a -c b ../history.jsonl
  assert_output "tsreplay: $why $usage"
  run -2 tsreplay --first-break HEAD --verdicts -c tools.jsonl ../history.jsonl
  assert_output --partial 'are two views: choose one'
  first_break HEAD --only-name edit
  assert_failure 2
  assert_equal "$stderr" "tsreplay: --first-break takes no --only-state and no --only-name $usage"
  first_break HEAD --format sarif
  assert_failure 2
  assert_equal "$stderr" "tsreplay: --first-break is not written as sarif $usage"
}

@test "a transcript that cannot be read is status 2; faults in one are counted" {
  first_break v1.0.0.. ../none.jsonl ../history.jsonl
  assert_failure 2
  assert_equal "${stderr_lines[0]}" "tsreplay: ../none.jsonl: cannot open: No such file or directory"
  assert_output --partial '"name":"write_to_file","calls":2,'
  { head -n 3 ../history.jsonl && echo '{"torn":' && tail -n +4 ../history.jsonl; } >../torn.jsonl
  first_break v1.0.0.. ../torn.jsonl
  assert_failure 1
  assert_equal "${stderr##*; }" '1 fault in the files'
}
