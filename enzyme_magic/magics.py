"""The IPython extension: `%%enzyme_c` and its line magics.

    %load_ext enzyme_magic

Parses lines, calls the Python API, binds names, displays. There is no compile logic here, so all of it works without
a notebook. A cell that fails raises, and leaves every name as it was.
"""

from __future__ import annotations

import argparse

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class

from enzyme_magic import doctor
from enzyme_magic._magic import card, cells, options, screen
from enzyme_magic._magic.complete import Completion, CompletionWords
from enzyme_magic._magic.first_line import FirstLine
from enzyme_magic._magic.namespace import Namespace
from enzyme_magic.api import views_hook
from enzyme_magic.api.function import STAGES
from enzyme_magic.backend.store.artifacts import ArtifactStore
from enzyme_magic.config import settings
from enzyme_magic.errors import CompileError, EnzymeError
from enzyme_magic.errors_catalog import CATALOG
from enzyme_magic.pictures import Pictures
from enzyme_magic.viz import theme
from enzyme_magic.viz.theme import THEMES
from enzyme_magic.viz.views import VIEWS, view

CELL_HELP = """Compile the cell as C; its functions become Python functions with gradients.

    %%enzyme_c relu3
    double relu3(double x) { return x > 0 ? pow(x, 3) : 0; }

Then relu3(2.0) calls it, relu3.grad(2.0) is its derivative, and the pictures below the cell show how that came about. Without a
NAME every function that is not static is bound, and the last one is shown. Line numbers are those of the C text. A cell that does
not compile raises, and the functions of earlier cells stay as they are."""
SHOW_HELP = """Show the pictures of a compiled function: the first screen, or one view.

    %enzyme_show relu3 --view activity"""
EXPORT_HELP = """Write what there is to see of a compiled function to a file. Its ending says what: .html one page with them all,
.svg .png .dot .txt one view, .ll the IR of one stage, .json the report, which opens again without a compiler.

    %enzyme_export relu3 relu3.html
    %enzyme_export relu3 activity.svg --view activity --theme dark"""
WHY_HELP = """Why a line, a value or a parameter is active or not.

    %enzyme_why relu3 4        line 4 of the C text
    %enzyme_why relu3 %mul     a value of the optimized IR
    %enzyme_why relu3 x        a parameter"""
DOCTOR_HELP = """Does everything on this machine work? With a code: what does this error mean?

    %enzyme_doctor
    %enzyme_doctor EM110"""
ARTIFACTS_HELP = """The compiled cells that are kept on disk: how many, how large, where. --clear removes them."""
CONFIG_HELP = """What the %%enzyme_c cells that follow are compiled for, where they run, and how pictures look. With a level of
x86-64 everybody sees the same IR; where this machine cannot run such code, a line says so and the cells stay as they are.

    %enzyme_config --cpu x86-64-v3
    %enzyme_config --cpu host
    %enzyme_config --theme dark
    %enzyme_config --isolate
    %enzyme_config --strict"""

_WIDGETS = {"auto": "follow the page", "light": "too", "dark": "too"}
_CELL = options.make_parser("%%enzyme_c", CELL_HELP, "NAME", options.CELL)
_SHOW = options.make_parser("%enzyme_show", SHOW_HELP, "NAME", options.SHOW)
_EXPORT = options.make_parser("%enzyme_export", EXPORT_HELP, "NAME FILE", options.EXPORT)
_WHY = options.make_parser("%enzyme_why", WHY_HELP, "NAME WHERE", options.HELP)
_DOCTOR = options.make_parser("%enzyme_doctor", DOCTOR_HELP, "CODE", options.HELP)
_CONFIG = options.make_parser("%enzyme_config", CONFIG_HELP, None, options.CONFIG)
_ARTIFACTS = options.make_parser("%enzyme_artifacts", ARTIFACTS_HELP, None, options.ARTIFACTS)


