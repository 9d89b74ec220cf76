#!/usr/bin/env bats
# The tools of the tests themselves: tests/run, tests/check-layers, tests/check-man. A test that cannot fail is
# worth nothing, so each is shown what it must find.

load helper

setup() {
  tree=$BATS_TEST_TMPDIR/tree
  mkdir -p "$tree"/{tests/unit,tests/fuzz,tests/data/man,build/v/tests/unit,build/v/tests/fuzz,lib/base,lib/io,lib/cli,cmd,man}
  mkdir -p "$tree"/completions/{bash,zsh,fish}
  cp "$tests_dir"/run "$tree/tests/"
  cd "$tree"
}

# ---- tests/run ----

unit() { # NAME, what it does: a shell script in the place of a compiled test
  : >"tests/unit/test_$1.c"
  printf '#!/bin/sh\n%s\n' "$2" >"build/v/tests/unit/test_$1"
  chmod +x "build/v/tests/unit/test_$1"
}

# bats puts a folder of its own parts first in PATH, where the command itself does not work.
run_tests() {
  local path
  path=$(printf '%s' "$PATH" | tr : '\n' | grep -v bats-core | paste -sd :)
  run env -i PATH="$path" HOME="$HOME" "$@" bash tests/run build/v
}

last_line() { assert_equal "${lines[${#lines[@]} - 1]}" "$1"; }

@test "run: unit tests and bats files are counted together" {
  unit a 'echo "ok 1 - x"; echo "ok 2 - y"; echo 1..2'
  printf '@test "one" { true; }\n@test "two" { [ "$(printenv TS_BUILD)" = "%s" ]; }\n' "$tree/build/v" >tests/b.bats
  run_tests
  assert_success
  assert_line --regexp '^ok +tests/unit/test_a.c +2 passed +0 failed +[0-9]+s$'
  assert_line --regexp '^ok +tests/b.bats +2 passed +0 failed +[0-9]+s$'
  last_line '4 passed, 0 failed'
}

@test "run: a failed check is shown with what it said, and nothing else of its file" {
  unit a 'echo "ok 1 - fine"; echo "not ok 2 - bad"; echo "#   got: 1"; echo "ok 3 - fine too"; echo 1..3; exit 1'
  run_tests
  assert_failure 1
  assert_line '    not ok 2 - bad'
  assert_line '    #   got: 1'
  refute_line --partial fine
  last_line '2 passed, 1 failed'
}

@test "run: a failed bats test counts once" {
  printf '@test "one" { true; }\n@test "two" { echo said; false; }\n' >tests/b.bats
  run_tests
  assert_failure 1
  assert_line '    not ok 2 two'
  assert_line '    # said'
  last_line '1 passed, 1 failed'
}

@test "run: what goes wrong outside a check is a failure" {
  local row
  # a crash half way; no plan; a wrong plan; a bad status although all is well; nothing in it; no such program
  for row in 'echo "ok 1 - x"; kill -SEGV $$' 'echo "ok 1 - x"' 'echo "ok 1 - x"; echo 1..2' \
    'echo "ok 1 - x"; echo 1..1; exit 86'; do
    unit a "$row"
    run_tests
    assert_failure 1
    last_line '1 passed, 1 failed'
  done
  unit a 'echo 1..0'
  run_tests
  assert_failure 1
  last_line '0 passed, 1 failed'
  rm build/v/tests/unit/test_a
  run_tests
  assert_failure 1
  last_line '0 passed, 1 failed'
}

@test "run: a test that was skipped has not passed" {
  printf '@test "one" { skip "no time"; }\n@test "two" { true; }\n' >tests/b.bats
  run_tests
  assert_failure 1
  assert_line '    1 skipped: a test runs or is not there'
}

@test "run: a broken bats file is a failure" {
  printf '@test "one" { true; }\n@test "two" {\n' >tests/b.bats
  run_tests
  assert_failure 1
}

