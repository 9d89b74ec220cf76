/* Renders a list within bounds, for a model or a card. It bounds and frames; it does not vet what an item
 * says. */
#ifndef TS_TODO_SNAPSHOT_H
#define TS_TODO_SNAPSHOT_H

#include "todo/list.h"
#include "todo/sanitise.h"

enum ts_todo_frame { TS_FRAME_BODY, TS_FRAME_FORK_STATE, TS_FRAME_RELAY, TS_FRAME_CARD, TS_FRAME_JSON };

struct ts_todo_view {
  const struct ts_todo_dialect *dialect;
  enum ts_todo_frame frame;
  const struct ts_todo_tag *tag; /* guarded besides the dialect's own, borrowed */
  size_t tag_count;
  size_t max_items;      /* rows; at least 1 */
  size_t max_chars;      /* scalars of the body, header and newlines included, the last newline not */
  size_t max_item_chars; /* scalars of an item's text, the row's prefix not counted; at least 1 */
};

/* What the programs use unless told otherwise. */
#define TS_TODO_MAX_ITEMS 24
#define TS_TODO_MAX_CHARS 2000
#define TS_TODO_MAX_ITEM_CHARS 160
/* A card's own bounds. */
#define TS_TODO_CARD_ITEMS 3
#define TS_TODO_CARD_ITEM_CHARS 72

/* Appends the rendering to *out, ending in a newline; nothing for an empty list. -1: max_chars is too small for
 * the header, one row and, where there is more, the line that says so; *err says how much they take. */
int ts_todo_render(const struct ts_todo_view *v, const struct ts_todo_list *l, struct ts_buf *out, struct ts_buf *err);

#endif
