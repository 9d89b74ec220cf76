#!/usr/bin/env bats
# tscat: the first-turn block, tool search, golden files and measures, and what the lifecycle promises of them.

load helper
bats_require_minimum_version 1.5.0

setup() {
  data=$tests_dir/data/tscat
  unset CI
  cd "$BATS_TEST_TMPDIR"
}

block() { tscat --first-turn "$@"; }

# Names of the tools in a block, in order (a parameter called name is followed by an object).
names_in() { grep -o '"name":"[^"]*"' | cut -d '"' -f 4 | paste -sd ' ' -; }
# A string or number member of records, one a line.
member() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
# What may be done with File.
file_actions() { grep -o '"enum":\["read"[^]]*\]'; }

# --- the block ---------------------------------------------------------------------------------------------

@test "the block of each API, to the byte" {
  cat >two.jsonl <<'IN'
{"type":"tool","name":"b","state":"active","implementation":"B","niche":"n","description":"\u0042.","input_schema":{"z": 1.0, "a": [12345678901234567890]}}
{"type":"alias","name":"c","replacement":"b","state":"deprecated","note":"n"}
{"type":"tool","name":"a","annotations":{"readOnlyHint":true}}
IN
  block two.jsonl >out
  holds out <<'OUT'
[{"name":"a"},{"name":"b","description":"\u0042.","input_schema":{"z":1.0,"a":[12345678901234567890]}}]
OUT
  block --api openai two.jsonl >out
  holds out <<'OUT'
[{"type":"function","function":{"name":"a"}},{"type":"function","function":{"name":"b","description":"\u0042.","parameters":{"z":1.0,"a":[12345678901234567890]}}}]
OUT
  block --api responses two.jsonl >out
  holds out <<'OUT'
[{"type":"function","name":"a"},{"type":"function","name":"b","description":"\u0042.","parameters":{"z":1.0,"a":[12345678901234567890]}}]
OUT
  block --api gemini two.jsonl >out
  holds out <<'OUT'
[{"functionDeclarations":[{"name":"a"},{"name":"b","description":"\u0042.","parameters":{"z":1.0,"a":[12345678901234567890]}}]}]
OUT
  block --api mcp two.jsonl >out
  holds out <<'OUT'
[{"name":"a","annotations":{"readOnlyHint":true}},{"name":"b","description":"\u0042.","inputSchema":{"z":1.0,"a":[12345678901234567890]}}]
OUT
  block --api anthropic two.jsonl | bytes_equal /dev/stdin <(block two.jsonl)
}

@test "native tools come first, then active MCP tools, then synthetic ones" {
  assert_equal "$(block "$data/harbour.jsonl" | names_in)" 'crane moor radio find_tool'
  assert_equal "$(block --mode yolo "$data/harbour.jsonl" | names_in)" 'crane moor radio weather find_tool'
  assert_equal "$(block --profile crane_only "$data/harbour.jsonl" | names_in)" 'crane find_tool'
  assert_equal "$(block --profile quiet "$data/harbour.jsonl" | names_in)" 'crane moor find_tool'
}

@test "actions that a mode or feature takes away leave the enum, and nothing else changes" {
  block "$data/harbour.jsonl" >whole
  block --mode plan "$data/harbour.jsonl" >plan
  sed 's/"lift","lower","swing"/"lower","swing"/' whole >want
  bytes_equal plan want
  block --mode plan --feature radio "$data/harbour.jsonl" >bare
  sed 's/"lift","lower","swing"/"lower"/' whole >want
  bytes_equal bare want
}

@test "the order of records, the run and the locale change no byte" {
  local i digest
  tail -n +2 "$data/harbour.want" >records
  digest=$(block records | sha256sum)
  for ((i = 0; i < 25; i++)); do
    shuf --random-source=<(yes "$i") records | block - | sha256sum
  done | sort -u >digests
  assert_equal "$(cat digests)" "$digest"
  for i in C C.UTF-8 en_US.UTF-8 tr_TR.UTF-8 de_DE.ISO-8859-1 nonsense; do
    assert_equal "$(LC_ALL=$i tscat --first-turn records | sha256sum)" "$digest"
  done
}

@test "deferred, hidden and removed records change no byte" {
  printf '%s\n' '{"type":"tool","name":"a-dash"}' '{"type":"tool","name":"A_upper"}' '{"type":"tool","name":"a_under"}' \
    '{"type":"tool","name":"alpha"}' >few.jsonl
  cat few.jsonl - >more.jsonl <<'IN'
{"type":"tool","name":"aaa","state":"deferred"}
{"type":"alias","name":"Alpha","replacement":"alpha","state":"hidden-compatibility"}
{"type":"alias","name":"beta","replacement":"alpha","state":"deprecated"}
{"type":"alias","name":"gone","state":"removed"}
IN
  block few.jsonl >few
  block more.jsonl >more
  bytes_equal more few
  holds few <<<'[{"name":"A_upper"},{"name":"a-dash"},{"name":"a_under"},{"name":"alpha"}]'
}

