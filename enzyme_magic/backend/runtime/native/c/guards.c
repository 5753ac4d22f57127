/* What a guard does before the call it makes and after it, by either way out (guard_text.py): the frame, the interpreter lock, the
   arena, Python's error.

   A guard calls setjmp itself, because the function that calls it must still run when it returns for the second time. All that is
   needed then lies in memory, in `struct guarded`: a register that held it may be of the first return. There are no headers of
   Python here: support.py finds what is called of it. */
#include "frames.h"
#include "stops.h"

typedef struct object object; /* of Python */

/* In the stack of a guard. */
struct guarded {
    struct frame frame;
    struct arena *arena;
    void *mark; /* where the arena stood */
    void *thread; /* of Python, while the interpreter lock is free; else null */
    word due; /* the kind of record that the call is to be left with before it begins, or 0 */
    struct record record;
};

_Static_assert(sizeof(struct guarded) == GUARDED_BYTES, "as guard_text.py writes it");

struct arena *arena_current(void) __asm__("em.run.arena_current");
void arena_unwind(struct arena *arena, void *mark) __asm__("em.run.arena_unwind");

int PyErr_CheckSignals(void);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
object *PyBytes_FromStringAndSize(const char *, long);
object *PyObject_CallFunctionObjArgs(object *, ...);
void Py_DecRef(object *);

/* The frame is whole but for the one before it. */
static inline __attribute__((always_inline)) void push(struct slot *slot, struct frame *frame)
{
    struct frame *previous = innermost();
    frame->previous = previous;
    pthread_setspecific(frame_key, frame);
    if (!slot) return;
    if (!previous) slot->calls = slot->calls + 1;
    slot->frame = frame;
}

static inline __attribute__((always_inline)) void pop(struct guarded *call)
{
    struct frame *previous = call->frame.previous;
    struct slot *slot = call->arena->slot;
    if (slot) slot->frame = previous;
    pthread_setspecific(frame_key, previous);
}

/* After a call that left: its threads end before its stack is anybody else's, and what they ended with was of this call. */
static inline __attribute__((always_inline)) void pop_left(struct guarded *call)
{
    struct slot *slot = call->arena->slot;
    if (slot && !call->frame.previous) {
        if (slot->threads) end_threads(slot);
        if (slot->failure) forget_failure(slot);
    }
    pop(call);
}

void push_frame(struct frame *frame) { push(slot_here(), frame); }

void pop_frame(struct frame *frame)
{
    struct slot *slot = slot_here();
    if (slot) slot->frame = frame->previous;
    pthread_setspecific(frame_key, frame->previous);
}

static inline __attribute__((always_inline)) void enters(struct guarded *call, struct record *record, void *buffer)
{
    struct arena *arena = arena_current();
    call->arena = arena;
    call->frame.record = record;
    call->frame.buffer = buffer;
    call->frame.marks = 0;
    push(arena->slot, &call->frame);
    call->due = arena->slot ? due(arena->slot) : 0;
}

/* After the first return of setjmp. A call that is to end before it began is left as any other. */
void begins(struct guarded *call) __asm__("em.run.begins");
void begins(struct guarded *call)
{
    if (call->due) leave_due(call->arena->slot, call->due);
}

/* The function has come back. A call that was to end is left all the same: the signal may have cut a system call short, so what it
   returned may be another value. */
static inline __attribute__((always_inline)) void returns(struct guarded *call)
{
    int late = call->arena->slot ? due(call->arena->slot) : 0;
    if (late) leave_due(call->arena->slot, late);
    pop(call);
}

void native_enters(struct guarded *call, struct record *record, void *buffer) __asm__("em.run.native_enters");
void native_enters(struct guarded *call, struct record *record, void *buffer) { enters(call, record, buffer); }

void native_returns(struct guarded *call) __asm__("em.run.native_returns");
void native_returns(struct guarded *call) { returns(call); }

/* The function has left. */
void native_left(struct guarded *call) __asm__("em.run.native_left");
void native_left(struct guarded *call) { pop_left(call); }

static inline __attribute__((always_inline)) void take_lock(struct guarded *call)
{
    if (call->thread) PyEval_RestoreThread(call->thread);
}

/* The same for a caller with the interpreter lock, which is free from here on, unless the guard keeps it. Whether Python has no error
   from a signal: one that it has not looked at yet is looked at once the frame is there, and one that comes later finds the frame. */
_Bool python_enters(struct guarded *call, void *buffer, _Bool keeps_lock) __asm__("em.run.python_enters");
_Bool python_enters(struct guarded *call, void *buffer, _Bool keeps_lock)
{
    enters(call, &call->record, buffer);
    call->mark = call->arena->current;
    if (PyErr_CheckSignals()) {
        pop(call);
        return 0;
    }
    call->thread = keeps_lock ? 0 : PyEval_SaveThread();
    return 1;
}

/* A child that the function forked ends here. */
void python_returns(struct guarded *call) __asm__("em.run.python_returns");
void python_returns(struct guarded *call)
{
    if (call->frame.marks & FORKED) child_ends(0);
    returns(call);
    take_lock(call);
}

/* The arena is as it was before, and Python's error is what `raiser`, a Python function, raises for the record. */
void python_left(struct guarded *call, object *raiser) __asm__("em.run.python_left");
void python_left(struct guarded *call, object *raiser)
{
    pop_left(call);
    arena_unwind(call->arena, call->mark);
    take_lock(call);
    object *told = PyBytes_FromStringAndSize((char *)&call->record, sizeof call->record);
    if (!told) return;
    PyObject_CallFunctionObjArgs(raiser, told, (object *)0);
    Py_DecRef(told);
}
