/* Functions that return memory: their shadow is a result. */
typedef struct { double *value, *shadow; } Forward;
typedef struct { void *tape; double *value, *shadow; } Augmented;
double *__enzyme_fwddiff(void *, ...);
Forward __enzyme_fwddiff_both(void *, ...);
Augmented __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
double __enzyme_autodiff(void *, ...);
int enzyme_primal_return, enzyme_dup_return, enzyme_noret;
static double *pick(double *a, int k) {
    a[k] *= a[k];
    return a + k;
}
static double use(double *a) { return *pick(a, 1) * *pick(a, 2); }

int check(void) {
    double a[3] = {1, 2, 3}, da[3] = {1, 1, 1};
    double *shadow = __enzyme_fwddiff((void *)pick, a, da, 1);
    if (shadow != da + 1) return __LINE__;
    EXPECT(a[1], 4);
    EXPECT(*shadow, 4);
    Forward both = __enzyme_fwddiff_both((void *)pick, enzyme_primal_return, enzyme_dup_return, a, da, 2);
    if (both.value != a + 2 || both.shadow != da + 2) return __LINE__;
    EXPECT(*both.shadow, 6);
    double b[3] = {1, 2, 3}, db[3] = {0};
    Augmented made = __enzyme_augmentfwd((void *)pick, b, db, 2);
    if (made.value != b + 2 || made.shadow != db + 2) return __LINE__;
    *made.shadow = 10;
    __enzyme_reverse((void *)pick, b, db, 2, made.tape);
    EXPECT(db[2], 60);
    double c[3] = {1, 2, 3}, dc[3] = {0};
    __enzyme_autodiff((void *)use, c, dc);
    EXPECT(dc[1], 2*2*9);
    EXPECT(dc[2], 4*2*3);
    return 0;
}
