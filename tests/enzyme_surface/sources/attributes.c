/* Derivatives by attributes: before a declaration, before a definition; and `enzyme` is a name like any other. */
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double augment_declared(double x);
double gradient_declared(double x, double d);
__attribute__((enzyme("augment", augment_declared)))
__attribute__((enzyme("gradient", gradient_declared)))
double declared(double x);
double declared(double x) { return x*x; }
double augment_declared(double x) { return x*x; }
double gradient_declared(double x, double d) { return 100*x*d; }
static double of_declared(double x) { return declared(x) + 3*x; }

static double augment_defined(double x, double y) { return x*y; }
static struct pair { double dx, dy; } gradient_defined(double x, double y, double d) { struct pair p = {2*y*d, 3*x*d}; return p; }
__attribute__((enzyme("augment", augment_defined), enzyme("gradient", gradient_defined)))
static double defined(double x, double y) { return x*y; }

static double tangent_sine(double x, double dx) { return 9*dx; }
__attribute__((noinline, enzyme("derivative", tangent_sine))) static double sine(double x) { return sin(x); }

struct enzyme { int enzyme; };
static int add(int enzyme) { return enzyme + 1; }
static int enzyme(int x) { struct enzyme e = {x}; e.enzyme += add(e.enzyme); enzyme: if (e.enzyme < 10) { e.enzyme++; goto enzyme; } return e.enzyme; }
static double of_enzyme(double x) { return x*enzyme(2); }

int check(void) {
    EXPECT(__enzyme_autodiff((void *)of_declared, 2.0), 203);
    EXPECT(__enzyme_autodiff((void *)declared, 2.0), 200);
    EXPECT(__enzyme_autodiff((void *)defined, 2.0, 5.0), 10);
    EXPECT(__enzyme_fwddiff((void *)defined, 2.0, 1.0, 5.0, 1.0), 10 + 6);
    EXPECT(__enzyme_fwddiff((void *)sine, 2.0, 1.0), 9);
    EXPECT(__enzyme_autodiff((void *)sine, 2.0), 9);
    EXPECT(enzyme(2), 10);
    EXPECT(__enzyme_autodiff((void *)of_enzyme, 2.0), 10);
    return 0;
}
