#ifndef DAEDALUS_CALLOCATOR_SHIM_H
#define DAEDALUS_CALLOCATOR_SHIM_H
#include <stdbool.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <stdint.h>
#include <unistd.h>
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

/* Takes several large pages at once from now on. Long arrays lie among what is short then, so it is for what keeps much;
   in steps twice as large, a document of many nodes takes two megabytes more and is read no faster. */
static inline void dae_grow_by_large_steps(void)
{
#ifdef __GLIBC__
    mallopt(M_TOP_PAD, 8 << 20);
#endif
}

#ifdef __GLIBC__
/* Has some memory and gives it back at once: where it was more than the heap had, the heap has it now. */
static inline uintptr_t dae_heap_end_after(size_t bytes)
{
    void *volatile room = malloc(bytes);
    free(room);
    return (uintptr_t)sbrk(0);
}
#endif

/* What asking for large pages at the heap's end came to. */
typedef enum __attribute__((enum_extensibility(closed))) {
    dae_heap_step_made,
    /* There is room in the heap, or long blocks are had elsewhere by whatever the program told the allocator. */
    dae_heap_step_later,
    /* This thread has a heap of its own, or the heap's end cannot be told. */
    dae_heap_step_never
} dae_heap_step;

/* Has the heap end some large pages further on, at the end of one. It makes no setting: the allocator learns what it
   always learns from a long block that is freed. What is not written takes no memory. */
static inline dae_heap_step dae_extend_heap(void)
{
#ifdef __GLIBC__
    const size_t step = 8 << 20, page = 2 << 20;
    /* A thread's own heap lies behind all that this one may reach: nothing is to be learned for it. Long enough to be no
       block that the thread keeps, and short enough to be in a heap. */
    void *volatile probe = malloc(64 << 10);
    const bool is_here = probe != NULL && (uintptr_t)probe < (uintptr_t)sbrk(0);
    free(probe);
    if (!is_here) return dae_heap_step_never;
    /* Behind the probe, which may have moved it. */
    const uintptr_t start = (uintptr_t)sbrk(0);
    uintptr_t end = dae_heap_end_after(step);
    if (end == start) {
        /* It came and went by itself. From the longest of such blocks the allocator learns up to which the heap has them. */
        dae_heap_end_after(step + 2 * page);
        end = dae_heap_end_after(step);
    }
    if (end <= start) return dae_heap_step_later;
    /* By as much more as lacks to a boundary. Where that is little the heap has it already, beside what it was asked for. */
    const size_t lacking = (page - end % page) % page;
    if (lacking > 0) end = dae_heap_end_after(step + lacking + (lacking < page / 4 ? page : 0));
    return end > start ? dae_heap_step_made : dae_heap_step_later;
#else
    return dae_heap_step_never;
#endif
}

#endif
