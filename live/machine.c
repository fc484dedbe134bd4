#include "machine.h"
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool read_line(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "re");
	bool ok = f && fgets(buf, (int)size, f);
	if (f)
		fclose(f);
	if (ok)
		buf[strcspn(buf, "\n")] = 0;
	return ok;
}

bool machine_driver_text(char *buf, size_t size)
{
	return read_line("/proc/driver/nvidia/version", buf, size);
}

/* ---- libraries ------------------------------------------------------------------------------------------------------ */

#ifdef STEPSCOPE_STATIC

bool machine_loads_libraries(void)
{
	return false;
}

static struct machine_library ask_library(const char *name, const char *symbol)
{
	(void)name;
	(void)symbol;
	return (struct machine_library){0};
}

#else

bool machine_loads_libraries(void)
{
	return true;
}

typedef int version_function(int *version);

static bool has_working_driver(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL), *at = NULL;
	version_function *version;
	int v = 0;
	if (driver && dlsym(driver, "cuGetExportTable"))
		at = dlsym(driver, "cuDriverGetVersion");
	memcpy(&version, &at, sizeof version);
	return at && version(&v) == 0 && v > 0;
}

/* In a child: loads, asks, writes the answer. CUPTI from 13.2 on turns to the driver first; 13.2 dies when there is none. */
static void try_library(const char *name, const char *symbol, int told)
{
	struct machine_library l = {0};
	void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	void *at = handle ? dlsym(handle, symbol) : NULL;
	version_function *version;
	Dl_info info;
	int v = 0;
	memcpy(&version, &at, sizeof version);
	l.found = at != NULL;
	if (at && dladdr(at, &info) && info.dli_fname)
		snprintf(l.path, sizeof l.path, "%s", info.dli_fname);
	l.was_not_asked = at && dlsym(handle, "cuptiActivityGetStructSize") && !has_working_driver();
	if (at && !l.was_not_asked && version(&v) == 0 && v > 0)
		l.version = (uint32_t)v;
	if (write(told, &l, sizeof l) < 0)
		return;
}

static struct machine_library ask_library(const char *name, const char *symbol)
{
	struct machine_library l = {0};
	int told[2];
	if (pipe2(told, O_CLOEXEC) != 0)
		return l;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		try_library(name, symbol, told[1]);
		raise(SIGKILL); /* exit handlers of that library are none of our business */
	}
	close(told[1]);
	if (pid > 0 && read(told[0], &l, sizeof l) != (ssize_t)sizeof l)
		l = (struct machine_library){0};
	close(told[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	l.path[sizeof l.path - 1] = 0;
	return l;
}

#endif

struct machine_library machine_libcuda(void)
{
	return ask_library("libcuda.so.1", "cuDriverGetVersion");
}

struct machine_library machine_libcupti(void)
{
	static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so"};
	static const char *const folders[] = {"", "/lib64/", "/extras/CUPTI/lib64/", "/lib/"};
	const char *home = getenv("CUDA_HOME"), *given = getenv("STEPSCOPE_CUPTI");
	struct machine_library l =
		given && *given ? ask_library(given, "cuptiGetVersion") : (struct machine_library){0};
	char path[512];
	for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
		for (size_t i = 0; !l.found && i < sizeof names / sizeof *names; i++) {
			snprintf(path, sizeof path, "%s%s%s", *folders[f] ? (home ? home : "/usr/local/cuda") : "",
				 folders[f], names[i]);
			if (!*folders[f] || access(path, R_OK) == 0)
				l = ask_library(path, "cuptiGetVersion");
		}
	return l;
}

const char *machine_cupti_remark(uint32_t version, unsigned i)
{
	static const struct {
		uint32_t from, to; /* versions, both included */
		const char *remark;
	} remarks[] = {
		{1, 12, "older than 11.0: not supported"},
		{13, 17, "11.x: kernels, copies and calls work; cluster sizes and graph ids are not there"},
		{13, 22,
		 "before 12.5: calls of the driver are recorded only when asked for (--kinds), because all of them "
		 "would be"},
		{13, 26, "before 12.9: it does not survive being left without a buffer, so it always gets one"},
		{130000, 130000,
		 "13.0: crashes when NVTX starts before CUPTI, so NVTX ranges are not recorded, and when it is flushed "
		 "or "
		 "disabled under load; 13.0 Update 1 has this repaired"},
		{130001, 130001,
		 "13.0 Update 1: long runs of CUDA graphs may use up its buffers (about 25 million kernels); recording "
		 "pauses for a moment every 16 million (STEPSCOPE_WINDOW=N: every N million)"},
		{130000, 130199,
		 "13.0 and 13.1: without a driver the first NVTX range would end the program, so ranges are taken only "
		 "once CUPTI has started up"},
		{130200, 130299,
		 "13.2: leaks memory with graph copies, which 13.3 has repaired; it ends any program without a working "
		 "driver, so it is left alone there"},
		{130600, UINT32_MAX, "newer than all that were tried (12.0 to 13.5)"},
	};
	for (size_t k = 0; k < sizeof remarks / sizeof *remarks; k++)
		if (version && version >= remarks[k].from && version <= remarks[k].to && i-- == 0)
			return remarks[k].remark;
	return NULL;
}

/* ---- permissions ---------------------------------------------------------------------------------------------------- */

int machine_devices(int *readable)
{
	DIR *d = opendir("/dev");
	struct dirent *entry;
	int n = 0;
	*readable = 0;
	while (d && (entry = readdir(d))) {
		const char *number = entry->d_name + 6;
		char path[300];
		if (strncmp(entry->d_name, "nvidia", 6) != 0 || !*number ||
		    strspn(number, "0123456789") != strlen(number))
			continue;
		snprintf(path, sizeof path, "/dev/%s", entry->d_name);
		n++;
		*readable += access(path, R_OK | W_OK) == 0;
	}
	if (d)
		closedir(d);
	return n;
}

int machine_ptrace_scope(void)
{
	char text[16];
	return read_line("/proc/sys/kernel/yama/ptrace_scope", text, sizeof text) ? atoi(text) : -1;
}

bool machine_counters_restricted(void)
{
	char line[200];
	FILE *f = fopen("/proc/driver/nvidia/params", "re");
	bool restricted = false;
	while (f && fgets(line, sizeof line, f))
		restricted |= strncmp(line, "RmProfilingAdminOnly: 1", 23) == 0;
	if (f)
		fclose(f);
	return restricted;
}
