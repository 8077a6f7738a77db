#ifndef DAEDALUS_CLIBMESHOPTIMIZER_H
#define DAEDALUS_CLIBMESHOPTIMIZER_H
#include <stddef.h>
#include <stdint.h>

/* meshoptimizer 0.18 or later: loaded at first use, since few conversions need it, and declared here, so that nothing of
   it is needed for a build. Indices must be below `vertices`, and those of triangles as many as three times something. */

/* Gives NULL, or why meshoptimizer cannot be used: a text that lives as long as the thread. To be called once; nothing
   else here may be called before it gave NULL. */
const char *dae_meshopt_load(void);

/* Brings triangles into an order in which few vertices are worked out twice; or, with `strips` not 0, in one that is
   compressed better. `ordered` has room for `count`, and is not `indices`. */
void dae_meshopt_order_triangles(uint32_t *ordered, const uint32_t *indices, size_t count, size_t vertices, int strips);

/* Writes by vertex its place in the order of first use, or 2^32 - 1 for one that is not used; gives how many are. */
size_t dae_meshopt_order_vertices(uint32_t *places, const uint32_t *indices, size_t count, size_t vertices);

/* Streams of EXT_meshopt_compression, version 0. `bound` gives the room that may be needed; an encoder gives the bytes
   that it wrote, 0 where they were more than `size`. The bytes of an element are a multiple of 4, at most 256. */
size_t dae_meshopt_triangles_bound(size_t count, size_t vertices);
size_t dae_meshopt_encode_triangles(uint8_t *stream, size_t size, const uint32_t *indices, size_t count);
size_t dae_meshopt_elements_bound(size_t count, size_t element);
size_t dae_meshopt_encode_elements(uint8_t *stream, size_t size, const void *elements, size_t count, size_t element);

/* Filters of the extension. Octahedral ones and quaternions have four numbers an element; elements are of 8 bytes, and
   the decoders work in place. */
void dae_meshopt_encode_octahedral(void *elements, size_t count, int bits, const float *directions);
void dae_meshopt_decode_octahedral(void *elements, size_t count);
void dae_meshopt_encode_quaternions(void *elements, size_t count, int bits, const float *quaternions);
void dae_meshopt_decode_quaternions(void *elements, size_t count);
void dae_meshopt_encode_exponential(void *elements, size_t count, size_t element, int bits, const float *numbers);

#endif
