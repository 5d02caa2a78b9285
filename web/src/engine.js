// Talks to the engine, a WebAssembly module: see engine/src/lib.rs.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A question that the engine refuses; its message says why. */
export class Refused extends Error {}

/** Returns a function that asks a module: `ask(question, bytes)` returns the bytes of the answer. */
export async function start(module) {
  const engine = await WebAssembly.instantiate(module);
  return (question, bytes = []) => {
    const line = encoder.encode(`${JSON.stringify(question)}\n`);
    const length = line.length + bytes.reduce((sum, one) => sum + one.length, 0);
    const { request, answer, reply, memory } = engine.exports;
    let at = request(length);
    const room = new Uint8Array(memory.buffer);
    for (const part of [line, ...bytes]) {
      room.set(part, at);
      at += part.length;
    }
    const size = answer();
    const from = reply();
    const content = memory.buffer.slice(from + 1, from + size);
    if (new Uint8Array(memory.buffer)[from] !== 0) throw new Refused(decoder.decode(content));
    return new Uint8Array(content);
  };
}

/** Reads an answer that is JSON. */
export const json = (bytes) => JSON.parse(decoder.decode(bytes));
