/* What the bytes of shadow memory hold while a derivative runs.

   A table from addresses of shadow memory to a mark for each byte: nothing, part k of a float, a double, a long double, a shadow
   pointer. The reverse sweep marks an adjoint as what the load that read the number says (`add`), moves marked adjoints backwards
   along copies whose bytes no type tells (`move`), and takes them where the number was stored (`take`). The forward sweep marks
   shadow pointers where they are stored (`point`), and copies those and nothing else (`copy_pointers`).

   Invariants: a mark is never wrong, because whoever writes shadow memory in such a derivative marks it. What is not marked and not
   zero came from outside of the derivative; where its kind is wanted and no declaration tells it (`note`), the call ends with an
   error. Adjoints are only added as whole numbers: bytes that arrive one by one where another adjoint lies wait until the number is
   complete. A pointer that a number has overwritten in the meantime counts as nothing.

   Beside its mark a byte may have a stain: an adjoint arrived where the program computed with it as with an integer. A stain lies
   where an adjoint would lie and moves as one does. What is no active number takes it away (`wash`, `clear`, `fresh`); taking an
   active number where there is one ends the call, and so does one that is left when the derivative is done.

   Not here: which copies are doubtful (autodiff), primal memory. */
typedef unsigned char byte;
typedef unsigned long size;
typedef size __attribute__((may_alias, aligned(1))) word;
enum { NOTHING = 0, DOUBLE = 0x10, FLOAT = 0x20, LONG = 0x30, POINTER = 0x40 };
#define KIND(mark) ((mark) & 0xf0)
#define PART(mark) ((mark) & 0x0f)
#define LINE 64
#define NAMED(name) __asm__("em.kinds." name)
#pragma clang attribute push(__attribute__((minsize, noinline)), apply_to = function) /* quick to compile in every derivative */

void *malloc(size) __attribute__((nothrow));
void *calloc(size, size) __attribute__((nothrow));
void free(void *) __attribute__((nothrow));
void run_bytes(const char *text, const char *file, int line) __asm__("em.run.bytes") __attribute__((noreturn, cold));

/* The marks of one line of memory; and numbers of which only some bytes have arrived, beside an adjoint that is there already. */
struct line { size key; byte mark[LINE], waits[LINE], bits[LINE], stain[LINE]; };
struct chunk { struct chunk *next; size used; struct line lines[64]; };
static struct line **slots;
static struct chunk *chunks;
static size room, used, waiting, stained;
static struct { const char *file; int at; } stains[256], suspected;
static int known_stains;

static int width(int kind) { return kind == FLOAT ? 4 : kind == LONG ? 10 : 8; }

static void fail(const char *text, const char *file, int line) { run_bytes(text, file, line); }
#define UNKNOWN "bytes of unknown kind are copied or set, and a derivative lies in them"
#define OTHERWISE "a number with a derivative is used as something else than it was stored as"
#define PARTS "only a part of a number with a derivative is copied"
#define THROUGH "a pointer to memory with derivatives is copied as an integer, or by characters"
#define COMPUTED "a number with a derivative is computed with as an integer"
#define BOTH "memory in which a derivative lies is used for pointers"

/* --- the table */

/* All marks go: before a derivative and after it. */
void forget(void) NAMED("forget");
void forget(void) {
    while (chunks) { struct chunk *next = chunks->next; free(chunks); chunks = next; }
    free(slots);
    slots = 0; room = used = waiting = stained = 0;
    known_stains = suspected.at = 0; suspected.file = 0;
}

static size place(size key) {
    size at = key * 0x9e3779b97f4a7c15ul >> 20 & (room - 1);
    while (slots[at] && slots[at]->key != key) at = (at + 1) & (room - 1);
    return at;
}

static void grow(void) {
    struct line **old = slots;
    size count = room;
    room = room ? 2 * room : 256;
    slots = calloc(room, sizeof *slots);
    if (!slots) fail("no memory is left for the kinds of bytes", "", 0);
    for (size k = 0; k < count; k++) if (old[k]) slots[place(old[k]->key)] = old[k];
    free(old);
}

static struct line *known(byte *p) { return room ? slots[place((size)p / LINE)] : 0; }

static __attribute__((noinline)) struct line *make(byte *p) {
    if (2 * used >= room) grow();
    if (!chunks || chunks->used == 64) {
        struct chunk *next = calloc(1, sizeof *next);
        if (!next) fail("no memory is left for the kinds of bytes", "", 0);
        next->next = chunks; chunks = next;
    }
    struct line *line = &chunks->lines[chunks->used++];
    line->key = (size)p / LINE;
    slots[place(line->key)] = line; used++;
    return line;
}

