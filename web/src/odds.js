// Questions about dice, in the words of `skirmish odds`.

import { place } from './show.js';
import { Stopped } from './workers.js';

const $ = (id) => document.getElementById(id);

/** The words of a command line, without the name of the program; quotes hold several together. */
export function words(line) {
  const all = [...line.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(([, one, other, bare]) => one ?? other ?? bare);
  return all[0] === 'skirmish' && all[1] === 'odds' ? all.slice(2) : all;
}

/** Answers the questions of the form with an engine of their own: a scenario is played meanwhile. */
export function odds(engine) {
  let asked = 0;
  let waiting = false;

  async function answer() {
    asked += 1;
    const now = asked;
    // The question before is not waited for.
    if (waiting) engine.restart();
    waiting = true;
    const slow = setTimeout(() => {
      $('refusal').textContent = 'Working ...';
    }, 300);
    try {
      const html = new TextDecoder().decode(await engine.ask({ ask: 'odds', words: words($('dice').value) }));
      if (now !== asked) return;
      $('refusal').textContent = '';
      $('odds-answer').hidden = false;
      place($('odds-answer'), html);
    } catch (error) {
      if (now !== asked || error instanceof Stopped) return;
      $('refusal').textContent = error.message;
      $('odds-answer').hidden = true;
    } finally {
      clearTimeout(slow);
      if (now === asked) waiting = false;
    }
  }

  $('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    answer();
  });
  $('odds').addEventListener('toggle', () => $('odds').open && asked === 0 && answer());
}
