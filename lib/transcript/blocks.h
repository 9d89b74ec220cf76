/* Messages made of content blocks, as Anthropic's API has them: claude-code, anthropic and codewhale-session. */
#ifndef TS_TRANSCRIPT_BLOCKS_H
#define TS_TRANSCRIPT_BLOCKS_H

#include "transcript/dialect.h"

/* The content of a message: a string, or a list of blocks. */
extern const struct ts_json_shape ts_blocks_shape;

/* What stands between calls and their results, in one agent's conversation. The API wants the result blocks of a
 * user message to lead it, and that message to be the next one; what the user said before them wedges them. */
struct ts_wedge {
  bool user;   /* the user said something since the last calls */
  bool server; /* … since the last call of a server tool: its result belongs into the same message */
};

/* Events of one message; `like` has session, agent, turn and time. Without w (a format that demands no order) nothing
 * is misplaced. */
void ts_blocks_assistant(struct ts_reader *r, uint32_t content, const struct ts_event *like, struct ts_wedge *w);
void ts_blocks_user(struct ts_reader *r, uint32_t content, const struct ts_event *like, struct ts_wedge *w);

#endif
