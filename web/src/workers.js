// Workers that play, and one that reads scenarios and adds up.

/** An engine in a worker of its own: `ask` returns a promise of the bytes of the answer. */
export class Engine {
  #module;
  #worker;
  #waiting = new Map();
  #next = 0;

  constructor(module) {
    this.#module = module;
    this.#open();
  }

  #open() {
    this.#worker = new Worker('worker.js', { type: 'module' });
    this.#worker.onmessage = ({ data: { id, answer, error } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) resolve(answer);
      else reject(new Error(error));
    };
    this.#worker.postMessage({ module: this.#module });
  }

  ask(question, bytes = []) {
    this.#next += 1;
    const id = this.#next;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, question, bytes });
    });
  }

  /** Ends what it does; it knows no scenario afterwards. */
  restart() {
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Stopped());
    this.#waiting.clear();
    this.#open();
  }
}

/** The reader stopped it, or has changed the scenario. */
export class Stopped extends Error {}
