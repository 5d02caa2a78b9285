// The editor: TOML, errors underlined where they are, completion and explanations from the program's own lists.

import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { meanings, offers } from './words.js';

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--paper)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', lineHeight: '1.45' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--faint)', backgroundColor: 'var(--paper)', borderRight: '1px solid var(--line)' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { background: 'var(--select)' },
  '.cm-lintRange': { backgroundImage: 'none !important', textDecoration: 'underline wavy', textUnderlineOffset: '3px' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--error)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warning)' },
  '.cm-lint-marker': { content: 'none !important', width: '8px', height: '8px', margin: '5px 3px', borderRadius: '50%', background: 'var(--error)' },
  '.cm-lint-marker-warning': { background: 'var(--warning)' },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--raised)', border: '1px solid var(--line)', maxWidth: '32rem' },
  '.cm-tooltip.cm-tooltip-hover > .about': { padding: '4px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--paper) !important', background: 'var(--focus) !important' },
  '.cm-diagnostic': { whiteSpace: 'pre-wrap' },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--faint)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.atom], color: 'var(--number)' },
  { tag: tags.propertyName, color: 'var(--key)' },
]);

/** Words of policies and rulings of a system. */
let words = [];

export const know = (list) => {
  words = list ?? [];
};

function complete(context) {
  const word = context.matchBefore(/[\w.$-]+/);
  if (word === null && !context.explicit) return null;
  const from = word?.from ?? context.pos;
  const options = offers(context.state.doc.toString(), from, word?.text ?? '', words);
  return options.length > 0 ? { from, options } : null;
}

const hover = hoverTooltip((view, pos) => {
  const line = view.state.doc.lineAt(pos);
  const column = pos - line.from;
  let from = column;
  let to = column;
  while (from > 0 && /[\w.]/.test(line.text[from - 1])) from -= 1;
  while (to < line.text.length && /[\w.]/.test(line.text[to])) to += 1;
  const word = line.text.slice(from, to);
  const found = meanings(view.state.doc.toString(), line.from + from, line.from + to, words);
  if (found.length === 0) return null;
  return {
    pos: line.from + from,
    end: line.from + to,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'about';
      for (const { kind, meaning } of found) {
        const text = document.createElement('div');
        text.textContent = `${word} (${kind}): ${meaning}`;
        dom.append(text);
      }
      return { dom };
    },
  };
});

/** Makes an editor in an element; `changed` is called after each change by its reader. */
export function editor(parent, changed) {
  // In a shadow root its styles are sheets of objects, which the Content-Security-Policy allows.
  const root = parent.attachShadow({ mode: 'open' });
  const room = document.createElement('div');
  room.style.height = '100%';
  root.append(room);
  let replacing = false;
  const state = (text) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        lintGutter(),
        StreamLanguage.define(toml),
        syntaxHighlighting(colours),
        autocompletion({ override: [complete] }),
        hover,
        keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': 'Scenario', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !replacing) changed();
        }),
        theme,
      ],
    });
  const view = new EditorView({ state: state(''), parent: room, root });
  return {
    text: () => view.state.doc.toString(),
    put: (text) => view.setState(state(text)),
    /** Another text, which can be undone: nothing that was written is lost. */
    replace(text) {
      if (view.state.doc.length === 0) {
        view.setState(state(text));
        return;
      }
      replacing = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, scrollIntoView: true });
      replacing = false;
    },
    /** Changes what differs: the cursor stays where it is. */
    update(text) {
      const now = view.state.doc.toString();
      const next = text.replaceAll('\r\n', '\n');
      const most = Math.min(now.length, next.length);
      let from = 0;
      while (from < most && now[from] === next[from]) from += 1;
      let same = 0;
      while (same < most - from && now.at(-1 - same) === next.at(-1 - same)) same += 1;
      view.dispatch({ changes: { from, to: now.length - same, insert: next.slice(from, next.length - same) } });
    },
    focus: () => view.focus(),
    /** Underlines errors and warnings. */
    underline(messages) {
      const length = view.state.doc.length;
      const marks = messages.map(({ severity, title, label, help, from, to }) => ({
        from: Math.min(from, length),
        to: Math.min(Math.max(to, from), length),
        severity,
        message: [title, label, ...help.map((one) => `help: ${one}`)].filter(Boolean).join('\n'),
      }));
      view.dispatch(setDiagnostics(view.state, marks));
    },
    /** The number of the line of a place, from 1. */
    line: (at) => view.state.doc.lineAt(Math.min(at, view.state.doc.length)).number,
    go(from) {
      view.dispatch({ selection: { anchor: Math.min(from, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    },
  };
}
