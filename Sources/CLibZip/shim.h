#ifndef DAEDALUS_CLIBZIP_SHIM_H
#define DAEDALUS_CLIBZIP_SHIM_H
#include <zip.h>

/* The commands that a source which can be read and sought answers; the macro casts, which Swift cannot import. */
static inline zip_int64_t dae_zip_seekable_commands(void) { return ZIP_SOURCE_SUPPORTS_SEEKABLE; }
#endif