@test "run: a test that hangs is ended" {
  unit a 'echo "ok 1 - x"; sleep 30; echo 1..1'
  run_tests TEST_SECONDS=1
  assert_failure 1
  assert_line '    planned nothing, ran 1, exit status 124'
}

@test "run: the errors of a failed test are shown" {
  unit a 'echo "ERROR: AddressSanitizer" >&2; exit 86'
  run_tests
  assert_failure 1
  assert_line '    stderr: ERROR: AddressSanitizer'
}

@test "run: nothing to run is a failure" {
  run_tests
  assert_failure 1
  assert_output '0 passed, 0 failed'
}

@test "run: ONLY picks files by words in their names" {
  unit alpha 'echo "ok 1 - x"; echo 1..1'
  unit beta 'echo "not ok 1 - x"; echo 1..1'
  printf '@test "one" { true; }\n' >tests/gamma.bats
  run_tests ONLY='alpha gam'
  assert_success
  last_line '2 passed, 0 failed'
  run_tests ONLY=delta
  assert_failure 1
}

@test "run: the checks of the source count as one test each" {
  printf '#!/bin/sh\necho fine\n' >tests/check-a
  printf '#!/bin/sh\necho "x.c:1: wrong"; exit 1\n' >tests/check-b
  chmod +x tests/check-a tests/check-b
  run_tests
  assert_failure 1
  refute_line --partial fine
  assert_line '    # x.c:1: wrong'
  last_line '1 passed, 1 failed'
}

@test "run: fuzz drivers get their own corpus" {
  : >tests/fuzz/fuzz_scan.c
  printf '#!/bin/sh\n[ "$*" = tests/fuzz/corpus/scan ] && echo "ok 1" && echo 1..1\n' >build/v/tests/fuzz/fuzz_scan
  chmod +x build/v/tests/fuzz/fuzz_scan
  run_tests
  assert_success
  last_line '1 passed, 0 failed'
}

@test "run: output stands in the order of the files, whichever is done first" {
  unit a 'sleep 0.5; echo "ok 1 - x"; echo 1..1'
  unit b 'echo "ok 1 - x"; echo 1..1'
  unit c 'echo "ok 1 - x"; echo 1..1'
  run_tests JOBS=3
  assert_success
  assert_line --index 0 --partial test_a
  assert_line --index 1 --partial test_b
  assert_line --index 2 --partial test_c
}

@test "run: tests see a C locale, no catalog of the user's, no terminal, no make and no standard input" {
  unit a '[ "$LC_ALL" = C ] && [ -z "${TSCATALOG+x}${MAKEFLAGS+x}${NO_COLOR+x}" ] && [ "$HOME" != "'"$HOME"'" ] &&
    [ -z "$(cat)" ] && [ "${PATH%%:*}" = "'"$tree"'/build/v" ] && echo "ok 1 - x"; echo 1..1'
  run_tests TSCATALOG=x MAKEFLAGS=-k NO_COLOR=1 LC_ALL=tr_TR.UTF-8
  assert_success
}

@test "run: ended from outside, its tests end too, and its folder is gone" {
  unit a 'echo $$ >"'"$BATS_TEST_TMPDIR"'/pid"; exec sleep 60'
  TMPDIR=$BATS_TEST_TMPDIR bash tests/run build/v >/dev/null 2>&1 3>&- &
  local runner=$! i
  for i in $(seq 900); do [ -s "$BATS_TEST_TMPDIR/pid" ] && break || sleep 0.1; done
  local pid
  pid=$(cat "$BATS_TEST_TMPDIR/pid")
  kill -0 "$pid"
  kill "$runner"
  wait "$runner" || true
  for i in $(seq 300); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  run kill -0 "$pid"
  assert_failure
  run bash -c 'ls -d "$1"/tmp.*' bash "$BATS_TEST_TMPDIR"
  assert_failure
}

# ---- tests/check-layers ----

layers() {
  cp "$tests_dir/check-layers" tests/
  run tests/check-layers
}

