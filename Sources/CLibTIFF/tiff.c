#include "CLibTIFF.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From here to the table: libtiff's interface as its soname promises it. */
typedef struct tiff TIFF;
typedef struct TIFFOpenOptions TIFFOpenOptions;
typedef int64_t (*tiff_read)(void *, void *, int64_t);
typedef uint64_t (*tiff_seek)(void *, uint64_t, int);
typedef int (*tiff_close)(void *);
typedef uint64_t (*tiff_size)(void *);
typedef int (*tiff_map)(void *, void **, uint64_t *);
typedef void (*tiff_unmap)(void *, void *, uint64_t);
typedef int (*tiff_listener)(TIFF *, void *, const char *, const char *, va_list);

enum { tag_width = 256, tag_height = 257, tag_bits = 258, tag_compression = 259, tag_photometric = 262 };
enum { tag_samples = 277, tag_extra = 338, tag_sample_format = 339 };
enum { top_left = 1 };

static struct {
    TIFFOpenOptions *(*OpenOptionsAlloc)(void);
    void (*OpenOptionsFree)(TIFFOpenOptions *);
    void (*OpenOptionsSetMaxSingleMemAlloc)(TIFFOpenOptions *, int64_t);
    void (*OpenOptionsSetErrorHandlerExtR)(TIFFOpenOptions *, tiff_listener, void *);
    void (*OpenOptionsSetWarningHandlerExtR)(TIFFOpenOptions *, tiff_listener, void *);
    TIFF *(*ClientOpenExt)(const char *, const char *, void *, tiff_read, tiff_read, tiff_seek, tiff_close, tiff_size,
                           tiff_map, tiff_unmap, TIFFOpenOptions *);
    void (*Close)(TIFF *);
    int (*GetField)(TIFF *, uint32_t, ...);
    int (*GetFieldDefaulted)(TIFF *, uint32_t, ...);
    int (*SetField)(TIFF *, uint32_t, ...);
    int (*RGBAImageOK)(TIFF *, char[1024]);
    int (*ReadRGBAImageOriented)(TIFF *, uint32_t, uint32_t, uint32_t *, int, int);
} lib;

#define DAE_TIFF_FUNCTIONS(F)                                                                                          \
    F(OpenOptionsAlloc) F(OpenOptionsFree) F(OpenOptionsSetMaxSingleMemAlloc) F(OpenOptionsSetErrorHandlerExtR)        \
    F(OpenOptionsSetWarningHandlerExtR) F(ClientOpenExt) F(Close) F(GetField) F(GetFieldDefaulted) F(SetField)         \
    F(RGBAImageOK) F(ReadRGBAImageOriented)

#ifdef __APPLE__
static const char *const names[] = {"libtiff.6.dylib", "/opt/homebrew/lib/libtiff.6.dylib"};
#else
static const char *const names[] = {"libtiff.so.6"};
#endif

