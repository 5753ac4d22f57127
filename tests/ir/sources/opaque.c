struct hidden;
struct hidden *open_it(const char *name);
double read_it(struct hidden *h, double at);
void close_it(struct hidden *h);
struct empty {};
struct flexible { int n; double tail[]; };
double total(const struct flexible *f) { double s = 0; for (int i = 0; i < f->n; i++) s += f->tail[i]; return s; }
double use(const char *name, struct empty e) { (void)e; struct hidden *h = open_it(name); double r = read_it(h, 0.5); close_it(h); return r; }
