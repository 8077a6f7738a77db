/* Each round looks at 64 bytes from the beginning of a token on: one bit a byte for white space, for points, for minus
   signs, and for what is none of them nor a digit. Then every token that ends among them is read by its bits. */

#include "CTextScan.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define SIZE 64
#define MOST_TOKENS 32
#define VECTOR __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))

bool dae_has_vectors(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }

struct marks {
    uint64_t space, point, minus, other;
};

/* Of 32 bytes: which are among the four kinds. */
VECTOR static inline void mark(const char *at, struct marks *marks, int shift)
{
    __m256i bytes = _mm256_loadu_si256((const __m256i *)at);
    /* White space by its low half: a table gives for each the byte that it would have to be. */
    const __m256i spaces = _mm256_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0, ' ', 0, 0, 0, 0,
                                            0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0);
    __m256i space = _mm256_cmpeq_epi8(bytes, _mm256_shuffle_epi8(spaces, bytes));
    __m256i point = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('.'));
    __m256i minus = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('-'));
    __m256i digit = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
    digit = _mm256_cmpeq_epi8(_mm256_min_epu8(digit, _mm256_set1_epi8(9)), digit);
    __m256i known = _mm256_or_si256(_mm256_or_si256(space, point), _mm256_or_si256(minus, digit));
    marks->space |= (uint64_t)(uint32_t)_mm256_movemask_epi8(space) << shift;
    marks->point |= (uint64_t)(uint32_t)_mm256_movemask_epi8(point) << shift;
    marks->minus |= (uint64_t)(uint32_t)_mm256_movemask_epi8(minus) << shift;
    marks->other |= (uint64_t)~(uint32_t)_mm256_movemask_epi8(known) << shift;
}

/* All that a double is exact for. */
static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* By digits behind the point, of which there are at most fifteen; the last is for numbers without a point. */
static const double divisors[17] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7, 1e8,
                                    1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e0};

/* From byte 16 − n on: a mask that keeps the last n of sixteen bytes. */
static const int8_t keep[32] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

/* Of sixteen digits of which the last `n` stand behind a point: where each lies among the sixteen bytes that the point is
   one of. The last row is for those without a point. */
#define ROW(n)                                                                                                         \
    {PLACE(0, n),  PLACE(1, n),  PLACE(2, n),  PLACE(3, n),  PLACE(4, n),  PLACE(5, n),  PLACE(6, n),  PLACE(7, n),      \
     PLACE(8, n),  PLACE(9, n),  PLACE(10, n), PLACE(11, n), PLACE(12, n), PLACE(13, n), PLACE(14, n), PLACE(15, n)}
/* A byte of 128 and above makes none. */
#define PLACE(lane, n) ((lane) >= 16 - (n) ? (lane) : (lane) - 1)
static const int8_t places[17][16] = {ROW(0),  ROW(1),  ROW(2),  ROW(3),  ROW(4),  ROW(5),  ROW(6),  ROW(7), ROW(8),
                                      ROW(9),  ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15), ROW(16)};
#define NO_POINT 16

/* The number that the last `count` bytes before `end` are the digits of, without the point that `behind` of them follow;
   NO_POINT where there is none. */
VECTOR static inline uint64_t digits(const char *end, uint64_t count, uint64_t behind)
{
    __m128i bytes = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(end - 16)), _mm_set1_epi8('0'));
    bytes = _mm_shuffle_epi8(bytes, _mm_loadu_si128((const __m128i *)places[behind]));
    bytes = _mm_and_si128(bytes, _mm_loadu_si128((const __m128i *)(keep + count)));
    __m128i two = _mm_maddubs_epi16(bytes, _mm_setr_epi8(10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 10, 1));
    __m128i four = _mm_madd_epi16(two, _mm_setr_epi16(100, 1, 100, 1, 100, 1, 100, 1));
    __m128i packed = _mm_packus_epi32(four, four);
    __m128i eight = _mm_madd_epi16(packed, _mm_setr_epi16(10000, 1, 10000, 1, 10000, 1, 10000, 1));
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(eight);
    return (both & 0xFFFFFFFF) * 100000000 + (both >> 32);
}

static inline int is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

static inline int is_digit(char byte) { return (unsigned char)(byte - '0') < 10; }

/* Reads a token with an exponent of one or two digits, of which one multiplication or division gives the nearest number:
   gives the white space behind it, or NULL for any other. SIZE bytes must be there. */
