#ifndef DAEDALUS_CISAL_SHIM_H
#define DAEDALUS_CISAL_SHIM_H
#include <isa-l.h>
#include <stdlib.h>

/* The state is 90 kB of arrays, which Swift would import as tuples; so it stays behind a pointer. */

static inline void *dae_inflate_new(void)
{
    struct inflate_state *state = (struct inflate_state *)malloc(sizeof(struct inflate_state));
    if (state)
        isal_inflate_init(state);
    return state;
}

static inline void dae_inflate_free(void *state) { free(state); }

/* Inflates raw deflate. Gives 1 where the stream has ended and all of it is out, 0 to go on, less than 0 where it is
   damaged; `left` is what of the input was not used, `made` what was put out. */
static inline int dae_inflate(void *opaque, const void *in, uint32_t in_count, uint32_t *left, void *out,
                              uint32_t out_count, uint32_t *made)
{
    struct inflate_state *state = (struct inflate_state *)opaque;
    state->next_in = (uint8_t *)in;
    state->avail_in = in_count;
    state->next_out = (uint8_t *)out;
    state->avail_out = out_count;
    int outcome = isal_inflate(state);
    *made = out_count - state->avail_out;
    *left = state->avail_in;
    if (outcome < 0)
        return outcome;
    return state->block_state == ISAL_BLOCK_FINISH;
}

/* Whole bytes that were taken from the input and belong to nobody, at the end of the stream. */
static inline int32_t dae_inflate_buffered(const void *opaque)
{
    int32_t bits = ((const struct inflate_state *)opaque)->read_in_length;
    return bits > 0 ? bits / 8 : 0;
}

static inline uint32_t dae_crc32(uint32_t sum, const void *bytes, uint64_t count)
{
    return crc32_gzip_refl(sum, (const unsigned char *)bytes, count);
}
#endif
