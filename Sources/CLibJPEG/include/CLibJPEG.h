#ifndef DAEDALUS_CLIBJPEG_H
#define DAEDALUS_CLIBJPEG_H
#include <stddef.h>
#include <stdint.h>

/* libjpeg's interface of version 6.2, which is what libjpeg.so.62 is: loaded at first use, since few commands need it, and
   declared in its source, since its header would have to be on each machine that builds. A file in memory; no other is
   opened. */

/* Gives NULL, or why libjpeg cannot be used: a text that lives as long as the thread. To be called once; nothing else
   here may be called before it gave NULL. */
const char *dae_jpeg_load(void);

typedef struct dae_jpeg dae_jpeg;

typedef struct {
    uint32_t width, height;
    /* Of a pixel in the file: 1 grey, 3 colours, 4 inks. */
    int components;
    /* Whether the inks stand the other way round, as Adobe's programs write them: 255 is none. */
    int has_inverted_inks;
} dae_jpeg_facts;

/* Cut: the file ends before its pixels do. Unsupported: of a kind that libjpeg does not decode, or not to colours. */
typedef enum {
    dae_jpeg_whole, dae_jpeg_cut, dae_jpeg_damaged, dae_jpeg_unsupported, dae_jpeg_too_large, dae_jpeg_no_memory
} dae_jpeg_outcome;

/* `bytes` must outlive the value. libjpeg takes at most `most_memory`, beside some kilobytes. NULL where memory is
   short. */
dae_jpeg *dae_jpeg_open(const uint8_t *bytes, size_t count, size_t most_memory);
void dae_jpeg_close(dae_jpeg *jpeg);

/* What libjpeg said first; "" where it did not complain. */
const char *dae_jpeg_complaint(const dae_jpeg *jpeg);

dae_jpeg_outcome dae_jpeg_read_facts(dae_jpeg *jpeg, dae_jpeg_facts *facts);

/* Writes width × height pixels of as many values as the facts say, the top row first: grey, red green blue, or inks. Rows
   that cannot be had stay as they are; `rows` says how many are done. To be called once, after the facts. */
dae_jpeg_outcome dae_jpeg_read_pixels(dae_jpeg *jpeg, const dae_jpeg_facts *facts, uint8_t *pixels, uint32_t *rows);

/* Gives a file of `quality` 1 to 100, made of rows of width × components bytes (1 grey, 3 colours); its bytes are in
   `*file`, to be given back by dae_jpeg_free. 0 where it cannot be made. */
size_t dae_jpeg_write(const uint8_t *pixels, uint32_t width, uint32_t height, int components, int quality, uint8_t **file);
void dae_jpeg_free(uint8_t *file);

#endif
