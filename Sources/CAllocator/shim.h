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

/* Gives long arrays back to the system when they are freed. Else glibc learns from the first ones that so much is wanted
   often, and keeps up to twice the largest. */
static inline void dae_give_long_arrays_back(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 256 << 10);
    mallopt(M_TOP_PAD, 128 << 10);
#endif
}

#endif
