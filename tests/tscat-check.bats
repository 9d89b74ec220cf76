#!/usr/bin/env bats
# tscat --lint and --against: what is found, what counts, what is waived, and how it is reported.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cat >old.jsonl <<'EOF'
{"type":"catalog","schema":1,"name":"demo","version":"1.0.0"}
{"type":"tool","name":"mail","state":"active","description":"Sends a mail.","input_schema":{"type":"object","properties":{"to":{"type":"string"},"format":{"type":"string","enum":["text","html"]}},"required":["to"]}}
{"type":"tool","name":"list","state":"active","description":"Lists mails.","input_schema":{"type":"object","properties":{"limit":{"type":"integer","maximum":100}}}}
EOF
  cat >new.jsonl <<'EOF'
{"type":"catalog","schema":1,"name":"demo","version":"1.1.0"}
{"type":"tool","name":"mail","state":"active","description":"Sends a mail, with a blind copy.","input_schema":{"type":"object","properties":{"to":{"type":"string"},"format":{"type":"string","enum":["text"]},"bcc":{"type":"string"}},"required":["to"]}}
EOF
  cat >bad.jsonl <<'EOF'
{"type":"catalog","schema":1,"name":"demo","version":"1.0.0"}
{"type":"tool","name":"two words","state":"active","description":"d","input_schema":{"type":"object"}}
{"type":"alias","name":"old","replacement":"gone","state":"deprecated","first_deprecated_version":"1.0.0","planned_removal_version":"TBD"}
EOF
}

# --- what is found ----------------------------------------------------------------------------------------------

@test "--lint: findings in the order of the file, with fingerprints; the worst decides the status" {
  run --separate-stderr tscat --lint bad.jsonl
  assert_failure 1
  assert_output - <<'EOF'
{"type":"finding","rule":"name-charset","severity":"error","vector":{"M":"error"},"message":"'two words' has U+0020 at byte 3: openai takes letters, digits and _- in a name","name":"two words","pointer":"/name","new":"two words","source":{"file":"bad.jsonl","line":2,"column":1},"fingerprint":"e89621f2f30b5115"}
{"type":"finding","rule":"replacement-unusable","severity":"error","vector":{"R":"error","P":"error"},"message":"'old' cannot use its replacement 'gone': there is no such tool (old -> gone)","name":"old","pointer":"/replacement","source":{"file":"bad.jsonl","line":3,"column":1},"fingerprint":"ee347d5047748be1"}
{"type":"finding","rule":"undated-deprecation","severity":"note","vector":{"P":"note"},"message":"'old' is deprecated without a version in which it will go","name":"old","pointer":"/planned_removal_version","source":{"file":"bad.jsonl","line":3,"column":1},"fingerprint":"3515fbec3eedb984"}
EOF
  assert_equal "$stderr" "tscat: 2 errors, 1 note"
}

@test "a fingerprint is the digest of rule, name, pointer, old and new value" {
  local expected
  expected=$(printf 'name-charset\0two words\0/name\0\0"two words"' | sha256sum | cut -c1-16)
  run -1 --separate-stderr tscat --lint bad.jsonl
  assert_line -n 0 --partial "\"fingerprint\":\"$expected\""
}

@test "--lint: names are held against the API" {
  printf '%s\n' '{"name":"a.b","input_schema":{"type":"object"}}' "{\"name\":\"$(printf 'n%.0s' {1..65})\",\"input_schema\":{\"type\":\"object\"}}" >names.jsonl
  local row api rules
  while read -r api rules; do
    run --separate-stderr bash -c 'tscat --lint --api "$1" names.jsonl | sed "s/.*\"rule\":\"\([a-z-]*\)\".*/\1/" | tr "\n" " "' bash "$api"
    assert_output "$rules "
  done <<'EOF'
openai name-charset name-length
responses name-charset name-length
anthropic name-charset
gemini name-length
EOF
  run --separate-stderr tscat --lint --api mcp names.jsonl
  assert_success
  refute_output
}

