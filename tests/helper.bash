# What every bats file loads first:  load helper
#
# Programs are found on PATH: tests/run puts its build folder there. A bats file run by hand tests what lies in
# build/release.

tests_dir=$(cd "${BASH_SOURCE[0]%/*}" && pwd)
bats_lib=$("$tests_dir/../tools/bats-lib") || echo "bats-assert is missing: 'make deps' installs it" >&2
load "$bats_lib/bats-support/load.bash"
load "$bats_lib/bats-assert/load.bash"

export LC_ALL=C TZ=UTC
unset TSCATALOG NO_COLOR
if [ -z "${TS_BUILD:-}" ]; then
  export TS_BUILD="${tests_dir%/*}/build/release"
  PATH="$TS_BUILD:$PATH"
fi

# The path of a file of the tests' own.
data() { printf '%s\n' "$tests_dir/data/$1"; }

# FILE holds exactly the bytes of EXPECTED.
bytes_equal() { # FILE EXPECTED
  cmp "$1" "$2" >&2 && return
  diff -u "$2" "$1" | cat -A | head -n 40 >&2
  return 1
}

# FILE holds exactly the text on standard input.
holds() { # FILE
  cat >"$BATS_TEST_TMPDIR/expected" && bytes_equal "$1" "$BATS_TEST_TMPDIR/expected"
}

# The path of the material that lies beside a checkout on some machines; fails where there is none:
#   shared=$(shared) || return 0
shared() { [ -d "${tests_dir%/*/*}/shared" ] && printf '%s\n' "${tests_dir%/*/*}/shared"; }

# Was it built with sanitizers? For the few tests of limits (ulimit -v, the largest memory seen) that these break.
sanitized() { [ -n "${SAN:-}" ]; }
