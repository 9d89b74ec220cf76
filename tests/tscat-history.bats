#!/usr/bin/env bats
# tscat and revisions: every shape of repository, what is missing in it, and the life of names.

load helper
bats_require_minimum_version 1.5.0

# A repository with three releases of a catalog, in the directory `repo`:
#   v1.0.0   read, run
#   v1.1.0   read, shell_run; run is an old name of it
#   v1.2.0   shell_run; read is gone (a fault)
setup() {
  cd "$BATS_TEST_TMPDIR"
  export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
  git init -q -b main repo
  cd repo
  release 1.0.0 "$read_tool" '{"type":"tool","name":"run","state":"active","description":"Runs."}'
  release 1.1.0 "$read_tool" "$shell_tool" "$run_alias"
  release 1.2.0 "$shell_tool" "$run_alias"
}

read_tool='{"type":"tool","name":"read","state":"active","description":"Reads."}'
shell_tool='{"type":"tool","name":"shell_run","state":"active","description":"Runs."}'
run_alias='{"type":"alias","name":"run","replacement":"shell_run","state":"hidden-compatibility","first_deprecated_version":"1.1.0","planned_removal_version":"TBD","replay_supported":true}'

commits=0
commit() { # MESSAGE [FILE...]
  commits=$((commits + 1))
  export GIT_AUTHOR_DATE="2026-01-0$commits 12:00:00 +0100" GIT_COMMITTER_DATE="2026-01-0$commits 12:00:00 +0100"
  git add -A && git commit -q -m "$1"
}

release() { # VERSION RECORD...
  local version=$1
  shift
  printf '%s\n' "{\"type\":\"catalog\",\"schema\":1,\"name\":\"demo\",\"version\":\"$version\"}" "$@" >tools.jsonl
  commit "$version"
  git tag "v$version"
}

# --- reading ----------------------------------------------------------------------------------------------------

@test "REV:PATH is a catalog, as an operand and with -c; a file of that name wins" {
  run tscat --names v1.0.0:tools.jsonl
  assert_success
  assert_output $'read\nrun'
  run tscat --names -c HEAD~1:tools.jsonl
  assert_output $'read\nrun\nshell_run'
  printf '%s\n' "$read_tool" >v1.0.0:tools.jsonl
  run tscat --names v1.0.0:tools.jsonl
  assert_output read
}

@test "a path is from the root of the repository; ./ makes it relative; a bare revision means the same file" {
  mkdir -p deep/er
  mv tools.jsonl deep/er/
  commit moved
  cd deep/er
  run tscat --names HEAD:deep/er/tools.jsonl
  assert_output $'run\nshell_run'
  run tscat --names HEAD:./tools.jsonl
  assert_output $'run\nshell_run'
  sed -i '/^{"type":"tool","name":"shell_run"/d' tools.jsonl
  run -1 --separate-stderr tscat --against HEAD --format text tools.jsonl
  assert_line -n 0 "HEAD:deep/er/tools.jsonl:2:1: error: 'shell_run' (active) is gone without a trace [name-dropped] (R error, S error)"
}

@test "a revision and a path that are not there are told apart, and are never 'no drift'" {
  run --separate-stderr tscat --against nowhere tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: no revision 'nowhere'"
  printf '%s\n' "$read_tool" >new.jsonl
  run --separate-stderr tscat --against HEAD new.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: no file 'new.jsonl' at revision 'HEAD'"
  run --separate-stderr tscat --against HEAD --missing-base empty --format text new.jsonl
  assert_success
  assert_output --partial "'read' is new (active) [name-added]"
  run --separate-stderr tscat --against origin/main tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: no revision 'origin/main'; to bring it: git fetch origin main:refs/remotes/origin/main"
}

@test "outside of a repository, and without one file to look for" {
  cd "$BATS_TEST_TMPDIR"
  printf '%s\n' "$read_tool" >tools.jsonl
  run --separate-stderr tscat --against main tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: 'main' is no file, and no revision: not a git repository (or any of the parent directories): '.'"
  cd repo
  run --separate-stderr bash -c 'tscat --against main <tools.jsonl'
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: --against main: a revision alone stands for the same file there, and no file is given"
}

