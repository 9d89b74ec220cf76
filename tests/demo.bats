#!/usr/bin/env bats
# make demo: what a newcomer sees first.

load helper

@test "demo: ends well although there are findings, and shows each kind" {
  run "$tests_dir/../tools/demo" </dev/null
  assert_success
  assert_line '$ tsreplay -c builtin:codewhale --format=text --exit-zero tests/data/demo'
  assert_line --regexp "2-old-session.jsonl:2:[0-9]+: error: .*'exec_shell'.*Bash.*\[removed-call\]"
  assert_line --regexp "2-old-session.jsonl:6:[0-9]+: error: .*/timeout_ms.*\[arguments-misfit\]"
  assert_line --regexp "2-old-session.jsonl:8:[0-9]+: error: .*'make_chart'.*\[unknown-call\]"
  assert_line --regexp "3-rollout-dark-mode.jsonl:9:[0-9]+: error: .*'call_4'.*\[unanswered-call\]"
  refute_line --partial 1-fix-login.jsonl
}

@test "demo: the commands that it names work, from where the reader is" {
  cd "$tests_dir/.."
  "$tests_dir/../tools/demo" | sed -n 's/^  \(tsreplay .*tests\/data\/demo\)  .*/\1/p' >"$BATS_TEST_TMPDIR/commands"
  run wc -l <"$BATS_TEST_TMPDIR/commands"
  assert_output 3
  while read -r command; do
    run bash -c "$command" </dev/null
    assert_equal "$status" 1 # there are findings
    assert_output --partial '2-old-session.jsonl'
  done < <(grep -v -e --names "$BATS_TEST_TMPDIR/commands")
  run bash -c "$(grep -e --names "$BATS_TEST_TMPDIR/commands")" </dev/null
  assert_output --partial exec_shell
}
