// C in cells that begin with %%enzyme_c, in JupyterLab 4 and Notebook 7: the colours and the indentation of C, and line numbers that
// count the lines of the C text, as errors and pictures do. And pictures that are wider than their place are made smaller.
//
// A prebuilt extension written by hand: a container as module federation expects it, without a bundler. It brings no library; CodeMirror
// and the language C are those of the page. Nothing of the notebook's content or metadata changes. What the page does not have (another
// version) leaves cells as they were.

(() => {
  const NAME = "enzyme-magic";
  const MAGIC = /^\s*%%enzyme_c(\s|$)/;
  const MIME = "text/x-c++src"; // the grammar that JupyterLab has for C
  // JupyterLab shows an SVG as an <img>, and its own rule (no wider than the output) is for <svg>. Only our pictures, by how their text
  // begins, and not those that are to keep their size. Below the last width their letters could not be read: there one scrolls.
  const OURS = `img[src^="data:image/svg+xml,${encodeURIComponent('<svg role="img"')}"]`;
  const PLACE = `.jp-RenderedSVG:not(.jp-mod-unconfined):has(> ${OURS})`;
  const FITTING = `${PLACE} { overflow-x: auto; } ${PLACE} > img { max-width: max(100%, 32rem); height: auto; }`;
  let scope = null;

  function fit() {
    const style = document.createElement("style");
    style.textContent = FITTING;
    document.head.append(style);
  }

  /** A module that the page shares: the newest it has. */
  async function shared(name) {
    const versions = scope[name];
    if (!versions) throw new Error(`${NAME}: the page has no ${name}`);
    const newest = Object.keys(versions).sort((a, b) => a.localeCompare(b, undefined, { numeric: true })).pop();
    return (await versions[newest].get())();
  }

  /** The number of lines up to the magic's own, 0 where the text is no such cell. */
  function head(doc) {
    for (let number = 1; number <= doc.lines; number++) {
      const text = doc.line(number).text;
      if (text.trim()) return MAGIC.test(text) ? number : 0;
    }
    return 0;
  }

  /** C from the line behind the magic on; the lines before it belong to no language. */
  function cell(language, common, support) {
    const inner = support.language.parser;
    class Below extends common.Parser {
      createParse(input, fragments, ranges) {
        const start = input.read(0, input.length).match(/^\s*%%enzyme_c[^\n]*\n?/)?.[0].length ?? 0;
        const from = Math.min(start, input.length);
        if (from >= ranges[ranges.length - 1].to) return finished(common, input.length);
        const parse = inner.createParse(input, [], [{ from, to: ranges[ranges.length - 1].to }]);
        return {
          advance() {
            const tree = parse.advance();
            return tree && new common.Tree(common.NodeType.none, [tree], [from], from + tree.length);
          },
          get parsedPos() {
            return parse.parsedPos;
          },
          stopAt(position) {
            parse.stopAt(Math.max(position, from));
          },
          get stoppedAt() {
            return parse.stoppedAt;
          },
        };
      }
    }
    const data = support.language.data;
    return new language.Language(data, new Below(), [], "c");
  }

  function finished(common, length) {
    const tree = new common.Tree(common.NodeType.none, [], [], length);
    return { advance: () => tree, parsedPos: length, stopAt() {}, stoppedAt: null };
  }

  /** Numbers beside the lines of a cell: none at the magic, 1 at the first line of C. */
  function numbers(state, view) {
    class Mark extends view.GutterMarker {
      constructor(text) {
        super();
        this.text = text;
      }
      eq(other) {
        return this.text === other.text;
      }
      toDOM() {
        return document.createTextNode(this.text);
      }
    }
    return view.lineNumberMarkers.compute(["doc"], (now) => {
      const first = head(now.doc);
      const marks = [];
      for (let number = 1; first && number <= now.doc.lines; number++) {
        marks.push(new Mark(number <= first ? "" : String(number - first)).range(now.doc.line(number).from));
      }
      return state.RangeSet.of(marks);
    });
  }

  async function extension() {
    const [codemirror, language, state, view, common, highlight] = await Promise.all(
      ["@jupyterlab/codemirror", "@codemirror/language", "@codemirror/state", "@codemirror/view", "@lezer/common", "@lezer/highlight"].map(shared),
    );
    // names of types, which the page's own colours leave out
    const types = language.HighlightStyle.define([{ tag: highlight.tags.typeName, color: "var(--jp-mirror-editor-builtin-color)" }]);

    /** Everything that makes a cell a cell of C; loaded when the first of them is seen. */
    function loader(languages) {
      let made = null;
      return () => {
        made ??= languages.getLanguage(MIME).then((found) => (found?.support ? [cell(language, common, found.support), language.syntaxHighlighting(types), numbers(state, view)] : []));
        return made;
      };
    }

    /** Watches one editor, and gives it C while its text is such a cell. */
    function watcher(load) {
      const place = new state.Compartment();
      const plugin = view.ViewPlugin.define((editor) => {
        let on = false;
        let alive = true;
        const look = async () => {
          const wanted = head(editor.state.doc) > 0;
          if (wanted === on) return;
          on = wanted;
          const added = wanted ? await load() : [];
          if (alive && on === wanted) editor.dispatch({ effects: place.reconfigure(added) });
        };
        Promise.resolve().then(look); // an editor under construction takes no change
        return {
          update(change) {
            if (change.docChanged) Promise.resolve().then(look);
          },
          destroy() {
            alive = false;
          },
        };
      });
      return [state.Prec.highest(place.of([])), plugin];
    }

    const plugin = {
      id: `${NAME}:cells`,
      description: "C in %%enzyme_c cells",
      autoStart: true,
      requires: [codemirror.IEditorExtensionRegistry, codemirror.IEditorLanguageRegistry],
      activate(app, extensions, languages) {
        const load = loader(languages);
        extensions.addExtension({
          name: NAME,
          factory: () => codemirror.EditorExtensionRegistry.createImmutableExtension(watcher(load)),
        });
      },
    };
    return { __esModule: true, default: plugin };
  }

  const none = { __esModule: true, default: [] };
  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB[NAME] = {
    init(given) {
      scope = given;
      fit();
    },
    async get() {
      try {
        const made = await extension();
        return () => made;
      } catch (error) {
        console.warn(String(error));
        return () => none;
      }
    },
  };
})();
