// Blocks that are damaged, or made up by their sender. What their root needs makes them files that are none, so that an
// import waits there or takes the block from elsewhere; anything else costs that alone, and no import ends for good.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import { toBigInt } from '../../packages/protocol/hapi/hapi.ts';
import { bytesField, intField, messageField } from '../../packages/protocol/wire-writer.ts';
import { writeBlock } from '../../packages/simulated-network/formats/block-file.ts';
import {
  type BlockStreamItem,
  itemKinds,
  splitBlock,
  writeItem,
} from '../../packages/streams/block-stream/block-item.ts';
import { blockMessages } from '../../packages/streams/block-stream/block-messages.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { openBlockFile } from '../../src/importer/open/open-block-file.ts';
import { createSigners, type Signers } from '../../src/importer/open/signers.ts';
import { StreamCheckError } from '../../src/importer/open/stream-check-error.ts';

let folder: string;
let blocks: Record<'blocks' | 'wrapped', Buffer[]>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-blocks-'));
  blocks = { blocks: await makeBlocks('blocks'), wrapped: await makeBlocks('wrapped') };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function makeBlocks(format: 'blocks' | 'wrapped'): Promise<Buffer[]> {
  await writeNetwork({ folder: join(folder, format), seed: 'damaged', format, blocks: 3, transactions: 8 });
  return readBlocks(join(folder, format, 'blocks'));
}

async function openItems(items: readonly BlockStreamItem[], signers: Signers | null = null) {
  const header = items.find(({ kind }) => kind === itemKinds.blockHeader);
  const number = header ? readNumber(header) : 0n;
  const source = {
    async *readBlock() {
      yield writeBlock(items);
    },
    findBlock: async () => null,
  };
  const file = { number, name: `${number}.blk`, location: 'somewhere' };
  return openBlockFile({ source: source as never, file, successor: null, signers, last: null });
}

/** null = it is taken. Whatever else is thrown than a check that fails, is thrown. */
async function findRefusal(items: readonly BlockStreamItem[], signers: Signers | null = null): Promise<string | null> {
  try {
    await openItems(items, signers);
    return null;
  } catch (error) {
    if (error instanceof StreamCheckError) return error.message;
    throw error;
  }
}

function readNumber({ content }: BlockStreamItem): bigint {
  try {
    return toBigInt(blockMessages.header.decode(content).number);
  } catch {
    return 0n;
  }
}

const replaced = (items: readonly BlockStreamItem[], kind: number, content: Uint8Array): BlockStreamItem[] => {
  const at = items.findIndex((item) => item.kind === kind);
  return items.toSpliced(at, 1, writeItem(kind, content));
};

it.each(['blocks', 'wrapped'] as const)('whole: blocks of the format %s are taken', async (format) => {
  for (const block of blocks[format]) expect(await findRefusal(splitBlock(block))).toBeNull();
});

const bad = Buffer.from([0x0f]);
const message = (...fields: Buffer[][]): Buffer => Buffer.concat(fields.flat());
it.each<[name: string, damage: (items: BlockStreamItem[]) => BlockStreamItem[]]>([
  [
    'a header whose time is none',
    (items) => replaced(items, itemKinds.blockHeader, message(intField(3, 1), bytesField(4, bad))),
  ],
  ['a footer without hashes', (items) => replaced(items, itemKinds.blockFooter, Buffer.alloc(0))],
])('%s: is refused', async (_name, damage) => {
  expect(await findRefusal(damage(splitBlock(blocks.blocks[1]!)))).toMatch(/not a whole stream file/);
});

/** StateChanges with one change of an account, of the time of the first result. */
function accountChange(items: readonly BlockStreamItem[], key: Buffer, account: Buffer): BlockStreamItem {
  const result = items.find(({ kind }) => kind === itemKinds.transactionResult)!;
  const { consensusTimestamp } = blockMessages.transactionResult.decode(result.content);
  const update = [messageField(1, [bytesField(1, key)]), messageField(2, [bytesField(1, account)])];
  const changes = message(bytesField(1, consensusTimestamp), messageField(2, [messageField(5, update)]));
  return writeItem(itemKinds.stateChanges, changes);
}

/** AccountID 5000.0.1001 */
const noAccount = message(intField(1, 5_000), intField(3, 1_001));

