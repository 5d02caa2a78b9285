// The engine in a page of `skirmish report --live`: its readers drag sliders, and the fight is played again.

import { json, start } from './engine.js';
import { play } from './play.js';
import { differences, make, rates } from './show.js';
import { sliders } from './sliders.js';
import { Stopped } from './workers.js';

/** The half-width to which win rates are played, as a share. */
const PRECISION = 0.005;

/** The milliseconds that are played before the page answers its reader again. */
const STRETCH = 30;

async function compile() {
  const packed = Uint8Array.from(atob(document.getElementById('engine').textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

/** The engine of all scenarios of the page, once one of them is seen. */
let compiled = null;

/** An engine on the page's own thread: a file that was mailed has no workers. */
async function engine() {
  compiled ??= compile();
  const ask = await start(await compiled);
  // Questions wait for each other: browsers may delay one timer more than a later one.
  let last = Promise.resolve();
  return {
    ask(question, bytes) {
      const pause = last.then(() => new Promise((next) => setTimeout(next)));
      const answer = pause.then(() => ask(question, bytes));
      last = answer.catch(() => {});
      return answer;
    },
  };
}

async function live(room) {
  const { name, text, set: given } = room.dataset;
  const fixed = given === '' ? [] : given.split('\n');
  const set = new Map();
  const state = make('p', 'The engine begins ...', { role: 'status', class: 'note' });
  const reset = make('button', 'Numbers as in the report', { type: 'button', disabled: '' });
  const results = make('div', [], { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Results of ${name}` });
  const compared = make('div');
  const command = make('code');
  const again = make('pre', command, { class: 'command', hidden: '' });
  const knobs = make('div', [], { class: 'sliders' });
  room.append(state, results, compared, knobs, make('p', reset), again);

  const here = await engine();
  let run = 0;
  let timer;
  let before = null;

  async function replay(now) {
    const scenario = { name, text, given: fixed, set: [...set].map(([key, value]) => `${key}=${value}`) };
    const found = json(await here.ask({ ask: 'read', ...scenario }));
    if (found.errors.length > 0) {
      state.textContent = found.errors.map(({ title, label }) => [title, label].filter(Boolean).join(': ')).join('\n');
      return;
    }
    const stopped = () => now !== run;
    await play({
      desk: here,
      players: [here],
      scenario,
      fights: found.fights,
      precision: () => PRECISION,
      stretch: STRETCH,
      stopped,
      show(summary, played, done) {
        if (set.size === 0) before = summary;
        results.replaceChildren(rates(summary, set.size > 0 ? before : null));
        compared.replaceChildren(...differences(summary));
        state.textContent = `${played.encounters.toLocaleString('en')} encounters of each variant${done ? '' : ' ...'}`;
        command.textContent = summary.commands.run;
        again.hidden = set.size === 0;
      },
    });
  }

  async function begin() {
    run += 1;
    const now = run;
    reset.disabled = set.size === 0;
    try {
      await replay(now);
    } catch (error) {
      if (now === run && !(error instanceof Stopped)) state.textContent = error.message;
    }
  }

  await here.ask({ ask: 'read', name, text, given: fixed, set: [] });
  const numbers = json(await here.ask({ ask: 'numbers' }));
  const turn = () =>
    sliders(knobs, numbers, set, () => {
      clearTimeout(timer);
      timer = setTimeout(begin, 60);
    });

  reset.addEventListener('click', () => {
    clearTimeout(timer);
    set.clear();
    turn();
    begin();
  });
  turn();
  await begin();
}

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    live(target).catch((error) => target.append(make('p', `The engine does not run here: ${error.message}`)));
  }
}, { rootMargin: '300px' });
for (const room of document.querySelectorAll('.live')) seen.observe(room);
