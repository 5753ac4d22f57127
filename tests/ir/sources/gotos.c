int machine(const char *s) {
    int n = 0;
start:
    if (*s == 0) goto done;
    if (*s == 'a') { s++; n++; goto in_a; }
    s++;
    goto start;
in_a:
    if (*s == 'b') { s++; n += 10; goto start; }
    if (*s == 0) goto done;
    s++;
    goto in_a;
done:
    return n;
}
double irreducible(double x, int n) {
    if (n & 1) goto second;
first:
    x = x * 1.5 + n--;
    if (n < 0) return x;
second:
    x -= 0.5;
    if (n-- > 0) goto first;
    return x;
}