@test "--against: what broke is an error with a witness, what is gone is placed in the old file" {
  run --separate-stderr tscat --against old.jsonl --format text new.jsonl
  assert_failure 1
  assert_output - <<'EOF'
old.jsonl:3:1: error: 'list' (active) is gone without a trace [name-dropped] (R error, S error)
new.jsonl:2:1: error: 'mail': parameter 'format': no longer takes "html"; witness {"to":"","format":"html"} [enum-value-removed] (R error, S error)
new.jsonl:2:1: warning: 'mail': description "Sends a mail." became "Sends a mail, with a blind copy." [description-changed] (C warning, M warning)
new.jsonl:2:1: warning: the first-turn block differs from 'mail' on, at byte 40: the cache of 338 bytes behind it (89%) is lost [head-bytes-changed] (C warning)
new.jsonl:2:1: note: 'mail' is rewritten in the change that retires 1 name [diet-not-focused] (C note)
new.jsonl:2:1: note: 'mail': parameter 'bcc': is new and optional [param-added-optional] (R note, S note)
EOF
  assert_equal "$stderr" "tscat: 2 errors, 2 warnings, 2 notes"
}

@test "an empty list is no 'no drift'; nothing to check is exit 2; so is an incomplete baseline" {
  echo '{"tools":[]}' >empty.json
  run -1 --separate-stderr tscat --against old.jsonl empty.json
  assert_equal "$(grep -c '"rule":"name-dropped"' <<<"$output")" 2
  run --separate-stderr tscat --lint empty.json
  assert_failure 2
  assert_equal "$stderr" "tscat: nothing to check: there is not one tool"
  echo '{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"2"}' >page.json
  run --separate-stderr tscat --against page.json new.jsonl
  assert_failure 2
  assert_equal "$stderr" "tscat: the catalog to compare with is incomplete: its list ends with a cursor to the next page"
  run -1 --separate-stderr tscat --lint page.json
  assert_output --partial '"rule":"pages-incomplete"'
}

@test "an incomplete list is an error in a comparison too, once; --exit-zero turns it into 0 everywhere" {
  echo '{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"2"}' >page.json
  echo '{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}' >whole.json
  for checks in '--against whole.json' '--lint' '--lint --against whole.json'; do
    # shellcheck disable=SC2086
    run -1 --separate-stderr tscat $checks --format text page.json
    assert_output 'page.json:1:10: error: the list is incomplete: nextCursor "2" is present and no page follows [pages-incomplete] (P error)'
    assert_equal "$stderr" 'tscat: 1 error'
    run -0 --separate-stderr tscat $checks --exit-zero page.json
  done
  run -1 --separate-stderr tscat --names page.json
  assert_equal "$output" a
  run -0 --separate-stderr tscat --names --exit-zero page.json
  assert_equal "$stderr" 'tscat: page.json:1:10: pages-incomplete: the list is incomplete: nextCursor "2" is present and no page follows'
}

@test "a first catalog has lost no cache and has not grown, whatever its budget" {
  echo '{"tools":[]}' >empty.json
  printf '%s\n' '{"type":"catalog","schema":1,"version":"1.0.0","budget":{"active":9,"bytes":9000}}' \
    '{"type":"tool","name":"a","state":"active","input_schema":{"type":"object"}}' >first.jsonl
  run -0 --separate-stderr tscat --against empty.json --format text first.jsonl
  assert_output "first.jsonl:2:1: warning: 'a' is new (active) [name-added] (C warning, P note)"
}

@test "a served list is compared with a catalog" {
  echo '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"mail","description":"Sends a mail.","inputSchema":{"type":"object","properties":{"to":{"type":"string"},"format":{"type":"string","enum":["text","html"]}},"required":["to"]}}]}}' >served.json
  sed -i '/"list"/d' old.jsonl
  run --separate-stderr tscat --against old.jsonl served.json
  assert_success
  refute_output
}

# --- what counts ------------------------------------------------------------------------------------------------

@test "--fail-on: the more special setting wins, and a wrong one is a usage error" {
  local spec status
  while read -r spec status; do
    run --separate-stderr tscat --against old.jsonl --fail-on "$spec" new.jsonl
    assert_equal "$spec $?$status" "$spec 0$status"
    [ "$status" = 0 ] && assert_success || assert_failure "$status"
  done <<'EOF'
all=error 1
all=off 0
R=off,S=off 0
name-dropped=off,enum-value-removed=off 0
R=off,S=off,C=warning 1
R=off,S=off,C=warning,description-changed=off,head-bytes-changed=off 0
all=off,param-added-optional=note 1
no-such-rule=error 2
all=loud 2
EOF
  run --separate-stderr tscat --against old.jsonl --exit-zero new.jsonl
  assert_success
}

