# toolsurface: small utilities around an agent's tool surface. GNU make, no configure step.
#
#? make deps            install what building and testing need and the machine does not have
#? make                 build the programs, in build/<variant>/
#? make demo            audit three bundled transcripts
#? make check           all tests; ONLY='tscat json': those whose file name has one of the words in it
#? make install         to PREFIX (/usr/local), below DESTDIR; make uninstall takes it away again
#? make check-install   install into an empty folder, run what is there, uninstall
#? make check-man       manual pages, --help and completions agree, and the manuals' examples are right
#? make check-layers    each file keeps to its floor
#? make bench           speed and memory
#? make tidy            clang-tidy; make format-check, make format: clang-format
#? make dist            a tar.gz of what is committed, always the same bytes
#? make clean           remove what was built
#?
#? CC=clang: another compiler. SAN=1: with the address and undefined behaviour sanitizers. SHARED=1: link shared
#? libraries only. V=1: show commands.
#
# CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS are the user's: they come behind our own flags, so they win. What is
# built lies in build/<variant>/, one folder a compiler and kind, so that going to and fro needs no clean.

MAKEFLAGS += --no-builtin-rules --no-builtin-variables
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := all

ifeq ($(filter-out default undefined,$(origin CC)),)
CC := cc
endif
ifeq ($(filter-out default undefined,$(origin AR)),)
AR := ar
endif
PKG_CONFIG ?= pkg-config
PREFIX ?= /usr/local
DESTDIR ?=
BUILD ?= build
SAN ?=
SHARED ?=
V ?=

quote = '$(subst ','\'',$1)'

# --- variant ----------------------------------------------------------------------------------------------
compiler := $(notdir $(firstword $(filter-out ccache distcc -%,$(CC))))
kind := $(filter-out cc gcc,$(compiler)) $(if $(filter-out 0,$(SAN)),san)
VARIANT := $(or $(subst $() ,-,$(strip $(kind))),release)
B := $(BUILD)/$(VARIANT)

