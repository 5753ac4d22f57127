/* What the functions that Python calls directly (direct_text.py) share: arguments, new arrays and tuples, errors of Python.

   A function that reads an argument says no where it is not exactly what C takes, and then Python has no error.

   A function that gives an object gives a new reference, or null with Python's error set. There are no headers of Python here: it is
   called by the names that calls/direct.py finds, and what an object looks like is tried before (runtime/values/objects.py). */
#include "derivative.h"

/* Of Python and NumPy. */
typedef struct object { word references; struct object *type; } object;
struct float_object { object head; double number; };
struct array { object head; char *data; int rank; long *shape, *strides; object *base, *dtype; int flags; };

_Static_assert(__builtin_offsetof(object, type) == OBJECT_TYPE && __builtin_offsetof(struct float_object, number) == FLOAT_NUMBER
               && __builtin_offsetof(struct array, data) == ARRAY_DATA && __builtin_offsetof(struct array, rank) == ARRAY_RANK
               && __builtin_offsetof(struct array, shape) == ARRAY_SHAPE && __builtin_offsetof(struct array, dtype) == ARRAY_DTYPE
               && __builtin_offsetof(struct array, flags) == ARRAY_FLAGS, "as objects.py tries them");

extern object float_type __asm__("em.type.float"), double_type __asm__("em.type.double"), int_type __asm__("em.type.int");
extern object array_type __asm__("em.type.array"), none __asm__("em.none"), pending __asm__("em.pending");
extern object bytes_dtype __asm__("em.dtype.bytes"), single_dtype __asm__("em.dtype.single");
extern object raise_pending __asm__("em.raise_pending");

object *np_new(object *type, object *dtype, int rank, const long *shape, const long *strides, void *data, int flags, object *of)
    __asm__("em.np.new_from_descr");
object *np_zeros(int rank, const long *shape, object *dtype, int fortran) __asm__("em.np.zeros");
int np_set_base(object *array, object *base) __asm__("em.np.set_base");
object *np_scalar(const void *data, object *dtype, object *base) __asm__("em.np.scalar");
long PyDict_Size(object *);
void PyErr_Fetch(object **, object **, object **);
object *PyErr_Occurred(void);
void PyErr_Restore(object *, object *, object *);
long PyLong_AsLongLongAndOverflow(object *, int *);
object *PyObject_CallFunctionObjArgs(object *, ...);
int PyTuple_SetItem(object *, long, object *);
void Py_DecRef(object *);
void Py_IncRef(object *);

/* The value of a float, or of an int that is a double. The value comes back by itself and whether it is one through a pointer: so
   nobody waits for memory. */
static inline __attribute__((always_inline)) double number(object *given, _Bool *fine)
{
    if (given->type == &float_type || given->type == &double_type) {
        *fine = 1;
        return ((struct float_object *)given)->number;
    }
    int over = 1;
    long whole = given->type == &int_type ? PyLong_AsLongLongAndOverflow(given, &over) : 0;
    *fine = !over && whole >= -EXACT_INTEGERS && whole <= EXACT_INTEGERS;
    return whole;
}

double real(object *given, _Bool *fine) NAMED("direct.real");
double real(object *given, _Bool *fine) { return number(given, fine); }

/* The same for a C float: of an int that is one; else rounded once, where that is finite. */
float real_single(object *given, _Bool *fine) NAMED("direct.real.single");
float real_single(object *given, _Bool *fine)
{
    double wide = number(given, fine);
    float narrow = (float)wide;
    _Bool kept = given->type == &int_type ? narrow == wide
               : __builtin_fabsf(narrow) != __builtin_inff() || __builtin_fabs(wide) == __builtin_inf();
    if (!kept) *fine = 0;
    return narrow;
}

/* What is asked of an array again and again. direct_writer.py has the same fields. */
struct view { char *data; const long *shape; long count, rank; };

