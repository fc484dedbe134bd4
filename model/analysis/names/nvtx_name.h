/* model/analysis/names/nvtx_name.h - names of NVTX ranges as XSpace writes them. */
#ifndef STEPSCOPE_NVTX_NAME_H
#define STEPSCOPE_NVTX_NAME_H

/* "NVTX:name" and "NVTX:domain:name" without what stands before the name; other names as they are. A colon before a blank or a bracket
 * is the name's own: "NVTX:[Executor] step 3: 1 request". */
const char *nvtx_name(const char *name);
#endif
