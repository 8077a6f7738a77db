#include "CLibJPEG.h"

#include <dlfcn.h>
#include <limits.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* From here to the table: libjpeg's interface as its soname promises it. What is not used here is only as large as it has
   to be. */
typedef struct jpeg_state jpeg_state;

typedef struct {
    void (*error_exit)(jpeg_state *);
    void (*emit_message)(jpeg_state *, int level);
    void (*output_message)(jpeg_state *);
    void (*format_message)(jpeg_state *, char *text);
    void (*reset)(jpeg_state *);
    int code;
    union {
        int numbers[8];
        char text[80];
    } values;
    int trace_level;
    long warnings;
    const void *messages;
    int last_message;
    const void *more_messages;
    int first_more, last_more;
} jpeg_errors;

typedef struct {
    void *functions[11];
    long most_memory;
    long most_at_once;
} jpeg_memory;

typedef struct {
    void (*monitor)(jpeg_state *);
    long done, all;
    int passes_done, passes;
} jpeg_progress;

typedef struct {
    const uint8_t *next;
    size_t left;
    void (*begin)(jpeg_state *);
    int (*fill)(jpeg_state *);
    void (*skip)(jpeg_state *, long count);
    int (*resync)(jpeg_state *, int wanted);
    void (*end)(jpeg_state *);
} jpeg_source;

struct jpeg_state {
    jpeg_errors *errors;
    jpeg_memory *memory;
    jpeg_progress *progress;
    void *own;
    int is_decoder, phase;
    jpeg_source *source;
    unsigned width, height;
    int components;
    int file_colours, colours;
    unsigned scale, scale_divisor;
    double gamma;
    int is_buffered, is_raw;
    int transform;
    int smooths_chroma, smooths_blocks, has_palette, dither, two_passes, palette_size;
    int quantizers[3];
    unsigned output_width, output_height;
    int output_colours, output_components, rows_at_once, actual_colours;
    void *palette;
    unsigned row;
    int scan;
    unsigned input_row;
    int output_scan;
    unsigned output_row;
    void *bits;
    void *tables[4 + 4 + 4];
    int depth;
    void *component_list;
    int is_progressive, is_arithmetic;
    uint8_t conditioning[3][16];
    unsigned restart_interval;
    int has_jfif;
    uint8_t jfif[3];
    uint16_t density[2];
    int has_adobe;
    uint8_t adobe_transform;
    int is_ccir;
    void *markers;
    int factors[3];
    unsigned rows_in_all;
    void *range_limit;
    int in_scan;
    void *scan_components[4];
    unsigned units[2];
    int blocks;
    int membership[10];
    int spectrum[4];
    int unread_marker;
    void *modules[11];
};

/* The same of what writes a file; its beginning is that of the other. */
typedef struct {
    jpeg_errors *errors;
    jpeg_memory *memory;
    jpeg_progress *progress;
    void *own;
    int is_decoder, phase;
    void *target;
    unsigned width, height;
    int components, colours;
    double gamma;
    int depth, file_components, file_colours;
    void *component_list;
    void *tables[4 + 4 + 4];
    uint8_t conditioning[3][16];
    int scans;
    const void *script;
    int is_raw, is_arithmetic, makes_own_tables, is_ccir, smoothing, transform;
    unsigned restart_interval;
    int restart_rows, writes_jfif;
    uint8_t jfif[3];
    uint16_t density[2];
    int writes_adobe;
    unsigned row;
    int is_progressive, factors[2];
    unsigned rows_in_all;
    int in_scan;
    void *scan_components[4];
    unsigned units[2];
    int blocks, membership[10], spectrum[4];
    void *modules[9];
    void *script_space;
    int script_size;
} jpeg_writing_state;

enum { interface_version = 62 };
enum { colours_grey = 1, colours_rgb = 2, colours_cmyk = 4, colours_ycck = 5 };
enum { header_ok = 1, most_scans = 200 };

static struct {
    jpeg_errors *(*std_error)(jpeg_errors *);
    void (*CreateDecompress)(jpeg_state *, int version, size_t size);
    void (*destroy_decompress)(jpeg_state *);
    int (*read_header)(jpeg_state *, int must_have_image);
    int (*start_decompress)(jpeg_state *);
    unsigned (*read_scanlines)(jpeg_state *, uint8_t **rows, unsigned count);
    int (*resync_to_restart)(jpeg_state *, int wanted);
    void (*CreateCompress)(jpeg_writing_state *, int version, size_t size);
    void (*mem_dest)(jpeg_writing_state *, unsigned char **file, unsigned long *size);
    void (*set_defaults)(jpeg_writing_state *);
    void (*set_quality)(jpeg_writing_state *, int quality, int is_baseline);
    void (*start_compress)(jpeg_writing_state *, int all_tables);
    unsigned (*write_scanlines)(jpeg_writing_state *, const uint8_t **rows, unsigned count);
    void (*finish_compress)(jpeg_writing_state *);
    void (*destroy_compress)(jpeg_writing_state *);
} lib;

