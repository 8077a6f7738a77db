#ifndef DAEDALUS_CTEXTSCAN_H
#define DAEDALUS_CTEXTSCAN_H

/* Reading long lists of numbers by vector instructions, which Swift has no plain way to. Only the plainest tokens are
   read here; the rest is left to Swift, which reads everything that is read here, too, to the same bits. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Bytes before a window of 64 that are read where they are there; else what is in the window is copied. */
#define DAE_SCAN_MARGIN 16

/* Whether this machine has the vectors that are used here (AVX2); without them nothing below reads anything. */
bool dae_has_vectors(void);

/* Reads numbers of up to sixteen digits with one point or none, and those with an exponent that one division or
   multiplication settles, parted by XML white space.

   The machine has vectors. `*place` is the first byte of a token or white space before one; the byte before
   `end` is white space, and from `start` on everything can be read. `*place` is left behind the last token that was read;
   that is before a token of any other form, or where there is room for fewer numbers than 64 bytes can have. Gives how
   many numbers were written. */
size_t dae_scan_reals(const char *start, const char **place, const char *end, double *numbers, size_t capacity);

/* Likewise whole numbers of up to eight digits without a sign. */
size_t dae_scan_integers(const char *start, const char **place, const char *end, int32_t *numbers, size_t capacity);

/* Counts finite numbers with exponents of at most two digits, and looks at every byte of them. `*place` is as above; it
   is left behind white space, before the first token that is not counted. */
size_t dae_count_reals(const char **place, const char *end);

/* Looks through text up to the first '<' or its end.

   Gives how many bytes that are; SIZE_MAX where something among them is not plain: a control character but tab and newline
   (and the return, where `returns` is not 0), '&', ']', a byte above 127. `*newlines` is how many lines end, `*last` the
   place of the last newline, where there is one. */
size_t dae_scan_text(const char *text, size_t count, int returns, size_t *newlines, size_t *last);

/* How many of the bytes, of which `readable` can be read, are the same blank; looks only at whole groups of 16, and gives
   SIZE_MAX where it comes to the end of those first. */
static inline size_t dae_count_blanks(const uint8_t *bytes, size_t readable, uint8_t blank)
{
    size_t at = 0;
#if defined(__SSE2__)
    const __m128i blanks = _mm_set1_epi8((char)blank);
    for (; readable - at >= 16; at += 16) {
        int same = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(bytes + at)), blanks));
        if (same != 0xFFFF)
            return at + (size_t)__builtin_ctz(~(unsigned)same);
    }
#else
    for (; at < readable / 16 * 16; at++)
        if (bytes[at] != blank)
            return at;
#endif
    return SIZE_MAX;
}

#if defined(__SSE2__)
static inline int dae_are_sixteen_in_names(__m128i bytes)
{
    /* Bytes above 127 are below 0 here. */
    __m128i lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    __m128i letters = _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                                    _mm_cmplt_epi8(lower, _mm_set1_epi8('z' + 1)));
    /* '-', '.', '/' and digits. */
    __m128i others = _mm_and_si128(_mm_cmpgt_epi8(bytes, _mm_set1_epi8('-' - 1)),
                                   _mm_cmplt_epi8(bytes, _mm_set1_epi8('9' + 1)));
    others = _mm_andnot_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/')), others);
    __m128i good = _mm_or_si128(_mm_or_si128(letters, others), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')));
    return _mm_movemask_epi8(good) == 0xFFFF;
}
#endif

/* Whether so many bytes, at least 8, are letters, digits, '-', '.' and '_' of ASCII alone. */
static inline int dae_are_in_names(const uint8_t *bytes, size_t count)
{
    size_t at = 0;
#if defined(__SSE2__)
    /* The last bytes may be looked at twice. */
    if (count < 16)
        return dae_are_sixteen_in_names(_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)bytes),
                                                           _mm_loadl_epi64((const __m128i *)(bytes + count - 8))));
    for (; at + 16 < count; at += 16)
        if (!dae_are_sixteen_in_names(_mm_loadu_si128((const __m128i *)(bytes + at))))
            return 0;
    return dae_are_sixteen_in_names(_mm_loadu_si128((const __m128i *)(bytes + count - 16)));
#else
    for (; at < count; at++) {
        uint8_t lower = bytes[at] | 0x20;
        if (!(lower >= 'a' && lower <= 'z') && !(bytes[at] >= '0' && bytes[at] <= '9') && bytes[at] != '-' &&
            bytes[at] != '.' && bytes[at] != '_')
            return 0;
    }
    return 1;
#endif
}


#endif
