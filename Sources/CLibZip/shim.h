#ifndef DAEDALUS_CLIBZIP_SHIM_H
#define DAEDALUS_CLIBZIP_SHIM_H
#include <zip.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* The commands that a source which can be read and sought answers; the macro casts, which Swift cannot import. */
static inline zip_int64_t dae_zip_seekable_commands(void) { return ZIP_SOURCE_SUPPORTS_SEEKABLE; }

/* Gives what is free in this thread's heap back to the system, where the C library can. */
static inline void dae_give_back_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
#endif
