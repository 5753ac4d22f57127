/* What the bytes of shadow memory hold while a derivative runs.

   A table of pages of shadow memory with a mark for each byte: nothing, part k of a float, a double, a long double, a shadow
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

   Whole numbers and pointers are the usual case, and are handled eight marks at a time; for all others the same is
   done byte by byte.

   Not here: which copies are doubtful (autodiff), primal memory, parts of numbers in forward mode (pieces.h). */
#include "marks.h"
#include "words.h"

#define UNKNOWN "bytes of unknown kind are copied or set, and a derivative lies in them"
#define OTHERWISE "a number with a derivative is used as something else than it was stored as"
#define PARTS "only a part of a number with a derivative is copied"
#define THROUGH "a pointer to memory with derivatives is copied as an integer, or by characters"
#define COMPUTED "a number with a derivative is computed with as an integer"
#define BOTH "memory in which a derivative lies is used for pointers"

#pragma clang attribute push(__attribute__((minsize, noinline)), apply_to = function) /* quick to compile in every derivative */

/* All marks go: before a derivative and after it. */
void forget_marks(void) NAMED("forget_marks");
void forget_marks(void) {
    if (!pages) return;
    while (pages) { struct page *next = pages->next; free(pages->more); free(pages); pages = next; }
    free(slots);
    for (int k = 0; k < NEAR; k++) near[k] = (struct near){0, 0};
    slots = 0; room = used = waiting = stained = pointers = 0;
    known_stains = 0;
}

void forget(void) NAMED("forget");
void forget(void) { forget_marks(); suspected.file = 0; }

/* Between the two halves of a split pair the table is a block on the tape: pages that have marks. A forward sweep makes no more. */
struct held { size count, pointers; struct { size key; byte mark[PAGE]; } pages[]; };

static int has_marks(struct page *page) {
    size found = 0;
    for (int k = 0; k < PAGE; k += 8) found |= *(word *)&page->mark[k];
    return !!found;
}

size held_bytes(void) NAMED("held_bytes");
size held_bytes(void) {
    size n = sizeof(struct held);
    for (struct page *page = pages; page; page = page->next) n += has_marks(page) * sizeof ((struct held *)0)->pages[0];
    return n;
}

void hold(struct held *block) NAMED("hold");
void hold(struct held *block) {
    block->count = 0; block->pointers = pointers;
    for (struct page *page = pages; page; page = page->next) {
        if (!has_marks(page)) continue;
        block->pages[block->count].key = page->key;
        __builtin_memcpy(block->pages[block->count++].mark, page->mark, PAGE);
    }
    forget();
}

/* May be done again for the next reverse sweep. */
void resume(const struct held *block) NAMED("resume");
void resume(const struct held *block) {
    forget();
    pointers = block->pointers;
    for (size k = 0; k < block->count; k++)
        __builtin_memcpy(make((byte *)(block->pages[k].key * PAGE))->mark, block->pages[k].mark, PAGE);
}

static int width(int kind) { return kind == FLOAT ? 4 : kind == LONG ? 10 : 8; }

static void mark_all(byte *p, int kind, int n) { for (int k = 0; k < n; k++) set_mark(p + k, kind ? kind + k : 0); }

static void put(byte *p, const byte *bits, int n) { for (int k = 0; k < n; k++) p[k] = bits ? bits[k] : 0; }

/* --- stains: which of the places where the program computed with a byte */

static int stain_of(byte *p) { struct more *more = known_more(p); return more ? more->stain[AT(p)] : 0; }
static void set_stain(byte *p, int place) {
    struct more *more = place ? more_of(p) : known_more(p);
    if (!more) return;
    stained += !!place - !!more->stain[AT(p)];
    more->stain[AT(p)] = place;
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
    struct more *more = more_of(p);
    if (more->waits[AT(p)]) fail(PARTS, file, at);
    more->waits[AT(p)] = mark; more->bits[AT(p)] = bits; waiting++;
    int kind = KIND(mark), n = width(kind);
    byte *first = p - PART(mark), whole[16];
    for (int k = 0; k < n; k++) {
        struct more *there = known_more(first + k);
        if (!there || there->waits[AT(first + k)] != kind + k) return;
        whole[k] = there->bits[AT(first + k)];
    }
    for (int k = 0; k < n; k++) known_more(first + k)->waits[AT(first + k)] = 0;
    waiting -= n;
    add(first, kind, whole, file, at);
}

static void none_waits(byte *p, int n, const char *file, int at) {
    for (int k = 0; waiting && k < n; k++) {
        struct more *more = known_more(p + k);
        if (more && more->waits[AT(p + k)]) fail(PARTS, file, at);
    }
}