/* An array of this dtype with these flags. */
_Bool view_of(const struct array *given, const object *dtype, int flags, struct view *view) NAMED("direct.array");
_Bool view_of(const struct array *given, const object *dtype, int flags, struct view *view)
{
    if (given->head.type != &array_type || (given->flags & flags) != flags || given->dtype != dtype) return 0;
    long all = 1;
    for (int axis = 0; axis < given->rank; axis++) all = (long)((word)all * (word)given->shape[axis]);
    *view = (struct view){given->data, given->shape, all, given->rank};
    return 1;
}

_Bool same(const struct view *a, const struct view *b) NAMED("direct.same");
_Bool same(const struct view *a, const struct view *b)
{
    if (a->rank != b->rank) return 0;
    for (long axis = 0; axis < a->rank; axis++)
        if (a->shape[axis] != b->shape[axis]) return 0;
    return 1;
}

/* Whether two pieces of memory have no byte in common. */
_Bool apart(word a, word a_size, word b, word b_size) NAMED("direct.apart");
_Bool apart(word a, word a_size, word b, word b_size) { return b >= a + a_size || a >= b + b_size; }

/* A zeroed array of this shape, 64-byte aligned inside of an array of bytes. */
object *zeros(long bytes, object *dtype, const struct view *like) NAMED("direct.zeros");
object *zeros(long bytes, object *dtype, const struct view *like)
{
    long room = bytes + 64;
    Py_IncRef(&bytes_dtype);
    object *raw = np_zeros(1, &room, &bytes_dtype, 0);
    if (!raw) return 0;
    char *data = ((struct array *)raw)->data;
    Py_IncRef(dtype);
    object *array = np_new(&array_type, dtype, (int)like->rank, like->shape, 0, data + (-(word)data & 63), NEW_ARRAY, 0);
    if (!array) {
        Py_DecRef(raw);
        return 0;
    }
    if (np_set_base(array, raw)) {
        Py_DecRef(array);
        return 0;
    }
    return array;
}

object *new_none(void) NAMED("direct.none");
object *new_none(void)
{
    Py_IncRef(&none);
    return &none;
}

/* A new tuple takes new references over; null, and they are released, where one of them or the tuple is null. */
object *filled(object *made, object **entries, long count) NAMED("direct.filled");
object *filled(object *made, object **entries, long count)
{
    _Bool bad = !made;
    for (long k = 0; k < count; k++) {
        object *one = entries[k];
        bad |= !one;
        if (made) PyTuple_SetItem(made, k, one);
        else Py_DecRef(one);
    }
    if (!bad) return made;
    Py_DecRef(made);
    return 0;
}

object *single(float number) NAMED("direct.single");
object *single(float number) { return np_scalar(&number, &single_dtype, 0); }

/* Calls with and without the interpreter lock. `known`: the largest size of which a call was short; `credit`: negative after a call
   that kept the lock and was not short: then as many calls do without. Both are read and written with the lock. */
struct times { long known, credit; };

_Bool keeps(struct times *times, word size) NAMED("direct.keeps");
_Bool keeps(struct times *times, word size)
{
    return times->known >= 0 && size <= (word)times->known && times->credit >= 0;
}

void measured(struct times *times, long size, _Bool kept, word ticks) NAMED("direct.measured");
void measured(struct times *times, long size, _Bool kept, word ticks)
{
    if (ticks <= SHORT_CALL) {
        if (size > times->known) times->known = size;
        times->credit = times->credit < 0 ? times->credit + 1 : 0;
    } else if (kept) {
        if (size - 1 < times->known) times->known = size - 1;
        times->credit = -LONG_CALL_PENALTY;
    }
}

/* After a call: whether no error is set, neither by the guard nor by a Python function that C called. What the latter raised came
   first. */
_Bool settled(void) NAMED("direct.settled");
_Bool settled(void)
{
    if (PyDict_Size(&pending)) {
        object *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        object *answer = PyObject_CallFunctionObjArgs(&raise_pending, (object *)0);
        if (!answer) {
            Py_DecRef(type);
            Py_DecRef(value);
            Py_DecRef(trace);
            return 0;
        }
        Py_DecRef(answer);
        PyErr_Restore(type, value, trace);
    }
    return !PyErr_Occurred();
}