@test "--merge-base compares with the fork point, latest-tag with the newest tag that has the file" {
  git checkout -q -b side v1.1.0
  git checkout -q main
  release 2.0.0 "$read_tool" "$shell_tool" "$run_alias"
  git checkout -q side
  printf '%s\n' '{"type":"tool","name":"extra","state":"deferred","description":"More."}' >>tools.jsonl
  run --separate-stderr tscat --against main --merge-base --format text tools.jsonl
  assert_success
  assert_line -n 0 --partial "note: 'extra' is new (deferred) [name-added]"
  assert_equal "${#lines[@]}" 1
  run --separate-stderr tscat --against latest-tag --format text tools.jsonl
  assert_line -n 0 --partial "note: 'extra' is new (deferred) [name-added]"
  assert_equal "${#lines[@]}" 1
  git checkout -q --orphan alone
  commit alone
  run --separate-stderr tscat --against main --merge-base tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: HEAD and 'main' have no common commit"
  run --separate-stderr tscat --against latest-tag tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: no tag that HEAD reaches has 'tools.jsonl'"
}

# --- shapes of repositories -------------------------------------------------------------------------------------

@test "bare repositories, worktrees, packed refs, alternates and extensions read the same" {
  git pack-refs --all && git gc -q
  git worktree add -q ../tree v1.1.0
  git clone -q --bare . ../bare.git
  git clone -q --shared . ../borrows
  git config extensions.worktreeConfig true
  local place
  for place in . ../tree ../bare.git ../borrows; do
    run bash -c 'cd "$1" && tscat --names v1.0.0:tools.jsonl' bash "$place"
    assert_success
    assert_output $'read\nrun'
    run bash -c 'cd "$1" && tscat --log --range v1.2.0 tools.jsonl 2>&1 | wc -l' bash "$place"
    assert_output 6
  done
}

@test "a shallow clone ends at its boundary, says so, and names the fetch that brings the rest" {
  git clone -q --depth 1 "file://$PWD" ../shallow
  cd ../shallow
  run --separate-stderr tscat --log tools.jsonl
  assert_success
  assert_equal "${#lines[@]}" 2
  assert_equal "$stderr" "tscat: 1 commit, 2 names, 2 events; this is a shallow clone: its history begins at its boundary"
  run --separate-stderr tscat --against v1.0.0 tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: no revision 'v1.0.0' in this shallow clone; to bring it: git fetch --unshallow --tags origin"
  git fetch -q --depth 1 origin tag v1.0.0
  run --separate-stderr tscat --against v1.0.0 --merge-base tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: this shallow clone lacks the fork point of HEAD and 'v1.0.0'; to bring it: git fetch --unshallow origin"
}

@test "a partial clone that lacks the file names the fetch that brings it" {
  git config uploadpack.allowFilter true
  git clone -q --filter=blob:none --no-checkout "file://$PWD" ../partial
  local blob
  blob=$(git rev-parse v1.0.0:tools.jsonl)
  cd ../partial
  run --separate-stderr tscat v1.0.0:tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: object $blob is missing from this clone; to bring it: git fetch origin $blob"
}

@test "a repository of somebody else: the exact git config line; --trust-repo reads it" {
  [ "$(id -u)" = 0 ] || return 0 # only root can make one
  chown -R 12345 "$PWD"
  run --separate-stderr tscat v1.0.0:tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: the repository '$PWD' belongs to another user; to trust it: git config --global --add safe.directory $PWD (or give --trust-repo)"
  run tscat --trust-repo --names v1.0.0:tools.jsonl
  assert_success
  assert_output $'read\nrun'
  git config --global --add safe.directory "$PWD"
  run tscat --names v1.0.0:tools.jsonl
  assert_success
}

@test "a directory, a symbolic link and a submodule at the path are no file" {
  mkdir d && echo x >d/x && ln -s tools.jsonl link
  commit odd
  local path
  for path in d link; do
    run --separate-stderr tscat "HEAD:$path"
    assert_failure 2
    assert_equal "$stderr" "tscat: no file '$path' at revision 'HEAD'"
  done
}

# --- the life of names ------------------------------------------------------------------------------------------