@magics_class
class EnzymeMagics(Magics):
    """The magics of one shell."""

    shell: InteractiveShell

    def __init__(self, shell: InteractiveShell) -> None:
        super().__init__(shell)
        self.namespace = Namespace(shell.user_ns)
        self.completion = Completion(self._words())
        self.first_line = FirstLine()
        self.cpu = "host"
        self.isolate = False
        self.strict = False

    @cell_magic
    def enzyme_c(self, line: str, cell: str) -> None:
        arguments = options.parse(_CELL, line, options.CELL)
        if arguments.help:
            return print(_CELL.format_help())
        arguments.cpu = arguments.cpu or self.cpu
        arguments.isolate = arguments.isolate or self.isolate
        arguments.strict = arguments.strict or self.strict
        label = self._label()
        try:
            self._compile(arguments, cell, label)
        except EnzymeError as error:
            card.attach(error, self._consequence(error, arguments.names, cell, label))
            raise

    @line_magic
    def enzyme_show(self, line: str) -> None:
        arguments = options.parse(_SHOW, line, options.SHOW)
        if arguments.help:
            return print(_SHOW.format_help())
        if len(arguments.names) != 1:
            raise UsageError("which function? %enzyme_show NAME [--view VIEW]")
        function = self.namespace.find(arguments.names[0])
        with card.instead_of_traceback():
            if arguments.widget or arguments.quiz:
                return screen.inspect(self.shell, function, function.report, quiz=arguments.quiz)
            screen.show(self.shell, view(function.report, arguments.view))

    @line_magic
    def enzyme_export(self, line: str) -> None:
        arguments = options.parse(_EXPORT, line, options.EXPORT)
        if arguments.help:
            return print(_EXPORT.format_help())
        if len(arguments.names) != 2:
            raise UsageError("%enzyme_export NAME FILE, for instance %enzyme_export relu3 relu3.html")
        name, path = arguments.names
        function = self.namespace.find(name)
        wrt = options.names(arguments.wrt) or None
        with card.instead_of_traceback():
            written = function.export(path, arguments.view, theme=arguments.theme or "light", wrt=wrt)
            screen.say(f"{name}: {written}")

    @line_magic
    def enzyme_why(self, line: str) -> None:
        name, _, where = line.strip().partition(" ")
        if name in ("-h", "--help"):
            return print(_WHY.format_help())
        if not where.strip():
            raise UsageError("%enzyme_why NAME WHERE, for instance %enzyme_why relu3 4")
        function = self.namespace.find(name)
        with card.instead_of_traceback():
            screen.say(cells.why(function, where.strip()))

    @line_magic
    def enzyme_doctor(self, line: str) -> None:
        arguments = options.parse(_DOCTOR, line, options.HELP)
        if arguments.help:
            return print(_DOCTOR.format_help())
        screen.say("\n\n".join(map(doctor.explain, arguments.names)) or doctor.text(doctor.examine()))

    @line_magic
    def enzyme_artifacts(self, line: str) -> None:
        arguments = options.parse(_ARTIFACTS, line, options.ARTIFACTS)
        if arguments.help:
            return print(_ARTIFACTS.format_help())
        store = ArtifactStore(settings().cache_dir)
        if arguments.clear:
            count = store.clear()
            return print(f"removed {count} compiled cell{'' if count == 1 else 's'} from {store.root}")
        entries = store.entries()
        size = doctor.size(sum(entry.size for entry in entries))
        print(f"{len(entries)} compiled cell{'' if len(entries) == 1 else 's'}, {size} in {store.root}")

    @line_magic
    def enzyme_config(self, line: str) -> None:
        arguments = options.parse(_CONFIG, line, options.CONFIG)
        if arguments.help:
            return print(_CONFIG.format_help())
        if arguments.theme:
            theme.choose(arguments.theme)
            screen.say(f"pictures are {theme.of_pictures()}; widgets {_WIDGETS[theme.chosen()]}")
        if arguments.isolate or arguments.no_isolate:
            self.isolate = arguments.isolate
            screen.say(f"cells run in {'worker processes' if self.isolate else 'the kernel'}")
        if arguments.strict or arguments.no_strict:
            self.strict = arguments.strict
            screen.say(f"derivatives {'compute as C is written' if self.strict else 'may differ in the last digits'}")
        switches = arguments.isolate, arguments.no_isolate, arguments.strict, arguments.no_strict
        if (arguments.theme or any(switches)) and not arguments.cpu:
            return None
        wanted = arguments.cpu or self.cpu
        with card.instead_of_traceback():
            trouble = doctor.cannot_run(wanted)
            self.cpu = "host" if trouble else wanted
            screen.say(trouble or f"cells are compiled for {self.cpu if self.cpu != 'host' else 'this machine'}")

    def _compile(self, arguments: argparse.Namespace, source: str, label: str) -> None:
        result = cells.compile_cell(source, label, arguments, self.shell.user_ns)
        earlier = self.namespace.functions()
        warnings = self.namespace.publish(result.functions, label)
        screen.warn([*result.warnings, *(f"warning: {line}" for line in warnings)])
        if arguments.quiet:
            return
        for line in result.lines:
            screen.say(line)
        if arguments.widget or arguments.quiz:
            for report in result.reports:
                name = report.function
                function = result.functions[name]
                before = earlier.get(name)
                screen.inspect(
                    self.shell, function, report, quiz=arguments.quiz, previous=before, arguments=result.arguments
                )
        else:
            for picture in result.pictures:
                screen.show(self.shell, picture)
        if arguments.verbose:
            for report in result.reports:
                screen.say(screen.stages(report))

    def _label(self) -> str:
        """What people see beside the cell. The shell's own counter is already one further in some versions of
        IPython."""
        hook = self.shell.displayhook
        return f"In[{getattr(hook.exec_result, 'execution_count', None) or hook.prompt_count}]"

    def _consequence(self, error: EnzymeError, names: list[str], source: str, label: str) -> str:
        return self.namespace.kept(names, source, label, compiled=not isinstance(error, CompileError))

    def _words(self) -> dict[str, CompletionWords]:
        def functions() -> list[str]:
            return sorted(self.namespace.functions())

        def views(option: str) -> list[str]:
            if option == "theme":
                return list(THEMES)
            return [*VIEWS, *STAGES] if option in ("view", "show") else []

        return {
            "%%enzyme_c": CompletionWords(options.CELL, values=views),
            "%enzyme_show": CompletionWords(options.SHOW, functions, views),
            "%enzyme_export": CompletionWords(options.EXPORT, functions, views),
            "%enzyme_why": CompletionWords(options.HELP, functions),
            "%enzyme_doctor": CompletionWords(options.HELP, lambda: sorted(CATALOG)),
            "%enzyme_config": CompletionWords(options.CONFIG),
            "%enzyme_artifacts": CompletionWords(options.ARTIFACTS),
        }


