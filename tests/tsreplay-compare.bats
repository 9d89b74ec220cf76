#!/usr/bin/env bats
# tsreplay --compare: recorded results against others, pair by pair.

load helper
bats_require_minimum_version 1.5.0

setup() { cd "$BATS_TEST_TMPDIR"; }

result() { # SESSION ID CONTENT(raw) [MORE]
  printf '{"type":"result","session":"%s","id":"%s","name":"t","is_error":false,"content":%s%s}\n' "$1" "$2" "$3" "${4:-}"
}

compare() { run --separate-stderr tsreplay --compare results "$@" recorded; }

@test "the same results, whatever stands around them" {
  { result s a '"x"'; result s b '[1, {"k": 2}]'; } >recorded
  { result s b '[1,{"k":2}]' ',"metadata":{"notice":"deprecated: use u instead"}'; result s a '"\u0078"' ',"seconds":1'
    echo '{"type":"route","id":"a","name":"t"}'; echo; } >results
  compare
  assert_success
  refute_output
  assert_equal "$stderr" "tsreplay: results: 2 same, 0 different, 0 missing, 0 extra"
  run tsreplay -q --compare results recorded
  assert_success
  refute_output
}

@test "a difference: where it is, what stands there on both sides, and the place of the recorded one" {
  { result s a '{"x":[1,2],"y":0}'; result s b '"same"'; } >recorded
  { result s a '{"x":[1,3],"y":1}'; result s b '"same"'; } >results
  compare
  assert_failure 1
  assert_output '{"type":"comparison","session":"s","id":"a","name":"t","outcome":"differs","pointer":"/content/x/1","old":2,"new":3,"source":{"file":"recorded","line":1,"format":"neutral"}}'
  assert_equal "$stderr" "tsreplay: results: 1 same, 1 different, 0 missing, 0 extra"
  compare --exit-zero
  assert_success
}

@test "an error is not the same as a success with its text" {
  echo '{"type":"result","id":"a","is_error":true,"content":"x"}' >recorded
  echo '{"type":"result","id":"a","name":"t","content":"x"}' >results
  compare
  assert_failure 1
  assert_output '{"type":"comparison","id":"a","name":"t","outcome":"differs","pointer":"/is_error","old":true,"new":false,"source":{"file":"recorded","line":1,"format":"neutral"}}'
  compare --ignore /is_error
  assert_success
}

@test "missing, then extra, each in its order" {
  { result s a 1; result s b 1; result t a 1; result s c 1; } >recorded
  { result s d 1; result s b 1; result s e 1; } >results
  compare
  assert_failure 1
  assert_output - <<'END'
{"type":"comparison","session":"s","id":"a","name":"t","outcome":"missing","source":{"file":"recorded","line":1,"format":"neutral"}}
{"type":"comparison","session":"t","id":"a","name":"t","outcome":"missing","source":{"file":"recorded","line":3,"format":"neutral"}}
{"type":"comparison","session":"s","id":"c","name":"t","outcome":"missing","source":{"file":"recorded","line":4,"format":"neutral"}}
{"type":"comparison","session":"s","id":"d","name":"t","outcome":"extra","source":{"file":"results","line":1}}
{"type":"comparison","session":"s","id":"e","name":"t","outcome":"extra","source":{"file":"results","line":3}}
END
  assert_equal "$stderr" "tsreplay: results: 1 same, 0 different, 3 missing, 2 extra"
  : >results
  compare
  assert_failure 1
  assert_equal "${#lines[@]}" 4
}

@test "results of one key are pairs by their order; keys with a NUL or without an id are keys" {
  { result s a 1; result s a 2; result s '' 3; result s 'a\u0000' 4; result s '' 5; } >recorded
  { result s '' 3; result s '' 5; result s 'a\u0000' 4; result s a 1; result s a 2; } >results
  compare
  assert_success
  { result s '' 5; result s '' 3; result s 'a\u0000' 4; result s a 2; result s a 1; } >results
  compare
  assert_failure 1
  assert_equal "${stderr_lines[1]}" "tsreplay: results: 1 same, 4 different, 0 missing, 0 extra"
  result s 7 1 >recorded
  echo '{"type":"result","session":"s","id":7,"content":1}' >results
  compare
  assert_success
}

