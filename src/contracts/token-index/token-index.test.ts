// Logs of any form: what is no transfer is none, and nothing that a contract writes or answers is believed beyond it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TokenLog } from '../../../packages/store/read/select-token-logs.ts';
import { readNumber, readText } from './ask-token.ts';
import { foldTransfers } from './fold-transfers.ts';
import { readTransfer, transferTopics } from './read-transfer.ts';
import { recogniseToken } from './recognise-token.ts';

const [transfer, single, batch] = transferTopics as [Buffer, Buffer, Buffer];
const zero = Buffer.alloc(1);
const one = Buffer.from([1]);
const alice = Buffer.alloc(20, 0xaa);
const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
const words = (...values: bigint[]): Buffer => Buffer.concat(values.map(word));
const log = (topics: (Buffer | null)[], data: Buffer | null, contractId = 5n): TokenLog => ({
  ...{ consensusTimestamp: 1n, contractId, data },
  ...{ topic0: topics[0]!, topic1: topics[1] ?? null, topic2: topics[2] ?? null, topic3: topics[3] ?? null },
});

it.each<[string, TokenLog, string | null, [bigint | null, bigint][]]>([
  ['ERC-20', log([transfer, zero, alice], word(7n)), 'ERC-20', [[null, 7n]]],
  ['of the largest amount', log([transfer, alice, one], word(2n ** 256n - 1n)), 'ERC-20', [[null, 2n ** 256n - 1n]]],
  ['ERC-721', log([transfer, alice, one, Buffer.from([9])], Buffer.alloc(0)), 'ERC-721', [[9n, 1n]]],
  ['ERC-1155', log([single, one, zero, alice], words(3n, 4n)), 'ERC-1155', [[3n, 4n]]],
  [
    'several units',
    log([batch, one, zero, alice], words(64n, 160n, 2n, 1n, 2n, 2n, 10n, 20n)),
    'ERC-1155',
    [
      [1n, 10n],
      [2n, 20n],
    ],
  ],
  ['lists of other lengths', log([batch, one, zero, alice], words(64n, 160n, 2n, 1n, 2n, 1n, 10n)), null, []],
  ['a list beyond the data', log([batch, one, zero, alice], words(64n, 2n ** 255n, 0n)), null, []],
  ['a count beyond the data', log([batch, one, zero, alice], words(64n, 64n, 2n ** 200n)), null, []],
  ['no amount', log([transfer, one, alice], Buffer.alloc(0)), null, []],
  ['two words', log([transfer, one, alice], words(1n, 2n)), null, []],
  ['what is no address', log([transfer, Buffer.alloc(21, 1), alice], word(1n)), null, []],
  ['no receiver', log([transfer, one], word(1n)), null, []],
])('%s', (_what, given, standard, units) => {
  const read = readTransfer(given);
  expect(read?.standard ?? null).toBe(standard);
  expect(read?.movements.map(({ serialNumber, amount }) => [serialNumber, amount]) ?? []).toEqual(units);
});

it('says that units of a log that is too long are missing', () => {
  const { tokens } = foldTransfers([log([batch, one, zero, alice], null)], () => 'ERC-1155');
  expect(tokens.get(5n)).toMatchObject({ transfers: 1n, isPartial: true });
});

it('reads any data without an error, and moves nothing that is not in it', () => {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((value) => Buffer.from(value));
  const topics = fc.constantFrom(transfer, single, batch);
  fc.assert(
    fc.property(topics, fc.array(fc.option(bytes), { minLength: 3, maxLength: 3 }), bytes, (topic, others, data) => {
      const read = readTransfer(log([topic, ...others], data));
      expect((read?.movements.length ?? 0) * 32).toBeLessThanOrEqual(Math.max(32, data.length));
    }),
  );
});

it('keeps the sum: what is given and received is what was made and not unmade', () => {
  const account = fc.constantFrom(zero, one, alice, Buffer.from([2]));
  const moved = fc.tuple(account, account, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }));
  fc.assert(
    fc.property(fc.array(moved), (all) => {
      const { holders, tokens } = foldTransfers(
        all.map(([from, to, amount]) => log([transfer, from, to], word(amount))),
        () => 'ERC-20',
      );
      const sum = (choose: (one: (typeof all)[number]) => boolean) =>
        all.filter(choose).reduce((total, [, , amount]) => total + amount, 0n);
      const made = sum(([from]) => from === zero) - sum(([, to]) => to === zero);
      expect(holders.reduce((total, { change }) => total + change, 0n)).toBe(made);
      expect(tokens.get(5n)?.transfers ?? 0n).toBe(BigInt(all.length));
    }),
  );
});

it('counts no transfer of another standard, and none of what is no contract', () => {
  const logs = [log([transfer, zero, alice, one], Buffer.alloc(0)), log([transfer, zero, alice], word(4n), 6n)];
  const { tokens, holders, serials } = foldTransfers(logs, (id) => (id === 5n ? 'ERC-20' : undefined));
  expect([...tokens.keys()]).toEqual([5n]);
  expect([tokens.get(5n)!.transfers, holders, serials]).toEqual([0n, [], []]);
});

const text = (value: string, length = Buffer.byteLength(value)): Buffer =>
  Buffer.concat([words(32n, BigInt(length)), Buffer.from(value), Buffer.alloc(32)]);

it.each<[Buffer | null, string | null]>([
  [text('Coin'), 'Coin'],
  [Buffer.from('MKR'.padEnd(32, '\0')), 'MKR'],
  [text('x'.repeat(5_000)), 'x'.repeat(100)],
  [text('a\0b'), 'a\ufffdb'],
  [text('Coin', 1_000), null],
  [words(2n ** 200n, 4n), null],
  [Buffer.alloc(32), null],
  [Buffer.alloc(0), null],
  [Buffer.alloc(31), null],
  [null, null],
])('%j is the text %j', (answer, expected) => {
  expect(readText(answer)).toBe(expected);
});

it('reads numbers of one word only', () => {
  expect([readNumber(word(9n)), readNumber(words(1n, 2n)), readNumber(Buffer.alloc(0)), readNumber(null)]).toEqual([
    9n,
    null,
    null,
    null,
  ]);
});

it('recognises by functions, else by what is answered', async () => {
  const push = (...selectors: string[]) => Buffer.from(selectors.map((one) => `63${one}14`).join(''), 'hex');
  const silent = async () => null;
  const coin = push('a9059cbb', '70a08231', '18160ddd');
  const logged = new Set(['ERC-20'] as const);
  expect(await recogniseToken({ address: 1n, code: coin, logged }, silent)).toBe('ERC-20');
  // In what is pushed, and no instruction.
  const hidden = Buffer.concat([Buffer.from([0x7f]), push('a9059cbb', '70a08231', '18160ddd').subarray(0, 18)]);
  expect(await recogniseToken({ address: 1n, code: hidden, logged }, silent)).toBe(null);
  expect(await recogniseToken({ address: 1n, code: coin, logged: new Set(['ERC-721'] as const) }, silent)).toBe(null);
  expect(await recogniseToken({ address: 1n, code: Buffer.alloc(0), logged }, async () => word(1n))).toBe('ERC-20');
  const badges = { address: 1n, code: Buffer.alloc(0), logged: new Set(['ERC-721'] as const) };
  expect(await recogniseToken(badges, async () => word(1n))).toBe('ERC-721');
  expect(await recogniseToken(badges, async () => word(0n))).toBe(null);
});
