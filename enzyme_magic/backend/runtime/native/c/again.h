/* Derivatives in reverse mode of what kinds.c does: the memory here holds adjoints of adjoints. All that is done to adjoints is
   linear, so this is done with the transposed maps. Numbers go the way that the program's numbers went: what was moved backwards
   comes forwards (`forth`), what was taken is set (`set`), what was added is read (`read`).

   Invariant: shadow pointers are marked, as the forward sweep stored them, and count as nothing. Where a number came to an integer
   that is computed with, the call ends, now or when what was computed is read as a number. Part of kinds.c. */

/* Whether some byte is one of a number: of one that is not zero all bytes have a mark, those that are zero, too. */
static int holds_number(byte *p, size n) {
    int found = 0;
    for (size k = 0; k < n; k++) found |= (p[k] || mark_of(p + k)) && KIND(mark_of(p + k)) != POINTER;
    return found;
}

/* Adjoints were set to zero here, or the life of the memory began. */
void nothing(byte *p, size n) NAMED("nothing");
void nothing(byte *p, size n) {
    wash_all(p, n);
    for (size k = 0; k < n; k++) if (KIND(mark_of(p + k)) != POINTER) { p[k] = 0; set_mark(p + k, 0); }
}

static void set(byte *p, int kind, const byte *part, const char *file, int at) {
    int n = width(kind), bits = 0;
    none_waits(p, n, file, at);
    nothing(p, n);
    for (int k = 0; k < n; k++) bits |= part[k];
    if (bits) { put(p, part, n); mark_all(p, kind, n); }
}

#define AGAIN(type, name, kind) \
type read_##name(byte *p, const char *file, int at) NAMED("read." #name); \
type read_##name(byte *p, const char *file, int at) { \
    type part; byte bits[16] = {0}; read(p, kind, bits, file, at); __builtin_memcpy(&part, bits, sizeof part); return part; \
} \
void set_##name(byte *p, type part, const char *file, int at) NAMED("set." #name); \
void set_##name(byte *p, type part, const char *file, int at) { \
    byte bits[16] = {0}; __builtin_memcpy(bits, &part, sizeof part < 10 ? sizeof part : 10); set(p, kind, bits, file, at); \
}
AGAIN(double, double, DOUBLE)
AGAIN(float, float, FLOAT)
#ifdef __x86_64__
AGAIN(long double, x86_fp80, LONG)
#endif

/* Adjoints were moved from `to` to `from`. */
void forth(byte *to, byte *from, size n, const char *file, int at) NAMED("forth");
void forth(byte *to, byte *from, size n, const char *file, int at) {
    none_waits(from, n, file, at);
    none_waits(to, n, file, at);
    for (size j = 0; j < n && to != from; j++) {
        size k = from < to ? n - 1 - j : j;
        int mark = mark_of(from + k), pointer = KIND(mark) == POINTER, there = KIND(mark_of(to + k)) == POINTER;
        byte bits = pointer ? 0 : from[k];
        if (stained) set_stain(to + k, pointer ? 0 : stain_of(from + k));
        if (pointer) mark = 0;
        if (there && bits && !mark) fail(UNKNOWN, file, at);
        if (!there || mark) { to[k] = bits; set_mark(to + k, mark); }
    }
}

/* A number was computed from the integer at p. */
void no_number(byte *p, size n, _Bool arrived, const char *file, int at) NAMED("no_number");
void no_number(byte *p, size n, _Bool arrived, const char *file, int at) {
    if (arrived && (stain_in(p, n) || holds_number(p, n))) fail(COMPUTED, file, at);
}

/* An integer was computed from the integer at p. */
void pass_on(byte *result, size n, byte *p, size count, const char *file, int at) NAMED("pass_on");
void pass_on(byte *result, size n, byte *p, size count, const char *file, int at) {
    int found = stain_in(p, count);
    if (found || holds_number(p, count))
        for (size k = 0; k < n; k++) set_stain(result + k, found ? found : place_of(file, at));
}
