#include "category.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "importers/number.h"

/* Kineto's activity types of all years, and what TensorFlow's timeline module and PaddlePaddle's profiler write. */
/* clang-format off */
#define CATEGORIES(_)                                             \
	_("cpu_op", OP, NONE)                                     \
	_("operator", OP, EXTERNAL_ID)                            \
	_("glow_runtime", RUNTIME, NONE)                          \
	_("cuda_runtime", RUNTIME, NONE)                          \
	_("cuda_driver", RUNTIME, NONE)                           \
	_("hip_runtime", RUNTIME, NONE)                           \
	_("xpu_runtime", RUNTIME, NONE)                           \
	_("xpu_driver", RUNTIME, NONE)                            \
	_("mtia_runtime", RUNTIME, NONE)                          \
	_("privateuse1_runtime", RUNTIME, NONE)                   \
	_("privateuse1_driver", RUNTIME, NONE)                    \
	_("gcu_runtime", RUNTIME, NONE)                           \
	_("gcu_driver", RUNTIME, NONE)                            \
	_("hpu_op", RUNTIME, NONE)                                \
	_("cudaruntime", RUNTIME, CALL)                           \
	_("operatorinner", OP, PADDLE)                            \
	_("dataloader", ANNOTATION, PADDLE)                       \
	_("profilestep", ANNOTATION, PADDLE)                      \
	_("forward", ANNOTATION, PADDLE)                          \
	_("backward", ANNOTATION, PADDLE)                         \
	_("optimization", ANNOTATION, PADDLE)                     \
	_("communication", ANNOTATION, PADDLE)                    \
	_("userdefined", ANNOTATION, PADDLE)                      \
	_("pythonuserdefined", ANNOTATION, PADDLE)                \
	_("pythonop", OP, PADDLE)                                 \
	_("runtime", RUNTIME, CALL)                               \
	_("driver", RUNTIME, CALL)                                \
	_("python_function", PYTHON, NONE)                        \
	_("user_annotation", ANNOTATION, NONE)                    \
	_("cpu_instant_event", MEMORY, NONE)                      \
	_("overhead", OVERHEAD, NONE)                             \
	_("trace", PROFILE, NONE)                                 \
	_("op", TF_NODE, NONE)                                    \
	_("ac2g", LAUNCH_FLOW, NONE)                              \
	_("async_cpu_to_gpu", LAUNCH_FLOW, NONE)                  \
	_("async", LAUNCH_FLOW, NONE)                             \
	_("kernel", KERNEL, DEVICE)                               \
	_("concurrent_kernel", KERNEL, DEVICE)                    \
	_("mtia_ccp_events", KERNEL, NONE)                        \
	_("gpu_memcpy", COPY, NONE)                               \
	_("gcu_memcpy", COPY, NONE)                               \
	_("gcu_memset", MEMSET, NONE)                             \
	_("gcu_user_annotation", DEVICE_ANNOTATION, NONE)         \
	_("gcu_sync", DEVICE_SYNC, NONE)                          \
	_("mtia_insight", DEVICE_ANNOTATION, NONE)                \
	_("memcpy", COPY, DEVICE)                                 \
	_("gpu_memset", MEMSET, NONE)                             \
	_("memset", MEMSET, DEVICE)                               \
	_("gpu_user_annotation", DEVICE_ANNOTATION, NONE)         \
	_("cuda_sync", DEVICE_SYNC, NONE)                         \
	_("cuda_event", DEVICE_SYNC, NONE)                        \
	_("cuda_profiler_range", DEVICE_COUNTERS, NONE)           \
	_("gpu_pm_counter", DEVICE_COUNTERS, NONE)
/* clang-format on */

struct category category_of(const char *p, size_t n)
{
	static const struct {
		const char *word;
		struct category is;
	} table[] = {
#define CATEGORY_ROW(word, class, proof) {word, {CLASS_##class, PROOF_##proof}},
		CATEGORIES(CATEGORY_ROW)
#undef CATEGORY_ROW
	};
	/* in any case: the files of 2020 and 2021 capitalise them */
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (strlen(table[i].word) == n && strncasecmp(table[i].word, p, n) == 0)
			return table[i].is;
	return (struct category){CLASS_NONE, PROOF_NONE};
}

const char *category_vendor(const char *p, size_t n)
{
	static const struct {
		const char *begins, *vendor;
	} table[] = {{"mtia_", "Meta MTIA"}, {"xpu_", "Intel XPU"}, {"hpu_", "Intel Gaudi"}, {"gcu_", "Enflame"}};
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		if (n > strlen(table[i].begins) && strncasecmp(table[i].begins, p, strlen(table[i].begins)) == 0)
			return table[i].vendor;
	return NULL;
}

