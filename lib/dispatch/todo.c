#include "dispatch/todo.h"

static void answer(void *context, const struct ts_call *c, struct ts_str arguments, struct ts_answer *a) {
  struct ts_todo_service *service = context;
  struct ts_todo_server *server = &service->server;
  struct ts_todo_reply reply = { 0 };
  struct ts_todo_call call = { .session = c->key.session,
                               .agent = c->key.agent,
                               .arguments = c->is_input ? c->arguments : arguments };
  struct ts_jw metadata = ts_answer_metadata(a);
  ts_todo_serve(server, &call, &reply);
  if (reply.unusable && !service->failed)
    ts_note(service->failures, "%s", ts_buf_z(&reply.content) + strlen(ts_todo_error_prefix(server->dialect)));
  service->failed |= reply.unusable;
  service->replaced += reply.replaced;
  a->is_error = reply.is_error;
  a->content_is_json = true;
  ts_todo_reply_content(&reply, &a->content);
  ts_todo_reply_value(server, &reply, &a->extra);
  ts_todo_reply_metadata(server, &reply, &metadata);
  ts_todo_reply_free(&reply);
}

void ts_dispatch_serve_todo(struct ts_decider *d, struct ts_todo_service *service) {
  d->builtin_tool = TS_STR("todo_write");
  d->builtin = answer;
  d->builtin_context = service;
}