it.each<[name: string, problem: string, damage: (items: BlockStreamItem[]) => BlockStreamItem[]]>([
  [
    'a change of an account that is none',
    'state changes that cannot be read: 1',
    (items) => [...items, accountChange(items, message(intField(3, 1_001)), bad)],
  ],
  [
    'a change of an account whose id no account can have',
    'state changes that cannot be read: 1',
    (items) => [...items, accountChange(items, noAccount, message(intField(3, 1)))],
  ],
  [
    'state changes that are none',
    'state changes that cannot be decoded: 1',
    (items) => [...items, writeItem(itemKinds.stateChanges, bad)],
  ],
  ['a trace that is none', 'trace that cannot be decoded: 1', (items) => replaced(items, itemKinds.traceData, bad)],
  [
    'an action that is none',
    'parts of traces that cannot be read: 1 (message ContractAction',
    (items) => replaced(items, itemKinds.traceData, message(messageField(1, [bytesField(1, bad)]))),
  ],
  [
    'a trace of a kind that is not known',
    'trace of an unknown kind: 1',
    (items) => replaced(items, itemKinds.traceData, message(bytesField(9, bad))),
  ],
  ['an item of a kind that is not known', 'item of an unknown kind: 1', (items) => [...items, writeItem(25, bad)]],
  [
    'a change under a key of a kind that is not known',
    'state change under a key of an unknown kind: 1',
    (items) => [
      ...items,
      writeItem(
        itemKinds.stateChanges,
        message(messageField(2, [messageField(6, [messageField(1, [bytesField(99, bad)])])])),
      ),
    ],
  ],
  [
    'a change with a value of a kind that is not known',
    'state change with a value of an unknown kind: 1',
    (items) => [
      ...items,
      writeItem(
        itemKinds.stateChanges,
        message(
          messageField(2, [
            messageField(5, [messageField(1, [bytesField(1, bad)]), messageField(2, [bytesField(99, bad)])]),
          ]),
        ),
      ),
    ],
  ],
])('%s: costs that alone, and is said', async (_name, problem, damage) => {
  const block = blocks.blocks.find((bytes) => splitBlock(bytes).some(({ kind }) => kind === itemKinds.traceData))!;
  const items = splitBlock(block);
  const [whole, damaged] = [await openItems(items), await openItems(damage(items))];
  expect(damaged.verification.doubts.filter(({ text }) => text.includes(problem))).toHaveLength(1);
  expect(damaged.block.transactions.map(({ consensusTimestamp }) => consensusTimestamp)).toEqual(
    whole.block.transactions.map(({ consensusTimestamp }) => consensusTimestamp),
  );
});

it('a round that is none leaves the rounds unknown', async () => {
  const items = splitBlock(blocks.blocks[1]!);
  const { block } = await openItems(items.toSpliced(1, 0, writeItem(itemKinds.roundHeader, bad)));
  expect([block.rounds, block.transactions.length > 0]).toEqual([null, true]);
});

it('a result that is none costs its transaction, and is said', async () => {
  const items = splitBlock(blocks.blocks[1]!);
  const [whole, damaged] = [await openItems(items), await openItems(replaced(items, itemKinds.transactionResult, bad))];
  expect(damaged.verification.doubts.map(({ kind }) => kind)).toContain('transaction');
  const times = ({ block }: typeof whole) => block.transactions.map(({ consensusTimestamp }) => consensusTimestamp);
  expect(times(damaged)).toEqual(times(whole).slice(1));
});

it('whatever is changed in it, a block is taken or refused', async () => {
  const damage = fc.record({
    item: fc.nat(),
    place: fc.nat(),
    kind: fc.integer({ min: 1, max: 40 }),
    bytes: fc.array(fc.constantFrom(0, 1, 10, 11, 12, 0x7f, 0x80, 0xff), { minLength: 1, maxLength: 6 }),
    how: fc.constantFrom('overwrite', 'cut', 'rename', 'remove', 'repeat'),
  });
  const cases = fc.record({
    format: fc.constantFrom('blocks' as const, 'wrapped' as const),
    block: fc.nat({ max: 2 }),
    damages: fc.array(damage, { minLength: 1, maxLength: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ format, block, damages }) => {
      let items = splitBlock(blocks[format][block]!);
      for (const { item, place, kind, bytes, how } of damages) {
        if (items.length === 0) break;
        const at = item % items.length;
        const content = Buffer.from(items[at]!.content);
        const from = place % (content.length + 1);
        if (how === 'overwrite') content.set(bytes.slice(0, content.length - from), from);
        const changed = writeItem(
          how === 'rename' ? kind : items[at]!.kind,
          how === 'cut' ? content.subarray(0, from) : content,
        );
        if (how === 'remove') items = items.toSpliced(at, 1);
        else items = items.toSpliced(at, how === 'repeat' ? 0 : 1, changed);
      }
      await findRefusal(items);
    }),
    { numRuns: 1_000 },
  );
});

it('a signature of a node without a key in the address book is one that does not count', async () => {
  const { nodes } = readAddressBook(readFileSync(join(folder, 'wrapped', 'addressbook.bin')));
  const without = nodes.map((node, index) => (index === 0 ? { ...node, publicKeyHex: '' } : node));
  const items = splitBlock(blocks.wrapped[1]!);
  expect(await findRefusal(items, createSigners({ nodes: without }, null))).toBeNull();
  const none = nodes.map((node) => ({ ...node, publicKeyHex: '' }));
  expect(await findRefusal(items, createSigners({ nodes: none }, null))).toMatch(/not signed by enough of the network/);
});
