#!/usr/bin/env bats
# tsreplay: which result answers which call, in every format.

load helper
bats_require_minimum_version 1.5.0

setup() {
  cd "$BATS_TEST_TMPDIR"
  cp "$(data tsreplay/tools.jsonl)" tools.jsonl
  source "$(data tsreplay/records.bash)"
}

# --- windows ------------------------------------------------------------------------------------------------

@test "codex: a result behind a compaction is an orphan, and its call is not unanswered as well" {
  { cx_meta && cx_message user hi && cx_call a shell && cx_compacted one && cx_output a && cx_call b shell && cx_output b; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
5 orphan-result a
calls 2 answered 1 results 2
END
}

@test "claude-code: two boundaries in a row; ids of the first window are forgotten at the second" {
  { cc_user go && cc_call a read '{"path":"x"}' && cc_result a && cc_boundary && cc_call b read '{"path":"x"}' && cc_boundary && cc_user more &&
    cc_result b && cc_result a && cc_call c read '{"path":"x"}' && cc_result c && cc_text done; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
8 orphan-result b
9 orphan-result a
calls 3 answered 2 results 4
END
}

@test "an id may be used again behind a compaction; a call left open before one is no finding" {
  { cc_user go && cc_call a shell && cc_boundary && cc_call a shell && cc_result a && cc_text done; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<<'calls 2 answered 1 results 1'
}

@test "a compaction of one session says nothing about another one in the file" {
  { session=s1 cc_call a shell && session=s2 cc_call a shell && session=s2 cc_boundary && session=s1 cc_result a && session=s2 cc_result a; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
5 orphan-result a
calls 2 answered 1 results 2
END
}

@test "an early result is an orphan when a later one answers the call; findings stay in order" {
  { cx_meta && cx_output a && cx_call a shell && cx_call b shell && cx_output c && cx_output a && cx_output b && cx_message user more; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
2 orphan-result a
5 orphan-result c
calls 2 answered 2 results 4
END
  { cx_meta && cx_output a && cx_call a shell && cx_message user more; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<<'calls 1 answered 1 results 1'
}

@test "an early result behind a compaction is an orphan when the call that comes again has its own" {
  { cx_meta && cx_call a shell && cx_compacted && cx_output a && cx_call a shell && cx_output a && cx_message user more; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 orphan-result a
calls 2 answered 1 results 2
END
  { cc_user go && cc_call a shell && cc_boundary && cc_result a && cc_call a shell && cc_result a && cc_text done; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 orphan-result a
calls 2 answered 1 results 2
END
}

@test "early results of one id: one a call, in order; what is left over is too many" {
  { cx_meta && cx_output a && cx_output a && cx_output a && cx_call a shell && cx_call a shell && cx_message user more; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 duplicate-result a
calls 2 answered 2 results 3
END
}

@test "claude-code: a compaction of the main conversation leaves the calls of a side chain open, and the other way round" {
  { cc_call m task && agent=x cc_call a shell && cc_boundary && agent=x cc_result a && cc_text on; } >t.jsonl
  audit 0 -c tools.jsonl --fail-on unknown-call=off t.jsonl < <(echo '1 unknown-call m' && echo 'calls 2 answered 1 results 1')
  { cc_call m shell && agent=x cc_call a shell && agent=x cc_boundary && agent=x cc_result a && cc_result m && cc_text on; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 orphan-result a
calls 2 answered 1 results 2
END
  { agent=- cc_call a shell && parent=null && cc_text on && cc_boundary && cc_text more; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
1 interrupted-call a
calls 1 answered 0 results 0
END
}

# --- results first ------------------------------------------------------------------------------------------

@test "anthropic: results lead their message, in any order among themselves" {
  calls() { an_user go && an_blocks assistant "$(use p read '{"path":"a"}')" "$(use q read '{"path":"b"}')"; }
  { calls && an_blocks user "$(result p)" "$(result q)" "$(text later)" && an_blocks assistant "$(text done)"; } >then-text.jsonl
  { calls && an_blocks user "$(result q)" "$(result p)" && an_blocks assistant "$(text done)"; } >reversed.jsonl
  { calls && an_blocks user "$(text first)" "$(result p)" "$(result q)" && an_blocks assistant "$(text done)"; } >first.jsonl
  { calls && an_blocks user "$(result p)" "$(text between)" "$(result q)" && an_blocks assistant "$(text done)"; } >between.jsonl
  audit 0 -c tools.jsonl then-text.jsonl <<<'calls 2 answered 2 results 2'
  audit 0 -c tools.jsonl reversed.jsonl <<<'calls 2 answered 2 results 2'
  audit 1 -c tools.jsonl first.jsonl <<'END'
3 wedged-record p
3 wedged-record q
calls 2 answered 2 results 2
END
  audit 1 -c tools.jsonl between.jsonl <<'END'
3 wedged-record q
calls 2 answered 2 results 2
END
}

@test "claude-code: results in records of their own are one run; a user record before one of them is not" {
  { cc_user go && cc_call p shell '{}' m && cc_call q shell '{}' m && cc_result q && cc_result p && cc_text done; } >run.jsonl
  { cc_user go && cc_call p shell '{}' m && cc_call q shell '{}' m && cc_result p && cc_user wait && cc_result q && cc_text done; } >stuck.jsonl
  audit 0 -c tools.jsonl run.jsonl <<<'calls 2 answered 2 results 2'
  audit 1 -c tools.jsonl stuck.jsonl <<'END'
6 wedged-record q
calls 2 answered 2 results 2
END
}

@test "a result that stands before its call in the file answers it" {
  { cc_user go && cc_result a && cc_call a shell && cc_text done; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<<'calls 1 answered 1 results 1'
}

# --- who talks ----------------------------------------------------------------------------------------------

@test "one id in two files, in any order of operands: neither answers for the other" {
  { session=s1 cc_user go && session=s1 cc_call x read '{"path":"a"}'; } >a.jsonl
  { session=s2 cc_user go && session=s2 cc_call x read '{"path":"a"}' && session=s2 cc_result x && session=s2 cc_text done; } >b.jsonl
  audit 1 -c tools.jsonl a.jsonl b.jsonl <<'END'
2 interrupted-call x
calls 2 answered 1 results 1
END
  mv said first
  audit 1 -c tools.jsonl b.jsonl a.jsonl <expected
  bytes_equal said first
  # and in one file
  cat a.jsonl b.jsonl >both.jsonl
  audit 1 -c tools.jsonl both.jsonl <expected
}

@test "claude-code: a side chain's calls are its own; sound when each is answered there" {
  { cc_user go && cc_call t1 shell && cc_result t1 && agent=- cc_call t2 shell && agent=- cc_result t2 && cc_text done; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<<'calls 2 answered 2 results 2'
  { cc_user go && cc_call t1 shell && agent=a7 cc_call t1 shell && cc_result t1 && cc_text done; } >u.jsonl
  audit 1 -c tools.jsonl u.jsonl <<'END'
3 interrupted-call t1
calls 2 answered 1 results 1
END
}

@test "dsh: nested calls are counted apart, pair among themselves, and get no verdict" {
  { dsh_session && dsh_user go && dsh_call 1 c1 shell && dsh_sub_call n1 c1 nobody && dsh_sub_call n2 c1 read && dsh_sub_result n2 c1 &&
    dsh_result 1 c1 && dsh_text 2 done; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 unanswered-call n1
calls 1 answered 1 results 1
END
  grep -q '"sub_calls":2,"results":1,"by_state":{"active":1}' said
  run tsreplay -q -c tools.jsonl --verdicts t.jsonl
  assert_equal "${#lines[@]}" 2
}

# --- too many results ---------------------------------------------------------------------------------------

@test "a second result is one too many, never an orphan: in one message, and in several" {
  { an_user go && an_blocks assistant "$(use n shell)" && an_blocks user "$(result n)" "$(result n)" && an_blocks assistant "$(text done)"; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
3 duplicate-result n
calls 1 answered 1 results 2
END
  { oa_user go && oa_call n shell '{}' && oa_result n && oa_result n && oa_result n && oa_text done; } >u.jsonl
  audit 1 -c tools.jsonl u.jsonl <<'END'
4 duplicate-result n
5 duplicate-result n
calls 1 answered 1 results 3
END
}

@test "ids that start again each turn pair with the nearest call; one that is still open is a warning" {
  { oa_user a && oa_call c shell '{}' && oa_result c && oa_text b && oa_user c && oa_call c shell '{}' && oa_result c && oa_text d; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<<'calls 2 answered 2 results 2'
  { oa_user a && oa_call c shell '{}' && oa_call c shell '{}' && oa_result c && oa_text d; } >u.jsonl
  audit 1 -c tools.jsonl u.jsonl <<'END'
2 unanswered-call c
3 duplicate-call-id c
calls 2 answered 1 results 1
END
  audit 0 -c tools.jsonl --fail-on unanswered-call=off u.jsonl <expected
  audit 1 -c tools.jsonl --fail-on unanswered-call=off,duplicate-call-id=warning u.jsonl <expected
}

@test "an empty id is no key" {
  { oa_user a && oa_call '' shell '{}' && oa_result '' && oa_text d; } >t.jsonl
  audit 0 -c tools.jsonl t.jsonl <<'END'
2 missing-call-id
3 missing-call-id
calls 1 answered 0 results 1
END
}

# --- no result ----------------------------------------------------------------------------------------------

@test "codex: custom calls count like function calls; two of four have no output" {
  { cx_meta && cx_message user go && cx_call c1 shell && cx_custom c2 shell '*** Begin' && cx_call c3 shell && cx_output c3 &&
    cx_custom c4 shell '*** Begin' && cx_custom_output c4 && cx_message assistant done; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
3 unanswered-call c1
4 unanswered-call c2
calls 4 answered 2 results 2
END
  tsreplay -q -c tools.jsonl --verdicts t.jsonl >said || true
  assert_equal "$(grep -c '"state":"active","dispatches":true' said)" 4
  assert_equal "$(grep -c '"arguments":"unchecked"' said)" 4
}

@test "dsh: a result that comes later is in order; a call at the end was interrupted" {
  begin() {
    dsh_session && dsh_user go && dsh_call 1 a read '{\"path\":\"x\"}' && dsh_call 1 b read '{\"path\":\"x\"}' && dsh_result 1 b &&
      dsh session/title '{"title":"two"}' && dsh_result 1 a
  }
  { begin && dsh_text 2 done; } >late.jsonl
  { begin && dsh_text 2 more && dsh_call 2 c shell; } >tail.jsonl
  audit 0 -c tools.jsonl late.jsonl <<<'calls 2 answered 2 results 2'
  audit 1 -c tools.jsonl tail.jsonl <<'END'
9 interrupted-call c
calls 3 answered 2 results 2
END
  # a session that still runs may be accepted, an unanswered call not
  audit 0 -c tools.jsonl --fail-on interrupted-call=off tail.jsonl <expected
  { begin && dsh_call 2 c shell && dsh_text 3 on; } >middle.jsonl
  audit 1 -c tools.jsonl --fail-on interrupted-call=off middle.jsonl <<'END'
8 unanswered-call c
calls 3 answered 2 results 2
END
}

@test "parallel calls of one message at the end are all interrupted; those of an earlier message are not at the end" {
  { cc_user go && cc_call a shell '{}' m1 && cc_call b shell '{}' m2 && cc_call c shell '{}' m2; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
2 unanswered-call a
3 interrupted-call b
4 interrupted-call c
calls 3 answered 0 results 0
END
}

@test "findings come in the order of the file, whenever they are known" {
  { cc_call a nobody && cc_call b nobody && cc_result b && cc_result x && cc_call c nobody && cc_text on; } >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
1 unanswered-call a
1 unknown-call a
2 unknown-call b
4 orphan-result x
5 unanswered-call c
5 unknown-call c
calls 3 answered 1 results 2
END
}

@test "openai: calls of the old kind have no ids and pair by name" {
  cat >t.jsonl <<'END'
{"role":"user","content":"go"}
{"role":"assistant","content":null,"function_call":{"name":"shell","arguments":"{}"}}
{"role":"function","name":"shell","content":"ok"}
{"role":"assistant","content":null,"function_call":{"name":"lookup","arguments":"{}"}}
{"role":"function","name":"shell","content":"ok"}
{"role":"assistant","content":"done"}
END
  audit 1 -c tools.jsonl t.jsonl <<'END'
4 unanswered-call
5 duplicate-result
calls 2 answered 1 results 2
END
}

@test "openai: one conversation a line; nothing pairs across lines" {
  local c='{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"shell","arguments":"{}"}}]}'
  printf '%s]}\n%s,{"role":"tool","tool_call_id":"c1","content":"ok"}]}\n' "$c" "$c" >t.jsonl
  audit 1 -c tools.jsonl t.jsonl <<'END'
1 interrupted-call c1
calls 2 answered 1 results 1
END
}

@test "the cases from practice, where they are at hand" {
  local shared cases
  shared=$(shared) || return 0
  cases=$shared/cases
  brief_of() { tsreplay -q -c "$cases/$1/catalog.jsonl" "$cases/$1/$2" | brief; }
  assert_equal "$(brief_of R02-orphan-after-compaction rollout.jsonl)" $'5 orphan-result call_a\ncalls 2 answered 1 results 2'
  assert_equal "$(brief_of R02-orphan-after-compaction twice.jsonl)" $'9 orphan-result toolu_2\ncalls 3 answered 2 results 3'
  assert_equal "$(brief_of R04-results-must-lead ok-reversed.jsonl)" 'calls 2 answered 2 results 2'
  assert_equal "$(brief_of R04-results-must-lead ok-results-then-text.jsonl)" 'calls 2 answered 2 results 2'
  assert_equal "$(brief_of R04-results-must-lead bad-text-first.jsonl)" $'3 wedged-record toolu_p\n3 wedged-record toolu_q\ncalls 2 answered 2 results 2'
  assert_equal "$(brief_of R04-results-must-lead bad-text-between.jsonl)" $'3 wedged-record toolu_q\ncalls 2 answered 2 results 2'
  assert_equal "$(brief_of R06-same-id-in-two-sessions a.jsonl)" $'2 interrupted-call toolu_x\ncalls 1 answered 0 results 0'
  assert_equal "$(brief_of R06-same-id-in-two-sessions both.jsonl)" $'2 interrupted-call toolu_x\ncalls 2 answered 1 results 1'
  assert_equal "$(brief_of R08-result-twice session.jsonl)" $'3 duplicate-result toolu_n\ncalls 1 answered 1 results 2'
  assert_equal "$(brief_of R08-result-twice chat.jsonl)" $'4 duplicate-result call_n\n5 duplicate-result call_n\ncalls 1 answered 1 results 3'
  assert_equal "$(brief_of R10-codex-output-missing rollout.jsonl)" $'3 unanswered-call call_1\n4 unanswered-call call_2\ncalls 4 answered 2 results 2'
  assert_equal "$(brief_of R12-interrupted-at-the-end ok-late-result.jsonl)" 'calls 2 answered 2 results 2'
  assert_equal "$(brief_of R12-interrupted-at-the-end tail.jsonl)" $'11 interrupted-call call_c\ncalls 3 answered 2 results 2'
  assert_equal "$(tsreplay -q "$cases/R50-child-overwrites-parent/sidechain.jsonl" | brief)" 'calls 2 answered 2 results 2'
}

# Lines of each format whose call and result have an empty id.
empty_ids() { # FORMAT
  case $1 in
    claude-code) cc_call '' shell && cc_result '' && cc_text on ;;
    codex) cx_meta && cx_call '' shell | sed 's/"call_id"/"id":"fc_1","call_id"/' && cx_output '' && cx_message user on ;;
    dsh) dsh_session && dsh_call 1 '' shell && dsh_result 1 '' && dsh_sub_call '' x shell && dsh_sub_result '' x && dsh_user on ;;
    codewhale-session) printf '{"metadata":{"id":"s"},"schema_version":1,"messages":[%s,%s]}' \
      "$(an_blocks assistant "$(use '' shell)")" "$(an_blocks user "$(result '')")" ;;
    codewhale-events)
      cw() { printf '{"seq":1,"thread_id":"t","turn_id":"u","item_id":"%s","event":"%s","payload":{"item":{"kind":"tool_call"}%s}}\n' "$@"; }
      cw '' item.started ',"tool":{"id":"","name":"shell","input":{}}' && cw '' item.completed '' &&
        cw i item.started ',"tool":{"id":"","name":"shell","input":{}}' && cw i item.completed ''
      ;;
    codewhale-exec) printf '{"schema":"codewhale.exec-stream","type":"%s","id":"","name":"shell","input":{},"output":""}\n' tool_use tool_result ;;
    openai) oa_call '' shell '{}' && oa_result '' && oa_user on ;;
    anthropic) an_blocks assistant "$(use '' shell)" && an_blocks user "$(result '')" && an_user on ;;
    gemini) printf '{"sessionId":"s","projectHash":"p"}\n{"id":"g","type":"gemini","toolCalls":[{"id":"","name":"shell","args":{},"status":"success","result":[]}]}\n' ;;
    pi) printf '{"type":"session","version":3,"id":"s","timestamp":"t"}\n' &&
      printf '{"type":"message","id":"%s","parentId":null,"timestamp":"t","message":{"role":"%s",%s}}\n' \
        a assistant '"content":[{"type":"toolCall","id":"","name":"shell","arguments":{}}]' b toolResult '"toolCallId":"","content":[]' ;;
    mcp) printf '{"jsonrpc":"2.0","id":"",%s}\n' '"method":"tools/call","params":{"name":"shell","arguments":{}}' '"result":{"content":[]}' ;;
    neutral) printf '{"type":"call","id":"","name":"shell"}\n{"type":"result","id":"","content":"x"}\n' ;;
  esac
}

@test "an empty id is a missing one and pairs nothing, in every format" {
  local f missing answered
  for f in claude-code codex dsh codewhale-session codewhale-events codewhale-exec openai anthropic gemini pi mcp neutral; do
    missing=2 answered=0
    case $f in dsh) missing=4 ;; codewhale-events) missing=3 answered=1 ;; esac # the second pairs by item_id
    empty_ids $f >t
    run --separate-stderr tsreplay -q -c tools.jsonl t
    assert_success
    assert_equal "$f $(grep -c '"rule":"missing-call-id"' <<<"$output") $(grep -c '"type":"finding"' <<<"$output")" "$f $missing $missing"
    assert_output --partial '"answered":'$answered,
    grep -q '"lines":.*"calls":[12],' <<<"$output"
    run -0 tsreplay -q --calls t
    assert_output --partial '"format":"'$f'"'
  done
}