@test "doubled names stand in the order of their bytes" {
  printf '%s\n' '{"type":"tool","name":"a","description":"2"}' '{"type":"tool","name":"a","description":"1"}' >one.jsonl
  tac one.jsonl >two.jsonl
  block one.jsonl >one
  block two.jsonl | bytes_equal /dev/stdin one
  holds one <<<'[{"name":"a","description":"1"},{"name":"a","description":"2"}]'
}

@test "an MCP answer that goes through comes out as it was sent" {
  local shared f
  shared=$(shared) || return 0
  command -v python3 >/dev/null || return 0
  for f in "$shared"/mcp-catalogs/*/*; do
    block --api mcp "$f" >>blocks && cat "$f" >>answers
  done
  python3 - <<'PY'
import json
def tools(value):
    return sorted(json.dumps(t, sort_keys=True) for t in value)
answers, blocks = ([json.loads(line) for line in open(name)] for name in ("answers", "blocks"))
assert len(answers) == len(blocks) > 100
for answer, block in zip(answers, blocks):
    assert tools(answer["result"]["tools"]) == tools(block)
PY
}

# --- what the lifecycle policy promises --------------------------------------------------------------------

profiles() { tscat "$1" | sed -n 's/^{"type":"profile","name":"\([^"]*\)".*/\1/p'; }

# Every block of a catalog: all modes, profiles and APIs.
every_block() { # SOURCE
  local api mode profile
  for api in anthropic openai responses gemini mcp; do
    for mode in plan agent yolo; do
      for profile in '' $(profiles "$1"); do
        tscat --first-turn --api "$api" --mode "$mode" ${profile:+--profile "$profile"} "$1" || return
      done
    done
  done
}

@test "policy: no two active tools share an implementation, in no profile" {
  local source profile
  for source in builtin:policy builtin:codewhale "$data/crew.jsonl"; do
    for profile in '' $(profiles "$source"); do
      tscat --state active ${profile:+--profile "$profile"} "$source" | sed -n 's/.*"implementation":"\([^"]*\)".*/\1/p' | sort | uniq -d >twice
      [ ! -s twice ]
    done
  done
}

@test "policy: retired names are in no block and in no search, and the hidden and deprecated still dispatch" {
  local source name
  for source in builtin:policy builtin:codewhale "$data/crew.jsonl"; do
    every_block "$source" >blocks
    tscat --search . --match regex --limit 1000 --names "$source" >found
    tscat --state hidden-compatibility,deprecated,removed --names "$source" >retired
    [ -s retired ] && [ -s blocks ] && [ -s found ]
    while read -r name; do
      run -1 grep -F "\"name\":\"$name\"" blocks
      run -1 grep -Fx -- "$name" found
    done <retired
    while read -r name; do
      run -0 tscat --resolve "$name" "$source"
    done < <(tscat --state hidden-compatibility,deprecated --names "$source")
    while read -r name; do
      run -1 tscat --resolve "$name" "$source"
    done < <(tscat --state removed --names "$source")
  done
}

@test "policy: no notice and no word of the lifecycle in any emitted byte" {
  local source
  for source in builtin:policy builtin:codewhale "$data/crew.jsonl"; do
    every_block "$source" >blocks
    run -1 grep -Ei 'deprecat|removed|hidden-compat|replacement|planned_removal|not_before|replay_supported|"state"|"note":"Renamed' blocks
  done
}

@test "policy: the golden block holds across plan, agent and yolo, and run to run" {
  local mode i
  for mode in plan agent yolo; do
    for i in 1 2 3; do block --mode "$mode" builtin:policy | sha256sum; done
  done | sort -u >digests
  assert_equal "$(wc -l <digests)" 1
  # In the other catalog File declares actions of its own per mode; without these the native part is the same.
  for mode in plan agent yolo; do
    block --mode "$mode" builtin:codewhale | sed 's/,"write","edit","patch"\]/]/' | sha256sum
  done | sort -u >digests
  assert_equal "$(wc -l <digests)" 1
}

@test "policy: one launcher of an exclusive family is shown" {
  local source
  for source in builtin:policy builtin:codewhale "$data/crew.jsonl"; do
    assert_equal "$(tscat --state active,deferred "$source" | grep -c '"exclusive":true')" 1
  done
}

@test "policy: a leaf worker sees no launcher, by no name, and cannot find one" {
  local name
  block --profile leaf "$data/crew.jsonl" >block
  holds block <<<'[{"name":"deck_log","description":"Writes the log.","input_schema":{"type":"object"}}]'
  run -0 tscat --search worker --profile leaf "$data/crew.jsonl"
  assert_output ''
  for name in agent agent_spawn agent_wait agent_result; do
    run -1 grep -F "\"$name\"" <(block --profile leaf-worker builtin:policy)
  done
  run -0 tscat --measure --table builtin:policy
  assert_line --regexp '^agent  leaf-worker +11 '
}

@test "policy: the small profile keeps its tools, and the synthetic one" {
  assert_equal "$(block --profile arcee builtin:policy | names_in)" 'file_search grep_files project_map tool_search'
}

@test "policy: the catalog as shipped shows nine names" {
  assert_equal "$(block builtin:codewhale | names_in)" 'Bash File Git Run agent remember tasks todo_write tool_search'
  assert_equal "$(block --feature apply_patch builtin:codewhale | names_in)" 'Bash File Git Run agent tasks todo_write tool_search'
  assert_equal "$(block --mode plan builtin:codewhale | file_actions)" '"enum":["read","list","search_name","search_content"]'
  assert_equal "$(block --feature network builtin:codewhale | file_actions)" '"enum":["read","list","search_name","search_content","write","edit"]'
}

# --- search ------------------------------------------------------------------------------------------------

@test "search ranks by words, the name counting most" {
  run -0 tscat --names --search 'ship moor' "$data/harbour.jsonl"
  assert_output $'Moor_all\npilot'
  run -0 tscat --names --search 'ship moor' --limit 1 "$data/harbour.jsonl"
  assert_output 'Moor_all'
  run -0 tscat --search wind "$data/harbour.jsonl"
  assert_output '{"type":"tool","name":"weather","state":"deferred","origin":"mcp","server":"sky","description":"Says how the wind blows.","input_schema":{"type":"object"}}'
  run -0 tscat --search wind --mode yolo "$data/harbour.jsonl"
  assert_output ''
  run -0 tscat --search nowhere "$data/harbour.jsonl"
  assert_output ''
}

@test "search takes a regular expression" {
  run -0 tscat --names --match regex --search '^(moor|weather)' "$data/harbour.jsonl"
  assert_output $'Moor_all\nweather'
  run -2 tscat --match regex --search '(' "$data/harbour.jsonl"
  assert_output --regexp '^tscat: '
}

@test "an expression that would never end is refused" {
  awk 'BEGIN { printf "{\"type\":\"tool\",\"name\":\"a\",\"state\":\"deferred\",\"description\":\""; for (i = 0; i < 5000; i++) printf "a"; print "b\"}" }' >long.jsonl
  run -2 timeout 20 tscat --match regex --search '(a+)+$' long.jsonl
  assert_output "tscat: tool 'a': the expression takes too long to match"
}

# --- golden files ------------------------------------------------------------------------------------------

@test "a golden file holds every block verbatim, and compares" {
  run -0 tscat --golden golden.jsonl --update "$data/harbour.jsonl"
  assert_output 'tscat: golden.jsonl: 9 blocks written'
  block --mode plan --profile quiet "$data/harbour.jsonl" >block
  sed -n 6p golden.jsonl | bytes_equal /dev/stdin block
  assert_equal "$(sed -n 5p golden.jsonl | member sha256)" "$(tr -d '\n' <block | sha256sum | cut -d ' ' -f 1)"
  run -0 sed -n 5p golden.jsonl
  assert_output --partial "{\"type\":\"golden\",\"api\":\"anthropic\",\"mode\":\"plan\",\"profile\":\"quiet\",\"active\":3,\"bytes\":$(($(wc -c <block) - 1)),\"sha256\":\""
  run -0 tscat --golden golden.jsonl "$data/harbour.want"
  assert_output 'tscat: golden.jsonl: 0 of 9 blocks differ'
  run -0 tscat -q --golden golden.jsonl "$data/harbour.jsonl"
  assert_output ''
}

@test "a difference names the first tool, its byte and the bytes behind it" {
  tscat -q --golden golden.jsonl --update "$data/harbour.jsonl"
  sed 's/Moors a ship at a berth/Moors a ship at the quay/' "$data/harbour.want" >changed.jsonl
  run -1 --separate-stderr tscat --golden golden.jsonl changed.jsonl
  assert_equal "${#lines[@]}" 6 # crane_only shows no moor
  assert_equal "$(member rule <<<"${lines[0]}")" golden-stale
  assert_equal "$(member name <<<"${lines[0]}")" moor
  assert_equal "$(member line <<<"${lines[0]}")" 2
  local at whole
  block --mode plan "$data/harbour.jsonl" >old
  block --mode plan changed.jsonl >new
  at=$(cmp -l old new | awk 'NR == 1 { print $1 - 1 }')
  whole=$(($(wc -c <new) - 1))
  assert_line -n 0 --partial "\"message\":\"mode plan: the first-turn block differs first in tool 'moor' at byte $at; $((whole - at)) of $whole bytes lie behind it\""
  assert_equal "$stderr" 'tscat: golden.jsonl: 6 of 9 blocks differ'
}

@test "what a golden file is not" {
  run -2 tscat --golden nowhere.jsonl builtin:policy
  assert_output --regexp '^tscat: nowhere.jsonl: .*No such file or directory$'
  echo '{"type":"tool","name":"a"}' >other.jsonl
  run -2 tscat --golden other.jsonl builtin:policy
  assert_output 'tscat: other.jsonl:1: not a golden file: a record of type golden was to stand here'
  tscat -q --golden golden.jsonl --update builtin:policy
  run -2 tscat --golden golden.jsonl --api openai builtin:policy
  assert_output 'tscat: golden.jsonl:1: this golden file is for api anthropic, not openai'
  sed -i '2s/shell/shill/' golden.jsonl
  run -2 tscat --golden golden.jsonl builtin:policy
  assert_output "tscat: golden.jsonl:2: not a golden file: the block's bytes do not have the SHA-256 before them"
  : >empty.jsonl
  run -2 tscat --golden empty.jsonl builtin:policy
  assert_output 'tscat: empty.jsonl:0: not a golden file: it is empty'
}

@test "a golden file is not updated where CI is set, nor from half a list, nor from nothing" {
  run -2 env CI=true tscat --golden golden.jsonl --update builtin:policy
  assert_output --regexp "^tscat: --update is refused where .CI is set"
  run -0 env CI= tscat -q --golden other.jsonl --update builtin:policy
  run -2 tscat --golden golden.jsonl --update "$data/page1.json"
  assert_line --partial 'an incomplete list of tools can be no golden catalog'
  run -2 tscat --golden golden.jsonl --update /dev/null
  assert_output 'tscat: golden.jsonl: not written: the catalog has no tools'
  [ ! -e golden.jsonl ]
  tscat -q --golden golden.jsonl --update "$data/page1.json" "$data/page2.json"
  run -2 tscat --golden golden.jsonl "$data/page1.json"
  assert_line --partial 'an incomplete list of tools can be no golden catalog'
  run -2 tscat --golden no/such/folder --update builtin:policy
  assert_output 'tscat: no/such/folder: cannot replace: No such file or directory'
  run -2 tscat --golden /dev/full --update builtin:policy
  assert_output 'tscat: /dev/full: cannot write: No space left on device'
}

# --- measures ----------------------------------------------------------------------------------------------

@test "a measure counts tools, bytes and tokens, and has the digest of the block" {
  local bytes sha
  bytes=$(($(block "$data/crew.jsonl" | wc -c) - 1))
  sha=$(block "$data/crew.jsonl" | tr -d '\n' | sha256sum | cut -d ' ' -f 1)
  run -0 tscat --measure "$data/crew.jsonl"
  assert_line -n 2 "{\"type\":\"measure\",\"mode\":\"agent\",\"active\":2,\"bytes\":$bytes,\"tokens\":$(((bytes + 3) / 4)),\"sha256\":\"$sha\"}"
  assert_equal "${#lines[@]}" 6
  assert_equal "$(cut -d , -f 2,3 <<<"$output" | paste -sd ' ' -)" '"mode":"plan","active":2 "mode":"plan","profile":"leaf" "mode":"agent","active":2 "mode":"agent","profile":"leaf" "mode":"yolo","active":2 "mode":"yolo","profile":"leaf"'
}

@test "a measure against another catalog has both sides" {
  run -0 tscat --measure --against "$data/page2.json" "$data/crew.jsonl"
  assert_line -n 0 --regexp '^\{"type":"measure","mode":"plan","before":\{"active":1,.*\},"after":\{"active":2,.*\}\}$'
  assert_line -n 1 --regexp '^\{"type":"measure","mode":"plan","profile":"leaf","after":\{"active":1,[^{]*\}\}$'
  tscat --measure --table --against "$data/page2.json" "$data/crew.jsonl" | sed 's/  *[0-9a-f-]*\( -> [0-9a-f-]*\)*$//' >out
  holds out <<'OUT'
MODE   PROFILE  ACTIVE      BYTES    TOKENS  SHA-256
plan   -        1 -> 2  53 -> 230  14 -> 58
plan   leaf     - -> 1    - -> 86   - -> 22
agent  -        1 -> 2  53 -> 230  14 -> 58
agent  leaf     - -> 1    - -> 86   - -> 22
yolo   -        1 -> 2  53 -> 230  14 -> 58
yolo   leaf     - -> 1    - -> 86   - -> 22
OUT
  run -2 tscat --measure --against nowhere.jsonl "$data/crew.jsonl"
  assert_output --regexp "^tscat: '?nowhere.jsonl'?"
}
