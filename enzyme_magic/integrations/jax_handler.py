"""The C text of XLA's handler of an operation: what its foreign function interface calls, around the loop over a batch.

Invariant: no Python runs in it. Where C leaves (exit, the tape limit), it gives XLA an error with the text of the runtime. How it
is compiled and registered is in `jax.py`.
"""

from __future__ import annotations

from enzyme_magic.integrations import kernels
from enzyme_magic.integrations.operation import Operation


def handler(own: Operation, guarded: bool) -> tuple[str, str]:
    """(symbol, C text) of the handler: buffers from XLA's call frame, sizes from its one attribute, or from one buffer more where
    a saved function left them open."""
    run, text = kernels.batched(own.kernel)
    inputs = [f"((XLA_FFI_Buffer *)frame->args.args[{k}])->data" for k in range(len(own.inputs))]
    outputs = [f"((XLA_FFI_Buffer *)frame->rets.rets[{k}])->data" for k in range(len(own.outputs))]
    sizes = len(own.contract.integers) + len(own.contract.inputs) + len(own.contract.outputs)
    passed = ", ".join(["plan[0]", "plan + 1", f"plan + {1 + sizes}", *inputs, *outputs])
    symbol = f"{own.kernel.symbol}_ffi"
    buffers = ", void *" * (len(inputs) + len(outputs))
    call = GUARDED.format(run=run, passed=passed, buffers=buffers) if guarded else f"{run}({passed});"
    made = HANDLER.format(
        symbol=symbol, call=call, last=len(inputs), fits=_fits(own), message=TOO_LONG.format(own.name)
    )
    return symbol, f"{text}{PREPARE.format(symbol=symbol) if guarded else ''}{made}"


def _fits(own: Operation) -> str:
    """Whether the integers of a plan are those that C is passed."""
    parameters = own.contract.function.c_signature.parameters
    types = [kernels.spelled(parameters[index].type) for index in own.contract.integers]
    return " && ".join(f"plan[{1 + k}] == (long long)({type_})plan[{1 + k}]" for k, type_ in enumerate(types)) or "1"


TOO_LONG = "{}: an array is longer than C's integers can say [EM604]"
HANDLER = """
#include <stddef.h>
#include "xla/ffi/api/c_api.h"
void *{symbol}(void *given) {{
  XLA_FFI_CallFrame *frame = given;
  XLA_FFI_Extension_Base *extension = frame->extension_start;
  if (extension && extension->type == XLA_FFI_Extension_Metadata) {{
    XLA_FFI_Metadata *metadata = ((XLA_FFI_Metadata_Extension *)extension)->metadata;
    metadata->api_version.major_version = XLA_FFI_API_MAJOR;
    metadata->api_version.minor_version = XLA_FFI_API_MINOR;
    return 0;
  }}
  const long long *plan;
  if (frame->args.size > {last}) {{
    plan = ((XLA_FFI_Buffer *)frame->args.args[{last}])->data;
    if (!({fits})) {{
      XLA_FFI_Error_Create_Args error = {{XLA_FFI_Error_Create_Args_STRUCT_SIZE, 0, "{message}", XLA_FFI_Error_Code_INTERNAL}};
      return frame->api->XLA_FFI_Error_Create(&error);
    }}
  }} else
    plan = ((XLA_FFI_Array *)frame->attrs.attrs[0])->data;
  {call}
  return 0;
}}
"""
PREPARE = """
typedef struct {{ int kind, status; const char *text, *file, *function; unsigned long bytes; }} em_left;
static void *em_guard, **(*em_current)(void);
static void (*em_describe)(em_left *, void *, char *, long);
void {symbol}_prepare(void *guard, void *current, void *describe) {{
  em_guard = guard;
  em_current = (void **(*)(void))current;
  em_describe = (void (*)(em_left *, void *, char *, long))describe;
}}
"""
GUARDED = """em_left left = {{0}};
  void *mark = *em_current();
  ((void (*)(em_left *, void *, long long, const void *, const void *{buffers}))em_guard)(&left, (void *){run}, {passed});
  if (left.kind) {{
    char text[1024];
    em_describe(&left, mark, text, sizeof text);
    XLA_FFI_Error_Create_Args error = {{XLA_FFI_Error_Create_Args_STRUCT_SIZE, 0, text, XLA_FFI_Error_Code_INTERNAL}};
    return frame->api->XLA_FFI_Error_Create(&error);
  }}"""