static const char *scan_exponent(const char *at, double *number)
{
    uint64_t value = 0;
    int digits = 0, behind = 0, exponent = 0;
    int negative = *at == '-';
    at += negative;
    for (; is_digit(*at) && digits < 18; at++, digits++)
        value = value * 10 + (uint64_t)(*at - '0');
    if (*at == '.')
        for (at++; is_digit(*at) && digits < 18; at++, digits++, behind++)
            value = value * 10 + (uint64_t)(*at - '0');
    if (digits == 0 || value > (1ull << 53) || (*at | 0x20) != 'e')
        return NULL;
    at++;
    int isBelow = *at == '-';
    at += isBelow || *at == '+';
    if (!is_digit(*at))
        return NULL;
    exponent = *at++ - '0';
    if (is_digit(*at))
        exponent = exponent * 10 + *at++ - '0';
    if (!is_space(*at))
        return NULL;
    exponent = (isBelow ? -exponent : exponent) - behind;
    if (exponent < -22 || exponent > 22)
        return NULL;
    union {
        double real;
        uint64_t bits;
    } found = {.real = exponent < 0 ? (double)(int64_t)value / powers[-exponent] : (double)(int64_t)value * powers[exponent]};
    found.bits |= (uint64_t)negative << 63;
    *number = found.real;
    return at;
}

/* What is looked at in a round: 64 bytes of the text where they lie, or a copy of fewer with white space behind them. */
struct window {
    const char *bytes;
    /* A bit for each byte that is the text's. */
    uint64_t valid;
};

struct room {
    char bytes[DAE_SCAN_MARGIN + 2 * SIZE];
};

/* The window at `at`, before which bytes can be read from `start` on. */
VECTOR static inline struct window window(const char *at, const char *start, const char *end, struct room *room)
{
    size_t left = (size_t)(end - at);
    if (left >= SIZE && at - start >= DAE_SCAN_MARGIN)
        return (struct window){at, ~0ull};
    left = left < SIZE ? left : SIZE;
    const __m256i space = _mm256_set1_epi8(' ');
    for (size_t index = 0; index < 2 * SIZE; index += 32)
        _mm256_storeu_si256((__m256i *)(room->bytes + DAE_SCAN_MARGIN + index), space);
    __builtin_memcpy(room->bytes + DAE_SCAN_MARGIN, at, left);
    return (struct window){room->bytes + DAE_SCAN_MARGIN, left == SIZE ? ~0ull : (1ull << left) - 1};
}

/* How many numbers a window can have. */
static inline size_t most_tokens(uint64_t valid)
{
    return valid == ~0ull ? MOST_TOKENS : (64 - (size_t)__builtin_clzll(valid | 1) + 1) / 2;
}

/* Reads a token with an exponent where one begins; NULL where it is another. */
static const char *exponent_at(const char *text, const char *end, double *number)
{
    if (end - text >= SIZE)
        return scan_exponent(text, number);
    char room[2 * SIZE];
    size_t left = (size_t)(end - text);
    __builtin_memset(room, ' ', sizeof room);
    __builtin_memcpy(room, text, left);
    const char *after = scan_exponent(room, number);
    return after == NULL || (size_t)(after - room) >= left ? NULL : text + (after - room);
}

VECTOR size_t dae_scan_reals(const char *start, const char **place, const char *end, double *numbers, size_t capacity)
{
    const char *text = *place;
    size_t count = 0;
    struct room room;
    while (text < end) {
        struct window seen = window(text, start, end, &room);
        if (capacity - count < most_tokens(seen.valid))
            break;
        const char *block = seen.bytes;
        struct marks marks = {0, 0, 0, 0};
        mark(block, &marks, 0);
        mark(block + 32, &marks, 32);
        uint64_t spaces = marks.space & seen.valid;
        if (spaces == 0)
            break;
        /* A minus sign stands behind white space or at the beginning, nowhere else. */
        uint64_t odd = marks.other | (marks.minus & ~(marks.space << 1 | 1));
        spaces &= _blsmsk_u64(odd);
        uint64_t points = marks.point;
        uint64_t token = 0;
        int stopped = odd != 0 && spaces == 0;
        /* Known before any token is read, so that the next round need not wait for them. */
        uint64_t passed = spaces == 0 ? 0 : SIZE - _lzcnt_u64(spaces);
        while (spaces != 0) {
            uint64_t after = _tzcnt_u64(spaces);
            spaces = _blsr_u64(spaces);
            if (after > token) {
                uint64_t at = _tzcnt_u64(points);
                uint64_t hasPoint = at < after;
                uint64_t behind = hasPoint ? after - at - 1 : NO_POINT;
                uint64_t rest = _blsr_u64(points);
                points = hasPoint ? rest : points;
                uint64_t negative = marks.minus >> token & 1;
                uint64_t length = after - token;
                uint64_t written = length - negative - hasPoint;
                /* No digit, too long, or a second point. */
                if ((written - 1) > 15 - hasPoint || _tzcnt_u64(points) < after) {
                    stopped = 1;
                    passed = token;
                    break;
                }
                uint64_t value = digits(block + after, written, behind);
                /* Too large to be exact. */
                if (value > (1ull << 53)) {
                    stopped = 1;
                    passed = token;
                    break;
                }
                union {
                    double real;
                    uint64_t bits;
                } number = {.real = (double)(int64_t)value / divisors[behind]};
                number.bits |= negative << 63;
                numbers[count++] = number.real;
            }
            token = after + 1;
        }
        text += passed;
        if (stopped || odd != 0) {
            const char *after = exponent_at(text, end, numbers + count);
            if (after == NULL)
                break;
            count++;
            text = after;
        }
    }
    *place = text;
    return count;
}

