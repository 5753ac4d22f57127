double choose(int k, double x) {
    switch (k) {
        case -1: return -x;
        case 0: x += 1; /* falls through */
        case 1: x *= 2; break;
        case 7: case 8: case 9: x = x * x; break;
        case 1000000: return 0;
        default: x /= 3;
    }
    return x;
}
const char *day(unsigned d) {
    switch (d) { case 0: return "sun"; case 1: return "mon"; case 2: return "tue"; case 3: return "wed"; case 4: return "thu"; }
    return "?";
}
int wide(long long v, char c) {
    switch (v) { case 0x100000000LL: return 1; case -5: return 2; }
    switch (c) { case 'a' ... 'f': return c - 'a'; default: return -1; }
}
_Bool toggle(_Bool b) { switch (b) { case 0: return 1; case 1: return 0; } return b; }
