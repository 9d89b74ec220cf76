#!/usr/bin/env bats
# The Makefile, on a small tree that has the real one's shape: building, variants, flags, installing, releases.

load helper

setup() {
  # What a caller set must not reach the inner make.
  unset MAKEFLAGS MFLAGS MAKELEVEL GNUMAKEFLAGS MAKEOVERRIDES CC CFLAGS CPPFLAGS LDFLAGS LDLIBS AR SAN V BUILD PREFIX DESTDIR ONLY
  tree=$BATS_TEST_TMPDIR/tree
  small_tree "$tree"
  cd "$tree"
}

# A library of two floors, one program and its page and completions, an embedded catalog.
small_tree() { # FOLDER
  mkdir -p "$1"/{lib/base,lib/catalog,lib/cli,cmd,man,completions/bash,completions/zsh,completions/fish,tests/unit}
  cp "$tests_dir/../Makefile" "$1/"
  cp -R "$tests_dir/../tools" "$1/"
  cp "$tests_dir/run" "$1/tests/"
  cd "$1"
  echo '#define TS_VERSION "1.2.3"' >lib/cli/opt.h
  echo 'int ts_one(void);' >lib/base/one.h
  printf '#include "base/one.h"\nint ts_one(void) { return 1; }\n' >lib/base/one.c
  printf '{"name":"%s"}\n' 'a\u0000 ä' >lib/catalog/codewhale.jsonl
  printf 'no newline at the end' >lib/catalog/policy.jsonl
  cat >lib/catalog/builtin.c <<'C'
#include <stdio.h>
#include "catalog/builtin_data.h"
void ts_print(void);
void ts_print(void) {
  (void)fwrite(ts_builtin_codewhale, 1, sizeof ts_builtin_codewhale, stdout);
  (void)fwrite(ts_builtin_policy, 1, sizeof ts_builtin_policy, stdout);
}
C
  cat >cmd/tscat.c <<'C'
#include <stdio.h>
#include <string.h>
#include "base/one.h"
void ts_print(void);
int main(int argc, char **argv) {
  char name[16] = "";
  if (argc > 1) strncpy(name, argv[1], sizeof name - 1);
  ts_print();
#ifdef WORD
  (void)puts(WORD);
#endif
  printf("%s %s %d\n", name, __FILE__, ts_one());
  return 0;
}
C
  echo .Dd >man/tscat.1
  echo .Dd >man/tsrecord.5
  echo .Dd >man/toolsurface.7
  echo bash >completions/bash/tscat
  echo zsh >completions/zsh/_tscat
  echo fish >completions/fish/tscat.fish
}

run_make() { run make --no-print-directory "$@" </dev/null; }

@test "make: builds the library and the programs that there are, and says so briefly" {
  run_make
  assert_success
  assert_output - <<'TXT'
  CC      lib/base/one.c
  GEN     build/release/gen/catalog/builtin_data.h
  CC      lib/catalog/builtin.c
  AR      build/release/libtoolsurface.a
  CC      cmd/tscat.c
  LD      build/release/tscat
TXT
  run build/release/tscat x
  assert_success
  assert_line 'no newline at the endx cmd/tscat.c 1'
}

@test "make: with all built there is nothing to do" {
  make >/dev/null
  run_make
  assert_success
  assert_output ''
}

@test "make: the embedded catalogs are the files, byte for byte" {
  make >/dev/null
  build/release/tscat | head -c "$(cat lib/catalog/*.jsonl | wc -c)" >out
  bytes_equal out <(cat lib/catalog/codewhale.jsonl lib/catalog/policy.jsonl)
}

@test "make: a changed catalog, header or source is built again, and nothing else" {
  make >/dev/null
  echo more >>lib/catalog/policy.jsonl
  run_make
  assert_line '  GEN     build/release/gen/catalog/builtin_data.h'
  refute_line '  CC      lib/base/one.c'
  run build/release/tscat
  assert_line 'no newline at the endmore'
  echo '/* */' >>lib/base/one.h
  run_make
  assert_line '  CC      lib/base/one.c'
  assert_line '  CC      cmd/tscat.c'
  refute_line '  CC      lib/catalog/builtin.c'
}