@test "--waivers: by fingerprint or by rule and name, with a reason and an end" {
  run -1 --separate-stderr tscat --against old.jsonl new.jsonl
  local print
  print=$(sed -n 's/.*"rule":"name-dropped".*"fingerprint":"\([0-9a-f]*\)".*/\1/p' <<<"$output")
  printf '%s\n' "{\"fingerprint\":\"$print\",\"reason\":\"nobody calls it\",\"expires\":\"2.0.0\"}" \
    '{"rule":"enum-value-removed","name":"mail","reason":"html was never sent","expires":"2.0.0"}' >waivers.jsonl
  run --separate-stderr tscat --against old.jsonl --waivers waivers.jsonl new.jsonl
  assert_success
  assert_equal "$stderr" "tscat: 2 warnings, 2 notes, 2 waived"
  sed -i 's/"2.0.0"/"1.1.0"/' waivers.jsonl
  run --separate-stderr tscat --against old.jsonl --waivers waivers.jsonl --format text new.jsonl
  assert_failure 1
  assert_line --partial '[waiver-expired]'
  printf '%s\n' '{"rule":"name-reused","reason":"r","expires":"2.0.0"}' >waivers.jsonl
  run --separate-stderr tscat --against old.jsonl --fail-on all=off --waivers waivers.jsonl --format text new.jsonl
  assert_line --partial 'warning: '
  assert_line --partial '[waiver-unused]'
  printf '%s\n' '{"rule":"name-reused","expires":"2.0.0"}' >waivers.jsonl
  run --separate-stderr tscat --against old.jsonl --waivers waivers.jsonl new.jsonl
  assert_failure 2
}

@test "--mass counts the names that go at once" {
  local i
  for i in 1 2 3 4 5 6; do printf '{"name":"t%s","input_schema":{"type":"object"}}\n' $i; done >many.jsonl
  head -n 3 many.jsonl >few.jsonl
  run --separate-stderr bash -c 'tscat --against many.jsonl --mass 3 few.jsonl | grep -c mass-removal'
  assert_output 0
  run --separate-stderr bash -c 'tscat --against many.jsonl --mass 2 few.jsonl | grep -c mass-removal'
  assert_output 1
  echo '{"rule":"name-dropped","name":"t5","reason":"r","expires":"9.0.0"}' >waivers.jsonl
  run --separate-stderr bash -c 'tscat --against many.jsonl --mass 2 --waivers waivers.jsonl few.jsonl | grep -c mass-removal'
  assert_output 0
}

@test "what is not a version is said, of the catalog and of every date; null and TBD are none" {
  local version
  for version in '""' '" "' '"latest"' '"v1.2.3"' '"1.2"' '"01.2.3"'; do
    printf '%s\n' '{"type":"catalog","schema":1,"version":'"$version"'}' '{"type":"tool","name":"a","state":"active"}' \
      '{"type":"alias","name":"b","replacement":"a","state":"deprecated","first_deprecated_version":'"$version"',"planned_removal_version":'"$version"',"not_before":'"$version"'}' >v.jsonl
    run -1 tscat -q --lint v.jsonl
    assert_equal "$version $(grep -c '"rule":"version-invalid"' <<<"$output")" "$version 4"
    refute_output --partial first-deprecated-missing
  done
  for version in null '"1.0.0-rc.1"'; do
    printf '%s\n' '{"type":"catalog","schema":1,"version":'"$version"'}' '{"type":"tool","name":"a","state":"active"}' \
      '{"type":"alias","name":"b","replacement":"a","state":"deprecated","first_deprecated_version":'"$version"',"planned_removal_version":"TBD","not_before":'"$version"'}' >v.jsonl
    run tscat -q --lint v.jsonl
    refute_output --partial version-invalid
  done
}