for _method, _parser in (
    (EnzymeMagics.enzyme_c, _CELL),
    (EnzymeMagics.enzyme_show, _SHOW),
    (EnzymeMagics.enzyme_export, _EXPORT),
    (EnzymeMagics.enzyme_why, _WHY),
    (EnzymeMagics.enzyme_doctor, _DOCTOR),
    (EnzymeMagics.enzyme_config, _CONFIG),
    (EnzymeMagics.enzyme_artifacts, _ARTIFACTS),
):
    _method.__doc__ = _parser.format_help()


def load_ipython_extension(shell: InteractiveShell) -> None:
    """`%load_ext enzyme_magic`; loading twice is loading once."""
    unload_ipython_extension(shell)
    views_hook.register(Pictures)
    magics = EnzymeMagics(shell)
    shell.register_magics(magics)
    magics.completion.install(shell.Completer)
    magics.first_line.install(shell)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """`%unload_ext enzyme_magic`; compiled functions stay usable."""
    magics = shell.magics_manager.registry.pop(EnzymeMagics.__name__, None)
    if magics is None:
        return
    magics.completion.remove(shell.Completer)
    magics.first_line.remove(shell)
    for kind, names in EnzymeMagics.magics.items():
        for name in names:
            shell.magics_manager.magics[kind].pop(name, None)