const char *dae_tiff_load(void) {
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define DAE_TIFF_FIND(name)                                                                                            \
    lib.name = (__typeof__(lib.name))dlsym(library, "TIFF" #name);                                                     \
    if (!lib.name) return dlerror();
    DAE_TIFF_FUNCTIONS(DAE_TIFF_FIND)
    return NULL;
}

struct dae_tiff {
    const unsigned char *bytes;
    uint64_t count, place;
    TIFF *file;
    char complaint[256];
};

static int64_t read_bytes(void *context, void *to, int64_t wanted) {
    dae_tiff *tiff = context;
    if (wanted <= 0 || tiff->place >= tiff->count) return 0;
    uint64_t left = tiff->count - tiff->place;
    uint64_t given = (uint64_t)wanted < left ? (uint64_t)wanted : left;
    memcpy(to, tiff->bytes + tiff->place, given);
    tiff->place += given;
    return (int64_t)given;
}

static int64_t write_nothing(void *context, void *from, int64_t count) {
    (void)context, (void)from, (void)count;
    return 0;
}

static uint64_t seek(void *context, uint64_t offset, int from) {
    dae_tiff *tiff = context;
    uint64_t base = from == SEEK_CUR ? tiff->place : from == SEEK_END ? tiff->count : 0;
    tiff->place = base + offset;
    return tiff->place;
}

static int close_nothing(void *context) {
    (void)context;
    return 0;
}

static uint64_t size(void *context) { return ((dae_tiff *)context)->count; }

static int hear(TIFF *file, void *context, const char *module, const char *format, va_list values) {
    (void)file, (void)module;
    dae_tiff *tiff = context;
    if (!*tiff->complaint) vsnprintf(tiff->complaint, sizeof tiff->complaint, format, values);
    return 1;
}

static int ignore(TIFF *file, void *context, const char *module, const char *format, va_list values) {
    (void)file, (void)context, (void)module, (void)format, (void)values;
    return 1;
}

dae_tiff *dae_tiff_open(const unsigned char *bytes, size_t count, size_t most_memory) {
    dae_tiff *tiff = calloc(1, sizeof *tiff);
    if (!tiff) return NULL;
    tiff->bytes = bytes;
    tiff->count = count;
    TIFFOpenOptions *options = lib.OpenOptionsAlloc();
    if (!options) {
        free(tiff);
        return NULL;
    }
    lib.OpenOptionsSetMaxSingleMemAlloc(options, (int64_t)most_memory);
    lib.OpenOptionsSetErrorHandlerExtR(options, hear, tiff);
    lib.OpenOptionsSetWarningHandlerExtR(options, ignore, NULL);
    /* m: never mapped. */
    tiff->file = lib.ClientOpenExt("image", "rm", tiff, read_bytes, write_nothing, seek, close_nothing, size, NULL, NULL,
                                   options);
    lib.OpenOptionsFree(options);
    return tiff;
}

void dae_tiff_close(dae_tiff *tiff) {
    if (tiff->file) lib.Close(tiff->file);
    free(tiff);
}

const char *dae_tiff_complaint(const dae_tiff *tiff) { return tiff->complaint; }

int dae_tiff_read_facts(dae_tiff *tiff, dae_tiff_facts *facts) {
    memset(facts, 0, sizeof *facts);
    if (!tiff->file) return 0;
    uint16_t *extra = NULL;
    if (!lib.GetField(tiff->file, tag_width, &facts->width) || !lib.GetField(tiff->file, tag_height, &facts->height))
        return 0;
    lib.GetField(tiff->file, tag_photometric, &facts->photometric);
    lib.GetFieldDefaulted(tiff->file, tag_compression, &facts->compression);
    lib.GetFieldDefaulted(tiff->file, tag_bits, &facts->bits);
    lib.GetFieldDefaulted(tiff->file, tag_samples, &facts->samples);
    lib.GetFieldDefaulted(tiff->file, tag_sample_format, &facts->sample_format);
    if (lib.GetField(tiff->file, tag_extra, &facts->extra_samples, &extra) && facts->extra_samples && extra)
        facts->extra = extra[0];
    return 1;
}

dae_tiff_outcome dae_tiff_read_pixels(dae_tiff *tiff, const dae_tiff_facts *facts, uint32_t *pixels) {
    char reason[1024] = "";
    /* libtiff multiplies colours by an alpha that they are not multiplied by, and leaves alone those that are. */
    if (facts->extra_samples > 0 && facts->extra_samples < 16) {
        uint16_t extra[16] = {1};
        lib.SetField(tiff->file, tag_extra, (int)facts->extra_samples, extra);
    }
    if (!lib.RGBAImageOK(tiff->file, reason)) {
        if (!*tiff->complaint) snprintf(tiff->complaint, sizeof tiff->complaint, "%s", reason);
        return dae_tiff_unsupported;
    }
    int done = lib.ReadRGBAImageOriented(tiff->file, facts->width, facts->height, pixels, top_left, 0);
    return done ? dae_tiff_read : dae_tiff_failed;
}
