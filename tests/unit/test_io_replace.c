#include "io/replace.h"

#include <sys/stat.h>
#include <unistd.h>

#include "io/lines.h"
#include "unit/tap.h"

static void read_all(const char *path, struct ts_buf *out) {
  ts_buf_clear(out);
  struct ts_input *in = ts_input_open(path, NULL);
  if (in) (void)ts_input_all(in, 1 << 20, out, NULL);
  ts_input_close(in);
}

int main(void) {
  char folder[] = "/tmp/replace.XXXXXX", link[64], file[64], missing[64];
  struct ts_buf text = { 0 }, err = { 0 };
  struct stat st;
  if (!mkdtemp(folder)) return 1;
  (void)snprintf(file, sizeof file, "%s/file", folder);
  (void)snprintf(link, sizeof link, "%s/link", folder);
  (void)snprintf(missing, sizeof missing, "%s/no/file", folder);
  (void)umask(022);
  IS_INT(ts_file_replace(file, TS_STR("one\0two"), &err), 0, "a new file is made");
  read_all(file, &text);
  IS(ts_buf_str(&text), TS_STR("one\0two"), "with all its bytes");
  OK(stat(file, &st) == 0 && (st.st_mode & 07777) == 0644, "as umask has it");
  OK(chmod(file, 0600) == 0 && symlink("file", link) == 0, "a link to it is made");
  IS_INT(ts_file_replace(link, TS_STR(""), &err), 0, "it is replaced through the link");
  read_all(file, &text);
  IS_U64(text.len, 0, "the file itself is new");
  OK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode), "the link is still one");
  OK(stat(file, &st) == 0 && (st.st_mode & 07777) == 0600, "and the mode stays");
  IS_INT(ts_file_replace("/dev/null", TS_STR("x"), &err), 0, "what is no file is written to");
  OK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode), "and stays what it is");
  IS_INT(ts_file_replace("/dev/full", TS_STR("x"), &err), -1, "a full device fails");
  IS(ts_buf_str(&err), TS_STR("/dev/full: cannot write: No space left on device"), "why");
  IS_INT(ts_file_replace(missing, TS_STR("x"), &err), -1, "a folder that is not there fails");
  OK(ts_str_ends(ts_buf_str(&err), TS_STR("/no/file: cannot replace: No such file or directory")), "why");
  IS_INT(ts_file_replace(folder, TS_STR("x"), &err), -1, "a folder is no file");
  OK(unlink(link) == 0 && unlink(file) == 0 && rmdir(folder) == 0, "nothing is left behind");
  ts_buf_free(&text);
  ts_buf_free(&err);
  return tap_done();
}
