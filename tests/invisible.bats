#!/usr/bin/env bats
# Characters that nobody sees: shown to people wherever they stand in a catalog or a transcript, kept in records, and
# found by the rule invisible-text.

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
  run tscat -q --lint new.jsonl
  assert_success
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

# --- the rule invisible-text ----------------------------------------------------------------------------------

# The findings of --lint for a tool with these members: pointer and message, parted by a blank.
lint() { # MEMBERS
  printf '{"type":"tool","name":"t",%s}\n' "$1" >rule.jsonl
  tscat -q --lint rule.jsonl | sed -n 's/.*"rule":"invisible-text".*"message":"\(.*\)","name":.*"pointer":"\([^"]*\)".*/\2 \1/p'
}

@test "invisible-text: every place that a model is shown" {
  local members pointer what
  while IFS='|' read -r members pointer what; do
    echo "# $members"
    run lint "$members"
    assert_output "$(printf '%b' "$pointer") 't' has $what"
  done <<'EOF'
"description":"ab\u200bc"|/description|a zero-width character, U+200B, at byte 2 of description
"description":"ab\udb40\udc41c"|/description|a tag character, U+E0041, at byte 2 of description
"description":"ab\u000cc"|/description|a control character, U+000C, at byte 2 of description
"description":"\u26a0\ufe0f\ufe0f\ufe0e"|/description|a run of variation selectors, U+FE0F, at byte 6 of description
"title":"T\u2060"|/title|a zero-width character, U+2060, at byte 1 of title
"annotations":{"readOnlyHint":true,"title":"T\u202e"}|/annotations/title|a bidi control, U+202E, at byte 1 of annotations/title
"input_schema":{"type":"object","properties":{"pa\u200bth":{}}}|/input_schema/properties/pa\xe2\x80\x8bth|a zero-width character, U+200B, at byte 2 of the key input_schema/properties/pa\\u{200b}th
"input_schema":{"type":"object","properties":{"a/~b":{"items":{"properties":{"c\u2066":{}}}}}}|/input_schema/properties/a~1~0b/items/properties/c\xe2\x81\xa6|a bidi control, U+2066, at byte 1 of the key input_schema/properties/a~1~0b/items/properties/c\\u{2066}
"input_schema":{"type":"object","patternProperties":{"^\u00ad":{}}}|/input_schema/patternProperties/^\xc2\xad|a zero-width character, U+00AD, at byte 1 of the key input_schema/patternProperties/^\\u{00ad}
"input_schema":{"type":"object","$defs":{"d\u200e":{}}}|/input_schema/$defs/d\xe2\x80\x8e|a bidi control, U+200E, at byte 1 of the key input_schema/$defs/d\\u{200e}
"input_schema":{"type":"object","properties":{"p":{"enum":["a","b\ufeff"]}}}|/input_schema/properties/p/enum/1|a zero-width character, U+FEFF, at byte 1 of input_schema/properties/p/enum/1
"input_schema":{"type":"object","properties":{"p":{"const":"\u0085"}}}|/input_schema/properties/p/const|a control character, U+0085, at byte 0 of input_schema/properties/p/const
"input_schema":{"type":"object","properties":{"p":{"default":{"q":["\u3164"]}}}}|/input_schema/properties/p/default/q/0|a filler, U+3164, at byte 0 of input_schema/properties/p/default/q/0
"input_schema":{"type":"object","properties":{"p":{"default":{"q\u200b":1}}}}|/input_schema/properties/p/default/q\xe2\x80\x8b|a zero-width character, U+200B, at byte 1 of the key input_schema/properties/p/default/q\\u{200b}
"input_schema":{"type":"object","properties":{"p":{"examples":["a\udb40\udc7f"]}}}|/input_schema/properties/p/examples/0|a tag character, U+E007F, at byte 1 of input_schema/properties/p/examples/0
"input_schema":{"type":"object","properties":{"default":{"description":"a\u001b"}}}|/input_schema/properties/default/description|a control character, U+001B, at byte 1 of input_schema/properties/default/description
"input_schema":{"type":"object","anyOf":[{"title":"T\u200b"}]}|/input_schema/anyOf/0/title|a zero-width character, U+200B, at byte 1 of input_schema/anyOf/0/title
"input_schema":{"type":"object","$comment":"a\u200b"}|/input_schema/$comment|a zero-width character, U+200B, at byte 1 of input_schema/$comment
EOF
}

@test "invisible-text: a line break in the name of a parameter, which a pointer shows escaped" {
  run lint '"input_schema":{"type":"object","properties":{"a\nb":{}}}'
  assert_output "/input_schema/properties/a\\nb 't' has a control character, U+000A, at byte 1 of the key input_schema/properties/a\\\\x0ab"
}

@test "invisible-text: what is ordinary there passes" {
  local members
  while read -r members; do
    echo "# $members"
    run lint "$members"
    assert_output ''
  done <<'EOF'
"description":"One.\n\tTwo.\r\n","title":"Two\u2028lines"
"description":"\u26a0\ufe0f \u2764\ufe0f\u200d\ud83d\udd25 1\ufe0f\u20e3 and a stray one: \ufe0f"
"description":"\u0645\u06cc\u200c\u062e \u0d28\u0d4d\u200d"
"input_schema":{"type":"object","properties":{"\u0645\u06cc\u200c\u062e":{"enum":["\ud83d\udc69\u200d\ud83d\udcbb","\u26a0\ufe0f"]}}}
"input_schema":{"type":"object","properties":{"p":{"default":"\n","enum":["\t","\r\n","\u0000"],"const":"\u001b","examples":["\u007f"]}}}
"input_schema":{"type":"object","properties":{"p":{"pattern":"^[\u200b\u2060]*$"}},"patternProperties":{"^[\u0000-\u001f]":{}}}
"input_schema":{"type":"object","properties":{"p":{"enum":[1,null,true,{"a":[]}]}}}
"annotations":{"readOnlyHint":true,"title":7},"title":{}
"annotations":[]
EOF
}

@test "invisible-text: a name is told once, though required repeats it" {
  run lint '"input_schema":{"type":"object","properties":{"p\u200b":{}},"required":["p\u200b"],"dependentRequired":{"p\u200b":["p\u200b"]}}'
  assert_equal "${#lines[@]}" 1
}

@test "invisible-text: as many findings, or as deep, as a large schema has, in a short time" {
  { printf '{"type":"tool","name":"t","input_schema":{"type":"object","properties":{"p":{"enum":["'
    seq -s "$hidden\",\"" 30000
    printf '"]}}}}\n'; } | tr -d '\n' >large.jsonl
  run bash -c 'timeout 60 tscat -q --lint large.jsonl | grep -c invisible-text'
  assert_output 29999
  { printf '{"type":"tool","name":"t","input_schema":'
    printf '{"items":%.0s' {1..20000}
    printf '"%s"' "$hidden"
    printf '}%.0s' {1..20000}
    printf '}\n'; } >deep.jsonl
  run bash -c 'timeout 60 tscat -q --lint deep.jsonl | grep -c "at byte 0 of input_schema/items/items"'
  assert_output 1
}
