#ifndef DAEDALUS_CTEXTSCAN_H
#define DAEDALUS_CTEXTSCAN_H

/* Reading long lists of numbers by vector instructions, which Swift has no plain way to. Only the plainest tokens are
   read here; the rest is left to Swift, which reads everything that is read here, too, to the same bits. */

#include <stddef.h>
#include <stdint.h>

/* Bytes before the place where a scan begins that it may read. */
#define DAE_SCAN_MARGIN 16

/* Whether this machine has the instructions; without them nothing below reads anything. */
int dae_scan_can(void);

/* Reads numbers of up to sixteen digits with one point or none, and those with an exponent that one division or
   multiplication settles, parted by XML white space.

   `*place` is the first byte of a token or white space before one. It is left behind the last token that was read; that
   is before a token of any other form, before one that reaches into the last 64 bytes before `end`, or where there is
   room for fewer than 32 numbers. Gives how many numbers were written. */
size_t dae_scan_reals(const char **place, const char *end, double *numbers, size_t capacity);

/* Likewise whole numbers of up to eight digits without a sign. */
size_t dae_scan_integers(const char **place, const char *end, int32_t *numbers, size_t capacity);

/* Counts finite numbers with exponents of at most two digits, and looks at every byte of them. `*place` is as above; it
   is left behind white space, before the first token that is not counted. */
size_t dae_count_reals(const char **place, const char *end);

/* Looks through text up to the first '<' or its end.

   Gives how many bytes that are; SIZE_MAX where something among them is not plain: a control character but tab and newline
   (and the return, where `returns` is not 0), '&', ']', a byte above 127. `*newlines` is how many lines end, `*last` the
   place of the last newline, where there is one. */
size_t dae_scan_text(const char *text, size_t count, int returns, size_t *newlines, size_t *last);

/* Has the line of memory that is at `place` fetched, for a look at it a little later. Any address will do. */
static inline void dae_fetch(const void *place) { __builtin_prefetch(place); }

/* How many cores this process may use, at least 1. */
int dae_core_count(void);

#endif