static struct line *line_of(byte *p) { struct line *line = known(p); return line ? line : make(p); }
static byte mark_of(byte *p) { struct line *line = known(p); return line ? line->mark[(size)p % LINE] : 0; }
static void set_mark(byte *p, int mark) {
    struct line *line = mark ? line_of(p) : known(p);
    if (line) line->mark[(size)p % LINE] = mark;
}

/* Of the bytes that are moved together at most eight: their marks. */
static size marks_of(byte *p) {
    size found = 0;
    if ((size)p % 8 == 0) { struct line *line = known(p); return line ? *(word *)&line->mark[(size)p % LINE] : 0; }
    for (int k = 0; k < 8; k++) found |= (size)mark_of(p + k) << 8 * k;
    return found;
}
#define WHOLE(kind) (0x0101010101010101ul * (kind) + 0x0706050403020100ul)

static void mark_all(byte *p, int kind, int n) { for (int k = 0; k < n; k++) set_mark(p + k, kind ? kind + k : 0); }

static void put(byte *p, const byte *bits, int n) { for (int k = 0; k < n; k++) p[k] = bits ? bits[k] : 0; }

/* --- stains: which of the places where the program computed with a byte */

static int stain_of(byte *p) { struct line *line = known(p); return line ? line->stain[(size)p % LINE] : 0; }
static void set_stain(byte *p, int place) {
    struct line *line = place ? line_of(p) : known(p);
    if (!line) return;
    stained += !!place - !!line->stain[(size)p % LINE];
    line->stain[(size)p % LINE] = place;
}
static int stain_in(byte *p, size n) {
    int found = 0;
    for (size k = 0; stained && !found && k < n; k++) found = stain_of(p + k);
    return found;
}
static void not_stained(byte *p, size n) {
    int found = stain_in(p, n);
    if (found) fail(COMPUTED, stains[found].file, stains[found].at);
}
static void wash_all(byte *p, size n) { for (size k = 0; stained && k < n; k++) set_stain(p + k, 0); }

static int place_of(const char *file, int at) {
    for (int k = 1; k <= known_stains; k++) if (stains[k].at == at && stains[k].file == file) return k;
    if (known_stains < 255) known_stains++;
    stains[known_stains].file = file; stains[known_stains].at = at;
    return known_stains;
}

/* Stains go where the adjoints of a copy from `origin` to `target` go. */
static void move_stains(byte *target, byte *origin, size n) {
    int down = target < origin; /* so that what is read was not written by the same copy */
    for (size j = 0; stained && j < n; j++) {
        size k = down ? n - 1 - j : j;
        int found = stain_of(target + k);
        if (found) { set_stain(target + k, 0); set_stain(origin + k, found); }
    }
}

/* --- one number */

enum { EMPTY, UNMARKED, NUMBER, SOME, OTHER };

static int state(byte *p, int kind, int n) {
    int none = 0, own = 0, other = 0, bits = 0;
    for (int k = 0; k < n; k++) {
        int mark = mark_of(p + k);
        none += !mark;
        own += mark == kind + k;
        other += mark && mark != kind + k && KIND(mark) != POINTER;
        if (KIND(mark) != POINTER) bits |= p[k];
    }
    if (own == n) return NUMBER;
    if (none == n) return UNMARKED;
    if (!own && !bits) return EMPTY;
    return own && !other ? SOME : OTHER;
}

#define SUM(type, n) \
{ type a, b; __builtin_memcpy(&a, p, n); __builtin_memcpy(&b, part, n); a += b; __builtin_memcpy(p, &a, n); }
static void sum(byte *p, int kind, const byte *part) {
    if (kind == DOUBLE) SUM(double, 8)
    else if (kind == FLOAT) SUM(float, 4)
    else SUM(long double, 10)
}

static void wait_for(byte *p, int mark, byte bits, const char *file, int at);

static void add(byte *p, int kind, const byte *part, const char *file, int at) {
    int n = width(kind), nothing = 1;
    for (int k = 0; k < n; k++) nothing &= !part[k];
    if (nothing) return;
    int found = state(p, kind, n);
    if (found == OTHER) fail(OTHERWISE, file, at);
    if (found == NUMBER || found == UNMARKED) sum(p, kind, part);
    else {
        if (found == SOME) for (int k = 0; k < n; k++) if (mark_of(p + k) == kind + k) wait_for(p + k, kind + k, p[k], file, at);
        put(p, part, n);
    }
    mark_all(p, kind, n);
}

