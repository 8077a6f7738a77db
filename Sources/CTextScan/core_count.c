/* Beside the vectors since it, too, asks what the machine has, and since Swift does not see this call of the C library. */

#define _GNU_SOURCE

#include "CTextScan.h"

#if defined(__linux__)

#include <sched.h>

int dae_core_count(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

#else

#include <unistd.h>

int dae_core_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

#endif