@test "--ignore: volatile members, also in the JSON that a string holds" {
  result s a '{"at":1,"n":[{"id":1,"v":1}]}' >recorded
  result s a '{"at":2,"n":[{"id":2,"v":1}],"extra":0}' >results
  compare --ignore /content/at --ignore /content/n/0/id --ignore /content/extra
  assert_success
  compare --ignore /content/at --ignore /content/n/0/id
  assert_failure 1
  assert_output --partial '"pointer":"/content/extra","new":0,'
  result s a '"{\"at\":1,\"ok\":true}"' >recorded
  result s a '"{\"at\": 2,\"ok\":true}"' >results
  compare
  assert_failure 1
  assert_output --partial '"pointer":"/content","old":"{\"at\":1,\"ok\":true}","new":"{\"at\": 2,\"ok\":true}",'
  compare --ignore /content/at --ignore /metadata
  assert_success
}

@test "of long values what is of interest is shown" {
  result s a "\"$(printf '%2000s' '' | tr ' ' a)ä$(printf '%2000s' '' | tr ' ' b)\"" >recorded
  result s a "\"$(printf '%2000s' '' | tr ' ' a)ö$(printf '%2000s' '' | tr ' ' b)\"" >results
  compare
  assert_failure 1
  b510=$(printf '%510s' '' | tr ' ' b)
  assert_output "{\"type\":\"comparison\",\"session\":\"s\",\"id\":\"a\",\"name\":\"t\",\"outcome\":\"differs\",\"pointer\":\"/content\",\"old\":\"ä$b510\",\"new\":\"ö$b510\",\"cut_from\":2000,\"source\":{\"file\":\"recorded\",\"line\":1,\"format\":\"neutral\"}}"
  result s a "[$(printf '%1000s' '' | sed 's/ /1,/g')1]" >recorded
  compare
  assert_failure 1
  assert_output --partial '"pointer":"/content","old":"[1,1,'
}

@test "what tsdispatch makes of recorded calls is what was recorded" {
  printf '%s\n' '{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"go"}}' \
    '{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"say","input":{"a":1}},{"type":"tool_use","id":"t2","name":"fail","input":{"b":2}}]}}' \
    '{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"{\"a\":1}"}]},{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"handler '\''false'\'' exited with status 1"}]}}' >recorded
  printf '{"name":"%s","description":"d"}\n' say fail >tools.jsonl
  tsreplay -q --calls recorded | tsdispatch -q -c tools.jsonl --handler cat --handler fail=false >results || true
  compare
  assert_success
  assert_equal "$stderr" "tsreplay: results: 2 same, 0 different, 0 missing, 0 extra"
}

@test "the same for any number of threads, and any shift between the sides" {
  local i
  mkdir many
  for i in 1 2 3 4 5 6; do seq 200 | sed "s/.*/{\"type\":\"result\",\"session\":\"$i\",\"id\":\"&\",\"content\":&}/" >many/$i.jsonl; done
  cat many/*.jsonl | sort -r | grep -v '"id":"17"' | sed 's/"content":99}/"content":98}/' >results
  run tsreplay -q --compare results many
  assert_failure 1
  assert_equal "${#lines[@]}" 12
  local one=$output
  run tsreplay -q -j 4 --compare results many
  assert_equal "$output" "$one"
}

@test "results that cannot be read" {
  result s a 1 >recorded
  compare
  assert_failure 2
  refute_output
  assert_equal "$stderr" "tsreplay: results: cannot open: No such file or directory"
  { echo '{"type":'; result s a 1; } >results
  compare
  assert_failure 2
  assert_equal "$stderr" "tsreplay: results:1:9: not JSON: text ends inside an object"
}

@test "usage" {
  local args
  result s a 1 >recorded
  while read -r args; do
    # shellcheck disable=SC2086
    run tsreplay $args </dev/null
    assert_failure 2
    assert_output --partial "tsreplay: "
  done <<'END'
--compare
--compare recorded --calls recorded
--compare recorded --ignore content recorded
--compare recorded --format sarif recorded
--compare recorded --only-name t recorded
--compare - -
--ignore /content recorded
END
  [ -c /dev/full ] || return 0
  : >results
  run bash -c 'tsreplay --compare results recorded >/dev/full'
  assert_failure 2
}
