/* What memory holds that no type tells: said by the program, erased from the code. */
#include <string.h>
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
void __enzyme_double(void *, ...);
void __enzyme_float(void *, ...);
void __enzyme_integer(void *, ...);
void __enzyme_pointer(void *, ...);

static void copy(char *to, char *from, long bytes) {
    __enzyme_double(to);
    __enzyme_double(from);
    memcpy(to, from, bytes);
}
static void copy_floats(char *to, char *from, long bytes) {
    __enzyme_float(to);
    __enzyme_float(from);
    memcpy(to, from, bytes);
}
static double mixed(char *from) {
    long tag;
    double value;
    __enzyme_integer(from, 8);
    __enzyme_double(from + 8, 8);
    memcpy(&tag, from, 8);
    memcpy(&value, from + 8, 8);
    return tag*value*value;
}

static double behind(char *from) {
    double *values;
    __enzyme_pointer(from, 8);
    memcpy(&values, from, 8);
    return values[0]*values[1];
}

int check(void) {
    double x[2] = {1, 2}, dx[2] = {0}, y[2], dy[2] = {3, 4};
    __enzyme_autodiff((void *)copy, (char *)y, (char *)dy, (char *)x, (char *)dx, (long)sizeof(x));
    EXPECT(dx[0], 3);
    EXPECT(dx[1], 4);
    EXPECT(dy[0], 0);
    float u[2] = {1, 2}, du[2] = {0}, v[2], dv[2] = {3, 4};
    __enzyme_autodiff((void *)copy_floats, (char *)v, (char *)dv, (char *)u, (char *)du, (long)sizeof(u));
    EXPECT(du[0], 3);
    EXPECT(du[1], 4);
    struct { long tag; double value; } s = {5, 2}, ds = {5, 0};
    __enzyme_autodiff((void *)mixed, (char *)&s, (char *)&ds);
    EXPECT(ds.value, 20);
    double *place = x, *d_place = dx;
    dx[0] = dx[1] = 0;
    __enzyme_autodiff((void *)behind, (char *)&place, (char *)&d_place);
    EXPECT(dx[0], 2);
    EXPECT(dx[1], 1);
    return 0;
}
