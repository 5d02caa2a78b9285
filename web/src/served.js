// What `skirmish serve` adds: the program itself as the engine, and the files of its folder.

import { Refused } from './engine.js';
import { Stopped } from './workers.js';

/** Posts to the program; returns the bytes of the answer. */
async function post(where, body, signal) {
  let response;
  try {
    response = await fetch(where, { method: 'POST', body, signal });
  } catch (error) {
    if (signal?.aborted) throw new Stopped();
    throw new Gone();
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!response.ok) throw new Refused(new TextDecoder().decode(bytes));
  return bytes;
}

/** The program does not answer. */
export class Gone extends Error {
  constructor() {
    super('skirmish serve has ended: start it again, and open the address that it prints.');
  }
}

/** The program as an engine, with the questions of `Engine` in workers.js. Each request tells it the scenario; it remembers the last few. */
export class Program {
  #scenario = '';
  #halt = new AbortController();

  ask(question, bytes = []) {
    const line = `${JSON.stringify(question)}\n`;
    if (question.ask === 'read') this.#scenario = line;
    const before = question.ask === 'read' ? '\n' : this.#scenario || '\n';
    return post('ask', new Blob([before, line, ...bytes]), this.#halt.signal);
  }

  /** Ends what it does. */
  restart() {
    this.#halt.abort();
    this.#halt = new AbortController();
  }
}

/** The text of a file of the folder. */
export const text = async (name) => new TextDecoder().decode(await post('file', JSON.stringify({ ask: 'text', name })));

/** Replaces the text `old` of a file; null makes a new file. */
export const save = (name, old, text) => post('file', JSON.stringify({ ask: 'save', name, old, new: text }));
