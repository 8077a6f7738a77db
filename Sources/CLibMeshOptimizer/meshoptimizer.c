#include "CLibMeshOptimizer.h"

#include <dlfcn.h>

static struct {
    void (*optimizeVertexCache)(unsigned *, const unsigned *, size_t, size_t);
    void (*optimizeVertexCacheStrip)(unsigned *, const unsigned *, size_t, size_t);
    size_t (*optimizeVertexFetchRemap)(unsigned *, const unsigned *, size_t, size_t);
    size_t (*encodeIndexBufferBound)(size_t, size_t);
    size_t (*encodeIndexBuffer)(unsigned char *, size_t, const unsigned *, size_t);
    void (*encodeIndexVersion)(int);
    size_t (*encodeVertexBufferBound)(size_t, size_t);
    size_t (*encodeVertexBuffer)(unsigned char *, size_t, const void *, size_t, size_t);
    void (*encodeVertexVersion)(int);
    void (*encodeFilterOct)(void *, size_t, size_t, int, const float *);
    void (*decodeFilterOct)(void *, size_t, size_t);
    void (*encodeFilterQuat)(void *, size_t, size_t, int, const float *);
    void (*decodeFilterQuat)(void *, size_t, size_t);
    void (*encodeFilterExp)(void *, size_t, size_t, int, const float *);
} lib;

#define DAE_MESHOPT_FUNCTIONS(F)                                                                                       \
    F(optimizeVertexCache) F(optimizeVertexCacheStrip) F(optimizeVertexFetchRemap) F(encodeIndexBufferBound)           \
    F(encodeIndexBuffer) F(encodeIndexVersion) F(encodeVertexBufferBound) F(encodeVertexBuffer) F(encodeVertexVersion) \
    F(encodeFilterOct) F(decodeFilterOct) F(encodeFilterQuat) F(decodeFilterQuat) F(encodeFilterExp)

#ifdef __APPLE__
static const char *const names[] = {"libmeshoptimizer.dylib", "/opt/homebrew/lib/libmeshoptimizer.dylib"};
#else
/* As Debian calls that of 0.18: later ones have another interface. */
static const char *const names[] = {"libmeshoptimizer.so.2d"};
#endif

const char *dae_meshopt_load(void) {
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define DAE_MESHOPT_FIND(name)                                                                                         \
    lib.name = (__typeof__(lib.name))dlsym(library, "meshopt_" #name);                                                 \
    if (!lib.name) return dlerror();
    DAE_MESHOPT_FUNCTIONS(DAE_MESHOPT_FIND)
    /* Those of the extension; they hold for all of the process. */
    lib.encodeIndexVersion(1);
    lib.encodeVertexVersion(0);
    return NULL;
}

void dae_meshopt_order_triangles(uint32_t *ordered, const uint32_t *indices, size_t count, size_t vertices, int strips) {
    (strips ? lib.optimizeVertexCacheStrip : lib.optimizeVertexCache)(ordered, indices, count, vertices);
}

size_t dae_meshopt_order_vertices(uint32_t *places, const uint32_t *indices, size_t count, size_t vertices) {
    return lib.optimizeVertexFetchRemap(places, indices, count, vertices);
}

size_t dae_meshopt_triangles_bound(size_t count, size_t vertices) { return lib.encodeIndexBufferBound(count, vertices); }

size_t dae_meshopt_encode_triangles(uint8_t *stream, size_t size, const uint32_t *indices, size_t count) {
    return lib.encodeIndexBuffer(stream, size, indices, count);
}

size_t dae_meshopt_elements_bound(size_t count, size_t element) { return lib.encodeVertexBufferBound(count, element); }

size_t dae_meshopt_encode_elements(uint8_t *stream, size_t size, const void *elements, size_t count, size_t element) {
    return lib.encodeVertexBuffer(stream, size, elements, count, element);
}

void dae_meshopt_encode_octahedral(void *elements, size_t count, int bits, const float *directions) {
    lib.encodeFilterOct(elements, count, 8, bits, directions);
}

void dae_meshopt_decode_octahedral(void *elements, size_t count) { lib.decodeFilterOct(elements, count, 8); }

void dae_meshopt_encode_quaternions(void *elements, size_t count, int bits, const float *quaternions) {
    lib.encodeFilterQuat(elements, count, 8, bits, quaternions);
}

void dae_meshopt_decode_quaternions(void *elements, size_t count) { lib.decodeFilterQuat(elements, count, 8); }

void dae_meshopt_encode_exponential(void *elements, size_t count, size_t element, int bits, const float *numbers) {
    lib.encodeFilterExp(elements, count, element, bits, numbers);
}
