#include <malloc.h>
#include <stddef.h>

/// Bytes that were asked for and not given back, with what the allocator adds to each.
static inline size_t measure_live_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
