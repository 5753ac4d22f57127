/* The usual cases of kinds.c, eight marks at a time: nothing, pointers, doubles, floats, at aligned places.

   Each function says how many bytes it has done, from the first on; the others are as they were, for who goes byte by byte. Marks
   are given by where they lie, so memory is of one page. Here is no answer of its own: what is done is what is done byte by byte. */
#define FLOATS ((size)(half)WHOLE(FLOAT) << 32 | (half)WHOLE(FLOAT)) /* two of them */
#define ALIGNED(p, other) (((size)(p) | (size)(other)) % 8 == 0)
#define APART(p, other, n) ((p) >= (other) + (n) || (other) >= (p) + (n))
QUICK size within(size n, byte *p) { return n < LEFT(p) ? n : LEFT(p); }

/* Nothing, pointers, and doubles that go to where nothing or one is. */
QUICK size move_words(word *here, word *there, byte *target, byte *origin, size n) {
    size k = 0;
    if (!ALIGNED(target, origin) || waiting || stained) return 0;
    for (; k + 8 <= n; k += 8, here++, there++) {
        size bits = *(word *)(target + k);
        if (!(*here | bits) || *here == WHOLE(POINTER)) continue;
        if (*here != WHOLE(DOUBLE) || (bits && *there && *there != WHOLE(DOUBLE))) return k;
        if (bits) { *(double_at *)(origin + k) += *(double_at *)(target + k); *there = WHOLE(DOUBLE); }
        *(word *)(target + k) = 0; *here = 0;
    }
    return k;
}

/* The same for one float. */
QUICK size move_float(half *here, half *there, byte *target, byte *origin, size n) {
    if (n < 4 || !IS_AT(target, 4) || !IS_AT(origin, 4) || waiting || stained || *here != (half)WHOLE(FLOAT)) return 0;
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
    if (!ALIGNED(p, p) || waiting || stained) return 0;
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
    if (!ALIGNED(target, origin)) return 0;
    for (; k + 8 <= n; k += 8, to++, from++) {
        size bits = *(word *)(origin + k), old = *(word *)(target + k);
        if (!((*from | *to) & POINTERS)) { if (bits && *from != WHOLE(DOUBLE) && *from != FLOATS) return k; }
        else if (*from != WHOLE(POINTER) || (*to ? *to != WHOLE(POINTER) : old)) return k;
        else { *(word *)(target + k) = bits; *to = WHOLE(POINTER); }
    }
    return k;
}
