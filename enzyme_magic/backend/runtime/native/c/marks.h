/* The marks of kinds.c: a page of them for each page of shadow memory that has any.

   Looked up by the latest pages first. Pages stay where they are until all marks go. Not here: what marks mean for memory. */
typedef unsigned char byte;
typedef unsigned long size;
typedef size __attribute__((may_alias, aligned(1))) word;
typedef unsigned __attribute__((may_alias, aligned(1))) half;
typedef double __attribute__((may_alias, aligned(1))) double_at;
typedef float __attribute__((may_alias, aligned(1))) float_at;
enum { NOTHING = 0, DOUBLE = 0x10, FLOAT = 0x20, LONG = 0x30, POINTER = 0x40 };
#define KIND(mark) ((mark) & 0xf0)
#define PART(mark) ((mark) & 0x0f)
#define PAGE 4096
#define NEAR 256
#define NAMED(name) __asm__("em.kinds." name)
#define QUICK static inline __attribute__((always_inline))
#define USUALLY(condition) __builtin_expect(!!(condition), 1)

void *malloc(size) __attribute__((nothrow));
void *calloc(size, size) __attribute__((nothrow));
void free(void *) __attribute__((nothrow));
void run_bytes(const char *text, const char *file, int line) __asm__("em.run.bytes") __attribute__((noreturn, cold));

/* The marks of a page of memory. More: numbers of which only some bytes have arrived, beside an adjoint that is there already; and
   stains. Most pages have none. */
struct more { byte waits[PAGE], bits[PAGE], stain[PAGE]; };
struct page { size key; struct page *next; struct more *more; byte mark[PAGE]; };
static struct page **slots, *pages; /* a table by keys; a list of all */
static struct near { size base; struct page *page; } near[NEAR]; /* the latest look-ups: addresses of pages, and their marks */
static size room, used, waiting, stained, pointers; /* pointers: some byte may be of one */
static struct { const char *file; int at; } stains[256], suspected;
static int known_stains;

#define AT(p) ((size)(p) % PAGE)
#define IS_AT(p, width) ((size)(p) % (width) == 0)
/* The marks of n bytes, if they are of one page and it was looked up lately. No memory lies in the page at 0. */
QUICK byte *at_hand(byte *p, size n) {
    struct near *latest = &near[(size)p / PAGE % NEAR];
    size at = (size)p - latest->base;
    return n <= PAGE && at <= PAGE - n ? &latest->page->mark[at] : 0;
}
#define LEFT(p) (PAGE - AT(p)) /* bytes from a place on to the end of its page */
#define WHOLE(kind) (0x0101010101010101ul * (kind) + 0x0706050403020100ul)
#define POINTERS 0x4040404040404040ul

#pragma clang attribute push(__attribute__((minsize, noinline)), apply_to = function) /* quick to compile in every derivative */
static void fail(const char *text, const char *file, int line) { run_bytes(text, file, line); }

static void *blank_memory(size n) {
    void *found = calloc(1, n);
    if (!found) fail("no memory is left for the kinds of bytes", "", 0);
    return found;
}

static size place(size key) {
    size at = key * 0x9e3779b97f4a7c15ul >> 20 & (room - 1);
    while (slots[at] && slots[at]->key != key) at = (at + 1) & (room - 1);
    return at;
}

static void grow(void) {
    struct page **old = slots;
    size count = room;
    room = room ? 2 * room : 64;
    slots = blank_memory(room * sizeof *slots);
    for (size k = 0; k < count; k++) if (old[k]) slots[place(old[k]->key)] = old[k];
    free(old);
}

static struct page *known(byte *p) {
    struct near *latest = &near[(size)p / PAGE % NEAR];
    if ((size)p - latest->base < PAGE) return latest->page;
    struct page *page = room ? slots[place((size)p / PAGE)] : 0;
    if (page) *latest = (struct near){page->key * PAGE, page};
    return page;
}

static struct page *make(byte *p) {
    if (2 * used >= room) grow();
    struct page *page = blank_memory(sizeof *page);
    page->next = pages; pages = page;
    page->key = (size)p / PAGE;
    slots[place(page->key)] = page; used++;
    near[page->key % NEAR] = (struct near){page->key * PAGE, page};
    return page;
}

static struct page *page_of(byte *p) { struct page *page = known(p); return page ? page : make(p); }

/* The marks from a place on to the end of its page. */
static byte *marks_at(byte *p) { return &page_of(p)->mark[AT(p)]; }

static struct more *more_of(byte *p) {
    struct page *page = page_of(p);
    if (!page->more) page->more = blank_memory(sizeof *page->more);
    return page->more;
}
static struct more *known_more(byte *p) { struct page *page = known(p); return page ? page->more : 0; }

static byte mark_of(byte *p) { struct page *page = known(p); return page ? page->mark[AT(p)] : 0; }
static void set_mark(byte *p, int mark) {
    struct page *page = mark ? page_of(p) : known(p);
    if (page) page->mark[AT(p)] = mark;
}

/* Of the bytes that are moved together at most eight: their marks. */
static size marks_of(byte *p) {
    size found = 0;
    for (int k = 0; k < 8; k++) found |= (size)mark_of(p + k) << 8 * k;
    return found;
}
#pragma clang attribute pop