@test "check-layers: a tidy tree passes" {
  printf '#include "io/x.h"\n\n#include <stdio.h>\n#include <zlib.h>\n\n#include "base/buf.h"\nint n; /* printf(x) exit(1) ' >lib/io/unpack.c
  printf 'strcpy(a, b) */\nconst char *s = "system(1)"; // abort()\nint my_exit(int); int r = f.exit(1) + p->puts(2);\n' >>lib/io/unpack.c
  printf '#include "cli/opt.h"\nint main(void) { return printf("x") < 0; }\n' >cmd/x.c
  layers
  assert_success
  assert_output ''
}

@test "check-layers: every kind of fault is found, with its place" {
  cat >lib/io/x.c <<'C'
#include "io/x.h"
#include "json/scan.h"
#include "x.h"
#  include <zlib.h>
#include <cjson/cJSON.h>
int a = strcpy(b, c) + sprintf (b, c);
int b = cJSON_GetObjectItem(a, b) + cJSON_GetObjectItemCaseSensitive(a, b) + cJSON_Parse(c);
int c = printf("x"); exit(1); _exit(1);
int d = fputs("x", stderr);
int e = '"' + system("x"); /* closed */ int f = atoi(x);
C
  # in two pieces, so that this file has no such mark
  printf '/* %s%s: later */\n' TO DO >>lib/io/x.c
  printf '#include "cli/opt.h"\n' >lib/base/y.h
  printf '#include "base/x.h"\n%.0s' $(seq 601) >lib/base/long.c
  printf 'int x;\n%.0s' $(seq 251) >cmd/tscat.c
  mkdir lib/attic && echo >lib/attic/z.c
  layers
  assert_failure 1
  assert_output - <<'TXT'
cmd/tscat.c: 251 lines: a program is a table of contents
lib/attic/z.c:1: lib/attic/ is no floor that this script knows
lib/base/long.c: 601 lines: does it do one thing?
lib/base/y.h:1: cli/opt.h: a higher floor than base
lib/io/x.c:2: json/scan.h: a higher floor than io
lib/io/x.c:3: x.h: not the name of a floor and a file
lib/io/x.c:4: zlib.h belongs to lib/io/unpack.c alone
lib/io/x.c:5: cjson/cJSON.h belongs to lib/json/tree.c alone
lib/io/x.c:6: strcpy(): banned
lib/io/x.c:6: sprintf(): banned
lib/io/x.c:7: cJSON_GetObjectItem(): not strict enough
lib/io/x.c:7: cJSON_Parse(): not strict enough
lib/io/x.c:8: printf(): the library neither prints nor exits
lib/io/x.c:8: exit(): the library neither prints nor exits
lib/io/x.c:8: _exit(): the library neither prints nor exits
lib/io/x.c:9: fputs(): the library neither prints nor exits
lib/io/x.c:9: stderr: the library does not print
lib/io/x.c:10: system(): banned
lib/io/x.c:10: atoi(): banned
lib/io/x.c:11: a mark of unfinished work
TXT
}

# ---- tests/check-man ----