/* A byte of a number whose other bytes are still to come, for memory where an adjoint lies. */
static void wait_for(byte *p, int mark, byte bits, const char *file, int at) {
    struct line *line = line_of(p);
    if (line->waits[(size)p % LINE]) fail(PARTS, file, at);
    line->waits[(size)p % LINE] = mark; line->bits[(size)p % LINE] = bits; waiting++;
    int kind = KIND(mark), n = width(kind);
    byte *first = p - PART(mark), whole[16];
    for (int k = 0; k < n; k++) {
        struct line *there = known(first + k);
        if (!there || there->waits[(size)(first + k) % LINE] != kind + k) return;
        whole[k] = there->bits[(size)(first + k) % LINE];
    }
    for (int k = 0; k < n; k++) known(first + k)->waits[(size)(first + k) % LINE] = 0;
    waiting -= n;
    add(first, kind, whole, file, at);
}

static void none_waits(byte *p, int n, const char *file, int at) {
    for (int k = 0; waiting && k < n; k++) {
        struct line *line = known(p + k);
        if (line && line->waits[(size)(p + k) % LINE]) fail(PARTS, file, at);
    }
}

static void take(byte *p, int kind, byte *part, const char *file, int at) {
    int n = width(kind), found = state(p, kind, n);
    none_waits(p, n, file, at);
    not_stained(p, n);
    if (found == SOME || found == OTHER) fail(found == SOME ? PARTS : OTHERWISE, file, at);
    put(part, found == EMPTY ? 0 : p, n);
    for (int k = 0; k < n; k++) if (KIND(mark_of(p + k)) != POINTER) { p[k] = 0; set_mark(p + k, 0); }
}

#define ACCESS(type, name, kind) \
void add_##name(byte *p, type part, const char *file, int at) NAMED("add." #name); \
void add_##name(byte *p, type part, const char *file, int at) { \
    byte bits[16] = {0}; __builtin_memcpy(bits, &part, sizeof part < 10 ? sizeof part : 10); add(p, kind, bits, file, at); } \
type take_##name(byte *p, const char *file, int at) NAMED("take." #name); \
type take_##name(byte *p, const char *file, int at) { \
    byte bits[16] = {0}; type part; take(p, kind, bits, file, at); __builtin_memcpy(&part, bits, sizeof part); return part; }

ACCESS(float, float, FLOAT)
#ifdef __x86_64__
ACCESS(long double, x86_fp80, LONG)
#endif

void add_double(byte *p, double part, const char *file, int at) NAMED("add.double");
void add_double(byte *p, double part, const char *file, int at) {
    if ((size)p % 8 == 0 && *(word *)&part) { /* as `add` does it, for the eight marks at once */
        word *marks = (word *)&line_of(p)->mark[(size)p % LINE];
        if (!*marks || *marks == WHOLE(DOUBLE)) { sum(p, DOUBLE, (byte *)&part); *marks = WHOLE(DOUBLE); return; }
    }
    add(p, DOUBLE, (byte *)&part, file, at);
}
double take_double(byte *p, const char *file, int at) NAMED("take.double");
double take_double(byte *p, const char *file, int at) {
    double part;
    if ((size)p % 8 == 0 && !waiting && !stained) {
        struct line *line = known(p);
        word *marks = line ? (word *)&line->mark[(size)p % LINE] : 0;
        if (!marks || !*marks || *marks == WHOLE(DOUBLE)) {
            __builtin_memcpy(&part, p, 8); put(p, 0, 8);
            if (marks) *marks = 0;
            return part;
        }
    }
    take(p, DOUBLE, (byte *)&part, file, at);
    return part;
}

/* --- blocks */

/* Fresh memory: what lay at these addresses before is forgotten. */
void fresh(byte *p, size n) NAMED("fresh");
void fresh(byte *p, size n) {
    if (!p || !room) return;
    for (size k = 0, end; k < n; k = end) {
        struct line *line = known(p + k);
        end = k + LINE - (size)(p + k) % LINE < n ? k + LINE - (size)(p + k) % LINE : n;
        for (; line && k < end; k++) {
            waiting -= !!line->waits[(size)(p + k) % LINE]; stained -= !!line->stain[(size)(p + k) % LINE];
            line->stain[(size)(p + k) % LINE] = 0;
            line->mark[(size)(p + k) % LINE] = line->waits[(size)(p + k) % LINE] = 0;
        }
    }
}

/* What a declaration says of every `period` bytes: there is one of a kind at `offset`. */
void note(byte *p, size n, size period, size offset, int kind) NAMED("note");
void note(byte *p, size n, size period, size offset, int kind) {
    int count = width(kind);
    for (size at = offset; at + count <= n; at += period) {
        int bits = 0, marks = 0;
        for (int k = 0; k < count; k++) bits |= p[at + k], marks |= mark_of(p + at + k);
        if (bits && !marks) mark_all(p + at, kind, count);
    }
}

