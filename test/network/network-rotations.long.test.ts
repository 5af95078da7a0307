// The hinTS keys of a simulated network whose ledger id has 64 bytes, judged by what verifies those of real networks:
// the key is followed from the ledger id through the state changes of blocks.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hashHintsKey } from '../../packages/proof/hash-hints-key.ts';
import { readPublication } from '../../packages/proof/publication.ts';
import { findWireBytes } from '../../packages/protocol/wire-fields.ts';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import type { WriteBlockOptions } from '../../packages/simulated-network/write-block.ts';
import { itemKinds } from '../../packages/streams/block-stream/block-item.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { followKeys, keysOf, readBlockFolder } from './follow-keys.ts';

const start = 1_790_000_000_000_000_000n;
const root = mkdtempSync(join(tmpdir(), 'network-rotations-'));
const folderOf = (name: string) => join(root, name);
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Plan = Pick<WriteBlockOptions, 'rotation' | 'isProvedLater'>;

async function open(name: string, options: Partial<NetworkOptions> = {}) {
  return openNetwork({ folder: folderOf(name), seed: 'rotations', format: 'blocks', ledgerIdBytes: 64, ...options });
}

async function write(name: string, blocks: readonly Plan[]): Promise<Buffer> {
  const network = await open(name);
  for (const [block, plan] of blocks.entries()) {
    await network.writeBlock({ consensusStart: start + BigInt(block) * 2_000_000_000n, transactions: 2, ...plan });
  }
  await network.close();
  return network.ledgerId();
}

const readBlocks = (name: string) => readBlockFolder(folderOf(name));
const follow = (name: string, ledgerId: Buffer) => followKeys(folderOf(name), ledgerId);

const named = { rotation: 'named' } as const;
const taken = { rotation: 'taken' } as const;

test('a key that was named follows the one before it', async () => {
  const plans = [{}, {}, named, {}, taken, {}, { isProvedLater: true }, named, taken, {}];
  const ledgerId = await write('named', plans);
  expect(ledgerId).toHaveLength(64);
  expect(follow('named', ledgerId)).toEqual([
    'news ledgerId',
    'known ledgerId',
    'known ledgerId',
    'known ledgerId',
    'news namedKey 2',
    // The block that the key begins with names it, too, as the active one.
    'known namedKey 2',
    'known namedKey 2',
    'known namedKey 2',
    'news namedKey 7',
    'known namedKey 7',
  ]);
});

test('a key that no block has named is unproved, also where it names itself', async () => {
  const ledgerId = await write('unannounced', [{}, {}, {}, taken, {}]);
  expect(follow('unannounced', ledgerId)).toEqual([
    'news ledgerId',
    'known ledgerId',
    'known ledgerId',
    'unproved unproved',
    'unproved unproved',
  ]);
});

test('a key that a block names which the key alone has signed is unproved', async () => {
  const ledgerId = await write('circle', [{}, {}, { ...named, isProvedLater: true }, taken, {}]);
  expect(follow('circle', ledgerId).slice(2)).toEqual(['unproved unproved', 'unproved unproved', 'unproved unproved']);
});

test('the first block names the key and publishes the ledger id', async () => {
  const ledgerId = await write('first', [{}]);
  const [items] = readBlocks('first');
  const bodies = items!.filter(({ kind }) => kind === itemKinds.signedTransaction);
  const published = bodies.flatMap(({ content }) => findWireBytes(findWireBytes(content, 1)!, 77) ?? []);
  const publication = readPublication(published[0]!);
  expect([Buffer.from(publication.ledgerId), publication.wrapsKey]).toEqual([ledgerId, null]);
  expect(keysOf(items!).map((key) => Buffer.from(hashHintsKey(key)))).toEqual([ledgerId.subarray(32)]);
});

test('a network that was stopped makes the same blocks again, and goes on with its key', async () => {
  const ledgerId = await write('stopped', [{}, {}, named, {}, taken]);
  const before = readBlocks('stopped');
  const blocks = join(folderOf('stopped'), 'blocks');
  // The state was saved after the first one.
  for (const file of readdirSync(blocks).sort().slice(1)) rmSync(join(blocks, file));
  const network = await open('stopped');
  await network.writeBlock({ consensusStart: start + 10_000_000_000n, transactions: 2 });
  await network.close();
  expect(readBlocks('stopped').slice(0, 5)).toEqual(before);
  expect(follow('stopped', ledgerId).at(-1)).toBe('known namedKey 2');
});

test('a run rotates where a block stream has begun', async () => {
  const network = await open('run', { format: 'records', cutoverAt: 7n, nodes: 1 });
  await network.run({ intervalMs: 0, blocks: 20, transactionsPerBlock: 1, rotateEvery: 8 });
  await network.close();
  expect(follow('run', network.ledgerId()).filter((line) => line.startsWith('news'))).toEqual([
    'news ledgerId',
    'news namedKey 14',
  ]);
  // Another run, which rotates at other blocks: no key signs that was not named.
  const again = await open('run', { format: 'records', cutoverAt: 7n, nodes: 1 });
  await again.run({ intervalMs: 0, blocks: 8, transactionsPerBlock: 1, rotateEvery: 5 });
  await again.close();
  expect(follow('run', network.ledgerId()).slice(13)).not.toContain('unproved unproved');
  expect(follow('run', network.ledgerId()).at(-1)).toBe('known namedKey 23');
  const records = await open('records', { format: 'records' });
  await expect(records.writeBlock({ rotation: 'named' })).rejects.toThrow('is not of a block stream');
  await records.close();
});
