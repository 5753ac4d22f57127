/* What derivatives call for each number and each copy, as LLVM puts it into their loops: the usual cases for marks that are at hand.

   All else is a call of kinds.c, which does the same for any marks. */
#define ACCESS_AT_HAND(type, name, all) \
ADD(type, name) { \
    all *marks = (all *)at_hand(p, sizeof part); \
    if (!*(all *)&part || (USUALLY(marks) && USUALLY(add_whole_##name(marks, p, part)))) return; \
    add_##name##_bytes(p, part, file, at); \
} \
TAKE(type, name) { \
    all *marks = (all *)at_hand(p, sizeof(type)); \
    if (USUALLY(marks) && USUALLY(is_whole_##name(marks))) return take_whole_##name(marks, p); \
    return take_##name##_bytes(p, file, at); \
}
ACCESS_AT_HAND(double, double, word)
ACCESS_AT_HAND(float, float, half)

/* Of a copy between places that lie apart. */
#define COPY(name) \
QUICK size name##_at_hand(byte *target, byte *origin, size n) { \
    word *one = (word *)at_hand(target, n), *other = (word *)at_hand(origin, n); \
    return USUALLY(one && other && n && APART(target, origin, n)) ? name##_words(one, other, target, origin, n) : 0; \
}
COPY(move)
COPY(copy)

void move(byte *target, byte *origin, size n, const char *file, int at) NAMED("move");
void move(byte *target, byte *origin, size n, const char *file, int at) {
    size k = move_at_hand(target, origin, n);
    if (!USUALLY(k == n)) move_bytes(target + k, origin + k, n - k, file, at);
}

void copy_pointers(byte *target, byte *origin, size n, const char *file, int at) NAMED("copy_pointers");
void copy_pointers(byte *target, byte *origin, size n, const char *file, int at) {
    size k = copy_nothing(origin, n);
    if (k == n) return;
    target += k; origin += k; n -= k;
    k = copy_at_hand(target, origin, n);
    if (!USUALLY(k == n)) copy_bytes(target + k, origin + k, n - k, file, at);
}

void clear(byte *p, size n, const char *file, int at) NAMED("clear");
void clear(byte *p, size n, const char *file, int at) {
    word *marks = (word *)at_hand(p, n);
    size k = USUALLY(marks) ? clear_words(marks, p, n) : 0;
    if (!USUALLY(k == n)) clear_bytes(p + k, n - k, file, at);
}
