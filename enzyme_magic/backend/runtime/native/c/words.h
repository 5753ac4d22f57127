/* The usual cases of kinds.c, eight marks at a time: nothing, pointers, doubles, floats.

   Each function says how many bytes it has done, from the first on; the others are as they were, for who goes byte by byte. Marks
   are given by where they lie, so memory is of one page. Here is no answer of its own: what is done is what is done byte by byte. */
#define FLOATS ((size)(half)WHOLE(FLOAT) << 32 | (half)WHOLE(FLOAT)) /* two of them */
#define APART(p, other, n) ((size)(p) - (size)(other) + (n) - 1 > 2 * ((n) - 1)) /* n bytes each, not none */
QUICK size within(size n, byte *p) { return n < LEFT(p) ? n : LEFT(p); }

/* One number where nothing or one like it is. */
#define WHOLE_NUMBER(type, name, kind, all) \
QUICK int add_whole_##name(all *marks, byte *p, type part) { \
    if (*marks && *marks != (all)WHOLE(kind)) return 0; \
    *(type##_at *)p += part; *marks = (all)WHOLE(kind); \
    return 1; \
} \
QUICK int is_whole_##name(all *marks) { \
    return !(waiting | stained) && (!*marks || *marks == (all)WHOLE(kind)); \
} \
QUICK type take_whole_##name(all *marks, byte *p) { \
    type part = *(type##_at *)p; \
    *(all *)p = 0; *marks = 0; \
    return part; \
}
WHOLE_NUMBER(double, double, DOUBLE, word)
WHOLE_NUMBER(float, float, FLOAT, half)

/* Doubles that go to where nothing or one is, pointers, and nothing. */
QUICK size move_words(word *here, word *there, byte *target, byte *origin, size n) {
    size k = 0;
    if (waiting | stained) return 0;
    for (; k + 8 <= n; k += 8, here++, there++) {
        size bits = *(word *)(target + k);
        if (*here == WHOLE(DOUBLE)) {
            if (bits && *there && *there != WHOLE(DOUBLE)) return k;
            if (bits) { *(double_at *)(origin + k) += *(double_at *)(target + k); *there = WHOLE(DOUBLE); }
            *(word *)(target + k) = 0; *here = 0;
        } else if (*here | bits && *here != WHOLE(POINTER)) return k;
    }
    return k;
}

/* The same for one float. */
QUICK size move_float(half *here, half *there, byte *target, byte *origin, size n) {
    if (n < 4 || waiting | stained || *here != (half)WHOLE(FLOAT)) return 0;
    if (*(half *)target) {
        if (*there && *there != (half)WHOLE(FLOAT)) return 0;
        *(float_at *)origin += *(float_at *)target; *there = (half)WHOLE(FLOAT);
    }
    *(half *)target = 0; *here = 0;
    return 4;
}

/* The same where they are set to something without a derivative. */
QUICK size clear_words(word *marks, byte *p, size n) {
    size k = 0;
    if (waiting | stained) return 0;
    for (; k + 8 <= n; k += 8, marks++) {
        if (*marks == WHOLE(DOUBLE) || *marks == FLOATS) { *marks = 0; *(word *)(p + k) = 0; }
        else if (*marks != WHOLE(POINTER) && (*marks || *(word *)(p + k))) return k;
    }
    return k;
}

/* Nothing, where there are no pointers at all. */
QUICK size copy_nothing(byte *origin, size n) {
    size k = 0;
    if (pointers) return 0;
    while (k + 8 <= n && !*(word *)(origin + k)) k += 8;
    while (k < n && !origin[k]) k++;
    return k;
}

/* Numbers and nothing, which stay; and pointers that go to where nothing or one is. */
QUICK size copy_words(word *to, word *from, byte *target, byte *origin, size n) {
    size k = 0;
    for (; k + 8 <= n; k += 8, to++, from++) {
        size bits = *(word *)(origin + k), old = *(word *)(target + k);
        if (!((*from | *to) & POINTERS)) { if (bits && *from != WHOLE(DOUBLE) && *from != FLOATS) return k; }
        else if (*from != WHOLE(POINTER) || (*to ? *to != WHOLE(POINTER) : old)) return k;
        else { *(word *)(target + k) = bits; *to = WHOLE(POINTER); }
    }
    return k;
}