static void read(byte *p, int kind, byte *part, const char *file, int at) {
    int n = width(kind), found = state(p, kind, n);
    none_waits(p, n, file, at);
    not_stained(p, n);
    if (found == SOME || found == OTHER) fail(found == SOME ? PARTS : OTHERWISE, file, at);
    put(part, found == EMPTY ? 0 : p, n);
}

static void take(byte *p, int kind, byte *part, const char *file, int at) {
    read(p, kind, part, file, at);
    for (int k = 0, n = width(kind); k < n; k++) if (KIND(mark_of(p + k)) != POINTER) { p[k] = 0; set_mark(p + k, 0); }
}

#define ADD(type, name) \
void add_##name(byte *p, type part, const char *file, int at) NAMED("add." #name); \
void add_##name(byte *p, type part, const char *file, int at)
#define TAKE(type, name) \
type take_##name(byte *p, const char *file, int at) NAMED("take." #name); \
type take_##name(byte *p, const char *file, int at)
#define ADD_BYTES(kind) { \
    byte bits[16] = {0}; __builtin_memcpy(bits, &part, sizeof part < 10 ? sizeof part : 10); add(p, kind, bits, file, at); }
#define TAKE_BYTES(kind) { byte bits[16] = {0}; take(p, kind, bits, file, at); __builtin_memcpy(&part, bits, sizeof part); }
/* Of marks that are there, or of a page that is looked up, or byte by byte (quick.h looks in what is at hand). */
#define ACCESS(type, name, kind, all) \
static void add_##name##_bytes(byte *p, type part, const char *file, int at) { \
    if (LEFT(p) < sizeof part || !add_whole_##name((all *)marks_at(p), p, part)) ADD_BYTES(kind) \
} \
static type take_##name##_bytes(byte *p, const char *file, int at) { \
    type part; \
    all *marks = (all *)marks_at(p); \
    if (LEFT(p) >= sizeof part && is_whole_##name(marks)) return take_whole_##name(marks, p); \
    TAKE_BYTES(kind) \
    return part; \
}
ACCESS(double, double, DOUBLE, word)
ACCESS(float, float, FLOAT, half)
#ifdef __x86_64__
ADD(long double, x86_fp80) { ADD_BYTES(LONG) }
TAKE(long double, x86_fp80) { long double part; TAKE_BYTES(LONG) return part; }
#endif

/* --- blocks */

/* Fresh memory: what lay at these addresses before is forgotten. */
void fresh(byte *p, size n) NAMED("fresh");
void fresh(byte *p, size n) {
    if (!p || !room) return;
    for (size k = 0, count; k < n; k += count) {
        struct page *page = known(p + k);
        count = PAGE - AT(p + k) < n - k ? PAGE - AT(p + k) : n - k;
        if (!page) continue;
        __builtin_memset(&page->mark[AT(p + k)], 0, count);
        for (size j = AT(p + k), end = j + count; page->more && j < end; j++) {
            waiting -= !!page->more->waits[j]; stained -= !!page->more->stain[j];
            page->more->stain[j] = page->more->waits[j] = 0;
        }
    }
}

/* What a declaration says of every `period` bytes: there is one of a kind at `offset`. */
void note(byte *p, size n, size period, size offset, int kind) NAMED("note");
void note(byte *p, size n, size period, size offset, int kind) {
    int count = width(kind);
    pointers |= kind == POINTER;
    for (size at = offset; at + count <= n; at += period) {
        int bits = 0, marks = 0;
        for (int k = 0; k < count; k++) bits |= p[at + k];
        for (int k = 0; bits && k < count; k++) marks |= mark_of(p + at + k);
        if (bits && !marks) mark_all(p + at, kind, count);
    }
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
static void move_bytes(byte *target, byte *origin, size n, const char *file, int at) {
    if (target == origin || !n) return;
    if (stained) move_stains(target, origin, n);
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
        byte *here = marks_at(target + k), *there = marks_at(origin + k);
        size left = within(within(n - k, target + k), origin + k);
        size done = move_words((word *)here, (word *)there, target + k, origin + k, left);
        if (!done) done = move_float((half *)here, (half *)there, target + k, origin + k, left);
        if (done) { k += done; continue; }
        if (k + 8 <= n) {
            size all = marks_of(target + k);
            if (all == WHOLE(POINTER) || (!all && !*(word *)(target + k))) { k += 8; continue; }
        }
        if (!waiting && !target[k] && !mark_of(target + k)) { k++; continue; }
        int count = unit(target + k, n - k);
        take_out(target + k, bits, marks, count, file, at);
        give(origin + k, bits, marks, count, file, at);
        k += count;
    }
}

