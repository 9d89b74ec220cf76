#!/usr/bin/env bats
# tools/deps on machines that are not this one: what is on PATH is made up. A package manager of these tests
# writes down how it was called and "installs" by making the command or the header that it was asked for.

load helper

setup() {
  bin=$BATS_TEST_TMPDIR/bin headers=$BATS_TEST_TMPDIR/headers log=$BATS_TEST_TMPDIR/log
  export BATS_LIB_PATH=$BATS_TEST_TMPDIR/lib HEADERS=$headers LOG=$log BIN=$bin
  mkdir "$bin" "$headers" "$BATS_LIB_PATH"
  : >"$log"
  # The script looks in the system's folders too, which this machine has: give it a finder of its own.
  mkdir "$BATS_TEST_TMPDIR/tools"
  cp "$tests_dir/../tools/deps" "$BATS_TEST_TMPDIR/tools/"
  fake_to "$BATS_TEST_TMPDIR/tools/bats-lib" 'test -f "$BATS_LIB_PATH/bats-assert/load.bash"'
  for c in sh cat env rm mktemp tr; do ln -s "$(command -v $c)" "$bin/$c"; done
  fake id 'echo "${FAKE_UID:-0}"'
  fake pkg-config 'exit 1'
  have_all
}

fake_to() { printf '#!/bin/sh\n%s\n' "$2" >"$1" && chmod +x "$1"; } # FILE TEXT
fake() { fake_to "$bin/$1" "$2"; }

have_all() {
  local c
  for c in make ar git bash awk cmp timeout script gzip zstd bats mandoc zsh fish; do fake $c ''; done
  for c in cJSON git2 pcre2 utf8proc zstd zlib sha2; do : >"$headers/$c.h"; done
  mkdir "$BATS_LIB_PATH/bats-assert" && : >"$BATS_LIB_PATH/bats-assert/load.bash"
  # Compiles what it is given, and finds the headers that are in $HEADERS.
  fake cc 'while read -r line; do
      case $line in *"<"*">"*) h=${line#*"<"}; h=${h%">"*}; h=${h##*/}
        [ "$h" = types.h ] || [ -f "$HEADERS/$h" ] || exit 1 ;; esac
    done'
}

# A package manager: writes down its arguments; what is in the table below comes into being.
manager() { # NAME [TEXT BEFORE]
  fake "$1" "${2:-}"'
echo "'"$1"' $*" >>"$LOG"
PATH=$REAL_PATH
for p in "$@"; do
  case $p in
    libcjson-dev|cjson-devel|cjson-dev|cjson) : >"$HEADERS/cJSON.h" ;;
    libmd-dev|libmd-devel|libmd) : >"$HEADERS/sha2.h" ;;
    mandoc) ln -sf "$BIN/sh" "$BIN/mandoc" ;;
    fish) ln -sf "$BIN/sh" "$BIN/fish" ;;
    bats-assert|*/bats-assert) mkdir -p "$BATS_LIB_PATH/bats-assert"; : >"$BATS_LIB_PATH/bats-assert/load.bash" ;;
  esac
done'
  export REAL_PATH=$PATH
}

lacking() { # what the four managers bring
  rm -rf "$headers/cJSON.h" "$headers/sha2.h" "$bin/mandoc" "$bin/fish" "$BATS_LIB_PATH/bats-assert"
}

deps() { run env PATH="$bin" "$@" "$BATS_TEST_TMPDIR/tools/deps" </dev/null; }

@test "deps: with nothing missing no package manager is called" {
  manager apt-get
  deps
  assert_success
  assert_output 'deps: nothing is missing'
  [ ! -s "$log" ]
}

@test "deps: with nothing missing none is needed" {
  deps FAKE_UID=1000
  assert_success
  assert_output 'deps: nothing is missing'
}

@test "deps: apt-get installs only what is missing, asking nothing" {
  manager apt-get 'test "$DEBIAN_FRONTEND" = noninteractive || exit 9'
  fake apt-cache ''
  lacking
  deps
  assert_success
  assert_line --index 0 'deps: missing: cjson/cJSON.h, sha2.h, bats-assert, mandoc, fish'
  assert_line --index 1 'deps: running: env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends libcjson-dev libmd-dev bats-support bats-assert mandoc fish'
  assert_line --index 2 'deps: all is there'
  assert_equal "$(cat "$log")" 'apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends libcjson-dev libmd-dev bats-support bats-assert mandoc fish'
}

@test "deps: apt-get updates its lists first when they do not know a package" {
  manager apt-get
  fake apt-cache 'exit 100'
  rm "$bin/mandoc"
  deps
  assert_success
  assert_equal "$(sed 's/.*Timeout=300 //' "$log")" $'update\ninstall --no-install-recommends mandoc'
}

@test "deps: apt-get updates its lists once when installing fails, and tries again" {
  manager apt-get 'case "$*" in *install*) if ! test -f "$LOG.updated"; then echo "apt-get: 404" >&2; echo failed >>"$LOG"; exit 100; fi ;; *update*) : >"$LOG.updated" ;; esac'
  fake apt-cache ''
  rm "$bin/mandoc"
  deps
  assert_success
  assert_equal "$(sed 's/.*Timeout=300 //' "$log")" $'failed\nupdate\ninstall --no-install-recommends mandoc'
}

