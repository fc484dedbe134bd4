#include "driver.h"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#define DRIVER "libcuda.so.1"
enum { OLDEST_FOR_13 = 13000 };
typedef int ask_version(int *version);

/* The handle is given back where it only counted up; a driver that was loaded stays. */
static uint32_t version_of(void *driver)
{
	ask_version *ask = NULL;
	int version = 0;
	if (driver)
		*(void **)&ask = dlsym(driver, "cuDriverGetVersion");
	return ask && !ask(&version) && version > 0 ? (uint32_t)version : 0;
}

uint32_t driver_version(void)
{
	void *driver = dlopen(DRIVER, RTLD_LAZY | RTLD_NOLOAD);
	uint32_t version = version_of(driver);
	if (driver)
		dlclose(driver);
	return version;
}

bool driver_is_initialised(void)
{
	void *driver = dlopen(DRIVER, RTLD_LAZY | RTLD_NOLOAD);
	int (*count)(int *) = NULL;
	int n;
	if (driver)
		*(void **)&count = dlsym(driver, "cuDeviceGetCount");
	bool is = count && !count(&n);
	if (driver)
		dlclose(driver);
	return is;
}

/* Native Linux, WSL, Tegra. */
static bool has_kernel_side(void)
{
	static const char *const nodes[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/nvmap"};
	for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
		if (!access(nodes[i], F_OK))
			return true;
	return false;
}

bool driver_works(bool is_up, char *why, size_t size)
{
	void *driver = dlopen(DRIVER, RTLD_LAZY | RTLD_LOCAL);
	uint32_t version = version_of(driver);
	if (!driver)
		snprintf(why, size, DRIVER " cannot be loaded");
	else if (!version || !dlsym(driver, "cuGetExportTable"))
		snprintf(why, size, DRIVER " is no working driver");
	else if (version < OLDEST_FOR_13)
		snprintf(why, size, "the driver is of CUDA %u.%u", version / 1000, version % 1000 / 10);
	else if (!is_up && !has_kernel_side())
		snprintf(why, size, "there is no GPU's device file in /dev");
	else
		return true;
	return false;
}