/* The number that the last `count` (1...8) bytes before `end` are the digits of. */
static inline uint32_t short_digits(const char *end, uint64_t count)
{
    uint64_t eight;
    __builtin_memcpy(&eight, end - 8, 8);
    uint64_t before = 64 - 8 * count;
    eight = (eight ^ 0x3030303030303030) >> before << before;
    uint64_t pairs = eight * 10 + (eight >> 8);
    uint64_t outer = (pairs & 0x000000FF000000FF) * (100 + (1000000ull << 32));
    uint64_t inner = ((pairs >> 16) & 0x000000FF000000FF) * (1 + (10000ull << 32));
    return (uint32_t)((outer + inner) >> 32);
}

VECTOR size_t dae_scan_integers(const char *start, const char **place, const char *end, int32_t *numbers, size_t capacity)
{
    const char *text = *place;
    size_t count = 0;
    struct room room;
    while (text < end) {
        struct window seen = window(text, start, end, &room);
        if (capacity - count < most_tokens(seen.valid))
            break;
        const char *block = seen.bytes;
        struct marks marks = {0, 0, 0, 0};
        mark(block, &marks, 0);
        mark(block + 32, &marks, 32);
        uint64_t spaces = marks.space & seen.valid;
        if (spaces == 0)
            break;
        uint64_t odd = marks.other | marks.minus | marks.point;
        spaces &= _blsmsk_u64(odd);
        uint64_t token = 0;
        int stopped = 0;
        uint64_t passed = spaces == 0 ? 0 : SIZE - _lzcnt_u64(spaces);
        while (spaces != 0) {
            uint64_t after = _tzcnt_u64(spaces);
            spaces = _blsr_u64(spaces);
            if (after > token) {
                if (after - token > 8) {
                    stopped = 1;
                    passed = token;
                    break;
                }
                numbers[count++] = (int32_t)short_digits(block + after, after - token);
            }
            token = after + 1;
        }
        text += passed;
        if (stopped || odd != 0)
            break;
    }
    *place = text;
    return count;
}

/* Of 64 bytes: which of them are `e` or `E`, and which are plus signs. */
VECTOR static inline void mark_exponents(const char *at, uint64_t *letter, uint64_t *plus)
{
    *letter = *plus = 0;
    for (int shift = 0; shift < SIZE; shift += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(at + shift));
        __m256i small = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
        *letter |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(small, _mm256_set1_epi8('e'))) << shift;
        *plus |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('+'))) << shift;
    }
}

/* What the byte before a block says of an exponent: whether it is its letter, its sign, its first digit, its second; and
   whether the last one of white space, points and letters was a letter. */
struct exponent {
    uint64_t letter, sign, first, second, open;
};

/* Which bytes of a block are wrong where exponents may stand; those of more than two digits may be too large. `marks` are
   left without the letters and signs of exponents that are right. */
VECTOR static inline uint64_t odd_exponents(const char *at, struct marks *marks, uint64_t digit, uint64_t wasDigit,
                                            struct exponent *was)
{
    uint64_t letter, plus;
    mark_exponents(at, &letter, &plus);
    uint64_t behindLetter = letter << 1 | was->letter;
    uint64_t sign = (marks->minus | plus) & behindLetter;
    uint64_t behindSign = sign << 1 | was->sign;
    uint64_t first = (behindLetter | behindSign) & digit;
    uint64_t second = (first << 1 | was->first) & digit;
    uint64_t third = (second << 1 | was->second) & digit;
    uint64_t parts = marks->space | marks->point | letter;
    uint64_t row = _pext_u64(letter, parts);
    uint64_t open = _pext_u64(letter | marks->point, parts) & (row << 1 | was->open);
    uint64_t odd = (letter & ~(digit << 1 | wasDigit)) | (behindLetter & ~(digit | sign)) | (behindSign & ~digit) | third | open;
    marks->minus &= ~sign;
    marks->other &= ~(letter | sign);
    *was = (struct exponent){letter >> 63, sign >> 63, first >> 63, second >> 63,
                             parts == 0 ? was->open : row >> (__builtin_popcountll(parts) - 1) & 1};
    return odd;
}

