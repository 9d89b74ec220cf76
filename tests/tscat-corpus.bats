#!/usr/bin/env bats
# tscat --against --against-corpus: how many saved calls a change breaks.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  source "$(data tsreplay/records.bash)"
  cat >old.jsonl <<'EOF'
{"type":"catalog","schema":1,"name":"demo","version":"1.0.0"}
{"type":"tool","name":"mail","state":"active","description":"Sends a mail.","input_schema":{"type":"object","properties":{"to":{"type":"string"},"format":{"type":"string","enum":["text","html"]}},"required":["to"]}}
{"type":"tool","name":"list","state":"active","description":"Lists mails.","input_schema":{"type":"object"}}
{"type":"tool","name":"idle","state":"active","description":"Waits.","input_schema":{"type":"object"}}
EOF
  cat >new.jsonl <<'EOF'
{"type":"catalog","schema":1,"name":"demo","version":"1.0.0"}
{"type":"tool","name":"mail","state":"active","description":"Sends a mail.","input_schema":{"type":"object","properties":{"to":{"type":"string"},"format":{"type":"string","enum":["text"]},"bcc":{"type":"string"}},"required":["to"]}}
EOF
  mkdir -p saved/deep
  { an_user go
    calls mail '{"to":"a","format":"html"}' '{"to":"a","format":"text"}' '{"to":"b"}' '{"to":1,"format":"html"}'
    an_blocks assistant "$(text done)"; } >saved/a.jsonl
  { cc_user go
    cc_call t1 mail '{"to":"c","format":"html"}' && cc_result t1
    cc_call t2 list && cc_result t2
    cc_text done; } >saved/deep/b.jsonl
}

calls() { # NAME ARGUMENTS...
  local name=$1 i=0 arguments
  shift
  for arguments in "$@"; do
    i=$((i + 1))
    an_blocks assistant "$(use "t$i" "$name" "$arguments")" && an_blocks user "$(result "t$i")"
  done
}

@test "each finding that breaks replay says how many saved calls of the name it breaks" {
  run --separate-stderr tscat --against old.jsonl --against-corpus saved --format text new.jsonl
  assert_failure 1
  assert_line "old.jsonl:3:1: error: 'list' (active) is gone without a trace (1 of 1 saved call of 'list') [name-dropped] (R error, S error)"
  assert_line "old.jsonl:4:1: error: 'idle' (active) is gone without a trace (0 of 0 saved calls of 'idle') [name-dropped] (R error, S error)"
  assert_line "new.jsonl:2:1: error: 'mail': parameter 'format': no longer takes \"html\" (2 of 5 saved calls of 'mail'); witness {\"to\":\"\",\"format\":\"html\"} [enum-value-removed] (R error, S error)"
  assert_line "new.jsonl:2:1: note: 'mail': parameter 'bcc': is new and optional [param-added-optional] (R note, S note)"
  assert_equal "${stderr%%;*}" 'tscat: 6 saved calls in 2 files'
}

@test "the record carries the numbers; fingerprints are those without a corpus" {
  tscat -q --exit-zero --against old.jsonl --against-corpus saved new.jsonl >with
  tscat -q --exit-zero --against old.jsonl new.jsonl >without
  assert_equal "$(grep -c '"corpus"' with)" 3
  grep -q '"name":"mail",.*"witness":{"to":"","format":"html"},"corpus":{"breaks":2,"calls":5},"source":' with
  grep -q '"name":"idle",.*"corpus":{"breaks":0,"calls":0},"source":' with
  grep -o '"fingerprint":"[0-9a-f]*"' with | bytes_equal /dev/stdin <(grep -o '"fingerprint":"[0-9a-f]*"' without)
  run grep -c corpus without
  assert_output 0
}

@test "calls by an old name count for the tool too" {
  for f in old new; do echo '{"type":"alias","name":"send","replacement":"mail","state":"hidden-compatibility","first_deprecated_version":"0.9.0"}' >>$f.jsonl; done
  { an_user go
    calls send '{"to":"x","format":"html"}' '{"to":"x"}'
    an_blocks assistant "$(text done)"; } >saved/old-name.jsonl
  run -1 --separate-stderr tscat --against old.jsonl --against-corpus saved --format text new.jsonl
  assert_output --partial "no longer takes \"html\" (3 of 7 saved calls of 'mail')"
  assert_equal "${stderr%%;*}" 'tscat: 8 saved calls in 3 files'
  sed -i '/"send"/d' new.jsonl
  run -1 --separate-stderr tscat --against old.jsonl --against-corpus saved --format text new.jsonl
  assert_output --partial "'send' (hidden-compatibility) is gone without a trace (2 of 2 saved calls of 'send')"
  assert_output --partial "(4 of 7 saved calls of 'mail')"
}

@test "thousands have a comma" {
  { an_user go
    for _ in {1..1204}; do printf '%s\n' "$(use t list)"; done |
      while IFS= read -r block; do printf '{"role":"assistant","content":[%s]}\n' "$block"; done; } >saved/many.jsonl
  run -1 --separate-stderr tscat --against old.jsonl --against-corpus saved --format text new.jsonl
  assert_output --partial "(1,205 of 1,205 saved calls of 'list')"
  assert_equal "${stderr%%;*}" 'tscat: 1,210 saved calls in 3 files'
}

@test "compatible changes break none; a waived finding stays waived" {
  run -0 --separate-stderr tscat --against old.jsonl --against-corpus saved old.jsonl
  refute_output
  printf '%s\n' '{"rule":"name-dropped","name":"list","reason":"no one lists","expires":"2.0.0"}' \
    '{"rule":"name-dropped","name":"idle","reason":"no one waits","expires":"2.0.0"}' \
    '{"rule":"enum-value-removed","name":"mail","reason":"plain is better","expires":"2.0.0"}' >waivers
  run -0 --separate-stderr tscat --against old.jsonl --against-corpus saved --waivers waivers new.jsonl
  refute_output --partial '"severity":"error"'
}

@test "a corpus that is not there, cannot be read or has no transcript is status 2" {
  run -2 --separate-stderr tscat --against old.jsonl --against-corpus nowhere new.jsonl
  assert_equal "$stderr" 'tscat: --against-corpus: nowhere: cannot open: No such file or directory'
  mkdir empty && echo '{"no":"transcript"}' >empty/x.json
  run -2 --separate-stderr tscat --against old.jsonl --against-corpus empty new.jsonl
  assert_equal "$stderr" 'tscat: --against-corpus: empty: there is not one transcript'
  printf '\x1f\x8bnot gzip' >saved/broken.jsonl.gz
  run -2 --separate-stderr tscat --against old.jsonl --against-corpus saved new.jsonl
  assert_output ''
  assert_equal "${stderr%%gz:*}" 'tscat: --against-corpus: saved/broken.jsonl.'
  run -2 tscat --against-corpus saved --lint new.jsonl
  assert_output "tscat: --against-corpus goes with --against only (try 'tscat --help')"
}
