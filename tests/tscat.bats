#!/usr/bin/env bats
# tscat: reading catalogs of every shape, the normalised print, names, tables, routes, and what can go wrong.

load helper
bats_require_minimum_version 1.5.0

setup() {
  data=$tests_dir/data/tscat
  cd "$BATS_TEST_TMPDIR"
}

# Names of the catalogs among the tests' own that load by themselves.
catalogs() {
  local f
  for f in "$data"/*.json "$data"/*.jsonl; do
    [ "${f##*/}" = overlay.jsonl ] || printf '%s\n' "$f"
  done
}

# tscat FILE | tscat - | tscat -c /dev/stdin: three times the same bytes.
is_identity() { # FILE
  tscat "$1" >once 2>/dev/null || [ $? -eq 1 ]
  tscat - <once >twice && bytes_equal twice once
  tscat -c once >thrice && bytes_equal thrice once
  [ -s once ]
}

# --- the normalised print ----------------------------------------------------------------------------------

@test "a catalog with a BOM, CRLF, blank lines and unknown members is normalised" {
  tscat "$data/harbour.jsonl" >out
  bytes_equal out "$data/harbour.want"
}

@test "the print read again is what it was, for every shape" {
  local f n=0
  while read -r f; do
    is_identity "$f" || { echo "$f" && return 1; }
    n=$((n + 1))
  done < <(catalogs)
  [ "$n" -ge 14 ]
}

@test "no byte of a schema changes on the way, whatever the shape" {
  local schema f n=0
  schema=$(sed -n 's/.*"name":"moor",.*"input_schema":\(.*\),"zone".*/\1/p' "$data/harbour.want")
  [ "${#schema}" -gt 150 ]
  for f in harbour.jsonl mcp.json page1.json anthropic.json chat.json chat.jsonl responses.json gemini.json request.json \
    untyped.jsonl; do
    tscat "$data/$f" 2>/dev/null >out || [ $? -eq 1 ]
    grep -qF -- "\"input_schema\":$schema" out || { echo "$f" && return 1; }
    n=$((n + 1))
  done
  [ "$n" -eq 10 ]
}

@test "an MCP list keeps what tscatalog(5) does not know" {
  run -0 tscat "$data/mcp.json"
  assert_line -n 1 '{"type":"tool","name":"pilot","state":"active","title":"Pilot","description":"Sends a pilot.","input_schema":{"type":"object","properties":{}},"output_schema":{"type":"object"},"annotations":{"readOnlyHint":false},"_meta":{"rank":1.0}}'
}

@test "a tool of the provider's own keeps its type apart" {
  run -0 tscat "$data/anthropic.json"
  assert_line -n 1 '{"type":"tool","name":"web_search","state":"active","max_uses":5,"served":{"type":"web_search_20250305"}}'
}

@test "lines without a type are tools or, by their state, aliases" {
  run -0 tscat "$data/untyped.jsonl"
  assert_line -n 0 '{"type":"alias","name":"dock","replacement":"moor","state":"hidden-compatibility","first_deprecated_version":null,"registered":true}'
  assert_line -n 2 '{"type":"tool","name":"pilot","state":"deferred"}'
}

@test "a served list and an overlay for it are one catalog" {
  tscat -c "$data/mcp.json" -c "$data/overlay.jsonl" --table >out
  holds out <<'OUT'
NAME   STATE       ORIGIN  SINCE  REPLACEMENT
moor   active      native  -      -
pilot  deferred    native  -      -
tow    deprecated  native  0.9.0  pilot
OUT
  tscat -c "$data/overlay.jsonl" "$data/mcp.json" >out
  tscat <(cat "$data/mcp.json" "$data/overlay.jsonl") >both
  bytes_equal both out
}

@test "records in any order make the same print" {
  local i
  tail -n +2 "$data/harbour.want" >records
  for i in 1 2 3 4 5 6 7 8; do
    shuf --random-source=<(yes "$i") records | tscat - | bytes_equal /dev/stdin records
  done
}

@test "embedded catalogs are already in normal form" {
  local name
  for name in codewhale policy; do
    tscat "builtin:$name" >out
    bytes_equal out "$tests_dir/../lib/catalog/$name.jsonl"
  done
}