@test "deps: a package manager that fails is exit status 2, and its own words are seen" {
  manager apt-get 'echo "E: no such package" >&2; exit 100'
  fake apt-cache ''
  rm "$bin/mandoc"
  deps
  assert_failure 2
  assert_line 'E: no such package'
  assert_line 'deps: apt-get could not install: mandoc'
}

@test "deps: a package manager that says it did, and did not, is exit status 2" {
  fake dnf ''
  rm "$bin/mandoc"
  deps
  assert_failure 2
  assert_line 'deps: still missing after dnf: mandoc'
}

@test "deps: dnf, apk and brew by their own names" {
  local row name want
  for row in \
    'dnf|dnf install -y cjson-devel libmd-devel bats-support bats-assert mandoc fish' \
    'apk|apk add cjson-dev libmd-dev bats-support bats-assert mandoc fish' \
    'brew|brew install cjson libmd bats-core/bats-core/bats-support bats-core/bats-core/bats-assert mandoc fish'; do
    name=${row%%|*} want=${row#*|}
    manager "$name"
    lacking
    : >"$log"
    deps
    assert_success
    assert_line "deps: running: $want"
    assert_line 'deps: all is there'
    assert_equal "$(cat "$log")" "$want"
    rm "$bin/$name"
  done
}

@test "deps: the first manager found is used" {
  manager dnf
  manager brew
  rm "$bin/mandoc"
  deps
  assert_success
  assert_equal "$(cat "$log")" 'dnf install -y mandoc'
}

@test "deps: another user than root goes through sudo, or else doas" {
  local by
  for by in doas sudo; do # with both there, sudo
    manager apk
    fake $by 'echo "'$by' $*" >>"$LOG"; exec "$@"'
    rm "$bin/mandoc"
    : >"$log"
    deps FAKE_UID=1000
    assert_success
    assert_line "deps: running: $by apk add mandoc"
    assert_equal "$(cat "$log")" "$by apk add mandoc"$'\n''apk add mandoc'
  done
}

@test "deps: brew is never run as root's servant" {
  manager brew
  fake sudo 'echo sudo >>"$LOG"; exec "$@"'
  rm "$bin/mandoc"
  deps FAKE_UID=501
  assert_success
  assert_equal "$(cat "$log")" 'brew install mandoc'
}

@test "deps: neither root nor sudo nor doas: exit status 2, and what to run" {
  manager dnf
  rm "$bin/mandoc"
  deps FAKE_UID=1000
  assert_failure 2
  assert_line 'deps: neither root nor sudo nor doas; let somebody who is root run: dnf install mandoc'
  [ ! -s "$log" ]
}

@test "deps: no package manager: the list, and exit status 2" {
  lacking
  deps
  assert_failure 2
  assert_output - <<'TXT'
deps: missing: cjson/cJSON.h, sha2.h, bats-assert, mandoc, fish
deps: no package manager that this script knows (apt-get, dnf, apk, brew); as Debian names them, install: libcjson-dev libmd-dev bats-support bats-assert mandoc fish
TXT
}

@test "deps: a bare machine is missing everything" {
  rm -f "$headers"/* "$bin"/{cc,make,ar,git,bash,awk,cmp,timeout,script,gzip,zstd,bats,mandoc,zsh,fish,pkg-config}
  rm -r "$BATS_LIB_PATH/bats-assert"
  deps
  assert_failure 2
  assert_line --index 1 'deps: no package manager that this script knows (apt-get, dnf, apk, brew); as Debian names them, install: gcc libc6-dev make binutils pkg-config git bash mawk diffutils coreutils bsdutils gzip zstd libcjson-dev libgit2-dev libpcre2-dev libutf8proc-dev libzstd-dev zlib1g-dev libmd-dev bats bats-support bats-assert mandoc zsh fish'
}

@test "deps: CC names the compiler that is looked for" {
  deps CC=clang-99
  assert_failure 2
  assert_line --index 0 --partial 'deps: missing: a C compiler (clang-99), '
  assert_line --index 1 --partial 'install: clang libc6-dev libclang-rt-dev'
}

@test "deps: a compiler that is there and cannot make a program is missing" {
  fake cc 'exit 1'
  deps
  assert_failure 2
  assert_line --index 0 --partial 'missing: a C compiler (cc)'
}

@test "deps: the package names are known to this machine's apt" {
  command -v apt-cache >/dev/null || return 0
  rm -f "$headers"/* "$bin"/{cc,make,ar,git,bash,awk,cmp,timeout,script,gzip,zstd,bats,mandoc,zsh,fish,pkg-config}
  rm -r "$BATS_LIB_PATH/bats-assert"
  deps
  local names=${lines[1]##*install: } name
  for name in $names; do
    dpkg-query -W "$name" >/dev/null 2>&1 || apt-cache show "$name" >/dev/null 2>&1 || fail "no package $name"
  done
}
