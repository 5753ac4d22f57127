"""Error codes: operations in PyTorch, TensorFlow, JAX and SciPy."""

from __future__ import annotations

from enzyme_magic.errors_catalog.entry import ErrorEntry

FRAMEWORKS: dict[str, ErrorEntry] = {
    "EM600": ErrorEntry(
        "an optional package is missing",
        "The framework is an extra of this package, and it is not installed.",
        "Install the extra that the message names.",
    ),
    "EM601": ErrorEntry(
        "a transformation that a framework cannot hand on",
        "The framework would take the derivative of a C function for zero there, or has no rule for it.",
        "The message names what can be used in its place.",
    ),
    "EM602": ErrorEntry(
        "a tensor that C cannot read",
        "Its dtype, device or memory layout is not that of the C parameter. Nothing is converted without being asked.",
        "Convert it first; the message says to what.",
    ),
    "EM603": ErrorEntry(
        "no operation on arrays",
        "The C signature, or the layer that is asked for, does not fit: "
        "inputs and outputs are numbers and arrays of float or double.",
    ),
    "EM604": ErrorEntry(
        "a shape that is not known or does not fit",
        "The sizes and the shapes of the outputs must follow from the inputs, from the declarations in C or from out_shape.",
    ),
    "EM605": ErrorEntry(
        "a gradient for a constant",
        "A tensor that asks for a gradient was given for a parameter that has none in C.",
        "Detach it, or compile the C function without the mark.",
    ),
    "EM607": ErrorEntry(
        "a SavedModel with C code",
        "A TensorFlow model that calls a C function was saved with its graph, which can be called in this process only.",
        "Save the weights (model.save_weights, tf.train.Checkpoint), and build the model anew where it is loaded.",
    ),
    "EM608": ErrorEntry(
        "a derivative of a function that remembers",
        "A framework calls a function, and its derivative later. Where a call reads what an earlier one wrote to a global or static"
        " variable, the derivative would be taken at another point than the value; where it draws random numbers, with other ones.",
        "Pass what it remembers as an input and an output, and random numbers as an input.",
    ),
    "EM609": ErrorEntry(
        "calls that a framework would move",
        "The function prints or writes variables, so its calls have an order; the message names what does not keep it.",
        "Call the function outside of it.",
    ),
    "EM606": ErrorEntry(
        "a graph with an operation that is not here",
        "A graph names the C functions it calls by a hash of what they compute (text, options, compiler, rules). No operation of"
        " this process has that name: none was made yet, or the C text is another one now.",
        "Make the operation before the graph is called (op(p.f), of the same C text and options), and keep it.",
    ),
}
