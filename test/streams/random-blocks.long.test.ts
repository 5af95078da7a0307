// Blocks with anything in them that the messages of a block stream allow, made and read by another decoder: this
// program finds the same fields, pairs the same results, and takes each block whatever is in it.
import type protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { visitWireFields } from '../../packages/protocol/wire-fields.ts';
import { splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { blockMessages } from '../../packages/streams/block-stream/block-messages.ts';
import { computeBlockRoots } from '../../packages/streams/block-stream/block-root.ts';
import { readBlockSequence } from '../../packages/streams/block-stream/block-sequence.ts';
import { readBlockTransactions } from '../../packages/streams/block-stream/block-transactions.ts';
import { fillSlots } from '../../packages/streams/block-stream/fill-slots.ts';
import { readStateChanges, visitAccounts } from '../../packages/streams/block-stream/read-state-changes.ts';
import { fieldCounts } from '../../packages/streams/block-stream/state-fields.ts';
import { entityId, update } from '../../packages/test-support/streams/block-items.ts';
import { createSecondDecoder, type Plain } from '../oracle/read/second-decoder.ts';
import { createRandomBlocks, joinBlock, type RandomBlock, type TableItem } from '../support/random/random-block.ts';

const decoder = createSecondDecoder();

/** The messages of which all fields are read, by the kind of their item. */
const wholeMessages = [
  [5, 'TransactionResult', blockMessages.transactionResult],
  [6, 'TransactionOutput', blockMessages.transactionOutput],
  [11, 'TraceData', blockMessages.trace],
  [12, 'BlockFooter', blockMessages.footer],
  [19, 'RedactedItem', blockMessages.redactedItem],
] as const;

test.each(wholeMessages)('item %i: all fields of %s are read', (kind, name, message) => {
  const blocks = createRandomBlocks(decoder, `read ${name}`);
  for (let count = 0; count < 500; count++) {
    const content = contentOf(blocks.item(kind as TableItem, count % 2 === 0).bytes);
    expect(decoder.decode(name, message.encode(message.decode(content) as object))).toEqual(
      decoder.decode(name, content),
    );
  }
});

test('state changes: keys, values and marks of all updates and deletions are read', () => {
  const blocks = createRandomBlocks(decoder, 'read changes');
  const changed = (bytes: Uint8Array): Plain[] =>
    (decoder.decode('StateChanges', bytes).stateChanges ?? []).map(({ mapUpdate, mapDelete }: Plain) => ({
      ...(mapUpdate && { mapUpdate }),
      ...(mapDelete && { mapDelete }),
    }));
  for (let count = 0; count < 2_000; count++) {
    const content = contentOf(blocks.item(7).bytes);
    expect(changed(blockMessages.stateChanges.encode(blockMessages.stateChanges.decode(content)))).toEqual(
      changed(content),
    );
  }
});

test('state changes: what transactions need is read without the others', () => {
  const blocks = createRandomBlocks(decoder, 'needed changes');
  const seen = { accounts: 0, changes: 0 };
  for (let count = 0; count < 2_000; count++) {
    // Every other account is none, and is there all the same.
    const account = update([1, entityId(1)], [1, count % 2 === 0 ? entityId(1) : Buffer.of(0xff)]);
    const content = Buffer.concat([contentOf(blocks.item(7).bytes), ...account]);
    const expected = blockMessages.stateChanges.decode(content).stateChanges.flatMap(({ mapUpdate, mapDelete }) => {
      const [kind, key] = Object.entries((mapUpdate ?? mapDelete)?.key ?? {})[0] ?? [];
      const [valueKind = null, value = Buffer.alloc(0)] = Object.entries(mapUpdate?.value ?? {})[0] ?? [];
      const { partial = false, clearedFields: cleared = [] } = mapUpdate ?? {};
      const isRefused = mapUpdate
        ? isMalformed({ partial, cleared, hasValue: Boolean(mapUpdate.value), valueKind, value })
        : false;
      const marks = {
        ...{ isIdentical: mapUpdate?.identical === true, isRemoved: !mapUpdate },
        ...{ isPartial: partial, cleared, isRefused },
      };
      return kind ? [{ kind, key, valueKind, value, ...marks }] : [];
    });
    const read = readStateChanges(content);
    const kinds = new Set(read.changes.map(({ kind }) => kind as string));
    expect(read.changes).toEqual(expected.filter(({ kind }) => kinds.has(kind)));
    const accounts: Buffer[][] = [];
    if (read.accounts) visitAccounts(read.accounts, (id, { value }) => accounts.push([id, value]));
    const isAccount = ({ kind, valueKind, value }: (typeof expected)[number]) =>
      kind === 'accountId' && valueKind === 'account' && value.length > 0;
    expect(read.unreadAccounts).toBeGreaterThanOrEqual(count % 2);
    expect(accounts).toEqual(expected.filter(isAccount).map(({ key, value }) => [key, value]));
    seen.accounts += accounts.length;
    seen.changes += read.changes.length;
  }
  expect(seen.accounts).toBeGreaterThanOrEqual(2_000);
  expect(seen.changes).toBeGreaterThan(100);
});

type Sent = { partial: boolean; cleared: number[]; hasValue: boolean; valueKind: string | null; value: Uint8Array };

/** By the fields that the second decoder knows. */
function isMalformed({ partial, cleared, hasValue, valueKind, value }: Sent): boolean {
  if (!partial && cleared.length === 0) return false;
  if (!hasValue) return true;
  if (valueKind === null || cleared.length === 0) return false;
  if (!partial || cleared.some((number, place) => number <= (cleared[place - 1] ?? 0) || number >= 2 ** 29))
    return true;
  const known = valueKind in fieldCounts ? numbersOf(valueKind) : null;
  if (known && cleared.some((number) => !known.includes(number))) return true;
  try {
    const present: number[] = [];
    visitWireFields(value, (number) => void present.push(number));
    return present.some((number) => cleared.includes(number));
  } catch {
    return true;
  }
}

const numbersOf = (valueKind: string): number[] => {
  const { resolvedType } = decoder.type('MapChangeValue').fields[valueKind]!.resolve();
  return (resolvedType as protobuf.Type).fieldsArray.map(({ id }) => id).sort((one, other) => one - other);
};

test('values have as many fields as the second decoder knows', () => {
  for (const [valueKind, count] of Object.entries(fieldCounts)) {
    expect({ valueKind, numbers: numbersOf(valueKind) }).toEqual({
      valueKind,
      numbers: Array.from({ length: count }, (_, place) => place + 1),
    });
  }
});

test('results, outputs and traces are paired as they were put in', () => {
  const blocks = createRandomBlocks(decoder, 'paired');
  for (let count = 0; count < 300; count++) {
    const { bytes, transactions } = blocks.block();
    const { slots, traces } = fillSlots(readBlockSequence(splitBlock(bytes)).items);
    const expected = transactions.filter(({ result }) => result !== undefined);
    const found = slots.map((slot) => {
      const { isInner, result, outputs } = slot;
      if (result === null || typeof result === 'string') return result;
      const message = decoder.decode('TransactionResult', result.content);
      return {
        ...{ isInner, message, outputs: outputs.length },
        traces: traces.filter((one) => one.slot === slot).length,
      };
    });
    expect(found).toEqual(
      expected.map(({ isInner, result, outputs, traces }) => ({
        isInner,
        message: result,
        outputs: outputs.length,
        traces: traces.length,
      })),
    );
  }
});

test('redacted items leave the root as it was; each block is taken, and says what it does not show', () => {
  const blocks = createRandomBlocks(decoder, 'redacted');
  for (let count = 0; count < 400; count++) {
    const block = blocks.block({ redacted: true, unknown: count % 2 === 0, filtered: count % 4 === 3 });
    const items = splitBlock(block.bytes);
    if (count % 4 !== 3) {
      const whole = splitBlock(joinBlock(block.items.map((item) => item.original ?? item)));
      expect(rootsOf(items, block)).toEqual(rootsOf(whole, block));
    }
    const { doubts } = readBlockTransactions(items);
    const hasGaps = block.items.some(({ kind }) => kind === 19 || kind === 8);
    expect(doubts.some(({ text }) => /^(redacted item|filtered part)/.test(text))).toBe(hasGaps);
  }
});

function rootsOf(items: ReturnType<typeof splitBlock>, { timestamp }: RandomBlock) {
  const footer = items.find(({ kind }) => kind === 12)!;
  return computeBlockRoots(items, blockMessages.footer.decode(footer.content), timestamp);
}

/** The message in a BlockItem. */
function contentOf(item: Buffer): Buffer {
  return splitBlock(joinBlock([{ bytes: item }]))[0]!.content;
}
