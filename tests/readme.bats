#!/usr/bin/env bats
# The README's examples say what the programs say. (Those of tscat and of "In CI" are tried with the files of their own
# tests.)

load helper

setup() { cd "$BATS_TEST_TMPDIR"; }

# The examples of one section, run in a copy of tests/data/man: a line that begins with "$ " is a command, which goes on
# in the next line where it ends in "|" or "\"; all else is what it prints.
examples_are_true() { # SECTION
  cp -r "$(data man)" here && cd here
  awk -v section="$1" '/^## / { there = $2 == section } /^```/ { inside = there && !inside; next } there && inside' \
    "$tests_dir/../README.md" >../said
  [ "$(grep -c '^\$ ' ../said)" -ge 1 ]
  awk '
    /^\$ / || more { line = more ? $0 : substr($0, 3); if (!more) printf "printf %%s\\\\n %s\n", quote($0); else printf "printf %%s\\\\n %s\n", quote($0)
      command = command line "\n"; more = $0 ~ /[|\\]$/
      if (!more) { printf "(exit $last)\n%slast=$?\n", command; command = "" } }
    function quote(text) { gsub(/\047/, "\047\\\047\047", text); return "\047" text "\047" }' ../said >../script
  { echo 'last=0'; sed 's/^(exit \$last)$/(exit $last);/' ../script; } >../run.sh
  bash ../run.sh >../done 2>&1 </dev/null || true
  bytes_equal ../done ../said
}

@test "tsreplay" { examples_are_true tsreplay; }
@test "tsdispatch" { examples_are_true tsdispatch; }
@test "todo-write" { examples_are_true todo-write; }
@test "todo-snapshot" { examples_are_true todo-snapshot; }
