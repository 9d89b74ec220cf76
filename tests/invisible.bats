#!/usr/bin/env bats
# Characters that nobody sees: shown to people wherever they stand in a catalog or a transcript, and kept in records.

load helper
bats_require_minimum_version 1.5.0

shown='\u{200b}\u{2060}\u{feff}\u{00ad}\u{e0041}\u{202a}'

setup() {
  cd "$BATS_TEST_TMPDIR"
  hidden=$(printf '\xe2\x80\x8b\xe2\x81\xa0\xef\xbb\xbf\xc2\xad\xf3\xa0\x81\x81\xe2\x80\xaa')
  printf '%s\n' '{"type":"tool","name":"a","description":"Safe."}' >old.jsonl
  printf '%s\n' '{"type":"tool","name":"a","description":"Safe.'"$hidden"'"}' >new.jsonl
}

# --- what people are shown ------------------------------------------------------------------------------------

@test "a description that differs in hidden characters alone does not look alike, in any format" {
  local format
  while read -r format text; do
    run tscat -q --format "$format" --against old.jsonl new.jsonl
    assert_success
    assert_output --partial "$text"
    refute_output --partial "$hidden"
  done <<EOF
text description "Safe." became "Safe.$shown" [description-changed]
github ::'a': description "Safe." became "Safe.$shown"
sarif became \"Safe.${shown//\\/\\\\}\"
junit became &quot;Safe.$shown&quot;
markdown became "Safe.${shown//\\/\\\\}"
EOF
}

@test "what is printed as a record keeps its bytes" {
  tscat new.jsonl >out
  holds out <<<'{"type":"tool","name":"a","state":"active","description":"Safe.'"$hidden"'"}'
  run tscat -q --against old.jsonl new.jsonl
  assert_output --partial "became \\\"Safe.${shown//\\/\\\\}\\\""
  assert_output --partial '"new":"Safe.'"$hidden"'"'
}

@test "ordinary text of any script, and emoji, are shown as they are" {
  local plain
  plain=$(printf '\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xae \xe0\xb4\xa8\xe0\xb5\x8d\xe2\x80\x8d \xe2\x9d\xa4\xef\xb8\x8f\xe2\x80\x8d\xf0\x9f\x94\xa5 1\xef\xb8\x8f\xe2\x83\xa3')
  printf '%s\n' '{"type":"tool","name":"a","description":"'"$plain"'"}' >new.jsonl
  run tscat -q --format text --against old.jsonl new.jsonl
  assert_output --partial "became \"$plain\" [description-changed]"
}

@test "names and tables" {
  printf '%s\n' '{"type":"tool","name":"read'"$hidden"'"}' >names.jsonl
  run tscat --names names.jsonl
  assert_output "read$shown"
  run tscat --table names.jsonl
  assert_line -n 1 "read$shown  active  native  -      -"
}

@test "every sentence on standard error" {
  run -2 tscat "no$hidden"
  assert_output "tscat: no$shown: cannot open: No such file or directory"
  run -2 tscat --mass "$hidden" new.jsonl
  assert_output "tscat: --mass: '$shown' is not a whole number (try 'tscat --help')"
  printf '%s\n' '{"type":"tool","name":"a","state":"'"$hidden"'"}' >"bad$hidden"
  run -2 tscat "bad$hidden"
  assert_output --partial "tscat: bad$shown:1:"
  refute_output --partial "$hidden"
}

@test "an unknown name that differs from a known one in a hidden character" {
  printf '%s\n' '{"type":"call","id":"c","name":"a'"$hidden"'","arguments":{}}' '{"type":"result","id":"c","content":"x"}' >calls.jsonl
  run -1 --separate-stderr tsreplay -c new.jsonl --format text calls.jsonl
  assert_line -n 0 --partial "unknown tool 'a$shown'"
  refute_output --partial "$hidden"
  run --separate-stderr tsreplay -c new.jsonl --format text --names calls.jsonl
  assert_line -n 1 --partial "a$shown "
  run -1 --separate-stderr tsdispatch -c new.jsonl --routes calls.jsonl
  assert_output --partial '"name":"a'"$hidden"'"'
  assert_output --partial "unknown tool 'a${shown//\\/\\\\}'"
}
