import { expect, it } from 'vitest';
import { attackDoors } from './attack-doors.ts';

/** Less than the frames have together; the rest is what Node takes for any work. */
const maxGrownMb = 200;

it('clients that take and give nothing back cost a bounded memory, and others are answered', async () => {
  const counts = {
    ...{ quiet: 100, quietGrpc: 0, deafSockets: 60, deafEvents: 30, deafGrpc: 20, hugeFrames: 5, halfOpen: 20 },
    ...{ pings: 4, greedy: 10 },
  };
  const outcomes = await attackDoors({ counts, blocks: 2 });
  for (const { name, grownMb, failures } of outcomes) {
    expect([name, failures, grownMb < maxGrownMb]).toEqual([name, 0, true]);
  }
  expect(outcomes.find(({ name }) => name === 'frames of 100 MB')).toMatchObject({ count: 5, ended: 5 });
});
