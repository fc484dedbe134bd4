#include "cupti.h"
#include "driver.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What the process has mapped: libcupti itself, else folders worth looking into. */
enum { MAX_DIRS = 16 };
struct mapped {
	char cupti[512];
	char dirs[MAX_DIRS][512];
	unsigned n_dirs;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool starts_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* Libraries that are installed beside the libcupti that fits them. */
static bool is_neighbour(const char *name)
{
	static const char *const names[] = {"libcudart.so",       "libcublas", "libtorch",
					    "xla_cuda_plugin.so", "libcudnn",  NULL};
	for (const char *const *n = names; *n; n++)
		if (starts_with(name, *n))
			return true;
	return false;
}

static void note_dir(struct mapped *m, const char *path)
{
	size_t n = (size_t)(base_name(path) - path);
	if (m->n_dirs == MAX_DIRS || n < 2 || n > sizeof m->dirs[0])
		return;
	for (unsigned i = 0; i < m->n_dirs; i++)
		if (!strncmp(m->dirs[i], path, n - 1) && !m->dirs[i][n - 1])
			return;
	memcpy(m->dirs[m->n_dirs], path, n - 1);
	m->dirs[m->n_dirs++][n - 1] = 0;
}

static int note_object(struct dl_phdr_info *info, size_t size, void *user)
{
	struct mapped *m = user;
	const char *path = info->dlpi_name ? info->dlpi_name : "";
	(void)size;
	if (starts_with(base_name(path), "libcupti.so") && !*m->cupti)
		snprintf(m->cupti, sizeof m->cupti, "%s", path);
	else if (is_neighbour(base_name(path)))
		note_dir(m, path);
	return 0;
}

static bool try_path(struct cupti *c, const char *path, char *why, size_t size)
{
	size_t used = strlen(why);
	c->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!c->handle && used + 1 < size)
		snprintf(why + used, size - used, "%s%s", used ? ", " : "", path);
	return c->handle;
}

/* CUDA 12's CUPTI works under a 13 driver; a newer one than the driver does not. */
static unsigned newest_major(const struct cupti *c)
{
	return c->driver / 1000 ? c->driver / 1000 : 13;
}

static bool try_dir(struct cupti *c, const char *dir, char *why, size_t size)
{
	/* beside the runtime; the wheels' layouts of CUDA 13 and 12; the toolkit's own */
	static const char *const below[] = {"",
					    "/../../cu13/lib",
					    "/../../cuda_cupti/lib",
					    "/../../nvidia/cu13/lib",
					    "/../../nvidia/cuda_cupti/lib",
					    "/../extras/CUPTI/lib64"};
	char path[1024];
	for (size_t i = 0; i < sizeof below / sizeof *below; i++)
		for (unsigned major = newest_major(c); major >= 12; major--) {
			snprintf(path, sizeof path, "%s%s/libcupti.so.%u", dir, below[i], major);
			if (!access(path, R_OK) && try_path(c, path, why, size))
				return true;
		}
	return false;
}

static bool try_names(struct cupti *c, char *why, size_t size)
{
	char name[64];
	for (unsigned major = newest_major(c); major >= 12; major--) {
		snprintf(name, sizeof name, "libcupti.so.%u", major);
		if (try_path(c, name, why, size))
			return true;
	}
	return false;
}

/* A toolkit that the linker was not told of, as its CUPTI often is not. */
static bool try_toolkit(struct cupti *c, char *why, size_t size)
{
	static const char *const libs[] = {"lib64", "lib"};
	const char *home = getenv("CUDA_HOME");
	char dir[512];
	for (size_t i = 0; i < sizeof libs / sizeof *libs; i++) {
		snprintf(dir, sizeof dir, "%s/%s", home && *home ? home : "/usr/local/cuda", libs[i]);
		if (try_dir(c, dir, why, size))
			return true;
	}
	return false;
}

static bool open_some(struct cupti *c, const char *wanted, char *why, size_t size)
{
	struct mapped *m = calloc(1, sizeof *m);
	bool found = false;
	if (!m)
		return false;
	dl_iterate_phdr(note_object, m);
	if (wanted || *m->cupti)
		found = try_path(c, wanted ? wanted : m->cupti, why, size);
	else {
		for (unsigned i = 0; i < m->n_dirs && !found; i++)
			found = try_dir(c, m->dirs[i], why, size);
		found = found || try_names(c, why, size) || try_toolkit(c, why, size);
	}
	free(m);
	return found;
}

static bool bind_symbols(struct cupti *c, char *why, size_t size)
{
#define CUPTI_BIND_(needed, field, symbol, parameters)             \
	*(void **)&c->field = dlsym(c->handle, #symbol);           \
	if ((needed) && !c->field) {                               \
		snprintf(why, size, "%s lacks " #symbol, c->path); \
		return false;                                      \
	}
	CUPTI_FUNCTIONS(CUPTI_BIND_)
	return true;
}

static void note_path(struct cupti *c)
{
	struct link_map *map = NULL;
	if (!dlinfo(c->handle, RTLD_DI_LINKMAP, &map) && map)
		snprintf(c->path, sizeof c->path, "%s", map->l_name);
}

/* From 13.2 on (it has cuptiActivityGetStructSize) CUPTI turns to the driver before it does anything. 13.3 and later refuse
 * when there is none; 13.2 (without cuptiGetTimestamp_v2) calls itself in every function until the stack is used up. */
static bool may_be_called(const struct cupti *c, bool driver_is_up, char *why, size_t size)
{
	char missing[128];
	if (!c->struct_size || driver_works(driver_is_up || c->timestamp_v2, missing, sizeof missing))
		return true;
	snprintf(why, size, "%s needs a working driver of CUDA 13, so it is left alone: %s", c->path, missing);
	return false;
}

static bool ask_number(struct cupti *c, char *why, size_t size)
{
	cupti_result result = c->version(&c->number);
	if (result)
		snprintf(why, size, "cuptiGetVersion of %s: %s (%d)", c->path, cupti_text(c, result), result);
	bool is_12 = strstr(base_name(c->path), ".so.12") || strstr(base_name(c->path), ".so.13");
	c->layout = c->number == CUPTI_11_8 && is_12 ? CUPTI_LAYOUT_12_0 : c->number;
	return !result;
}

bool cupti_load(struct cupti *c, const char *wanted, bool driver_is_up, char *why, size_t size)
{
	memset(c, 0, sizeof *c);
	*why = 0;
	c->driver = driver_version();
	if (!open_some(c, wanted, why, size)) {
		char tried[256];
		snprintf(tried, sizeof tried, "%s", why);
		snprintf(why, size, "no libcupti found; tried: %s", *tried ? tried : "nothing");
		return false;
	}
	note_path(c);
	if (!bind_symbols(c, why, size) || !may_be_called(c, driver_is_up, why, size) || !ask_number(c, why, size)) {
		c->handle = NULL; /* stays loaded: closing a library with threads of its own is not safe */
		return false;
	}
	return true;
}

const char *cupti_text(const struct cupti *c, cupti_result result)
{
	const char *text = NULL;
	if (c->error_message && !c->error_message(result, &text) && text)
		return text;
	if (c->result_string && !c->result_string(result, &text) && text)
		return text;
	return result == CUPTI_NOT_INITIALIZED || result == CUPTI_UNKNOWN ? "no driver that suits it"
									  : "unknown result";
}
