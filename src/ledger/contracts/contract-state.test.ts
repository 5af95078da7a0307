// A contract's storage at any moment, compared with its changes applied one by one.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyRange, type Condition } from '../../../packages/kit/range.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { type ContractStateQuery, createContractState } from './contract-state.ts';

const contractId = 5001n;
const moments = 200;
/**
 * Of every length, and with zeros in the middle: compared byte by byte without leading zeros they have another order.
 */
const slots = [
  0n,
  1n,
  2n,
  0x80n,
  0xffn,
  0x100n,
  0x1ffn,
  0x200n,
  0xff00ffn,
  2n ** 128n,
  2n ** 248n,
  2n ** 255n + 1n,
  2n ** 256n - 1n,
];

type Change = { at: bigint; slot: bigint; value: string; isPadded: boolean };

const changes: Change[] = [];
let stored: StoredRows;

beforeAll(async () => {
  const [history] = fc.sample(
    fc.array(
      fc.record({
        slot: fc.constantFrom(...slots),
        form: fc.constantFrom('cut', 'whole', 'byte'),
        read: fc.uint8Array({ maxLength: 32 }),
        // Written as zero, or only read.
        written: fc.option(fc.uint8Array({ maxLength: 32 })),
        migration: fc.boolean(),
        isLater: fc.boolean(),
      }),
      { minLength: moments, maxLength: moments },
    ),
    { seed: 14, numRuns: 1 },
  );
  let at = 10n;
  const rows = history!.flatMap(({ slot, form, read, written, migration, isLater }) => {
    // Several slots change at once, each one time.
    const isRepeated = changes.some((change) => change.at === at && change.slot === slot);
    if (isLater || isRepeated) at += 1n;
    const isPadded = form === 'whole' && slot < 2n ** 248n;
    changes.push({ at, slot, value: Buffer.from(written ?? read).toString('hex'), isPadded });
    const row = {
      ...{ consensus_timestamp: at, payer_account_id: 1001n, slot: toStored(slot, form), migration },
      ...{ value_read: Buffer.from(read), value_written: written && Buffer.from(written) },
    };
    const ofAnother = { ...row, contract_id: 5002n, value_written: Buffer.from('00ff', 'hex') };
    return [{ ...row, contract_id: contractId }, ofAnother].map((row) => ({ table: 'contract_state_change', row }));
  });
  stored = await storeRows(rows);
});
afterAll(() => stored?.close());

const moment = fc.bigInt({ min: 8n, max: 10n + BigInt(moments) });
const slotOrBeside = fc
  .tuple(fc.constantFrom(...slots), fc.constantFrom(-1n, 0n, 1n))
  .map(([slot, beside]) => slot + beside);
const condition: fc.Arbitrary<Condition> = fc.record({
  operator: fc.constantFrom('lt' as const, 'lte' as const, 'gt' as const, 'gte' as const),
  value: fc.constantFrom(...slots),
});
const exactConditions = fc.uniqueArray(fc.constantFrom(...slots), { minLength: 1, maxLength: 4 });
const byBytes = fc.oneof(
  fc.array(condition, { maxLength: 2 }),
  exactConditions.map((values) => values.map((value): Condition => ({ operator: 'eq', value }))),
);
const query: fc.Arbitrary<ContractStateQuery> = fc.record({
  byBytes: fc.option(byBytes),
  contractId: fc.constant(contractId),
  slot: fc.record({
    from: fc.option(slotOrBeside),
    to: fc.option(slotOrBeside),
    equals: fc.oneof(fc.constant([]), fc.uniqueArray(fc.constantFrom(...slots), { minLength: 1, maxLength: 4 })),
    notEquals: fc.constant([]),
  }),
  timestamp: fc.oneof(
    moment.map((at) => ({ ...anyRange, equals: [at] })),
    fc.record({ from: fc.option(moment), to: moment, equals: fc.constant([]), notEquals: fc.constant([]) }),
  ),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 14 }),
});

it('is the newest change of each slot', async () => {
  const listState = createContractState({ db: stored.db });
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      const { items, next } = await listState(asked);
      const page = toExpected(asked).slice(0, asked.limit);
      expect(
        items.map(({ slot, timestamp, value }) => ({
          slot: toNumber(slot),
          at: timestamp,
          value: value!.toString('hex'),
        })),
      ).toEqual(page.map(({ slot, at, value }) => ({ slot, at, value })));
      expect(next).toBe(page.length === asked.limit ? page.at(-1)!.slot : null);
    }),
    { numRuns: 300 },
  );
});

function toExpected({ slot, timestamp, byBytes, order }: ContractStateQuery): Change[] {
  const to = timestamp.equals[0] ?? timestamp.to!;
  const newest = new Map<bigint, Change>();
  for (const change of changes) {
    if (change.at <= to && change.at >= (timestamp.from ?? 0n)) newest.set(change.slot, change);
  }
  const direction = order === 'asc' ? 1 : -1;
  const exact = byBytes?.filter(({ operator }) => operator === 'eq').map(({ value }) => value) ?? [];
  const isPadded = changes.some(
    (change) =>
      change.isPadded &&
      change.at <= to &&
      change.at >= (timestamp.from ?? 0n) &&
      (exact.length === 0 || exact.includes(change.slot)),
  );
  const compareBytes = (one: bigint, other: bigint): number =>
    Buffer.compare(toStored(one, isPadded ? 'whole' : 'cut'), toStored(other, isPadded ? 'whole' : 'cut'));
  if (byBytes) {
    const met = [...newest.values()].filter((change) => meetsByBytes(change.slot, byBytes, compareBytes));
    return met.sort((a, b) => direction * compareBytes(a.slot, b.slot));
  }
  const found = [...newest.values()].filter(
    (change) =>
      (slot.from === null || change.slot >= slot.from) &&
      (slot.to === null || change.slot <= slot.to) &&
      (slot.equals.length === 0 || slot.equals.includes(change.slot)),
  );
  return found.sort((a, b) => (a.slot < b.slot ? -direction : direction));
}

function meetsByBytes(
  slot: bigint,
  conditions: readonly Condition[],
  compareBytes: (one: bigint, other: bigint) => number,
): boolean {
  const exact = conditions.filter(({ operator }) => operator === 'eq');
  if (exact.length > 0 && !exact.some(({ value }) => value === slot)) return false;
  return conditions.every(({ operator, value }) => {
    const order = compareBytes(slot, value);
    if (operator === 'lt') return order < 0;
    if (operator === 'lte') return order <= 0;
    if (operator === 'gt') return order > 0;
    return operator === 'eq' || order >= 0;
  });
}

/** `byte`: of zero one byte of zeros, as some streams have it. */
function toStored(slot: bigint, form: string): Buffer {
  const whole = Buffer.from(slot.toString(16).padStart(64, '0'), 'hex');
  if (form === 'whole') return whole;
  const first = whole.findIndex((byte) => byte !== 0);
  if (first < 0) return Buffer.alloc(form === 'byte' ? 1 : 0);
  return whole.subarray(first);
}

function toNumber(slot: Buffer): bigint {
  return BigInt(`0x${slot.toString('hex') || '0'}`);
}