@test "--log: a record for each thing that became of a name, oldest first" {
  release 1.3.0 "$read_tool" "$shell_tool" "$run_alias"
  run --separate-stderr tscat --log tools.jsonl
  assert_success
  assert_output - <<EOF
{"type":"event","event":"introduced","name":"read","state":"active","commit":"$(git rev-parse v1.0.0)","date":"2026-01-01T12:00:00+01:00","tag":"v1.0.0"}
{"type":"event","event":"introduced","name":"run","state":"active","commit":"$(git rev-parse v1.0.0)","date":"2026-01-01T12:00:00+01:00","tag":"v1.0.0"}
{"type":"event","event":"hidden","name":"run","from":"active","state":"hidden-compatibility","replacement":"shell_run","commit":"$(git rev-parse v1.1.0)","date":"2026-01-02T12:00:00+01:00","tag":"v1.1.0"}
{"type":"event","event":"introduced","name":"shell_run","state":"active","commit":"$(git rev-parse v1.1.0)","date":"2026-01-02T12:00:00+01:00","tag":"v1.1.0"}
{"type":"event","event":"dropped","name":"read","from":"active","commit":"$(git rev-parse v1.2.0)","date":"2026-01-03T12:00:00+01:00","tag":"v1.2.0"}
{"type":"event","event":"back-again","name":"read","state":"active","commit":"$(git rev-parse v1.3.0)","date":"2026-01-04T12:00:00+01:00","tag":"v1.3.0"}
EOF
  assert_equal "$stderr" "tscat: 4 commits, 3 names, 6 events"
  run --separate-stderr tscat --log --range v1.1.0..v1.2.0 tools.jsonl
  assert_equal "${#lines[@]}" 1
  assert_output --partial '"event":"dropped","name":"read"'
}

@test "--log as a timeline: a row a name, a column a release" {
  run --separate-stderr tscat --log --format text tools.jsonl
  assert_success
  assert_output - <<'EOF'
           v1.0.0      v1.1.0      v1.2.0
read       active      active      .
run        active      hidden      hidden
shell_run  .           active      active
EOF
}

@test "--log: a merge has made only what is in none of its parents; versions that are no catalog are passed over" {
  git checkout -q -b side v1.1.0
  release 1.1.1 "$read_tool" "$shell_tool" "$run_alias" '{"type":"tool","name":"side","state":"deferred","description":"d"}'
  git checkout -q main
  echo 'no catalog' >tools.jsonl
  commit broken
  git checkout -q v1.2.0 -- tools.jsonl
  commit mended
  git merge -q -s ours -m merge side
  git checkout -q side -- tools.jsonl
  printf '%s\n' '{"type":"tool","name":"merged","state":"deferred","description":"d"}' >>tools.jsonl
  git commit -q -a --amend -m merge
  run --separate-stderr tscat --log tools.jsonl
  assert_success
  assert_equal "$(grep -c '"name":"side"' <<<"$output")" 1
  assert_line -n 6 --partial "\"event\":\"introduced\",\"name\":\"merged\",\"state\":\"deferred\",\"commit\":\"$(git rev-parse HEAD)\""
  assert_equal "${#lines[@]}" 7
  assert_equal "$stderr" "tscat: 7 commits, 5 names, 7 events; a version is no catalog, and is passed over: $(git rev-parse HEAD~2:tools.jsonl):1:2: unexpected byte 0x6f"
}

@test "--log: a path without a history, a bad range, no path" {
  run --separate-stderr tscat --log nothing.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: no commit in 'HEAD' has 'nothing.jsonl'"
  run --separate-stderr tscat --log --range a...b tools.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: a range is A..B, not 'a...b'"
  run --separate-stderr tscat --log
  assert_failure 2
}

@test "libgit2 is started only when a revision is read" {
  command -v strace >/dev/null || return 0 # where there is none, nothing can be counted
  run bash -c 'ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=openat,open -o trace tscat -q --lint tools.jsonl >/dev/null; grep -c "\.git" trace'
  assert_output 0
  run bash -c 'ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=openat,open -o trace tscat HEAD:tools.jsonl >/dev/null; grep -c "\.git" trace'
  refute_output 0
}

@test "only tscat and tsreplay are linked with libgit2" {
  command -v ldd >/dev/null || return 0
  local program
  for program in tsdispatch todo-write todo-snapshot; do
    run bash -c 'ldd "$(command -v "$1")" | grep -c libgit2' bash "$program"
    assert_output 0
  done
}
