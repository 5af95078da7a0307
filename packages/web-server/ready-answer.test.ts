import { expect, it } from 'vitest';
import { makeReady } from './ready-answer.ts';

it.each([10, 5000, 130_000, 200_000, 262_000, 400_000])('a body of %i characters keeps its bytes', (length) => {
  const bodies = ['a', 'b', 'é', '€'].map((character) => character.repeat(length));
  const ready = bodies.map((body) => makeReady({ status: 200, body }));
  ready.forEach(({ bytes }, place) => {
    const own = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    expect(own.equals(Buffer.from(bodies[place]!))).toBe(true);
  });
});
