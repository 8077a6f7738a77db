#ifndef DAEDALUS_CLIBZ_SHIM_H
#define DAEDALUS_CLIBZ_SHIM_H
#include <stdlib.h>
#include <zlib.h>

/* zlib's own start is a macro, which Swift cannot call. Gives NULL where memory is short. */
static inline z_stream *dae_deflate_new(int level)
{
    z_stream *stream = (z_stream *)calloc(1, sizeof(z_stream));
    if (stream && deflateInit2(stream, level, Z_DEFLATED, 15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

static inline void dae_deflate_free(z_stream *stream)
{
    deflateEnd(stream);
    free(stream);
}

/* Takes all of `in` as far as `out` has room: `left` is what it did not take, `made` what was put out. Gives 1 at the end
   of the stream, which `last` asks for, 0 to go on, less than 0 where it fails. */
static inline int dae_deflate(z_stream *stream, const unsigned char *in, unsigned in_count, unsigned *left,
                              unsigned char *out, unsigned out_count, unsigned *made, int last)
{
    stream->next_in = (unsigned char *)in;
    stream->avail_in = in_count;
    stream->next_out = out;
    stream->avail_out = out_count;
    int status = deflate(stream, last ? Z_FINISH : Z_NO_FLUSH);
    *left = stream->avail_in;
    *made = out_count - stream->avail_out;
    if (status == Z_STREAM_END)
        return 1;
    return status == Z_OK || status == Z_BUF_ERROR ? 0 : -1;
}

/* As dae_deflate_new, for the way back. */
static inline z_stream *dae_inflate_new(void)
{
    z_stream *stream = (z_stream *)calloc(1, sizeof(z_stream));
    if (stream && inflateInit2(stream, 15) != Z_OK) {
        free(stream);
        return NULL;
    }
    return stream;
}

static inline void dae_inflate_free(z_stream *stream)
{
    inflateEnd(stream);
    free(stream);
}

/* As dae_deflate: 1 at the end of the stream, 0 to go on, less than 0 where it is broken. */
static inline int dae_inflate(z_stream *stream, const unsigned char *in, unsigned in_count, unsigned *left,
                              unsigned char *out, unsigned out_count, unsigned *made)
{
    stream->next_in = (unsigned char *)in;
    stream->avail_in = in_count;
    stream->next_out = out;
    stream->avail_out = out_count;
    int status = inflate(stream, Z_NO_FLUSH);
    *left = stream->avail_in;
    *made = out_count - stream->avail_out;
    if (status == Z_STREAM_END)
        return 1;
    return status == Z_OK || status == Z_BUF_ERROR ? 0 : -1;
}
#endif