/* How many bytes from p on hold nothing at all, in steps of eight. */
static size blank(byte *p, size n) {
    size k = 0;
    while (k + 8 <= n && !*(word *)(p + k) && !marks_of(p + k)) k += 8;
    return k;
}

static void arrive(byte *p, int mark, byte bits, const char *file, int at) {
    int there = mark_of(p);
    if (there && KIND(there) != POINTER) { wait_for(p, mark, bits, file, at); return; }
    if (!there && *p) fail(UNKNOWN, file, at);
    *p = bits; set_mark(p, mark);
}

/* `from` gives up its adjoints and `to` gets them; marks of `from` as they were are in `marks`, its bytes in `bits`. */
static void give(byte *to, byte *bits, byte *marks, size n, const char *file, int at) {
    for (size k = 0; k < n;) {
        int kind = KIND(marks[k]), count = width(kind), whole = kind && PART(marks[k]) == 0 && k + count <= n;
        for (int part = 0; whole && part < count; part++) whole = marks[k + part] == kind + part;
        if (kind == POINTER || !kind) k++;
        else if (whole) { add(to + k, kind, bits + k, file, at); k += count; }
        else { arrive(to + k, marks[k], bits[k], file, at); k++; }
    }
}

/* The adjoints of a block, taken out of it; what is a pointer stays. */
static void take_out(byte *p, byte *bits, byte *marks, size n, const char *file, int at) {
    none_waits(p, n, file, at);
    for (size k = 0; k < n; k++) {
        int mark = mark_of(p + k);
        if (!mark && p[k]) fail(UNKNOWN, file, at);
        marks[k] = mark; bits[k] = p[k];
        if (mark && KIND(mark) != POINTER) { p[k] = 0; set_mark(p + k, 0); }
    }
}

/* How many of the n bytes at p are one number, or a single byte. */
static int unit(byte *p, size n) {
    int kind = KIND(mark_of(p)), count = width(kind);
    if (!kind || count > n) return 1;
    for (int k = 0; k < count; k++) if (mark_of(p + k) != kind + k) return 1;
    return count;
}

/* The adjoint of a copy from `origin` to `target`. All of the target is read before anything is written. */
void move(byte *target, byte *origin, size n, const char *file, int at) NAMED("move");
void move(byte *target, byte *origin, size n, const char *file, int at) {
    if (target == origin || !n) return;
    move_stains(target, origin, n);
    if (target < origin + n && origin < target + n) {
        byte *held = malloc(2 * n);
        if (!held) fail("no memory is left for the kinds of bytes", file, at);
        take_out(target, held, held + n, n, file, at);
        give(origin, held, held + n, n, file, at);
        free(held);
        return;
    }
    byte bits[16], marks[16];
    for (size k = 0; k < n;) {
        k += blank(target + k, n - k);
        if (k >= n) return;
        size all = k + 8 <= n ? marks_of(target + k) : 0;
        if (all == WHOLE(POINTER)) { k += 8; continue; }
        if (all == WHOLE(DOUBLE)) {
            double part = take_double(target + k, file, at);
            add_double(origin + k, part, file, at);
            k += 8;
            continue;
        }
        int count = unit(target + k, n - k);
        take_out(target + k, bits, marks, count, file, at);
        give(origin + k, bits, marks, count, file, at);
        k += count;
    }
}

/* The adjoint of bytes that were set to something without a derivative. */
void clear(byte *p, size n, const char *file, int at) NAMED("clear");
void clear(byte *p, size n, const char *file, int at) {
    wash_all(p, n);
    for (size k = 0; k < n; k++) {
        if (k % 8 == 0) k += blank(p + k, n - k);
        if (k >= n) return;
        struct line *line = known(p + k);
        int mark = mark_of(p + k);
        if (!mark && p[k]) fail(UNKNOWN, file, at);
        if (mark && KIND(mark) != POINTER) { p[k] = 0; set_mark(p + k, 0); }
        if (line && line->waits[(size)(p + k) % LINE]) { line->waits[(size)(p + k) % LINE] = 0; waiting--; }
    }
}

/* --- pointers, in the forward sweep */

static int holds_adjoint(byte *p, int n) {
    for (int k = 0; k < n; k++) { int mark = mark_of(p + k); if (mark && KIND(mark) != POINTER && p[k]) return 1; }
    return 0;
}

