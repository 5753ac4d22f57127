/* Forward mode: bytes of numbers that lie where the rest of the number does not.

   Of a tangent some bytes may be zero while others are not, so a part alone does not tell that it is one of a number. Bytes that were
   put somewhere alone have a mark for that; those of an integer without a tangent have another. Invariant: a byte without any, in a
   word without a tangent, is of no number with a tangent; whatever else is stored takes marks away. Not here: copies of memory that
   cut a number, which are refused before the run.

   Where memory holds numbers of several formats (a union of a double and floats), those that are stored have the marks of their
   format, and whoever reads bytes of a tangent as another number ends the call. Bytes without a mark are not known. */
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
/* Forward mode: the tangent of a number of a format is stored. */
void written(byte *p, int kind) NAMED("written");
void written(byte *p, int kind) { mark_all(p, kind, width(kind)); }
/* Forward mode: it is read as a number of that format. (A byte with the first mark of a double may be one that was put there alone.) */
void read_as(byte *p, int kind, const char *file, int at) NAMED("read_as");
void read_as(byte *p, int kind, const char *file, int at) {
    int other = 0, bits = 0;
    for (int k = 0, n = width(kind); room && k < n; k++) {
        int mark = mark_of(p + k);
        other |= mark && mark != INTEGER && mark != kind + k && !(mark == DOUBLE && k);
        bits |= p[k];
    }
    if (other && bits) fail(OTHERWISE, file, at);
}