@test "--window: a version, or a number of minor versions" {
  printf '%s\n' '{"type":"catalog","schema":1,"name":"w","version":"0.9.0"}' '{"type":"tool","name":"t","state":"active","description":"d"}' \
    '{"type":"alias","name":"a","replacement":"t","state":"deprecated","first_deprecated_version":"0.8.53","planned_removal_version":"0.10.0"}' >w.jsonl
  local window
  for window in 2 0.2.0; do
    run --separate-stderr tscat --lint --window $window w.jsonl
    assert_success
  done
  for window in 3 0.2.1 1.0.0; do
    run -1 --separate-stderr tscat --lint --window $window w.jsonl
    assert_output --partial '"rule":"window-short"'
  done
  run --separate-stderr tscat --lint --window soon w.jsonl
  assert_failure 2
}

@test "--allow and --deny, given to --lint: entries that reach nothing, or leave another name open" {
  printf '%s\n' '{"type":"tool","name":"t","state":"active","description":"d"}' \
    '{"type":"alias","name":"a","replacement":"t","state":"hidden-compatibility","first_deprecated_version":"1.0.0"}' >p.jsonl
  run -1 --separate-stderr tscat --lint --deny 't,x*' p.jsonl
  assert_output --partial '"rule":"rule-matches-nothing"'
  assert_output --partial "--deny reaches 't' but not 'a', which runs the same tool"
  run --separate-stderr tscat --lint --deny 't,a' p.jsonl
  assert_success
}

# --- together, and how it is reported ----------------------------------------------------------------------------

@test "--lint, --against and --golden in one run" {
  sed -i '/"list"/d' old.jsonl
  env -u CI tscat -q --golden golden --update old.jsonl
  run --separate-stderr tscat --lint --against old.jsonl --golden golden old.jsonl
  assert_success
  sed -i 's/Sends a mail/Sends one mail/' old.jsonl
  run --separate-stderr tscat --lint --golden golden old.jsonl
  assert_failure 1
}

@test "every format of a report" {
  local format
  for format in text jsonl github sarif junit markdown; do
    run --separate-stderr tscat --lint --format $format bad.jsonl
    assert_failure 1
    assert_output --partial "name-charset"
  done
  run --separate-stderr tscat --lint --format github bad.jsonl
  assert_line -n 0 "::error file=bad.jsonl,line=2,col=1,title=name-charset::'two words' has U+0020 at byte 3: openai takes letters, digits and _- in a name"
}

@test "text is what a terminal gets, in colour unless NO_COLOR; a pipe gets records" {
  command -v script >/dev/null || return 0
  run script -qec "tscat -q --lint bad.jsonl" /dev/null
  assert_output --partial $'\e['
  run env NO_COLOR=1 script -qec "tscat -q --lint bad.jsonl" /dev/null
  refute_output --partial $'\e['
  assert_output --partial "bad.jsonl:2:1: error: 'two words'"
}

@test "--rules lists what can be found, --explain shows one with its example" {
  run tscat --rules
  assert_success
  assert_line --partial name-duplicate
  assert_line --partial enum-value-removed
  run tscat --explain name-dropped
  assert_success
  assert_line -n 0 "name-dropped (drift): R error, S error"
  run tscat --explain name-droped
  assert_failure 2
  assert_output --partial "name-dropped"
}

@test "the embedded catalogs have no error; a name that replaces itself has" {
  local name
  for name in codewhale policy; do
    run --separate-stderr tscat --lint "builtin:$name"
    assert_success
  done
  printf '%s\n' '{"type":"alias","name":"todo_write","replacement":"todo_write","state":"hidden-compatibility","first_deprecated_version":"0.9.0","planned_removal_version":"TBD"}' >row.jsonl
  run -1 --separate-stderr tscat --lint -c builtin:policy --format text row.jsonl
  assert_line --partial "error: 'todo_write' cannot use its replacement 'todo_write': it is itself (todo_write -> todo_write) [replacement-unusable]"
}

@test "what goes with what" {
  local args
  while read -r args; do
    # shellcheck disable=SC2086
    run tscat $args old.jsonl
    assert_failure 2
    assert_output --partial "tscat: "
  done <<'EOF'
--merge-base
--missing-base empty
--mass 3
--window 2
--deny x
--fail-on R=off
--waivers x
--format text
--range a..b
--lint --names
--lint --resolve x
--lint --first-turn
--log --lint
--lint --mass x
--against old.jsonl --merge-base
EOF
}

