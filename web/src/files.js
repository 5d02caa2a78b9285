// Saving, with `skirmish serve`: the file that is edited, and what happens to it from outside.

import { Gone, save as write, text as read } from './served.js';

/** The milliseconds between two looks at the file. */
const POLL = 1_000;

/** The milliseconds after which a new text is read again: a file may be emptied before it is written, and written in parts. */
const SETTLED = 100;

/** Waits for a number of milliseconds. */
const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const $ = (id) => document.getElementById(id);

/**
 * Saves what is in the editor to the folder. `saved` is called with the name of a saved file. The results have `open`,
 * which puts a file into the editor, `leave`, whether what is there may be replaced, and `changed`, to be called after
 * each change in the editor.
 */
export function files(editor, saved) {
  /** The file as it was last read or saved: name and text; null for a new one. */
  let disk = null;
  /** Whether the file is not there any more. */
  let isMissing = false;
  /** The text of the editor that is that of the file. */
  let clean = '';
  /** What ends the lines of the file. */
  let ending = '\n';
  /** The text that the file has got from outside, while the reader decides. */
  let outside = null;
  /** Counts saves and openings: an older look at the file is worth nothing. */
  let age = 0;

  const unsaved = () => editor.text() !== clean;
  const say = (text) => {
    $('said').textContent = text;
  };
  const changed = () => {
    $('save').disabled = !isMissing && !unsaved() && $('name').value.trim() === disk?.name;
  };
  const decide = (text) => {
    outside = text;
    for (const id of ['load', 'keep']) $(id).hidden = text === null;
  };
  const known = (name, text) => {
    age += 1;
    disk = { name, text };
    isMissing = false;
    decide(null);
  };

  function loaded(name, text) {
    known(name, text);
    ending = /\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
  }

  async function open(name) {
    const text = await read(name);
    loaded(name, text);
    editor.put(text);
    clean = editor.text();
    $('name').value = name;
    say('');
    changed();
  }

  async function save() {
    const name = $('name').value.trim();
    const now = editor.text();
    const text = now.replaceAll('\n', ending);
    try {
      await write(name, name === disk?.name && !isMissing ? disk.text : null, text);
    } catch (error) {
      say(error.message);
      return;
    }
    known(name, text);
    clean = now;
    await saved(name);
    say(`Saved ${name}.`);
    changed();
  }

  /** Takes the text that the file has got from outside. */
  function load(text, why) {
    loaded(disk.name, text);
    editor.update(text);
    clean = editor.text();
    say(why);
    changed();
  }

  async function look() {
    if (disk === null || document.hidden) return;
    const { name } = disk;
    const before = age;
    let text;
    try {
      text = await read(name);
      if (text !== disk.text && text !== outside) {
        await later(SETTLED);
        if (text !== (await read(name))) return;
      }
    } catch (error) {
      if (before !== age) return;
      if (error instanceof Gone) return say(error.message);
      if (isMissing) return;
      isMissing = true;
      decide(null);
      say(`${error.message}: Save makes it again.`);
      return changed();
    }
    if (before !== age) return;
    const isBack = isMissing;
    isMissing = false;
    if (isBack) {
      say(`${name} is back on disk.`);
      changed();
    }
    if (text === disk.text || text === outside) return;
    if (!unsaved()) return load(text, `${name} has changed on disk: this is the new text.`);
    decide(text);
    say(`${name} has changed on disk, and the text here is not saved.`);
  }

  async function watch() {
    await look();
    await later(POLL);
    watch();
  }

  for (const id of ['save', 'name']) $(id).addEventListener('input', changed);
  $('save').hidden = false;
  $('save').addEventListener('click', save);
  $('load').addEventListener('click', () => load(outside, `${disk.name}: this is the text on disk.`));
  $('keep').addEventListener('click', () => {
    known(disk.name, outside);
    say('Save replaces the text on disk with the text here.');
    changed();
  });
  window.addEventListener('keydown', (event) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    if (!$('save').disabled) save();
  });
  window.addEventListener('beforeunload', (event) => unsaved() && event.preventDefault());
  watch();
  return {
    open,
    changed,
    leave: () => !unsaved() || window.confirm('The text here has not been saved. Leave it?'),
  };
}
