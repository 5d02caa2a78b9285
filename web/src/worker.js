// A worker: one engine that answers one question after the other.

import { start } from './engine.js';

let ask;

self.onmessage = async ({ data }) => {
  if (data.module) {
    ask = start(data.module);
    return;
  }
  const { id, question, bytes } = data;
  try {
    const answer = (await ask)(question, bytes);
    self.postMessage({ id, answer }, [answer.buffer]);
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
};