/* The adjoint of bytes that were set to something without a derivative. */
static void clear_bytes(byte *p, size n, const char *file, int at) {
    if (stained) wash_all(p, n);
    for (size k = 0; k < n; k++) {
        word *marks = (word *)marks_at(p + k);
        k += clear_words(marks, p + k, within(n - k, p + k));
        if (k == n) return;
        struct more *more = known_more(p + k);
        int mark = mark_of(p + k);
        if (!mark && p[k]) fail(UNKNOWN, file, at);
        if (mark && KIND(mark) != POINTER) { p[k] = 0; set_mark(p + k, 0); }
        if (more && more->waits[AT(p + k)]) { more->waits[AT(p + k)] = 0; waiting--; }
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
    word *marks = IS_AT(p, 8) ? (word *)marks_at(p) : 0;
    pointers = 1;
    if (marks && !*marks) *marks = WHOLE(POINTER);
    else if (marks_of(p) != WHOLE(POINTER)) {
        if (holds_adjoint(p, 8)) fail(BOTH, file, at);
        mark_all(p, POINTER, 8);
    }
    __builtin_memcpy(p, &shadow, 8);
}

/* The adjoint of a pointer that was stored: there is none, unless it was the bits of a number. */
void pointed(byte *p, const char *file, int at) NAMED("pointed");
void pointed(byte *p, const char *file, int at) { if (holds_adjoint(p, 8)) fail(OTHERWISE, file, at); }

static void copy_byte(byte *to, int mark, byte bits, const char *file, int at) {
    if (!mark && bits) fail(UNKNOWN, file, at);
    int there = mark_of(to);
    if (KIND(mark) == POINTER) {
        if (there ? KIND(there) != POINTER && *to : *to) fail(BOTH, file, at);
        *to = bits; set_mark(to, mark);
    } else if (KIND(there) == POINTER) { *to = 0; set_mark(to, 0); }
}

/* The shadow pointers among the bytes of a copy go along, in the forward sweep. */
static void copy_bytes(byte *target, byte *origin, size n, const char *file, int at) {
    if (target == origin) return;
    if (target < origin || target >= origin + n)
        for (size k = 0; k < n; k++) {
            word *to = (word *)marks_at(target + k), *from = (word *)marks_at(origin + k);
            k += copy_words(to, from, target + k, origin + k, within(within(n - k, target + k), origin + k));
            if (k == n) return;
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
    for (size k = 0; k < n; k++) {
        for (; k + 8 <= n && IS_AT(origin + k, 8) && IS_AT(target + k, 8); k += 8) {
            struct page *page = known(origin + k);
            word *marks = page ? (word *)&page->mark[AT(origin + k)] : 0;
            if (marks && *marks == WHOLE(DOUBLE) | *marks == WHOLE(POINTER)) *(word *)&page_of(target + k)->mark[AT(target + k)] = *marks;
            else if (marks && *marks) break;
        }
        int mark = k < n ? mark_of(origin + k) : 0;
        if (mark) set_mark(target + k, mark);
    }
}

/* --- integers that are computed with */

/* `part` is the adjoint of a number that was computed from the integer at p. */
void stain(byte *p, size n, double part, _Bool arrived, const char *file, int at) NAMED("stain");
void stain(byte *p, size n, double part, _Bool arrived, const char *file, int at) {
    if (arrived && part != 0) for (size k = 0; k < n; k++) set_stain(p + k, place_of(file, at));
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
    for (struct page *page = pages; stained && page; page = page->next) not_stained((byte *)(page->key * PAGE), PAGE);
}

/* Forward mode: the bits of an integer have a tangent, and it is computed with. */
void are_numbers(_Bool arrived, const char *file, int at) NAMED("are_numbers");
void are_numbers(_Bool arrived, const char *file, int at) { if (arrived) fail(COMPUTED, file, at); }

#include "pieces.h"

/* Forward mode: as `are_numbers`, and perhaps for nothing. */
void suspect(_Bool arrived, const char *file, int at) NAMED("suspect");
void suspect(_Bool arrived, const char *file, int at) {
    if (arrived && !suspected.file) { suspected.file = file; suspected.at = at; }
}
void no_suspect(double tangent) NAMED("no_suspect");
void no_suspect(double tangent) { if (tangent != tangent && suspected.file) fail(COMPUTED, suspected.file, suspected.at); }

#include "again.h"
#pragma clang attribute pop
#include "quick.h"