@test "schemas that turn in circles or nest without end are undecided, soon" {
  nest() { # OPEN COUNT LEAF CLOSE
    printf '{"type":"tool","name":"t","input_schema":{"type":"object","properties":{"p":'
    printf "%.0s$1" $(seq "$2")
    printf '%s' "$3"
    printf "%.0s$4" $(seq "$2")
    printf '}}}\n'
  }
  for count in 95 100 400 5000; do
    nest '{"not":' $count '{"type":"string"}' '}' >before.jsonl
    nest '{"not":' $count '{"type":"integer"}' '}' >after.jsonl
    run -0 timeout 60 tscat -q --against before.jsonl after.jsonl
    assert_output --partial '"rule":"ref-or-unsupported","severity":"unknown"'
  done
  nest '{"anyOf":[' 100 '{"type":"string"}' ']}' >before.jsonl
  nest '{"anyOf":[' 100 '{"type":"integer"}' ']}' >after.jsonl
  run -1 timeout 60 tscat -q --against before.jsonl after.jsonl
  assert_output --partial '"severity":"error"'
}

@test "of an allOf with more branches than are looked at nothing is claimed" {
  allof() { # NUMBER...
    local n joint=
    printf '{"type":"tool","name":"t","input_schema":{"type":"object","properties":{"p":{"allOf":['
    for n in "$@"; do
      printf '%s{"type":"object","properties":{"a%d":{"type":"integer","minimum":%d}},"required":["a%d"]}' "$joint" "$n" "$n" "$n"
      joint=,
    done
    printf ']}}}}\n'
  }
  # shellcheck disable=SC2046
  allof $(seq 300) >before.jsonl
  # shellcheck disable=SC2046
  allof $(seq 300 -1 1) >after.jsonl
  run -0 tscat -q --against before.jsonl after.jsonl
  refute_output --partial param-removed-open
  refute_output --partial '"severity":"error"'
}

@test "20,000 tools are no more work each than 2,000" {
  awk 'BEGIN { for (i = 0; i < 20000; i++) printf "{\"type\":\"tool\",\"name\":\"t%d\",\"state\":\"deferred\",\"description\":\"Does thing %d.\",\"input_schema\":{\"type\":\"object\",\"properties\":{\"p%d\":{\"type\":\"string\"}}}}\n", i, i, i }' >large.jsonl
  run --separate-stderr timeout 60 tscat --lint large.jsonl
  assert_success
  sed 's/"string"/"integer"/' large.jsonl >larger.jsonl
  run --separate-stderr bash -c 'timeout 60 tscat --against large.jsonl larger.jsonl | grep -c type-changed'
  assert_output 20000
}

@test "served catalogs that lost their shapes are refused, their whole twins are not" {
  local shared whole
  shared=$(shared) || return 0
  for whole in "$shared"/mcp-catalogs/*/*+zod3.jsonl; do
    run --separate-stderr bash -c 'tscat --lint "$1" | grep -c schema-refused' bash "$whole"
    assert_output 0
    run --separate-stderr bash -c 'tscat --lint "$1" | grep -c schema-refused' bash "${whole/+zod3/}"
    refute_output 0
  done
}

@test "Gemini spells types in capitals; the others refuse that" {
  echo '[{"functionDeclarations":[{"name":"a","description":"d","parameters":{"type":"OBJECT","properties":{"p":{"type":"STRING"}}}}]}]' >gemini.json
  run -0 --separate-stderr tscat --lint --api gemini gemini.json
  refute_output
  run -1 tscat -q --lint --api openai --format text gemini.json
  assert_output --partial 'its top level is not "type":"object" [schema-refused]'
}

@test "a full disk, a closed standard output, a file that is none" {
  run --separate-stderr bash -c 'tscat -q --lint bad.jsonl >/dev/full'
  assert_failure 2
  assert_equal "$stderr" "tscat: standard output: No space left on device"
  run --separate-stderr bash -c 'tscat -q --lint bad.jsonl >&-'
  assert_failure 2
  run --separate-stderr tscat --lint .
  assert_failure 2
  run --separate-stderr tscat --against no/such/file old.jsonl
  assert_failure 2
}
