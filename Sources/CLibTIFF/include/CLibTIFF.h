#ifndef DAEDALUS_CLIBTIFF_H
#define DAEDALUS_CLIBTIFF_H
#include <stddef.h>
#include <stdint.h>

/* libtiff 4.5 or later, which is what libtiff.so.6 is: loaded at first use, since few files need it, and declared here,
   since its header would bring that of a dozen libraries onto each machine that builds. The first image of a file in
   memory, by libtiff's own way to pixels of four bytes; it opens no file. */

/* Gives NULL, or why libtiff cannot be used: a text that lives as long as the thread. To be called once; nothing else
   here may be called before it gave NULL. */
const char *dae_tiff_load(void);

typedef struct dae_tiff dae_tiff;

typedef struct {
    uint32_t width, height;
    uint16_t compression, photometric, bits, samples, sample_format;
    /* What the first sample beyond the colours is: 0 unknown, 1 alpha that the colours are multiplied by, 2 alpha. */
    uint16_t extra_samples, extra;
} dae_tiff_facts;

/* `bytes` must outlive the value. No single piece of memory above `most_memory` is taken. NULL where memory is short. */
dae_tiff *dae_tiff_open(const unsigned char *bytes, size_t count, size_t most_memory);
void dae_tiff_close(dae_tiff *tiff);

/* What libtiff said first; "" where it did not complain. */
const char *dae_tiff_complaint(const dae_tiff *tiff);

/* Gives 0 where the header cannot be read. */
int dae_tiff_read_facts(dae_tiff *tiff, dae_tiff_facts *facts);

/* Unsupported: libtiff has no way from such pixels to colours. */
typedef enum { dae_tiff_read, dae_tiff_failed, dae_tiff_unsupported } dae_tiff_outcome;

/* Writes width × height pixels, the top row first, each red, green, blue, alpha in this order; those that cannot be
   decoded stay as they are. Colours are left as the file has them, whatever alpha means. */
dae_tiff_outcome dae_tiff_read_pixels(dae_tiff *tiff, const dae_tiff_facts *facts, uint32_t *pixels);

#endif
