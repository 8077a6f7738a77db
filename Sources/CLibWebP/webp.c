#include "CLibWebP.h"

#include <dlfcn.h>

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

static struct {
    int (*GetFeaturesInternal)(const uint8_t *, size_t, WebPBitstreamFeatures *, int);
    WebPIDecoder *(*INewRGB)(int, uint8_t *, size_t, int);
    int (*IUpdate)(WebPIDecoder *, const uint8_t *, size_t);
    void (*IDelete)(WebPIDecoder *);
} lib;

#define DAE_WEBP_FUNCTIONS(F) F(GetFeaturesInternal) F(INewRGB) F(IUpdate) F(IDelete)

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
