#!/usr/bin/env bats
# The GitHub Action, the script it runs, and the pre-commit hooks: their shell steps, run as a runner would.

load helper
bats_require_minimum_version 1.5.0

# A checkout of a pull request in `work`: the branch `change` of a repository whose main has gone on since.
setup() {
  cd "$BATS_TEST_TMPDIR"
  export HOME="$PWD" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
  root=${tests_dir%/*}
  export GITHUB_ACTION_PATH="$PWD/action"
  mkdir -p action/build && ln -s "$root/tools" action/tools && ln -s "$TS_BUILD" action/build/release
  git init -q -b main upstream
  cd upstream
  catalog 'Reads a file.' '"string"' && commit one
  git checkout -q -b change
  catalog 'Reads a file.' '"integer"' && commit change
  git checkout -q main
  catalog 'Reads one file.' '"string"' && commit two
  cd .. && git clone -q -b change upstream work && cd work
}

catalog() { # DESCRIPTION TYPE
  printf '%s\n' '{"type":"catalog","schema":1,"name":"demo","version":"1.0.0"}' \
    '{"type":"tool","name":"read","state":"active","description":"'"$1"'","input_schema":{"type":"object","properties":{"path":{"type":'"$2"'}}}}' >tools.jsonl
}

commit() { git add -A && git commit -q -m "$1"; }

# The command of a step of action.yml; each is one line.
step() { # NAME
  awk -v name="$1" '$1 == "-" { here = $2 == "name:" && $3 == name } here && sub(/^ *run: /, "")' "$root/action.yml"
}

check() { run --separate-stderr bash -c "$(step Check)"; }

broken="::error file=tools.jsonl,line=2,col=1,title=type-changed::'read': parameter 'path': type \"string\" became \"integer\"; witness {\"path\":\"\"}"

@test "the build step builds what the check step runs" {
  mkdir bin && printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' >bin/make && chmod +x bin/make
  PATH="$PWD/bin:$PATH" run -0 bash -c "$(step Build)"
  assert_output $'-C\n'"$GITHUB_ACTION_PATH"$'\ndeps\nall'
  run bash -c 'grep -c "run:" "$1"' bash "$root/action.yml"
  assert_output 2
}

@test "every variable that the script knows is an input of the action" {
  local name
  for name in CATALOG AGAINST FAIL_ON WAIVERS ARGS; do
    grep -q "^        $name: \${{ inputs\.$(tr A-Z_ a-z- <<<"$name") }}$" "$root/action.yml"
  done
}

@test "a change that breaks callers: an annotation, status 1; main's own changes are not blamed" {
  AGAINST=origin/main check
  assert_failure 1
  assert_line "$broken"
  refute_output --partial 'description-changed'
  assert_equal "$(grep -c '^::error' <<<"$output")" 1
  assert_equal "$stderr" 'tscat: 1 error, 2 warnings'
}

@test "without a base the catalog is checked by itself" {
  AGAINST='' check
  assert_success
  refute_output
  assert_equal "$stderr" 'tscat: in order: no findings'
  echo '{"type":"alias","name":"cat","replacement":"gone","state":"hidden-compatibility","first_deprecated_version":"1.0.0"}' >>tools.jsonl
  AGAINST='' check
  assert_failure 1
  assert_output "::error file=tools.jsonl,line=3,col=1,title=replacement-unusable::'cat' cannot use its replacement 'gone': there is no such tool (cat -> gone)"
}

@test "what counts, waivers, several files and more options" {
  AGAINST=origin/main FAIL_ON=all=off check
  assert_success
  assert_line "$broken"
  printf '%s\n' '{"rule":"type-changed","name":"read","reason":"numbers now","expires":"2.0.0"}' >waivers.jsonl
  AGAINST=origin/main WAIVERS=waivers.jsonl check
  assert_success
  refute_output --partial '::error'
  AGAINST=origin/main ARGS='--exit-zero  -q' check
  assert_success
  assert_line "$broken"
  assert_equal "$stderr" ''
  printf '%s\n' '{"type":"alias","name":"cat","replacement":"gone","state":"hidden-compatibility","first_deprecated_version":"1.0.0"}' >'more names.jsonl'
  CATALOG=$'tools.jsonl\nmore names.jsonl\n' AGAINST='' check
  assert_failure 1
  assert_output --partial '::error file=more names.jsonl,line=1,col=1,title=replacement-unusable::'
}

@test "a base that is a file or a catalog of its own needs no fork point" {
  git show main:tools.jsonl >old.jsonl 2>/dev/null || git show origin/main:tools.jsonl >old.jsonl
  AGAINST=old.jsonl check
  assert_failure 1
  assert_line "$broken"
  AGAINST=HEAD:tools.jsonl check
  assert_success
}

@test "a checkout that lacks the fork point is status 2, with the command that brings it" {
  git clone -q --depth 1 -b change "file://$BATS_TEST_TMPDIR/upstream" ../shallow
  cd ../shallow
  AGAINST=origin/main check
  assert_failure 2
  refute_output
  assert_equal "$stderr" "tscat: baseline-unreadable: no revision 'origin/main'; to bring it: git fetch origin main:refs/remotes/origin/main"
  git fetch -q --depth 1 origin main:refs/remotes/origin/main
  AGAINST=origin/main check
  assert_failure 2
  assert_equal "$stderr" "tscat: baseline-unreadable: this shallow clone lacks the fork point of HEAD and 'origin/main'; to bring it: git fetch --unshallow origin"
}

# --- pre-commit ------------------------------------------------------------------------------------------------

# The entry of a hook.
entry() { # ID
  awk -v id="$1" '$1 == "-" { here = $3 == id } here && sub(/^ *entry: /, "")' "$root/.pre-commit-hooks.yaml"
}

@test "the lint hook" {
  run -0 bash -c "$(entry tscat-lint) tools.jsonl"
  assert_output 'tscat: in order: no findings'
  sed -i 's/"read"/"read it"/' tools.jsonl
  run -1 --separate-stderr bash -c "$(entry tscat-lint) tools.jsonl"
  assert_output --partial "tools.jsonl:2:1: error: 'read it' has U+0020 at byte 4: openai takes letters, digits and _- in a name [name-charset] (M error)"
}

@test "the drift hook compares with HEAD; a new file has nothing to break" {
  run -0 bash -c "$(entry tscat-drift) tools.jsonl"
  assert_output 'tscat: in order: no findings'
  sed -i 's/"integer"/"boolean"/' tools.jsonl
  run -1 --separate-stderr bash -c "$(entry tscat-drift) tools.jsonl"
  assert_line -n 0 --partial "tools.jsonl:2:1: error: 'read': parameter 'path': type \"integer\" became \"boolean\"; witness {\"path\":0} [type-changed]"
  cp tools.jsonl tscatalog.jsonl
  run -0 --separate-stderr bash -c "$(entry tscat-drift) tscatalog.jsonl"
  assert_output --partial "'read' is new (active) [name-added]"
}

@test "each hook takes the files it is meant for" {
  local pattern file count=0
  while IFS= read -r pattern; do
    count=$((count + 1))
    for file in tools.jsonl a/tscatalog.jsonl; do grep -qE "$pattern" <<<"$file"; done
    for file in mytools.jsonl tools.json; do run grep -qE "$pattern" <<<"$file" && assert_failure 1; done
  done < <(sed -n 's/^ *files: //p' "$root/.pre-commit-hooks.yaml")
  assert_equal "$count" 2
}

# --- documentation ----------------------------------------------------------------------------------------------

@test "the examples of the README are true" {
  cd "$BATS_TEST_TMPDIR" && ln -s "$root/tools" tools
  awk '/^## / { there = $0 == "## In CI" } /^```/ { open = !open; inside = there && open && $0 == "```"; next } there && inside' "$root/README.md" >said
  assert [ "$(grep -c '^\$ ' said)" -ge 2 ]
  local command status=0
  sed -n 's/^\$ //p' said >commands
  while IFS= read -r command; do
    printf '$ %s\n' "$command"
    bash -c "(exit $status); $command" </dev/null 2>&1 && status=0 || status=$?
  done <commands >done
  bytes_equal done said
}
