#ifndef DAEDALUS_CALLOCATOR_SHIM_H
#define DAEDALUS_CALLOCATOR_SHIM_H
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Has all threads take memory from one place. glibc gives each thread one of its own, which grows page by page with a
   call of the system each time; a program whose work is done by one thread is much quicker without. */
static inline void dae_use_one_arena(void)
{
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
#endif
}

#endif
