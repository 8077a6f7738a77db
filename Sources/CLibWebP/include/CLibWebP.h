#ifndef DAEDALUS_CLIBWEBP_H
#define DAEDALUS_CLIBWEBP_H
#include <stddef.h>
#include <stdint.h>

/* libwebp 0.6 or later, which is what libwebp.so.7 is: loaded at first use, since few files need it, and declared here, so
   that nothing of it is needed for a build. */

/* Gives NULL, or why libwebp cannot be used: a text that lives as long as the thread. To be called once; nothing else
   here may be called before it gave NULL. */
const char *dae_webp_load(void);

typedef struct {
    /* bytes_per_pixel: what libwebp takes beside the pixels, for all of them at once. */
    int width, height, has_alpha, has_animation, bytes_per_pixel;
} dae_webp_facts;

typedef enum { dae_webp_whole, dae_webp_cut, dae_webp_damaged, dae_webp_unsupported, dae_webp_no_memory } dae_webp_outcome;

dae_webp_outcome dae_webp_read_facts(const uint8_t *bytes, size_t count, dae_webp_facts *facts);

/* Writes rows of width × 4 bytes (red, green, blue, alpha), or of width × 3 without alpha; those that the file does not
   have stay as they are. */
dae_webp_outcome dae_webp_read_pixels(const uint8_t *bytes, size_t count, const dae_webp_facts *facts, uint8_t *pixels,
                                      size_t pixel_bytes);

/* Gives a file of `quality` 0 to 100, made of rows of width × channels bytes (3, or 4 with alpha; what is clear keeps its
   colours); its bytes are in `*file`, to be given back by dae_webp_free. 0 where it cannot be made. */
size_t dae_webp_write(const uint8_t *pixels, int width, int height, int channels, float quality, uint8_t **file);
void dae_webp_free(uint8_t *file);

#endif
