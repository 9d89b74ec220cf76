#!/usr/bin/env bats
# The lifecycle's promise: a call under an old name gives, byte for byte, what it gives under the new one. Held for
# every alias of both embedded catalogs, and of one that has deprecated names as well.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cat >workshop.jsonl <<'END'
{"type":"catalog","schema":1,"name":"workshop","version":"2.4.0"}
{"type":"tool","name":"saw","state":"active","description":"Cuts wood.","input_schema":{"type":"object","properties":{"n":{"type":"number"}}}}
{"type":"tool","name":"vice","state":"active","description":"Holds and turns.","input_schema":{"type":"object","properties":{"action":{"type":"string","enum":["hold","turn"]},"n":{"type":"number"}},"required":["action"]}}
{"type":"tool","name":"lathe","state":"deferred","description":"Turns wood."}
{"type":"alias","name":"knife","replacement":"saw","state":"hidden-compatibility","first_deprecated_version":"2.1.0","planned_removal_version":"TBD"}
{"type":"alias","name":"axe","replacement":"saw","state":"deprecated","first_deprecated_version":"2.3.0","planned_removal_version":"3.0.0","note":"Saws leave less waste."}
{"type":"alias","name":"clamp","replacement":"vice","action":"hold","state":"deprecated","first_deprecated_version":"2.3.0","planned_removal_version":"3.0.0"}
{"type":"alias","name":"screw","replacement":"vice","action":"turn","state":"hidden-compatibility","first_deprecated_version":null,"planned_removal_version":"TBD"}
{"type":"alias","name":"wheel","replacement":"lathe","state":"deprecated","first_deprecated_version":"2.3.0","planned_removal_version":"TBD"}
{"type":"alias","name":"hammer","state":"hidden-compatibility","first_deprecated_version":"2.3.0","planned_removal_version":"TBD"}
{"type":"alias","name":"flint","replacement":"saw","state":"removed","first_deprecated_version":"1.0.0","planned_removal_version":"2.0.0"}
{"type":"alias","name":"bone","state":"removed"}
END
  # What a tool sees of a call, but for the name it was called by.
  printf '#!/bin/sh\necho "$TS_TOOL $TS_CALL_ID"; exec cat\n' >handler
  printf '#!/bin/sh\nwhile IFS= read -r l; do printf "{\\"content\\":%%s,\\"metadata\\":{\\"cost\\":1.0},\\"seconds\\":2}\\n" "$l"; done\n' >stream
  printf '#!/bin/sh\necho "$TS_TOOL"; echo no >&2; exit 3\n' >failing
  chmod +x handler stream failing
  printf '{"type":"handler","name":"*","argv":["./stream"],"stream":true}\n' >streams.jsonl
}

# The aliases of a catalog in some states: NAME|REPLACEMENT|ACTION.
aliases() { # SOURCE STATES
  tscat -q -c "$1" --state "$2" |
    sed -n 's/^{"type":"alias","name":"\([^"]*\)","replacement":"\([^"]*\)"/\1|\2|&/p; t
      s/^{"type":"alias","name":"\([^"]*\)"/\1||&/p' |
    sed 's/|{.*"action":"\([^"]*\)".*/|\1/; s/|{.*/|/'
}

# Two files of the same calls: old under the old names, new under the new ones.
pairs() { # SOURCE STATES
  local name replacement action n=0
  : >old >new
  while IFS='|' read -r name replacement action; do
    n=$((n + 1))
    printf '{"session":"s","id":"%s","name":"%s","arguments":{"n": 1.50, "\\u0061":["%s\\n",12345678901234567890]}}\n' \
      $n "$name" $n >>old
    printf '{"session":"s","id":"%s","name":"%s","arguments":{"n":1.50,"\\u0061":["%s\\n",12345678901234567890]%s}}\n' \
      $n "${replacement:-$name}" $n "${action:+,\"action\":\"$action\"}" >>new
  done < <(aliases "$1" "$2")
  [ $n -gt 0 ]
}

without_names() { sed 's/,"name":"[^"]*","is_error"/,"is_error"/' "$1"; }
without_notices() { sed 's/"metadata":{"cost":1.0,"notice":"[^}]*}/"metadata":{"cost":1.0}/; s/,"metadata":{"notice":"[^}]*}//' "$1"; }

