__asm__(".globl marker_symbol\nmarker_symbol:\n\t.byte 1, \"\\\\\"");
extern const char marker_symbol;
double hide(double x) { __asm__ volatile("" : "+m"(x) : : "memory"); return x; }
int tied(int a, int b) { int r; __asm__("" : "=r"(r) : "0"(a), "r"(b)); return r; }
void two(int a, int *p) { int x, y; __asm__ volatile("# %0 %1 %2 $" : "=&r"(x), "=r"(y) : "r"(a) : "cc"); *p = x + y + marker_symbol; }
