struct base { double v; virtual double get() { return v; } virtual ~base() = default; };
struct left : virtual base { double l; double get() override { return l + v; } };
struct right : virtual base { double r; virtual double other() { return r; } };
struct both : left, right { double b; double get() override { return b + l + r; } double other() override { return get(); } };
double use(right *r, left *l) { both *d = dynamic_cast<both *>(r); return (d ? d->other() : 0) + l->get(); }
double make(double x) { both b; b.v = b.l = b.r = b.b = x; return use(&b, &b); }
double (base::*member)() = &base::get;
double call(base &b) { return (b.*member)(); }
