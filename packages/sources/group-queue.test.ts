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

const nodes = [3n, 4n, 5n].map((accountId) => ({ name: `record0.0.${accountId}`, accountId, nodeId: null }));
const instants = ['2023-11-14T22_13_20Z', '2023-11-14T22_13_20.5Z', '2023-11-14T22_13_20.500000000Z'];
const endings = ['.rcd', '.rcd.gz', '.rcd_sig', '.rcd_sig.gz'];

it('says which file of which node there is, in whatever order and text of the instant', () => {
  const file = fc.record({
    node: fc.constantFrom(...nodes),
    name: fc.tuple(fc.constantFrom(...instants), fc.constantFrom(...endings)).map((parts) => parts.join('')),
    isLooked: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(file, { maxLength: 30 }), (files) => {
      const queue = createGroupQueue(null);
      const expected = new Map<string, Map<string, { recordName: string | null; signatureName: string | null }>>();
      const seen = [];
      for (const { node: of, name, isLooked } of files) {
        queue.add(of, `folder ${of.name}`, [name]);
        const moment = name.includes('.5') ? 'half' : 'whole';
        const copies = expected.get(moment) ?? new Map();
        expected.set(moment, copies);
        const copy = copies.get(of.name) ?? { recordName: null, signatureName: null };
        copies.set(of.name, copy);
        copy[name.includes('_sig') ? 'signatureName' : 'recordName'] = name;
        if (isLooked) seen.push(...queue.upcoming(2));
      }
      const found = queue.upcoming(3);
      expect(found.map(({ copies }) => copies)).toEqual(
        ['whole', 'half'].flatMap((moment) => {
          const copies = expected.get(moment);
          if (!copies) return [];
          return [
            [...copies].map(([name, names]) => ({
              node: nodes.find((one) => one.name === name),
              location: `folder ${name}`,
              ...names,
            })),
          ];
        }),
      );
      for (const group of seen) expect(found).toContain(group);
    }),
  );
});

it('says the same of moments that no other is named like', () => {
  const queue = createGroupQueue(null);
  const moments = Array.from(
    { length: 3_000 },
    (_, index) => 1_700_000_000_000_000_000n + BigInt(index) * 1_000_000_000n,
  );
  // Each node names a moment in its own text of the instant, so that whole names are kept.
  for (const [index, moment] of moments.entries()) {
    const long = formatInstant(moment);
    queue.add(node, 'one', [`${long}.rcd`]);
    queue.add(node, 'two', [`${long.replace(/\.0+Z$/, 'Z')}.rcd${index % 2 ? '.gz' : ''}`]);
  }
  for (const [index, moment] of moments.entries()) {
    const group = queue.first()!;
    queue.removeFirst();
    expect(group.timestamp).toBe(moment);
    const long = formatInstant(moment);
    const short = long.replace(/\.0+Z$/, 'Z');
    expect(group.copies.map(({ recordName }) => recordName)).toEqual([
      `${long}.rcd`,
      `${short}.rcd${index % 2 ? '.gz' : ''}`,
    ]);
  }
});
