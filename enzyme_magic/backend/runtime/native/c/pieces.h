/* Forward mode: bytes of numbers that lie where the rest of the number does not.

   Of a tangent some bytes may be zero while others are not, so a part alone does not tell that it is one of a number. Bytes that were
   put somewhere alone have a mark for that; those of an integer without a tangent have another. Invariant: a byte without any, in a
   word without a tangent, is of no number with a tangent; whatever else is stored takes marks away. Not here: copies of memory that
   cut a number, which are refused before the run. */
enum { INTEGER = 0x50 };
/* Forward mode: whether the n bytes at p are of a number with a tangent: one in the aligned word, of `width` bytes, around them,
   whose low digits alone may be zero; or as whoever put them there has said. */
_Bool in_word(byte *p, size n, size width) NAMED("in_word");
_Bool in_word(byte *p, size n, size width) {
    const byte *word = p - (size)p % width;
    int bits = 0, integers = 0;
    for (size k = 0; room && k < n; k++) { int mark = mark_of(p + k); integers += mark == INTEGER; bits |= mark && mark != INTEGER; }
    if (integers == n) return 0;
    for (size k = 0; k < width; k++) bits |= word[k];
    return bits;
}

/* Forward mode: bytes are put somewhere alone. `hidden`: they are of a number with a tangent, and theirs are zero. */
void piece(byte *p, size n, _Bool hidden) NAMED("piece");
void piece(byte *p, size n, _Bool hidden) {
    for (size k = 0; (room || hidden) && k < n; k++) set_mark(p + k, hidden ? DOUBLE : 0);
}
void integer(byte *p, size n) NAMED("integer");
void integer(byte *p, size n) { for (size k = 0; k < n; k++) set_mark(p + k, INTEGER); }
void copy_pieces(byte *target, byte *origin, size n) NAMED("copy_pieces");
void copy_pieces(byte *target, byte *origin, size n) {
    for (size j = 0; room && j < n; j++) {
        size k = target < origin ? j : n - 1 - j;
        set_mark(target + k, mark_of(origin + k));
    }
}
