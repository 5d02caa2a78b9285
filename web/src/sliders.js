// A slider for each number of a fight.

import { make } from './show.js';

let rooms = 0;

/** A number as `set` has it: for dice it is their bonus. */
export const written = (dice, number) => (dice && number === 0 ? dice.trim() : `${dice}${dice && number > 0 ? '+' : ''}${number}`);

/**
 * Puts sliders into an element. `set` holds the numbers that differ from the file, by their keys, and `changed` is called
 * after each change of it.
 */
export function sliders(room, numbers, set, changed) {
  rooms += 1;
  const rows = numbers.flatMap(({ key, name, dice, value, least, most }, index) => {
    const id = `number-${rooms}-${index}`;
    const input = make('input', [], { id, type: 'range', min: least, max: most, step: 1 });
    input.value = set.has(key) ? Number(set.get(key).slice(dice.length)) : value;
    const text = make('output', set.get(key) ?? written(dice, value), { for: id });
    const title = make('label', name, { for: id, ...(set.has(key) ? { class: 'changed' } : {}) });
    input.addEventListener('input', () => {
      text.textContent = written(dice, Number(input.value));
      if (Number(input.value) === value) set.delete(key);
      else set.set(key, text.textContent);
      title.classList.toggle('changed', set.has(key));
      changed();
    });
    return [title, input, text];
  });
  room.replaceChildren(...rows);
}