# A program, its page and its completions that agree; each test then breaks one thing.
agreeing() {
  cp "$tests_dir/check-man" tests/
  mkdir bin
  : >cmd/tscat.c
  echo hi >tests/data/man/x
  cat >bin/tscat <<'SH'
#!/bin/sh
[ "$1" = --help ] || exec cat "$@"
cat <<TXT
usage: tscat [-c SOURCE]... [FILE]
print catalogs

Views:
  -l                       list, not --this
  -c, --catalog=SOURCE     read it
      --names              names only
  -h, --help               print this help
      --version            print name and version
TXT
SH
  chmod +x bin/tscat
  cat >man/tscat.1 <<'MDOC'
.Dd January 1, 2025
.Dt TSCAT 1
.Os
.Sh NAME
.Nm tscat
.Nd print catalogs
.Sh SYNOPSIS
.Nm tscat
.Op Fl c Ar SOURCE
.Sh DESCRIPTION
It prints.
.Bl -tag -width Ds
.It Fl l
list
.It Fl c , Fl Fl catalog Ns = Ns Ar SOURCE
read
.It Fl Fl names
names
.It Fl h , Fl Fl help
help
.It Fl Fl version
version
.El
.Sh EXAMPLES
.Bd -literal -offset indent
$ tscat x
hi
$ printf '%s\en' "a~^\(aqb" \e
    'c  d'
a~^'b
c  d

$ false
$ echo $?
1
$ echo new >y
.Ed
.Bd -literal
$ cat y
new
.Ed
MDOC
  sed -i '/^c  d$/{n;d}' man/tscat.1 # the blank line after it stands for nothing
  cat >completions/bash/tscat <<'SH'
_tscat() { COMPREPLY=($(compgen -W '-l -c --catalog= --names -h --help --version' -- "${COMP_WORDS[COMP_CWORD]}")); }
complete -o nospace -F _tscat tscat
SH
  cat >completions/zsh/_tscat <<'SH'
#compdef tscat
_arguments -s -S : '-l[list]' '*'{-c+,--catalog=}'[read it]:source:_files' '(--names)--names[names]' \
  '(- *)'{-h,--help}'[help]' '(- *)--version[version]' '*:file:_files'
SH
  cat >completions/fish/tscat.fish <<'SH'
complete -c tscat -s l -d list
complete -c tscat -s c -l catalog -r -d 'read it'
complete -c tscat -l names -d names
complete -c tscat -s h -l help -d help
complete -c tscat -l version
SH
}

man_check() { PATH=$tree/bin:$PATH run tests/check-man "$@"; }

@test "check-man: what agrees passes" {
  agreeing
  man_check
  assert_output ''
  assert_success
}

@test "check-man: an option that one of them has not, or has too many, is named" {
  agreeing
  sed -i '/names/s/^/#/' completions/fish/tscat.fish
  sed -i 's/ --names / --nmaes /' completions/bash/tscat
  sed -i "s/'-l\[list\]'/'-L[list]'/" completions/zsh/_tscat
  sed -i 's/^.It Fl Fl version/.It Fl V , Fl Fl version/' man/tscat.1
  man_check tscat
  assert_failure 1
  assert_output - <<'TXT'
man/tscat.1: has options that tscat --help has not: -V
completions/bash/tscat: has not these options of tscat --help: --names
completions/bash/tscat: has options that tscat --help has not: --nmaes
completions/zsh/_tscat: has not these options of tscat --help: -l
completions/zsh/_tscat: has options that tscat --help has not: -L
completions/fish/tscat.fish: has not these options of tscat --help: --names
TXT
}

@test "check-man: a page or completion that is not there is named" {
  agreeing
  rm man/tscat.1 completions/zsh/_tscat
  man_check
  assert_failure 1
  assert_output $'tscat: there is no man/tscat.1\ntscat: there is no completions/zsh/_tscat'
}

@test "check-man: an example with another output is shown" {
  agreeing
  sed -i 's/^hi$/ho/' man/tscat.1
  man_check tscat.1
  assert_failure 1
  assert_output - <<'TXT'
man/tscat.1:26: $ tscat x
@@ -1 +1 @@
-ho
+hi
TXT
}

@test "check-man: a page whose examples cannot be run is named" {
  agreeing
  sed -i 's/^\$ /# /' man/tscat.1
  man_check tscat.1
  assert_failure 1
  assert_output 'man/tscat.1: no example that can be run'
}

@test "check-man: mandoc's warnings count" {
  agreeing
  sed -i 's/^It prints./.Bogus/' man/tscat.1
  man_check tscat.1
  assert_failure 1
  assert_output --partial 'skipping unknown macro'
}

@test "check-man: another summary than that of --help is named" {
  agreeing
  sed -i 's/^.Nd .*/.Nd print things/' man/tscat.1
  man_check tscat
  assert_failure 1
  assert_output 'man/tscat.1: .Nd is no line of tscat --help: print things'
}