@test "make: a header that goes away does not stop the build" {
  make >/dev/null
  sed -i 's/base.one.h/base\/two.h/' lib/base/one.c cmd/tscat.c
  mv lib/base/one.h lib/base/two.h
  run_make
  assert_success
}

@test "make: a source that goes away leaves the library" {
  printf 'int ts_old(void);\nint ts_old(void) { return 2; }\n' >lib/base/old.c
  make >/dev/null
  run ar t build/release/libtoolsurface.a
  assert_line old.o
  rm lib/base/old.c
  run_make
  assert_output $'  AR      build/release/libtoolsurface.a\n  LD      build/release/tscat'
  run ar t build/release/libtoolsurface.a
  assert_output $'one.o\nbuiltin.o'
}

@test "make: the user's flags come behind ours, and other flags build again" {
  make >/dev/null
  run_make V=1 CPPFLAGS=-DUSER_CPP CFLAGS='-O3 -DUSER_C' LDFLAGS=-Wl,-O1 LDLIBS=-lm
  assert_success
  assert_line --regexp '^.*cc .* -O2 .*-DUSER_CPP -O3 -DUSER_C .*-c -o build/release/obj/lib/base/one.o lib/base/one.c$'
  assert_line --regexp '^cc .* -O3 -DUSER_C -Wl,-O1 -o build/release/tscat .*-lpthread -lm -lm$'
  run_make V=1 CPPFLAGS=-DUSER_CPP CFLAGS='-O3 -DUSER_C' LDFLAGS=-Wl,-O1 LDLIBS=-lm
  refute_output --partial 'one.c'
}

@test "make: flags with quotes and blanks in them" {
  run_make CPPFLAGS="-DWORD='\"two words\"'"
  assert_success
  run build/release/tscat
  assert_line 'no newline at the endtwo words'
  run_make CPPFLAGS="-DWORD='\"two words\"'"
  assert_output ''
}

@test "make: flags from the environment count too" {
  CFLAGS=-DWORD='\"env\"' run_make
  assert_success
  run build/release/tscat
  assert_line 'no newline at the endenv'
}

@test "make: without optimisation there is no fortifying, and no warning of it" {
  run_make CFLAGS=-O0
  assert_success
  refute_output --partial warning
}

@test "make: a warning is an error, unless the user says otherwise" {
  echo 'int ts_two(int n); int ts_two(int n) { int unused; return n; }' >>lib/base/one.c
  run_make
  assert_failure 2
  assert_output --partial unused
  run_make CFLAGS=-Wno-error
  assert_success
}

@test "make: another compiler and the sanitizers have folders of their own" {
  printf '#!/bin/sh\nexec cc "$@"\n' >other-cc
  chmod +x other-cc
  make >/dev/null
  run_make CC=./other-cc
  assert_line '  LD      build/other-cc/tscat'
  run_make SAN=1
  assert_line '  LD      build/san/tscat'
  run_make SAN=1 CC="ccache ./other-cc" -n
  assert_line --partial 'build/other-cc-san/tscat'
  run_make SAN=0 CC=gcc
  assert_success
  [ ! -e build/gcc ]
  run_make CC=./other-cc
  assert_output ''
}

@test "make SAN=1: the sanitizers end a program that goes wrong" {
  cat >cmd/tsreplay.c <<'C'
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char *volatile p = malloc(4);
  volatile int big = 2147483647;
  if (!p) return 1;
  if (argc > 1 && strcmp(argv[1], "leak") == 0) { p[0] = 'x'; p = 0; return 0; }
  if (argc > 1 && strcmp(argv[1], "overflow") == 0) { free(p); return big + argc > 0; }
  memset(p, 'x', (size_t)argc + 3);
  free(p);
  return 0;
}
C
  make SAN=1 CFLAGS=-Wno-error >/dev/null 2>&1
  local how
  for how in leak overflow address; do
    run env ASAN_OPTIONS=detect_leaks=1:exitcode=86 LSAN_OPTIONS=exitcode=86 UBSAN_OPTIONS=exitcode=86 \
      build/san/tsreplay $how
    assert_failure 86
  done
}