@test "an empty source is an empty catalog" {
  run -0 tscat /dev/null
  assert_output ''
  run -0 tscat <<<'{"tools":[]}'
  assert_output ''
  run -0 tscat --first-turn /dev/null
  assert_output '[]'
}

# --- pages of a list ---------------------------------------------------------------------------------------

@test "the first page alone is not taken for the whole list" {
  run -1 --separate-stderr tscat --names "$data/page1.json"
  assert_output $'moor\npilot'
  assert_equal "$stderr" "tscat: $data/page1.json:1:43: pages-incomplete: the list is incomplete: nextCursor \"berth-2\" is present and no page follows"
}

@test "two pages are one catalog, as two sources or one stream" {
  run -0 tscat --names "$data/page1.json" "$data/page2.json"
  assert_output $'moor\npilot\nweather'
  run -0 bash -c 'set -o pipefail; cat "$1/page1.json" "$1/page2.json" | tscat --names' - "$data"
  assert_output $'moor\npilot\nweather'
}

@test "a server that repeats its page is counted once" {
  run -1 --separate-stderr tscat --names "$data/stuck.jsonl"
  assert_output $'moor\npilot'
  assert_equal "${stderr_lines[0]}" "tscat: $data/stuck.jsonl:2:43: page-repeated: page 2 of the list is page 1 again ($data/stuck.jsonl:1) and is dropped"
  assert_equal "${#stderr_lines[@]}" 3
}

@test "a tool on two pages is there twice" {
  run -0 tscat --names "$data/overlap.jsonl"
  assert_output $'moor\npilot\npilot\nweather'
}

@test "a doubled key in a served schema is said, and its bytes stay" {
  run -0 --separate-stderr tscat - <<<'{"tools":[{"name":"a","inputSchema":{"x":1,"x":2}}]}'
  assert_output '{"type":"tool","name":"a","state":"active","input_schema":{"x":1,"x":2}}'
  assert_equal "$stderr" 'tscat: -:1:44: duplicate-key: a key stands twice in a value that is passed on; the last one counts'
}

# --- names, tables, selections -----------------------------------------------------------------------------