#define DAE_JPEG_FUNCTIONS(F)                                                                                          \
    F(std_error) F(CreateDecompress) F(destroy_decompress) F(read_header) F(start_decompress) F(read_scanlines)        \
    F(resync_to_restart) F(CreateCompress) F(mem_dest) F(set_defaults) F(set_quality) F(start_compress)               \
    F(write_scanlines) F(finish_compress) F(destroy_compress)

#ifdef __APPLE__
static const char *const names[] = {"libjpeg.62.dylib"};
#else
static const char *const names[] = {"libjpeg.so.62"};
#endif

const char *dae_jpeg_load(void) {
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define DAE_JPEG_FIND(name)                                                                                            \
    lib.name = (__typeof__(lib.name))dlsym(library, "jpeg_" #name);                                                    \
    if (!lib.name) return dlerror();
    DAE_JPEG_FUNCTIONS(DAE_JPEG_FIND)
    return NULL;
}

struct dae_jpeg {
    jpeg_state state;
    jpeg_errors errors;
    jpeg_progress progress;
    jpeg_source source;
    jmp_buf exit;
    const uint8_t *bytes;
    size_t count;
    int is_made, is_cut, has_too_many_scans;
    char complaint[256];
};

static void hear(jpeg_state *state) {
    dae_jpeg *jpeg = state->own;
    if (*jpeg->complaint) return;
    /* libjpeg's longest message has 200 bytes. */
    state->errors->format_message(state, jpeg->complaint);
}

static void leave(jpeg_state *state) {
    hear(state);
    longjmp(((dae_jpeg *)state->own)->exit, 1);
}

static void message(jpeg_state *state, int level) {
    if (level >= 0) return;
    state->errors->warnings++;
    hear(state);
}

static void nothing(jpeg_state *state) { (void)state; }

/* A file may have scans without end, each of which is a pass over all its pixels. */
static void count_scans(jpeg_state *state) {
    dae_jpeg *jpeg = state->own;
    if (state->scan <= most_scans) return;
    jpeg->has_too_many_scans = 1;
    longjmp(jpeg->exit, 1);
}

static void begin(jpeg_state *state) {
    dae_jpeg *jpeg = state->own;
    jpeg->source.next = jpeg->bytes;
    jpeg->source.left = jpeg->count;
}

/* Behind the last byte the image ends. */
static int fill(jpeg_state *state) {
    static const uint8_t end[2] = {0xFF, 0xD9};
    dae_jpeg *jpeg = state->own;
    jpeg->is_cut = 1;
    jpeg->source.next = end;
    jpeg->source.left = sizeof end;
    return 1;
}

static void skip(jpeg_state *state, long count) {
    dae_jpeg *jpeg = state->own;
    if (count <= 0) return;
    if ((size_t)count > jpeg->source.left) {
        fill(state);
        return;
    }
    jpeg->source.next += count;
    jpeg->source.left -= (size_t)count;
}

dae_jpeg *dae_jpeg_open(const uint8_t *bytes, size_t count, size_t most_memory) {
    dae_jpeg *jpeg = calloc(1, sizeof *jpeg);
    if (!jpeg) return NULL;
    jpeg->bytes = bytes;
    jpeg->count = count;
    jpeg->state.errors = lib.std_error(&jpeg->errors);
    jpeg->errors.error_exit = leave;
    jpeg->errors.emit_message = message;
    jpeg->errors.output_message = nothing;
    jpeg->state.own = jpeg;
    if (setjmp(jpeg->exit)) {
        dae_jpeg_close(jpeg);
        return NULL;
    }
    lib.CreateDecompress(&jpeg->state, interface_version, sizeof jpeg->state);
    jpeg->is_made = 1;
    jpeg->state.memory->most_memory = most_memory > LONG_MAX ? LONG_MAX : (long)most_memory;
    jpeg->progress.monitor = count_scans;
    jpeg->state.progress = &jpeg->progress;
    jpeg->source = (jpeg_source){
        .begin = begin, .fill = fill, .skip = skip, .resync = lib.resync_to_restart, .end = nothing};
    jpeg->state.source = &jpeg->source;
    return jpeg;
}

void dae_jpeg_close(dae_jpeg *jpeg) {
    if (jpeg->is_made) lib.destroy_decompress(&jpeg->state);
    free(jpeg);
}

const char *dae_jpeg_complaint(const dae_jpeg *jpeg) { return jpeg->complaint; }

dae_jpeg_outcome dae_jpeg_read_facts(dae_jpeg *jpeg, dae_jpeg_facts *facts) {
    memset(facts, 0, sizeof *facts);
    if (setjmp(jpeg->exit)) return jpeg->is_cut ? dae_jpeg_cut : dae_jpeg_damaged;
    if (lib.read_header(&jpeg->state, 1) != header_ok) return dae_jpeg_damaged;
    facts->width = jpeg->state.width;
    facts->height = jpeg->state.height;
    facts->components = jpeg->state.components;
    facts->has_inverted_inks = jpeg->state.has_adobe;
    return dae_jpeg_whole;
}

dae_jpeg_outcome dae_jpeg_read_pixels(dae_jpeg *jpeg, const dae_jpeg_facts *facts, uint8_t *pixels, uint32_t *rows) {
    jpeg_state *state = &jpeg->state;
    *rows = 0;
    switch (facts->components) {
    case 1: state->colours = colours_grey; break;
    case 3: state->colours = colours_rgb; break;
    case 4: state->colours = colours_cmyk; break;
    default: return dae_jpeg_unsupported;
    }
    if (state->depth != 8) return dae_jpeg_unsupported;
    size_t row_bytes = (size_t)facts->width * (size_t)facts->components;
    if (setjmp(jpeg->exit)) {
        *rows = state->row < facts->height ? state->row : facts->height;
        if (jpeg->has_too_many_scans) return dae_jpeg_too_large;
        return jpeg->is_cut ? dae_jpeg_cut : dae_jpeg_damaged;
    }
    lib.start_decompress(state);
    /* A file whose scans are read as they come is given up where it ends; one that is read before is as good as it gets. */
    int was_cut = jpeg->is_cut;
    while (state->row < facts->height) {
        uint8_t *row = pixels + (size_t)state->row * row_bytes;
        if (lib.read_scanlines(state, &row, 1) != 1) break;
        if (jpeg->is_cut && !was_cut) {
            /* What stands in this row is made up. */
            memset(row, 0, row_bytes);
            *rows = state->row - 1;
            return dae_jpeg_cut;
        }
    }
    *rows = state->row;
    if (jpeg->is_cut) return dae_jpeg_cut;
    return jpeg->errors.warnings > 0 ? dae_jpeg_damaged : dae_jpeg_whole;
}

/* Lives in memory of its own: what a jump leaves behind in registers is lost. */
typedef struct {
    jpeg_writing_state state;
    jpeg_errors errors;
    jmp_buf exit;
    unsigned char *file;
    unsigned long size;
} jpeg_writer;

static void leave_writing(jpeg_state *state) { longjmp(((jpeg_writer *)state->own)->exit, 1); }

size_t dae_jpeg_write(const uint8_t *pixels, uint32_t width, uint32_t height, int components, int quality, uint8_t **file) {
    *file = NULL;
    jpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return 0;
    jpeg_writing_state *state = &writer->state;
    state->errors = lib.std_error(&writer->errors);
    writer->errors.error_exit = leave_writing;
    writer->errors.output_message = nothing;
    state->own = writer;
    if (setjmp(writer->exit)) {
        lib.destroy_compress(state);
        /* Not `file`: libjpeg may have given it back already. */
        free(writer);
        return 0;
    }
    lib.CreateCompress(state, interface_version, sizeof *state);
    state->own = writer;
    lib.mem_dest(state, &writer->file, &writer->size);
    state->width = width;
    state->height = height;
    state->components = components;
    state->colours = components == 1 ? colours_grey : colours_rgb;
    lib.set_defaults(state);
    lib.set_quality(state, quality, 1);
    state->makes_own_tables = 1;
    lib.start_compress(state, 1);
    size_t row_bytes = (size_t)width * (size_t)components;
    while (state->row < height) {
        const uint8_t *row = pixels + (size_t)state->row * row_bytes;
        if (lib.write_scanlines(state, &row, 1) != 1) break;
    }
    lib.finish_compress(state);
    lib.destroy_compress(state);
    *file = writer->file;
    size_t size = writer->size;
    free(writer);
    return size;
}

void dae_jpeg_free(uint8_t *file) { free(file); }