@test "make: programs are position independent, with full RELRO, stack protection and fortified calls" {
  make >/dev/null
  run readelf -hW build/release/tscat
  assert_line --regexp 'Type: +DYN'
  run readelf -dW build/release/tscat
  assert_line --regexp 'FLAGS.*BIND_NOW|FLAGS_1.*NOW'
  assert_line --regexp 'FLAGS_1.*PIE'
  run readelf -lW build/release/tscat
  assert_line --partial GNU_RELRO
  run readelf -sW build/release/tscat
  assert_line --partial __stack_chk_fail
  assert_line --regexp '__strncpy_chk|__printf_chk'
}

@test "make: a program needs only the libraries that it uses" {
  make >/dev/null
  run bash -c "readelf -dW build/release/tscat | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'"
  assert_output --regexp '^libc\.[^[:space:]]*$'
}

@test "make: libraries that pkg-config does not know are linked by name" {
  run_make PKG_CONFIG=false SHARED=1 V=1
  assert_success
  assert_line --partial '-lcjson -lpcre2-8 -lutf8proc -lzstd -lz -lmd -lpthread -lm'
}

@test "make: a library that has an archive is linked into the programs, unless SHARED=1" {
  cat >cmd/tsreplay.c <<'C'
#include <stdio.h>
#include <zlib.h>
int main(void) { return puts(zlibVersion()) < 0; }
C
  printf '#!/bin/sh\ncase $1 in -print-file-name=*) exec echo "${1#*=}" ;; esac\nexec cc "$@"\n' >no-archives
  chmod +x no-archives
  local how archive
  archive=$(cc -print-file-name=libz.a)
  for how in SHARED= SHARED=1 CC=./no-archives; do
    make BUILD="$how" "$how" >/dev/null
    run bash -c 'readelf -dW "$1"/*/tsreplay | grep -c "NEEDED.*libz[.]so"' bash "$how"
    if [ "$how" = SHARED= ] && [ -f "$archive" ]; then assert_output 0; else assert_output 1; fi
    "$how"/*/tsreplay >/dev/null
  done
}

@test "make: the same bytes from every folder" {
  make >/dev/null
  small_tree "$BATS_TEST_TMPDIR/a longer name/elsewhere"
  make -j2 >/dev/null
  cd "$BATS_TEST_TMPDIR"
  cmp tree/build/release/tscat "a longer name/elsewhere/build/release/tscat"
  cmp tree/build/release/libtoolsurface.a "a longer name/elsewhere/build/release/libtoolsurface.a"
  run grep -c "$BATS_TEST_TMPDIR" tree/build/release/tscat tree/build/release/libtoolsurface.a
  assert_output $'tree/build/release/tscat:0\ntree/build/release/libtoolsurface.a:0'
}

@test "make: BUILD names another build folder, and clean removes what was built there" {
  run_make BUILD="$BATS_TEST_TMPDIR/out"
  assert_success
  "$BATS_TEST_TMPDIR/out/release/tscat" >/dev/null
  [ ! -e build ]
  echo keep >"$BATS_TEST_TMPDIR/out/mine"
  run_make BUILD="$BATS_TEST_TMPDIR/out" clean
  assert_success
  run ls "$BATS_TEST_TMPDIR/out"
  assert_output mine
}

@test "make clean: all variants go, and a second time is no error" {
  make >/dev/null
  make SAN=1 >/dev/null
  run_make clean
  assert_success
  [ ! -e build ]
  run_make clean
  assert_success
}

@test "make -j deps check: nothing is compiled before deps is done" {
  printf '#!/bin/sh\nsleep 0.3\n: >deps-done\n' >tools/deps
  printf '#!/bin/sh\n[ -e deps-done ] || { echo too early >&2; exit 1; }\nexec cc "$@"\n' >late-cc
  chmod +x late-cc
  run_make -j4 CC=./late-cc deps all
  assert_success
}

@test "make install, uninstall: each file in its place, and away again" {
  local at="$BATS_TEST_TMPDIR/a b/it's"
  run_make install DESTDIR="$at" PREFIX=/opt/x
  assert_success
  run bash -c "cd \"\$1/opt/x\" && find . -type f -printf '%m %P\n' | sort -k2" bash "$at"
  assert_output - <<'TXT'
755 bin/tscat
644 share/bash-completion/completions/tscat
644 share/fish/vendor_completions.d/tscat.fish
644 share/man/man1/tscat.1
644 share/man/man5/tsrecord.5
644 share/man/man7/toolsurface.7
644 share/zsh/site-functions/_tscat
TXT
  cmp "$at/opt/x/bin/tscat" build/release/tscat
  echo keep >"$at/opt/x/bin/other"
  run_make uninstall DESTDIR="$at" PREFIX=/opt/x
  assert_success
  run find "$at" -type f
  assert_output "$at/opt/x/bin/other"
}

@test "make install: another umask changes no mode, PREFIX is /usr/local unless given" {
  (umask 077 && make install DESTDIR="$BATS_TEST_TMPDIR/d" >/dev/null)
  run stat -c %a "$BATS_TEST_TMPDIR"/d/usr/local/{bin/tscat,share/man/man1,share/man/man1/tscat.1}
  assert_output $'755\n755\n644'
}

@test "make install: what cannot be written is an error" {
  : >"$BATS_TEST_TMPDIR/file"
  run_make install DESTDIR="$BATS_TEST_TMPDIR/file"
  assert_failure 2
}

@test "make dist: what is committed, always the same bytes, with the version in its name" {
  git init -q . && git add -A . && git commit -q -m one
  echo 'not committed' >stray
  run_make dist
  assert_success
  assert_output '  DIST    build/dist/toolsurface-1.2.3.tar.gz'
  cp build/dist/toolsurface-1.2.3.tar.gz "$BATS_TEST_TMPDIR/first"
  touch -d '2001-01-01' Makefile
  run_make dist BUILD="$BATS_TEST_TMPDIR/elsewhere"
  bytes_equal "$BATS_TEST_TMPDIR/elsewhere/dist/toolsurface-1.2.3.tar.gz" "$BATS_TEST_TMPDIR/first"
  run tar tzf "$BATS_TEST_TMPDIR/first"
  assert_line toolsurface-1.2.3/cmd/tscat.c
  refute_line --partial stray
  refute_line --partial build/
  run ls build/dist
  assert_output toolsurface-1.2.3.tar.gz
}

@test "make dist: outside a repository it fails and leaves nothing that looks like a release" {
  GIT_CEILING_DIRECTORIES=$BATS_TEST_TMPDIR run_make dist
  assert_failure 2
  [ ! -e build/dist/toolsurface-1.2.3.tar.gz ]
}

@test "make help: names every target for people" {
  run_make help
  assert_success
  local target
  for target in deps demo check install uninstall check-install check-man check-layers bench tidy format-check dist clean; do
    assert_output --regexp "make [^:]*$target"
  done
}

@test ".ci/run: from any folder, make deps check in the repository" {
  mkdir -p .ci && cp "$tests_dir/../.ci/run" .ci/
  printf '#!/bin/sh\necho "$PWD: make $*"\n' >"$BATS_TEST_TMPDIR/make"
  chmod +x "$BATS_TEST_TMPDIR/make"
  cd /
  PATH=$BATS_TEST_TMPDIR:$PATH run bash "$tree/.ci/run" </dev/null
  assert_success
  assert_output "$tree: make deps check"
}