VECTOR size_t dae_count_reals(const char **place, const char *end)
{
    const char *block = *place;
    size_t count = 0;
    /* What the byte before a block says: whether it is white space, a minus sign, a point with no digit before it, a
       digit; and whether the last one of white space and points was a point. */
    uint64_t wasSpace = 1, wasMinus = 0, wasBare = 0, wasDigit = 0, wasPoint = 0;
    struct exponent was = {0, 0, 0, 0, 0};
    for (; end - block >= SIZE; block += SIZE) {
        struct marks marks = {0, 0, 0, 0};
        mark(block, &marks, 0);
        mark(block + 32, &marks, 32);
        uint64_t space = marks.space, point = marks.point;
        uint64_t digit = ~(space | point | marks.minus | marks.other);
        uint64_t odd = 0;
        if ((marks.other | was.letter | was.sign | was.first | was.second | was.open) != 0)
            odd = odd_exponents(block, &marks, digit, wasDigit, &was);
        uint64_t minus = marks.minus;
        uint64_t bare = point & ~(digit << 1 | wasDigit);
        uint64_t parts = space | point;
        /* Points and white space side by side, all else left out: two points in a row stand in one token. */
        uint64_t row = _pext_u64(point, parts);
        uint64_t behindSpace = space << 1 | wasSpace;
        odd |= marks.other | (minus & ~behindSpace) | ((minus << 1 | wasMinus) & ~(digit | point)) |
               ((bare << 1 | wasBare) & ~digit) | (row & (row << 1 | wasPoint));
        /* A token of 64 digits may be too long to be finite. */
        if (odd != 0 || space == 0)
            break;
        count += (size_t)__builtin_popcountll(space & ~behindSpace);
        *place = block + SIZE - _lzcnt_u64(space);
        wasSpace = space >> 63;
        wasMinus = minus >> 63;
        wasBare = bare >> 63;
        wasDigit = digit >> 63;
        wasPoint = row >> (__builtin_popcountll(parts) - 1) & 1;
    }
    return count;
}

VECTOR size_t dae_scan_text(const char *text, size_t count, int returns, size_t *newlines, size_t *last)
{
    const __m256i newline = _mm256_set1_epi8('\n'), tab = _mm256_set1_epi8('\t');
    const __m256i third = _mm256_set1_epi8(returns ? '\r' : '\n');
    size_t lines = 0, at = 0;
    for (; count - at >= 32; at += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(text + at));
        __m256i line = _mm256_cmpeq_epi8(bytes, newline);
        __m256i space = _mm256_or_si256(line, _mm256_or_si256(_mm256_cmpeq_epi8(bytes, tab), _mm256_cmpeq_epi8(bytes, third)));
        /* Bytes above 127 are below 0 here. */
        __m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), bytes);
        __m256i odd = _mm256_or_si256(_mm256_andnot_si256(space, low),
                                      _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('&')),
                                                      _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(']'))));
        __m256i markup = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('<'));
        uint32_t ended = (uint32_t)_mm256_movemask_epi8(line);
        uint32_t stops = (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(odd, markup));
        if (stops != 0) {
            uint32_t first = _tzcnt_u32(stops);
            if (text[at + first] != '<')
                return SIZE_MAX;
            /* Newlines before it. */
            ended &= (1u << first) - 1;
            if (ended != 0) {
                lines += (size_t)__builtin_popcount(ended);
                *last = at + 31 - _lzcnt_u32(ended);
            }
            *newlines = lines;
            return at + first;
        }
        if (ended != 0) {
            lines += (size_t)__builtin_popcount(ended);
            *last = at + 31 - _lzcnt_u32(ended);
        }
    }
    for (; at < count && text[at] != '<'; at++) {
        unsigned char byte = (unsigned char)text[at];
        if (byte == '\n') {
            lines++;
            *last = at;
        } else if ((byte < 0x20 && byte != '\t' && !(returns && byte == '\r')) || byte > 127 || byte == '&' || byte == ']') {
            return SIZE_MAX;
        }
    }
    *newlines = lines;
    return at;
}

#else

bool dae_has_vectors(void) { return false; }

size_t dae_scan_text(const char *text, size_t count, int returns, size_t *newlines, size_t *last)
{
    (void)text, (void)count, (void)returns, (void)newlines, (void)last;
    return SIZE_MAX;
}

size_t dae_count_reals(const char **place, const char *end)
{
    (void)place, (void)end;
    return 0;
}

size_t dae_scan_reals(const char *start, const char **place, const char *end, double *numbers, size_t capacity)
{
    (void)start, (void)place, (void)end, (void)numbers, (void)capacity;
    return 0;
}

size_t dae_scan_integers(const char *start, const char **place, const char *end, int32_t *numbers, size_t capacity)
{
    (void)start, (void)place, (void)end, (void)numbers, (void)capacity;
    return 0;
}

#endif