/* A shadow pointer is stored. */
void point(byte *p, byte *shadow, const char *file, int at) NAMED("point");
void point(byte *p, byte *shadow, const char *file, int at) {
    if (marks_of(p) != WHOLE(POINTER)) {
        if (holds_adjoint(p, 8)) fail(BOTH, file, at);
        mark_all(p, POINTER, 8);
    }
    __builtin_memcpy(p, &shadow, 8);
}

static void copy_byte(byte *to, int mark, byte bits, const char *file, int at) {
    if (!mark && bits) fail(UNKNOWN, file, at);
    int there = mark_of(to);
    if (KIND(mark) == POINTER) {
        if (there ? KIND(there) != POINTER && *to : *to) fail(BOTH, file, at);
        *to = bits; set_mark(to, mark);
    } else if (KIND(there) == POINTER) { *to = 0; set_mark(to, 0); }
}

/* The shadow pointers among the bytes of a copy go along, in the forward sweep. */
void copy_pointers(byte *target, byte *origin, size n, const char *file, int at) NAMED("copy_pointers");
void copy_pointers(byte *target, byte *origin, size n, const char *file, int at) {
    if (target == origin) return;
    if (target < origin || target >= origin + n)
        for (size k = 0; k < n; k++) {
            if (k + 8 <= n && !*(word *)(origin + k) && !marks_of(origin + k) && !marks_of(target + k)) { k += 7; continue; }
            copy_byte(target + k, mark_of(origin + k), origin[k], file, at);
        }
    else
        for (size k = n; k-- > 0;) copy_byte(target + k, mark_of(origin + k), origin[k], file, at);
}

/* Bytes are moved through an integer. */
void no_pointers(byte *p, size n, const char *file, int at) NAMED("no_pointers");
void no_pointers(byte *p, size n, const char *file, int at) {
    for (size k = 0; k < n; k++) if (KIND(mark_of(p + k)) == POINTER) fail(THROUGH, file, at);
}

/* A block was copied as it is, pointers and all (realloc). */
void copied(byte *target, byte *origin, size n) NAMED("copied");
void copied(byte *target, byte *origin, size n) {
    for (size k = 0; k < n; k++) { int mark = mark_of(origin + k); if (mark) set_mark(target + k, mark); }
}

/* --- integers that are computed with */

/* An adjoint arrived at a number that was computed from the integer at p. */
void stain(byte *p, size n, _Bool arrived, const char *file, int at) NAMED("stain");
void stain(byte *p, size n, _Bool arrived, const char *file, int at) {
    if (arrived) for (size k = 0; k < n; k++) set_stain(p + k, place_of(file, at));
}

/* The same for one that was computed from another integer, whose adjoint lies at `result`. */
void pass_stain(byte *result, size n, byte *p, size count, const char *file, int at) NAMED("pass_stain");
void pass_stain(byte *result, size n, byte *p, size count, const char *file, int at) {
    int found = stain_in(result, n), arrived = !!found;
    for (size k = 0; k < n; k++) arrived |= result[k] && KIND(mark_of(result + k)) != POINTER;
    if (arrived) for (size k = 0; k < count; k++) set_stain(p + k, found ? found : place_of(file, at));
}

/* The bytes were overwritten by something that is no active number. */
void wash(byte *p, size n) NAMED("wash");
void wash(byte *p, size n) { wash_all(p, n); }

/* The same for a block of the heap, which was new. */
void wash_block(byte *shadow) NAMED("wash_block");
void wash_block(byte *shadow) { if (shadow) wash_all(shadow, *(size *)(shadow - SIZE_AT)); }

/* The derivative is done. */
void none_stained(void) NAMED("none_stained");
void none_stained(void) {
    for (size k = 0; stained && k < room; k++)
        if (slots[k]) not_stained((byte *)(slots[k]->key * LINE), LINE);
}

/* Forward mode: the bits of an integer have a tangent, and it is computed with. */
void are_numbers(_Bool arrived, const char *file, int at) NAMED("are_numbers");
void are_numbers(_Bool arrived, const char *file, int at) { if (arrived) fail(COMPUTED, file, at); }

/* Forward mode: the same, and perhaps for nothing. */
void suspect(_Bool arrived, const char *file, int at) NAMED("suspect");
void suspect(_Bool arrived, const char *file, int at) {
    if (arrived && !suspected.file) { suspected.file = file; suspected.at = at; }
}
void no_suspect(double tangent) NAMED("no_suspect");
void no_suspect(double tangent) { if (tangent != tangent && suspected.file) fail(COMPUTED, suspected.file, suspected.at); }
#pragma clang attribute pop
