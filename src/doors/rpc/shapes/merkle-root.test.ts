import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { merkleRoot } from '../../../../packages/protocol/ethereum/merkle-root.ts';
import { createLogBloom, mergeBloom } from '../../../importer/evm/log-bloom.ts';
import { bloomOf } from './bloom.ts';

const text = (value: string): Uint8Array => Buffer.from(value);
const rootOf = (entries: Record<string, string>): string =>
  merkleRoot(Object.entries(entries).map(([key, value]) => [text(key), text(value)])).toString('hex');

// Of Ethereum's own tests of tries.
it.each<[string, Record<string, string>, string]>([
  ['nothing', {}, '56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'],
  [
    'one',
    { A: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
    'd23786fb4a010da3ce639d66d5e904a11dbc02746d1ce25029e53290cabf28ab',
  ],
  [
    'dogs',
    { doe: 'reindeer', dog: 'puppy', dogglesworth: 'cat' },
    '8aad789dff2f538bca5d8ea56e8abe10f4c7ba3a5dea95fea4cd6e7c3a1168d3',
  ],
  [
    'a key within another',
    { do: 'verb', horse: 'stallion', doge: 'coin', dog: 'puppy' },
    '5991bb8c6514148a29db676a14ac506cd2cd5775ace63c30a4fe457715e9ac84',
  ],
])('%s', (_name, entries, root) => {
  expect(rootOf(entries)).toBe(root);
});

it('does not depend on the order, and changes with every value', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 60 }), { minLength: 1, maxLength: 300 }),
      fc.nat(),
      (values, place) => {
        const entries = values.map((value, index) => [RLP.encode(index), value] as const);
        const root = merkleRoot(entries);
        expect(merkleRoot(entries.toReversed())).toEqual(root);
        const changed = entries.with(place % entries.length, [
          RLP.encode(place % entries.length),
          Buffer.from('another'),
        ]);
        expect(merkleRoot(changed)).not.toEqual(root);
      },
    ),
    { numRuns: 30 },
  );
});

it('the bloom of logs is what the import makes of them', () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  const hex = (value: Uint8Array): string => `0x${Buffer.from(value).toString('hex')}`;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(bytes(20), fc.array(bytes(32), { maxLength: 4 })), { minLength: 1, maxLength: 5 }),
      (logs) => {
        const expected = new Uint8Array(256);
        const bloomOfLog = createLogBloom();
        for (const [address, topics] of logs) mergeBloom(expected, bloomOfLog(address, topics));
        const shown = logs.map(([address, topics]) => ({ address: hex(address), topics: topics.map(hex) }));
        expect(bloomOf(shown)).toBe(hex(expected));
      },
    ),
  );
});