# Through three kinds of handlers the results are the same bytes, names and notices apart.
equal() { # SOURCE STATES
  local how
  pairs "$1" "$2"
  for how in '--handler ./handler' '--handlers streams.jsonl' '--handler ./handler -j 8'; do
    # shellcheck disable=SC2086
    tsdispatch -q -c "$1" $how old >old.results
    # shellcheck disable=SC2086
    tsdispatch -q -c "$1" $how new >new.results
    run tsreplay --compare new.results old.results
    assert_success
    assert_output "tsreplay: results: $(wc -l <old) same, 0 different, 0 missing, 0 extra"
    without_notices old.results | without_names /dev/stdin >old.bare
    without_names new.results >new.bare
    cmp old.bare new.bare
  done
}

@test "hidden names of the embedded catalogs: the same bytes, and nothing besides" {
  local source
  for source in builtin:codewhale builtin:policy; do
    equal $source hidden-compatibility
    without_names old.results >old.bare
    without_names new.results >new.bare
    cmp old.bare new.bare # as they are, no notice taken off
  done
}

@test "the embedded catalogs have no deprecated names" {
  assert_equal "$(aliases builtin:codewhale deprecated; aliases builtin:policy deprecated)" ""
}

@test "hidden and deprecated names of another catalog: the same bytes, the notices apart" {
  equal workshop.jsonl hidden-compatibility,deprecated
  tsdispatch -q -c workshop.jsonl --handler ./handler old >old.results
  assert_equal "$(grep -c '"metadata"' old.results)" 3
  assert_equal "$(sed -n 's/.*"name":"\([^"]*\)".*,"metadata":\(.*\)}/\1 \2/p' old.results)" \
    'axe {"notice":"deprecated: use saw instead","name":"axe","replacement":"saw","since":"2.3.0","note":"Saws leave less waste."}
clamp {"notice":"deprecated: use vice instead","name":"clamp","replacement":"vice","since":"2.3.0"}
wheel {"notice":"deprecated: use lathe instead","name":"wheel","replacement":"lathe","since":"2.3.0"}'
}

@test "a call that fails says the same under both names, with no notice" {
  pairs workshop.jsonl hidden-compatibility,deprecated
  tsdispatch -q -c workshop.jsonl --handler ./failing old >old.results || assert_equal $? 1
  tsdispatch -q -c workshop.jsonl --handler ./failing new >new.results || assert_equal $? 1
  without_names old.results >old.bare
  without_names new.results >new.bare
  cmp old.bare new.bare
  run grep -c notice old.results
  assert_output 0
  printf '{"id":"%s","name":"%s","arguments":{"n":"many"}}\n' 1 axe >old
  printf '{"id":"%s","name":"%s","arguments":{"n":"many"}}\n' 1 saw >new
  tsdispatch -q -c workshop.jsonl --validate --handler ./handler old >old.results || assert_equal $? 1
  tsdispatch -q -c workshop.jsonl --validate --handler ./handler new >new.results || assert_equal $? 1
  without_names old.results >old.bare
  without_names new.results >new.bare
  cmp old.bare new.bare
}

@test "removed names run nothing, and name the replacement" {
  local source name replacement rest
  printf '#!/bin/sh\necho run >>runs\n' >handler
  for source in builtin:codewhale builtin:policy workshop.jsonl; do
    while IFS='|' read -r name replacement rest; do
      run tsdispatch -q -c $source --handler ./handler <<<"{\"name\":\"$name\"}"
      assert_failure 1
      assert_output --regexp "\"is_error\":true,\"content\":\"tool '$name' is removed"
      [ -z "$replacement" ] || assert_output --partial "use '$replacement'"
      refute_output --partial metadata
    done < <(aliases $source removed)
  done
  [ ! -e runs ]
}

@test "no notice, and no retired name, in any byte of a first-turn block" {
  local source mode api name
  for source in builtin:codewhale builtin:policy workshop.jsonl; do
    for mode in plan agent yolo; do
      for api in anthropic openai responses gemini mcp; do tscat -q -c $source --first-turn --mode $mode --api $api; done
    done >blocks
    [ -s blocks ]
    run grep -cE 'deprecated|instead|hidden-compatibility|replacement' blocks
    assert_output 0
    aliases $source hidden-compatibility,deprecated,removed | cut -d'|' -f1 | sed 's/.*/"name":"&"/' >names
    run grep -cFf names blocks
    assert_output 0
    tscat -q -c $source >whole
    run grep -cF 'deprecated: use' whole
    assert_output 0
  done
}
