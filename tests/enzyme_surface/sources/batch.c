/* One function for several sets of arguments. */
typedef struct { double a, b; } Two;
typedef struct { double a, b, c; } Three;
Two __enzyme_batch(void *, ...);
Three __enzyme_batch_three(void *, ...);
void __enzyme_batch_nothing(void *, ...);
int enzyme_width, enzyme_vector, enzyme_scalar, enzyme_buffer;
static double f(double x, double y) { return x*y + 1; }
static double first(const double *x, int n) { return x[0] + n; }
static void store(double *x, double value) { *x = value; }

int check(void) {
    Two two = __enzyme_batch((void *)f, enzyme_width, 2, enzyme_vector, 2.0, 3.0, enzyme_scalar, 10.0);
    EXPECT(two.a, 21);
    EXPECT(two.b, 31);
    Three three = __enzyme_batch_three((void *)f, enzyme_width, 3, 1.0, 2.0, 3.0, enzyme_vector, 4.0, 5.0, 6.0);
    EXPECT(three.a, 5);
    EXPECT(three.b, 11);
    EXPECT(three.c, 19);
    double rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    two = __enzyme_batch((void *)first, enzyme_width, 2, enzyme_buffer, sizeof(rows[0]), rows, enzyme_scalar, 100);
    EXPECT(two.a, 101);
    EXPECT(two.b, 104);
    __enzyme_batch_nothing((void *)store, enzyme_width, 2, enzyme_vector, &rows[0][1], &rows[1][2], enzyme_vector, 7.0, 8.0);
    EXPECT(rows[0][1], 7);
    EXPECT(rows[1][2], 8);
    return 0;
}