/* After `word` (in any case), a number: "/device:GPU:" + "0". Returns what follows the number, NULL = not found. */
static const char *number_behind(const char *text, const char *word, int64_t *number)
{
	const char *p = strcasestr(text, word);
	if (!p)
		return NULL;
	p += strlen(word);
	size_t digits = strspn(p, "0123456789");
	return number_int(p, digits, number) ? p + digits : NULL;
}

static struct process_name tf_device_name(const char *text, const char *behind, int64_t device)
{
	struct process_name r = {ROLE_TF_DEVICE, device, -1};
	int64_t stream;
	if (strncasecmp(behind, "/stream:", 8) == 0) {
		r.role = number_behind(text, "/stream:", &stream) ? ROLE_TF1_STREAM : ROLE_TF1_COPIES;
		r.stream = r.role == ROLE_TF1_STREAM ? stream : -1;
	} else if (strncasecmp(behind, "/memcpy", 7) == 0) {
		r.role = ROLE_TF1_COPIES;
	} else if (strcmp(behind, " Compute") == 0) {
		r.role = ROLE_TF_OPS;
	} else if (*behind && *behind != ' ') {
		r.role = ROLE_HOST;
	}
	return r;
}

/* The layers of an Ascend NPU's trace. */
static enum process_role ascend_role(const char *text)
{
	static const struct {
		const char *name;
		enum process_role role;
	} layers[] = {{"Ascend Hardware", ROLE_ASCEND_DEVICE},
		      {"CANN", ROLE_ASCEND_CALLS},
		      {"Communication", ROLE_ASCEND_LINKS},
		      {"HCCL", ROLE_ASCEND_LINKS},
		      {"Overlap Analysis", ROLE_ASCEND_DERIVED}};
	for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
		if (strcmp(text, layers[i].name) == 0)
			return layers[i].role;
	return ROLE_HOST;
}

/* "GPU4" and the sections of calls, with a number in front where rocprof sorts them. */
static struct process_name rocprof_name(const char *text)
{
	static const struct {
		const char *name;
		enum process_role role;
	} sections[] = {{"CPU HIP API", ROLE_ROCPROF_HIP},
			{"CPU HSA API", ROLE_ROCPROF_CALLS},
			{"CPU KFD API", ROLE_ROCPROF_CALLS},
			{"Markers and Ranges", ROLE_ROCPROF_MARKERS}};
	struct process_name r = {ROLE_HOST, -1, -1};
	size_t digits = strspn(text, "0123456789");
	text += digits && text[digits] == ' ' ? digits + 1 : 0;
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
		if (strcmp(text, sections[i].name) == 0)
			r.role = sections[i].role;
	if (strncmp(text, "GPU", 3) == 0 && number_int(text + 3, strlen(text + 3), &r.device))
		r.role = ROLE_ROCPROF_DEVICE;
	return r;
}

struct process_name process_name_parse(const char *p, size_t n)
{
	static const char *const words[] = {"/device:GPU:", "/device:XLA_GPU:", "/device:TPU:", "/gpu:"};
	struct process_name r;
	char text[256];
	int64_t device;
	snprintf(text, sizeof text, "%.*s", n < sizeof text ? (int)n : (int)sizeof text - 1, p);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const char *behind = number_behind(text, words[i], &device);
		if (behind)
			return tf_device_name(text, behind, device);
	}
	r = rocprof_name(text);
	r.role = r.role == ROLE_HOST ? ascend_role(text) : r.role;
	size_t len = strlen(text);
	if (len >= 9 && strcmp(text + len - 9, "/host:CPU") == 0)
		r.role = ROLE_TF_HOST;
	else if (strcasestr(text, "/device:CPU:") || strcasestr(text, "/cpu:"))
		r.role = ROLE_TF_OPS;
	return r;
}

bool stream_name_parse(const char *p, size_t n, int64_t *stream, bool *compute)
{
	char text[128];
	snprintf(text, sizeof text, "%.*s", n < sizeof text ? (int)n : (int)sizeof text - 1, p);
	const char *behind = NULL;
	if (strncasecmp(text, "stream #", 8) == 0)
		behind = number_behind(text, "stream #", stream);
	else if (strncasecmp(text, "stream ", 7) == 0)
		behind = number_behind(text, "stream ", stream);
	if (!behind || !(*behind == 0 || *behind == ' ' || *behind == '('))
		return false;
	/* "Stream #14(MemcpyD2H)" tells what it is for; without such a remark it may be for anything */
	*compute = *behind != '(' || strcasestr(behind, "compute");
	return true;
}
