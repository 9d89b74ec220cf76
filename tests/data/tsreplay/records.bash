# Records of each format, for the tests of tsreplay: every function prints one line.
# session, agent, at: variables of the caller that stand in the records.

n=0 # makes uuids different
uuid() { n=$((n + 1)) && printf -v id '%08d-0000-4000-8000-000000000000' $n; }

# --- claude-code: session, agent (an agentId; "-": a sidechain without one) ---
cc_record() { # TYPE MORE_MEMBERS
  local id side='"isSidechain":false'
  uuid
  case ${agent-} in '') ;; -) side='"isSidechain":true' ;; *) side='"isSidechain":true,"agentId":"'$agent'"' ;; esac
  printf '{"parentUuid":%s,%s,"type":"%s","uuid":"%s","sessionId":"%s","version":"2.1.0","timestamp":"%s",%s}\n' \
    "${parent:-null}" "$side" "$1" "$id" "${session:-s1}" "${at:-2026-03-04T05:06:07.000Z}" "$2"
  parent='"'$id'"'
}
cc_user() { cc_record user '"message":{"role":"user","content":"'"$1"'"}'; }
cc_text() { cc_record assistant '"message":{"id":"m'$n'","role":"assistant","content":[{"type":"text","text":"'"$1"'"}]}'; }
cc_call() { # ID NAME [INPUT [MESSAGE_ID]]
  local input='{}'
  [ $# -gt 2 ] && input=$3
  cc_record assistant '"message":{"id":"'"${4:-m$n}"'","role":"assistant","content":[{"type":"tool_use","id":"'"$1"'","name":"'"$2"'","input":'"$input"'}]}'
}
cc_result() { # ID [CONTENT]
  cc_record user '"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"'"$1"'","content":"'"${2:-ok}"'"}]}'
}
cc_boundary() { cc_record system '"subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto"}'; }

# --- codex ---
cx() { printf '{"timestamp":"%s","type":"%s","payload":%s}\n' "${at:-2026-03-04T05:06:07.000Z}" "$1" "$2"; }
cx_meta() { cx session_meta '{"id":"'"${session:-s1}"'","cwd":"/w","cli_version":"0.99.0"}'; }
cx_message() { cx response_item '{"type":"message","role":"'"$1"'","content":[{"type":"input_text","text":"'"$2"'"}]}'; }
cx_call() { cx response_item '{"type":"function_call","name":"'"$2"'","arguments":"'"${3:-{\}}"'","call_id":"'"$1"'"}'; }
cx_output() { cx response_item '{"type":"function_call_output","call_id":"'"$1"'","output":"'"${2:-ok}"'"}'; }
cx_custom() { cx response_item '{"type":"custom_tool_call","status":"completed","call_id":"'"$1"'","name":"'"$2"'","input":"'"$3"'"}'; }
cx_custom_output() { cx response_item '{"type":"custom_tool_call_output","call_id":"'"$1"'","output":"'"${2:-ok}"'"}'; }
cx_compacted() { cx compacted '{"message":"so far: '"$1"'"}'; }

# --- dsh ---
dsh() { printf '{"type":"%s","data":%s}\n' "$1" "$2"; }
dsh_session() { printf '{"type":"session","version":0,"id":"%s","createdAt":1780000000000,"cwd":"/w","delegationDepth":0}\n' "${session:-s1}"; }
dsh_tools() { # TOOLS, a JSON array or string
  dsh request/header '{"header":{"config":{"model":"m"},"system":"","tools":'"$1"'},"reason":"initial"}'
}
dsh_user() { dsh user/message '{"content":[{"type":"text","text":"'"$1"'"}],"source":{"kind":"user"},"role":"user","id":"u"}'; }
dsh_text() { # STEP TEXT
  dsh assistant/message '{"turn":1,"step":'"$1"',"message":{"role":"assistant","content":[{"type":"text","text":"'"$2"'"}],"id":"a"}}'
}
dsh_call() { # STEP ID NAME [ARGUMENTS, escaped]
  dsh tool/call '{"turn":1,"step":'"$1"',"callId":"'"$2"'","name":"'"$3"'","arguments":"'"${4-{\}}"'"}'
}
dsh_result() { # STEP ID
  dsh tool/result '{"turn":1,"step":'"$1"',"message":{"role":"user","source":{"kind":"tool","callId":"'"$2"'"},"content":[{"type":"tool-result","toolCallId":"'"$2"'","content":[],"isError":false}]}}'
}
dsh_sub_call() { dsh tool/code-dispatch-start '{"subCallId":"'"$1"'","parentCallId":"'"$2"'","name":"'"$3"'","arguments":{}}'; }
dsh_sub_result() { dsh tool/code-dispatch '{"subCallId":"'"$1"'","parentCallId":"'"$2"'","content":[],"isError":false}'; }

# --- anthropic and openai messages ---
an_user() { printf '{"role":"user","content":"%s"}\n' "$1"; }
an_blocks() { # ROLE BLOCK...
  local role=$1 IFS=,
  shift
  printf '{"role":"%s","content":[%s]}\n' "$role" "$*"
}
text() { printf '{"type":"text","text":"%s"}' "$1"; }
use() { printf '{"type":"tool_use","id":"%s","name":"%s","input":%s}' "$1" "$2" "${3:-{\}}"; }
result() { printf '{"type":"tool_result","tool_use_id":"%s","content":"%s"}' "$1" "${2:-ok}"; }
oa_user() { printf '{"role":"user","content":"%s"}\n' "$1"; }
oa_call() { # ID NAME ARGUMENTS, escaped
  printf '{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"%s"}}]}\n' "$1" "$2" "$3"
}
oa_result() { printf '{"role":"tool","tool_call_id":"%s","content":"%s"}\n' "$1" "${2:-ok}"; }
oa_text() { printf '{"role":"assistant","content":"%s"}\n' "$1"; }

# --- what tsreplay said, in short ---
# Findings as "line rule id", and of the summary "calls answered results": one line each.
brief() {
  awk '
    function member(name,  value) { # its text or number, of the first member of that name
      if (!match($0, "\"" name "\":(\"[^\"]*\"|[0-9]+)")) return ""
      value = substr($0, RSTART, RLENGTH)
      sub(/^"[^"]*":/, "", value)
      gsub(/"/, "", value)
      return value
    }
    /^{"type":"finding"/ { id = member("id"); print member("line"), member("rule") (id == "" ? "" : " " id) }
    /^{"type":"summary"/ { print "calls", member("calls"), "answered", member("answered"), "results", member("results") }'
}
# audit STATUS [ARGUMENT...], what brief says of it on standard input.
audit() {
  local want=$1 status
  shift
  cat >expected.new && mv expected.new expected # it may be read from expected
  tsreplay -q "$@" >said 2>err && status=0 || status=$?
  [ -s err ] && cat err >&2
  brief <said >short
  bytes_equal short expected && [ "$status" -eq "$want" ] && [ ! -s err ] || {
    echo "exit status $status, wanted $want" >&2
    return 1
  }
}
