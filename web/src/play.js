// Plays a scenario in rounds that grow, so that the first numbers come at once and intervals shrink. Encounter i depends
// on the seed and on i alone, and counts are integers: so the numbers do not depend on how many workers play.

import { json } from './engine.js';
import { Stopped } from './workers.js';

/** The encounters of each variant after each round. */
export const ROUNDS = [200, 1_000, 4_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000];

/** The milliseconds that a worker plays before it asks for more, so that it can be stopped, if `stretch` does not say so. */
const STRETCH = 150;

export const widest = (summary) =>
  Math.max(
    0,
    ...summary.variants.flatMap(({ rows }) =>
      rows.filter(({ metric, interval }) => metric === 'win_rate' && interval).map(({ interval: [low, high] }) => (high - low) / 2),
    ),
  );

/** Counts that have been played of one scenario. */
export class Played {
  parts = [];
  bytes = [];
  encounters = 0;

  add(part, counts) {
    this.parts.push({ ...part, length: counts.length });
    this.bytes.push(counts);
  }

  /** The same counts; adding to one does not change the other. */
  copy() {
    return Object.assign(new Played(), { ...this, parts: [...this.parts], bytes: [...this.bytes] });
  }

  /** The question for results of one kind. */
  results(desk, want) {
    return desk.ask({ ask: 'results', encounters: this.encounters, parts: this.parts, want }, this.bytes);
  }
}

/**
 * Plays until the widest interval of a win rate is at most `precision()` to each side, or `stopped()`. `show` is called
 * with the summary after each round. Counts of earlier rounds are given as `played`.
 */
export async function play({ desk, players, scenario, fights, played = new Played(), precision, stretch = STRETCH, stopped, show }) {
  const halt = () => {
    if (stopped()) throw new Stopped();
  };
  // The desk has read it already.
  const others = players.filter((player) => player !== desk);
  await Promise.all(others.map((player) => player.ask({ ask: 'read', ...scenario })));
  // Encounters in a millisecond, of one worker.
  let pace = 0.5;
  for (const end of ROUNDS.filter((round) => round > played.encounters)) {
    halt();
    const fresh = [];
    for (let fight = 0; fight < fights; fight += 1) {
      let next = played.encounters;
      const work = async (player) => {
        while (next < end && !stopped()) {
          const share = Math.ceil((end - next) / players.length);
          const length = Math.max(50, Math.min(share, Math.ceil(pace * stretch)));
          const part = { fight, start: next, end: Math.min(end, next + length) };
          next = part.end;
          const begun = performance.now();
          const counts = await player.ask({ ask: 'play', ...part });
          pace = (part.end - part.start) / Math.max(0.1, performance.now() - begun);
          fresh.push([part, counts]);
        }
      };
      await Promise.all(players.map(work));
    }
    halt();
    for (const [part, counts] of fresh) played.add(part, counts);
    played.encounters = end;
    const summary = json(await played.results(desk, 'summary'));
    halt();
    const done = widest(summary) <= precision() || end === ROUNDS.at(-1);
    show(summary, played, done);
    if (done) break;
  }
  return played;
}