# --- what there is to build -------------------------------------------------------------------------------
PROGRAMS := tscat tsdispatch todo-write todo-snapshot tsreplay
have := $(foreach p,$(PROGRAMS),$(if $(wildcard cmd/$p.c),$p))
programs := $(have:%=$B/%)
library := $B/libtoolsurface.a
lib_src := $(sort $(wildcard lib/*/*.c))
unit_src := $(sort $(wildcard tests/unit/test_*.c))
fuzz_src := $(sort $(wildcard tests/fuzz/fuzz_*.c))
unit_tests := $(unit_src:%.c=$B/%)
fuzz_tests := $(fuzz_src:%.c=$B/%)
catalogs := $(sort $(wildcard lib/catalog/*.jsonl))

# --- flags ------------------------------------------------------------------------------------------------
# Asked once, when first needed. Where a library has an archive, that is linked: every shared library makes each
# start slower, and six of them take longer than all the rest of it. SHARED=1 links none.
packages := libcjson:cjson libpcre2-8:pcre2-8 libutf8proc:utf8proc libzstd:zstd zlib:z libmd:md
git_package := libgit2:git2
ask = $(shell CC=$(call quote,$(CC)) PKG_CONFIG=$(call quote,$(PKG_CONFIG)) tools/libs $1)
lib_cflags = $(eval lib_cflags := $$(call ask,cflags $(packages) $(git_package)))$(lib_cflags)
libs = $(eval libs := $$(call ask,$(if $(filter-out 0,$(SHARED)),libs,archives) $(packages)) -lpthread -lm)$(libs)
git_libs = $(eval git_libs := $$(call ask,libs $(git_package)))$(git_libs)

with_git :=
warnings := -Wall -Wextra -Wshadow -Wconversion -Werror
hardening := -fstack-protector-strong -fPIE
optimise := -O2 -g
ifneq ($(filter-out 0,$(SAN)),)
optimise := -O1 -g -fno-omit-frame-pointer
sanitise := -fsanitize=address,undefined -fno-sanitize-recover=all
else ifeq ($(filter -O0,$(CFLAGS) $(CPPFLAGS)),)
hardening += -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
endif

# Nothing that is built may depend on where: the same bytes from every folder.
reproducible := -ffile-prefix-map=$(call quote,$(CURDIR))=.

compile = $(CC) -std=c11 $(optimise) $(warnings) $(hardening) $(sanitise) $(reproducible) -pthread \
  -Ilib -Itests -I$B/gen $(lib_cflags) $(CPPFLAGS) $(CFLAGS)
link = $(CC) $(optimise) $(sanitise) -pie -pthread -Wl,-z,relro,-z,now -Wl,--as-needed -Wl,--exclude-libs,ALL \
  $(CFLAGS) $(LDFLAGS)

ifeq ($(filter-out 0,$V),)
say = @printf '  %-7s %s\n' $1 $2;
endif

# --- building ---------------------------------------------------------------------------------------------
.PHONY: all deps demo check install uninstall check-install check-man check-layers bench dist clean \
  help tidy format format-check FORCE

all: $(library) $(programs)

$B/obj/%.o: %.c $B/flags
	$(call say,CC,$<)mkdir -p $(@D) && $(compile) -MMD -MP -MT $@ -c -o $@ $<

# Started afresh, so that an object whose source is gone does not stay in it.
$(library): $(lib_src:%.c=$B/obj/%.o) $B/members
	$(call say,AR,$@)rm -f $@ && $(AR) rcsD $@ $(filter %.o,$^)

$(programs): $B/%: $B/obj/cmd/%.o $(library)
	$(call say,LD,$@)$(link) -o $@ $(filter %.o,$^) $(library) $(with_git) $(libs) $(LDLIBS)

# libgit2 costs every start some milliseconds: only these can need it, and only those that use it keep it.
$B/tscat $B/tsreplay $(unit_tests) $(fuzz_tests): with_git = $(git_libs)

$(unit_tests): $B/%: $B/obj/%.o $(library)
	$(call say,LD,$@)mkdir -p $(@D) && $(link) -o $@ $(filter %.o,$^) $(library) $(with_git) $(libs) $(LDLIBS)

$(fuzz_tests): $B/%: $B/obj/%.o $B/obj/tests/fuzz/main.o $(library)
	$(call say,LD,$@)mkdir -p $(@D) && $(link) -o $@ $(filter %.o,$^) $(library) $(with_git) $(libs) $(LDLIBS)

# The embedded catalogs as bytes: ts_builtin_NAME[] for every lib/catalog/NAME.jsonl.
$B/gen/catalog/builtin_data.h: $(catalogs) $B/flags
	$(call say,GEN,$@)mkdir -p $(@D) && for f in $(catalogs); do \
	  name=$${f##*/}; \
	  printf 'static const unsigned char ts_builtin_%s[] = {\n' "$${name%.jsonl}" && \
	  od -An -v -tx1 "$$f" | sed 's/  *\([0-9a-f][0-9a-f]\)/0x\1,/g' && printf '};\n' || exit 1; \
	done >$@
$B/obj/lib/catalog/builtin.o: $B/gen/catalog/builtin_data.h

# These two change only when what they say does: other flags rebuild everything, another list of objects the
# library.
keep = @mkdir -p $(@D); printf '%s\n' $(call quote,$1) | cmp -s - $@ || printf '%s\n' $(call quote,$1) >$@
$B/flags: FORCE
	$(call keep,$(subst $(CURDIR),,$(compile) | $(link) | $(libs) $(git_libs) $(LDLIBS)))
$B/members: FORCE
	$(call keep,$(lib_src))

-include $(patsubst %.c,$B/obj/%.d,$(lib_src) $(have:%=cmd/%.c) $(unit_src) $(fuzz_src) tests/fuzz/main.c)

# `make -j deps check`: nothing is compiled before what it needs is there.
ifneq ($(filter deps,$(MAKECMDGOALS)),)
$B/flags $B/members: | deps
endif

# --- testing ----------------------------------------------------------------------------------------------
check: all $(unit_tests) $(fuzz_tests)
	@SAN='$(filter-out 0,$(SAN))' tests/run $B

check-layers:
	@tests/check-layers

check-man: all
	@PATH="$(abspath $B):$$PATH" tests/check-man

bench: all
	@CC='$(CC)' PATH="$(abspath $B):$$PATH" tests/bench/run $B

demo: all
	@PATH="$(abspath $B):$$PATH" tools/demo

tidy: $B/gen/catalog/builtin_data.h
	@printf '%s\n' $(lib_src) $(have:%=cmd/%.c) | xargs -n 1 -P 2 sh -c 'echo "  TIDY    $$0" && \
	  clang-tidy --quiet "$$0" -- -std=c11 -Ilib -I$B/gen $(lib_cflags) 2>/dev/null'

sources := $(sort $(wildcard lib/*/*.[ch] lib/*/*.inc cmd/*.c tests/unit/*.[ch] tests/fuzz/*.[ch]))
format:
	@clang-format -i $(sources)
format-check:
	@clang-format --dry-run --Werror $(sources)

deps:
	@CC='$(CC)' tools/deps

# --- installing -------------------------------------------------------------------------------------------
# What goes where below PREFIX, as source>target: for install and uninstall alike.
installed := \
  $(foreach p,$(have),$B/$p>bin/$p) \
  $(foreach m,$(sort $(wildcard man/*.[1-7])),$m>share/man/man$(subst .,,$(suffix $m))/$(notdir $m)) \
  $(foreach c,$(sort $(wildcard completions/bash/*)),$c>share/bash-completion/completions/$(notdir $c)) \
  $(foreach c,$(sort $(wildcard completions/zsh/*)),$c>share/zsh/site-functions/$(notdir $c)) \
  $(foreach c,$(sort $(wildcard completions/fish/*)),$c>share/fish/vendor_completions.d/$(notdir $c))
below := $(call quote,$(DESTDIR)$(PREFIX))

install: all
	@set -e; umask 022; for pair in $(foreach i,$(installed),$(call quote,$i)); do \
	  to=$(below)/$${pair#*>}; \
	  case $$pair in *'>bin/'*) mode=755 ;; *) mode=644 ;; esac; \
	  echo "  INSTALL $$to"; mkdir -p "$${to%/*}"; install -m $$mode "$${pair%%>*}" "$$to"; \
	done

uninstall:
	@set -e; for pair in $(foreach i,$(installed),$(call quote,$i)); do \
	  to=$(below)/$${pair#*>}; \
	  echo "  REMOVE  $$to"; rm -f "$$to"; \
	done

check-install: all
	@tests/install-check $(MAKE) --no-print-directory BUILD=$(call quote,$(BUILD)) CC=$(call quote,$(CC)) SAN=$(call quote,$(SAN))

# --- a release --------------------------------------------------------------------------------------------
version = $(shell sed -n 's/^\#define TS_VERSION "\(.*\)"/\1/p' lib/cli/opt.h)
dist:
	@mkdir -p $(BUILD)/dist && cd $(BUILD)/dist && name=toolsurface-$(version) && \
	  git -C $(call quote,$(CURDIR)) archive --format=tar --prefix=$$name/ HEAD >$$name.tar && gzip -9nf $$name.tar && \
	  echo "  DIST    $(BUILD)/dist/$$name.tar.gz"

help:
	@sed -n 's/^#? //p' Makefile

clean:
	rm -rf $(dir $(wildcard $(BUILD)/*/flags)) $(BUILD)/dist
	-@rmdir $(BUILD) 2>/dev/null || true
