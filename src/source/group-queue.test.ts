import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatInstant } from '../protocol/hapi/timestamp.ts';
import { createGroupQueue } from './group-queue.ts';

const node = { name: 'record0.0.3', accountId: 3n, nodeId: null };

it('hands out every moment once and in order, however names come in', () => {
  const step = fc.oneof(fc.record({ add: fc.array(fc.nat(50), { maxLength: 10 }) }), fc.record({ take: fc.nat(5) }));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const queue = createGroupQueue(null);
      const taken: bigint[] = [];
      const added = new Set<bigint>();
      const take = () => {
        const group = queue.first();
        if (group) taken.push(group.timestamp);
        queue.removeFirst();
      };
      for (const each of steps) {
        if ('add' in each) {
          const moments = each.add.map((second) => BigInt(second) * 1_000_000_000n);
          for (const moment of moments) if (moment > (taken.at(-1) ?? -1n)) added.add(moment);
          queue.add(
            node,
            'folder',
            moments.map((moment) => `${formatInstant(moment)}.rcd`),
          );
        } else for (let index = 0; index < each.take; index++) take();
      }
      while (queue.first()) take();
      expect(taken).toEqual([...added].sort((a, b) => (a < b ? -1 : 1)));
    }),
  );
});
