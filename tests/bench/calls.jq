# The calls of a claude-code transcript: what tsreplay counts, for jq.
select(.type == "assistant") | .message.content | arrays | .[] | select(.type == "tool_use") | "\(.name)\t\(.id)"
