#include "CLibWebP.h"

#include <dlfcn.h>
#include <string.h>

/* From here to the table: libwebp's interface as its soname promises it. */
typedef struct WebPIDecoder WebPIDecoder;
typedef struct {
    int width, height, has_alpha, has_animation, format;
    uint32_t pad[5];
} WebPBitstreamFeatures;

/* The first two figures are those of the interface, which must agree. */
enum { decoder_version = 0x0208 };
enum { mode_rgb = 0, mode_rgba = 1 };
enum { status_ok, status_no_memory, status_parameter, status_bitstream, status_unsupported, status_suspended };
enum { status_not_enough = 7 };
enum { format_lossy = 1 };

typedef struct {
    int lossless;
    float quality;
    int method, hint, target_size;
    float target_psnr;
    int segments, noise_shaping, filter_strength, filter_sharpness, filter_type, auto_filter;
    int alpha_compression, alpha_filtering, alpha_quality;
    int passes, shows_compressed, preprocessing, partitions, partition_limit, emulates_jpeg_size;
    int threads, saves_memory, near_lossless, keeps_clear_colours, uses_delta_palette, uses_sharp_yuv;
    int quantizer_range[2];
    /* Later ones may have more. */
    int spare[16];
} WebPConfig;

typedef struct {
    uint8_t *bytes;
    size_t size, most;
    uint32_t pad;
} WebPMemoryWriter;

typedef struct WebPPicture {
    int is_argb, colours, width, height;
    uint8_t *planes[3];
    int strides[2];
    uint8_t *alpha;
    int alpha_stride;
    uint32_t pad1[2];
    uint32_t *argb;
    int argb_stride;
    uint32_t pad2[3];
    int (*write)(const uint8_t *, size_t, const struct WebPPicture *);
    void *target;
    int extra_kind;
    uint8_t *extra;
    void *statistics;
    int error;
    int (*progress)(int, const struct WebPPicture *);
    void *user;
    uint32_t pad3[3];
    uint8_t *pad4[2];
    uint32_t pad5[8];
    void *own[2];
    void *pad6[2];
} WebPPicture;

enum { encoder_version = 0x020f, largest_side = 16383 };

static struct {
    int (*ConfigInitInternal)(WebPConfig *, int preset, float quality, int version);
    int (*PictureInitInternal)(WebPPicture *, int version);
    int (*PictureImportRGB)(WebPPicture *, const uint8_t *, int stride);
    int (*PictureImportRGBA)(WebPPicture *, const uint8_t *, int stride);
    void (*PictureFree)(WebPPicture *);
    int (*Encode)(const WebPConfig *, WebPPicture *);
    void (*MemoryWriterInit)(WebPMemoryWriter *);
    int (*MemoryWrite)(const uint8_t *, size_t, const WebPPicture *);
    void (*Free)(void *);
    int (*GetFeaturesInternal)(const uint8_t *, size_t, WebPBitstreamFeatures *, int);
    WebPIDecoder *(*INewRGB)(int, uint8_t *, size_t, int);
    int (*IUpdate)(WebPIDecoder *, const uint8_t *, size_t);
    void (*IDelete)(WebPIDecoder *);
} lib;

#define DAE_WEBP_FUNCTIONS(F)                                                                                          \
    F(GetFeaturesInternal) F(INewRGB) F(IUpdate) F(IDelete) F(ConfigInitInternal) F(PictureInitInternal)               \
    F(PictureImportRGB) F(PictureImportRGBA) F(PictureFree) F(Encode) F(MemoryWriterInit) F(MemoryWrite) F(Free)

#ifdef __APPLE__
static const char *const names[] = {"libwebp.7.dylib", "/opt/homebrew/lib/libwebp.7.dylib"};
#else
static const char *const names[] = {"libwebp.so.7"};
#endif

const char *dae_webp_load(void) {
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define DAE_WEBP_FIND(name)                                                                                            \
    lib.name = (__typeof__(lib.name))dlsym(library, "WebP" #name);                                                     \
    if (!lib.name) return dlerror();
    DAE_WEBP_FUNCTIONS(DAE_WEBP_FIND)
    return NULL;
}

static dae_webp_outcome outcome(int status) {
    switch (status) {
    case status_ok: return dae_webp_whole;
    case status_no_memory: return dae_webp_no_memory;
    case status_unsupported: return dae_webp_unsupported;
    case status_suspended:
    case status_not_enough: return dae_webp_cut;
    default: return dae_webp_damaged;
    }
}

dae_webp_outcome dae_webp_read_facts(const uint8_t *bytes, size_t count, dae_webp_facts *facts) {
    WebPBitstreamFeatures features = {0};
    int status = lib.GetFeaturesInternal(bytes, count, &features, decoder_version);
    facts->width = features.width;
    facts->height = features.height;
    facts->has_alpha = features.has_alpha;
    facts->has_animation = features.has_animation;
    facts->bytes_per_pixel = features.format == format_lossy ? (features.has_alpha ? 2 : 0) : 4;
    return outcome(status);
}

dae_webp_outcome dae_webp_read_pixels(const uint8_t *bytes, size_t count, const dae_webp_facts *facts, uint8_t *pixels,
                                      size_t pixel_bytes) {
    int stride = facts->width * (facts->has_alpha ? 4 : 3);
    WebPIDecoder *decoder = lib.INewRGB(facts->has_alpha ? mode_rgba : mode_rgb, pixels, pixel_bytes, stride);
    if (!decoder) return dae_webp_no_memory;
    int status = lib.IUpdate(decoder, bytes, count);
    lib.IDelete(decoder);
    return outcome(status);
}

size_t dae_webp_write(const uint8_t *pixels, int width, int height, int channels, float quality, uint8_t **file) {
    WebPConfig config;
    WebPPicture picture;
    WebPMemoryWriter writer;
    *file = NULL;
    if (width > largest_side || height > largest_side) return 0;
    memset(&config, 0, sizeof config);
    if (!lib.ConfigInitInternal(&config, 0, quality, encoder_version)) return 0;
    config.keeps_clear_colours = 1;
    if (!lib.PictureInitInternal(&picture, encoder_version)) return 0;
    picture.width = width;
    picture.height = height;
    lib.MemoryWriterInit(&writer);
    picture.write = lib.MemoryWrite;
    picture.target = &writer;
    int stride = width * channels;
    int is_made = (channels == 4 ? lib.PictureImportRGBA(&picture, pixels, stride)
                                 : lib.PictureImportRGB(&picture, pixels, stride)) &&
                  lib.Encode(&config, &picture);
    lib.PictureFree(&picture);
    if (!is_made) {
        lib.Free(writer.bytes);
        return 0;
    }
    *file = writer.bytes;
    return writer.size;
}

void dae_webp_free(uint8_t *file) { lib.Free(file); }