@test "names and tables show hostile names harmlessly" {
  tscat --names "$data/hostile.jsonl" >out
  holds out <<'OUT'

\x1b[31mred\x07
half\xed\xa0\x80
nul\x00nul
two\x0alines
\u{202e}evil
時間
OUT
  tscat --table "$data/hostile.jsonl" | head -n 3 >out
  holds out <<'OUT'
NAME              STATE   ORIGIN  SINCE  REPLACEMENT
                  active  native  -      -
\x1b[31mred\x07   active  native  -      -
OUT
  # Two columns a character: the state begins in the same column of the screen.
  run -0 tail -n 1 <(tscat --table "$data/hostile.jsonl")
  assert_output '時間              active  native  -      -'
}

@test "a table of everything" {
  tscat --table "$data/harbour.jsonl" >out
  holds out <<'OUT'
NAME       STATE                 ORIGIN     SINCE  REPLACEMENT
Moor_all   deferred              native     -      -
anchor     removed               native     0.7.0  crane lower
crane      active                native     -      -
dock       hidden-compatibility  native     0.8.0  moor
find_tool  active                synthetic  -      -
moor       active                native     -      -
pilot      deferred              native     -      -
radio      active                native     -      -
tie_up     deprecated            native     0.9.0  moor
weather    deferred              mcp        -      -
OUT
}

names() { # wanted names, then arguments
  local wanted=$1
  shift
  run -0 tscat --names "$@" "$data/harbour.jsonl"
  assert_equal "$(printf '%s' "$output" | tr '\n' ' ')" "$wanted"
}

@test "states and origins select" {
  names 'crane find_tool moor radio' --state active
  names 'anchor dock tie_up' --state hidden-compatibility,removed,deprecated
  names 'anchor crane find_tool moor radio' --state active --state removed
  names 'find_tool weather' --origin synthetic,mcp
  names 'weather' --origin mcp --state deferred
  names '' --origin mcp --state active
  run -0 tscat --state removed "$data/harbour.jsonl"
  assert_output '{"type":"alias","name":"anchor","replacement":"crane","action":"lower","state":"removed","first_deprecated_version":"0.7.0","planned_removal_version":"0.9.0","replay_supported":false}'
}

@test "a state is that of the mode, and a profile and the features take names out" {
  names 'crane find_tool moor radio weather' --state active --mode yolo
  names 'Moor_all pilot' --state deferred --mode yolo
  names 'crane find_tool' --state active --profile crane_only
  names 'Moor_all anchor crane dock find_tool moor pilot tie_up weather' --profile quiet
  names 'Moor_all anchor crane dock find_tool moor pilot tie_up weather' --feature long_arm
  names 'Moor_all anchor crane dock find_tool moor pilot radio tie_up weather' --feature long_arm --feature radio
}

@test "an unknown mode or profile is refused" {
  run -2 tscat --mode night "$data/harbour.jsonl"
  assert_output "tscat: no mode 'night': there are plan, agent, yolo"
  run -2 tscat --profile none "$data/harbour.jsonl"
  assert_output "tscat: no profile 'none': there are crane_only, quiet"
  run -2 tscat --resolve moor --profile none "$data/harbour.jsonl"
  assert_output "tscat: no profile 'none': there are crane_only, quiet"
}

# --- routes ------------------------------------------------------------------------------------------------

@test "names are resolved, one route each, in the order given" {
  run -1 tscat --resolve tie_up --resolve anchor --resolve=moor --resolve crnae --resolve dock "$data/harbour.jsonl"
  assert_line -n 0 '{"type":"route","name":"tie_up","canonical":"moor","state":"deprecated","dispatches":true}'
  assert_line -n 1 "{\"type\":\"route\",\"name\":\"anchor\",\"canonical\":\"crane\",\"state\":\"removed\",\"dispatches\":false,\"message\":\"tool 'anchor' is removed (deprecated since 0.7.0, its removal was planned for 0.9.0): use 'crane' with action 'lower' instead\"}"
  assert_line -n 2 '{"type":"route","name":"moor","canonical":"moor","state":"active","dispatches":true}'
  assert_line -n 3 "{\"type\":\"route\",\"name\":\"crnae\",\"state\":\"unknown\",\"dispatches\":false,\"suggestions\":[\"crane\"],\"message\":\"unknown tool 'crnae': did you mean 'crane'?\"}"
  assert_line -n 4 '{"type":"route","name":"dock","canonical":"moor","state":"hidden-compatibility","dispatches":true}'
  assert_equal "${#lines[@]}" 5
}

@test "when all dispatch the status is 0" {
  run -0 tscat --resolve dock --resolve pilot "$data/harbour.jsonl"
}

@test "a hidden or removed name is never suggested" {
  run -1 tscat --resolve doc --resolve anchr "$data/harbour.jsonl"
  refute_output --partial suggestions
}

@test "a name that looks like an entry of the list is told of the list" {
  run -1 tscat -c builtin:policy --resolve checklist_item
  assert_output "{\"type\":\"route\",\"name\":\"checklist_item\",\"state\":\"unknown\",\"dispatches\":false,\"message\":\"unknown tool 'checklist_item': an entry of the to-do list is no tool; write the whole list with 'todo_write'\"}"
}

# --- where catalogs come from ------------------------------------------------------------------------------

@test "standard input is read without a source, and named by a dash" {
  tscat <"$data/harbour.jsonl" >out
  bytes_equal out "$data/harbour.want"
  tscat -c - <"$data/harbour.jsonl" >out
  bytes_equal out "$data/harbour.want"
  run -0 tscat -c "$data/harbour.jsonl" --names <"$data/mcp.json"
  assert_line -n 0 Moor_all
}

@test "on a terminal the default catalog is read, or there is none" {
  run script -qec 'tscat --names; echo status $?' /dev/null
  assert_output --partial 'no catalog: give a SOURCE'
  assert_output --partial 'status 2'
  cp "$data/page2.json" tscatalog.jsonl
  run script -qec 'tscat --names; echo status $?' /dev/null
  assert_output $'weather\r\nstatus 0\r'
}

@test "sources that cannot be read are named" {
  run -2 tscat nowhere.jsonl
  assert_output --regexp '^tscat: nowhere.jsonl: .*: No such file or directory$'
  run -2 tscat "$data"
  assert_output --regexp "^tscat: $data: .*[Ii]s a directory$"
  run -2 tscat -c builtin:nothing
  assert_output 'tscat: builtin:nothing: no such catalog is built in: there are codewhale and policy'
  run -2 tscat - -c - </dev/null
  assert_output 'tscat: standard input is given twice, and can be read once only'
  if [ "$(id -u)" -ne 0 ]; then
    cp "$data/mcp.json" closed.json && chmod 0 closed.json
    run -2 tscat closed.json
    assert_output --regexp '^tscat: closed.json: .*: Permission denied$'
  fi
}

@test "what is no catalog is refused, with its place" {
  run -2 tscat - <<<'{"type":"call","name":"a"}'
  assert_output 'tscat: -:1:1: type "call" is no catalog record'
  printf '{"type":"tool","name":"a"}\n\n{"type":"tool","name":"b"\n' >cut.jsonl
  run -2 tscat cut.jsonl
  assert_output 'tscat: cut.jsonl:3:26: text ends inside an object'
  printf '{"type":"tool","name":"a"}\n\0\n' >nul.jsonl
  run -2 tscat nul.jsonl
  assert_output 'tscat: nul.jsonl:2:1: unexpected byte 0x00'
  printf '{"type":"tool","name":"\xc3("}' >bad.jsonl
  run -2 tscat bad.jsonl
  assert_output 'tscat: bad.jsonl:1:24: invalid UTF-8'
  printf '{"type":"tool","name":"a","name":"b"}' >double.jsonl
  run -2 tscat double.jsonl
  assert_output "tscat: double.jsonl:1:27: member 'name' stands twice in one object"
  head -c 65536 /dev/urandom >noise
  run -2 tscat noise
  assert_output --regexp '^tscat: noise:1:1: '
}

@test "nothing goes to standard output when a source is refused" {
  printf '{"type":"tool","name":"a"}\nx\n' >half.jsonl
  run -2 --separate-stderr tscat half.jsonl
  assert_output ''
}

@test "a schema 10,000 deep goes through" {
  awk 'BEGIN { printf "{\"tools\":[{\"name\":\"deep\",\"inputSchema\":"
    for (i = 0; i < 10000; i++) printf "{\"not\":"
    printf "{}"; for (i = 0; i < 10000; i++) printf "}"; print "}]}" }' >deep.json
  is_identity deep.json
  assert_equal "$(wc -c <once)" 80065
  tscat --first-turn deep.json >out
  assert_equal "$(wc -c <out)" 80036
}

# A quadratic step would take 400 times as long; the start of a process is in both.
is_linear() { # FILE of 1,000 tools, FILE of 20,000
  local few many
  few=$(user_time tscat "$1")
  many=$(user_time tscat "$2")
  [ "$many" -le $((60 * (few + 10))) ]
}

@test "20,000 tools are read and printed, in linear time" {
  local n
  for n in 1000 20000; do
    awk -v n="$n" 'BEGIN { for (i = n; i > 0; i--) printf "{\"name\":\"tool_%06d\",\"input_schema\":{\"type\":\"object\"}}\n", i }' >"$n.jsonl"
    paste -sd , "$n.jsonl" | sed 's/^/[/; s/$/]/' >"$n.json"
  done
  is_identity 20000.jsonl
  assert_equal "$(head -n 1 once)" '{"type":"tool","name":"tool_000001","state":"active","input_schema":{"type":"object"}}'
  assert_equal "$(wc -l <once)" 20000
  tscat 20000.json | bytes_equal /dev/stdin once
  is_linear 1000.jsonl 20000.jsonl
  is_linear 1000.json 20000.json
}

user_time() { # command: CPU time in ms
  local TIMEFORMAT='%U %S' times
  times=$({ time "$@" >/dev/null; } 2>&1)
  awk '{ printf "%d", 1000 * ($1 + $2) }' <<<"$times"
}

# --- options and output ------------------------------------------------------------------------------------

@test "what does not go together is a usage error" {
  local words
  while read -r words; do
    # shellcheck disable=SC2086
    run -2 tscat $words "$data/harbour.jsonl" </dev/null
    assert_output --regexp "^tscat: .* \(try 'tscat --help'\)$"
  done <<'ROWS'
--no-such-option
-x
--state gone
--state active,
--origin web
--api claude --first-turn
--api mcp
--match regex
--limit 3
--limit 0 --search a
--limit x --search a
--match fuzzy --search a
--update
--names --table
--names --first-turn
--table --resolve moor
--state active --measure
--search a --state deferred
--search a --golden g
--first-turn --measure
--resolve a --golden g
--mode plan --measure
--profile quiet --golden g
ROWS
  run -2 tscat "$data/harbour.jsonl" --resolve
  assert_output "tscat: option '--resolve' needs NAME (try 'tscat --help')"
}

@test "the first line of --help, and the version" {
  run -0 tscat --help
  assert_line -n 0 --regexp '^usage: tscat .*\[SOURCE\]\.\.\.$'
  run -0 tscat --version
  assert_output --regexp '^tscat [0-9]+\.[0-9]+\.[0-9]+$'
}

@test "a full device is status 2, and said" {
  run -2 bash -c 'tscat "$1" >/dev/full' - "$data/harbour.jsonl"
  assert_output 'tscat: standard output: No space left on device'
}

@test "a closed standard output is status 2, and said" {
  run -2 bash -c 'tscat "$1" >&-' - "$data/harbour.jsonl"
  assert_output --regexp '^tscat: standard output: '
}

@test "a reader that goes away ends the program by SIGPIPE; where that is ignored it says so" {
  awk 'BEGIN { for (i = 0; i < 20000; i++) printf "{\"type\":\"tool\",\"name\":\"t%d\"}\n", i }' >many.jsonl
  run -0 bash -c 'tscat many.jsonl | true; echo "${PIPESTATUS[0]}"'
  assert_output 141
  run -0 bash -c 'trap "" PIPE; tscat many.jsonl | true; echo "${PIPESTATUS[0]}"'
  assert_output $'tscat: standard output: Broken pipe\n2'
}

@test "any locale gives the same bytes" {
  local locale
  for locale in C C.UTF-8 en_US.UTF-8 tr_TR.UTF-8 de_DE.ISO-8859-1 nonsense; do
    LC_ALL=$locale tscat "$data/harbour.jsonl" | bytes_equal /dev/stdin "$data/harbour.want"
  done
}

@test "the examples of the README are true" {
  local readme=$tests_dir/../README.md
  awk '/^## / { there = $2 == "tscat" } /^```/ { inside = there && !inside; next } there && inside' "$readme" >said
  [ "$(grep -c '^\$ tscat ' said)" -ge 2 ]
  sed -n 's/^\$ //p' said >commands
  local command status=0
  while IFS= read -r command; do
    printf '$ %s\n' "$command"
    bash -c "(exit $status); $command" </dev/null && status=0 || status=$?
  done <commands >done
  bytes_equal done said
}

# --- material beside the checkout --------------------------------------------------------------------------

@test "every recorded MCP answer loads, and is what it prints" {
  local shared f n=0
  shared=$(shared) || return 0
  for f in "$shared"/mcp-catalogs/*/*; do
    is_identity "$f" || { echo "$f" && return 1; }
    n=$((n + 1))
  done
  [ "$n" -gt 100 ]
}

@test "no byte of a recorded schema changes" {
  local shared f
  shared=$(shared) || return 0
  command -v python3 >/dev/null || return 0
  for f in "$shared"/mcp-catalogs/*/*; do
    tscat "$f" >>printed && cat "$f" >>sources
  done
  python3 - <<'PY'
import json
def values(name, key):  # the texts of the values of that key, found by decoding what follows it
    text, found, decoder = open(name).read(), [], json.JSONDecoder()
    at = text.find(key)
    while at >= 0:
        start = at + len(key)
        _, end = decoder.raw_decode(text, start)
        found.append(text[start:end])
        at = text.find(key, end)
    return sorted(found)
wanted, got = values("sources", '"inputSchema":'), values("printed", '"input_schema":')
assert len(wanted) > 1000 and wanted == got
PY
}
