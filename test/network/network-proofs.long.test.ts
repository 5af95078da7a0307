// The proofs of a simulated block stream, judged by what verifies those of real networks.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import type { NetworkOptions } from '../../packages/simulated-network/network.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { verifyStream } from '../../src/importer/verify-stream.ts';

// Verifying a block takes some 0.1 s.
vi.setConfig({ testTimeout: 120_000 });

const start = 1_790_000_000_000_000_000n;
const blockTime = 2_000_000_000n;
const root = mkdtempSync(join(tmpdir(), 'network-proofs-'));
const folderOf = (name: string) => join(root, name);
const blocksOf = (name: string) => join(folderOf(name), 'blocks');

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Blocks that wait for a later one's signature. */
type Written = Omit<NetworkOptions, 'folder'> & { blocks: number; later?: readonly number[]; reopenAt?: number };

async function write(name: string, { blocks, later = [], reopenAt, ...options }: Written): Promise<Buffer> {
  const open = () => openNetwork({ folder: folderOf(name), seed: 'proofs', format: 'blocks', ...options });
  let network = await open();
  for (let block = 0; block < blocks; block++) {
    if (block === reopenAt) {
      await network.close();
      network = await open();
    }
    const consensusStart = start + BigInt(block) * blockTime;
    await network.writeBlock({ consensusStart, transactions: 2, isProvedLater: later.includes(block) });
  }
  await network.close();
  return network.ledgerId();
}

/** What is said of each block's proof. */
async function verify(name: string, ledgerId: Buffer | null = null): Promise<string[]> {
  const addressBook = readAddressBook(readFileSync(join(folderOf(name), 'addressbook.bin')));
  const said: string[] = [];
  const source = createFolderSource({ path: folderOf(name) });
  for await (const { verification, blockNumber } of verifyStream({ source, addressBook, ledgerId })) {
    for (const { network, kind } of verification.proofs) {
      if (!network) said.push(`${blockNumber} ${kind}`);
      else said.push(`${blockNumber} by ${network.restsOn}, ${network.origin}`);
    }
    said.push(...verification.problems);
  }
  return said;
}

describe('a block stream', () => {
  const later = [2, 4, 5];
  let ledgerId: Buffer;
  beforeAll(async () => {
    ledgerId = await write('blocks', { blocks: 8, later });
  });
  const rests = [0, 1, 3, 3, 6, 6, 6, 7];

  it('is proved directly, or through a later block', async () => {
    expect(await verify('blocks')).toEqual(rests.map((by, block) => `${block} by ${by}, selfDeclared`));
  });

  it('is of the ledger that the network says, and of no other', async () => {
    expect(await verify('blocks', ledgerId)).toEqual(rests.map((by, block) => `${block} by ${by}, pinned`));
    await expect(verify('blocks', Buffer.alloc(32, 1))).rejects.toThrow('networkProof: expected ledgerId');
  });

  it('has the same bytes of the same seed, also where it is opened again while blocks wait', async () => {
    // RSA keys, which are in the first block, are not made of the seed.
    cpSync(join(folderOf('blocks'), 'keys'), join(folderOf('again'), 'keys'), { recursive: true });
    await write('again', { blocks: 8, later, reopenAt: 5 });
    const [first, second] = ['blocks', 'again'].map((name) =>
      readdirSync(blocksOf(name)).map((block) => [block, readFileSync(join(blocksOf(name), block)).toString('base64')]),
    );
    expect(second).toEqual(first);
  });

  it('of another seed, or another number of nodes, is another ledger', async () => {
    const other = await write('other', { blocks: 1, seed: 'others' });
    const fewer = await write('fewer', { blocks: 1, nodes: 3 });
    expect(new Set([ledgerId, other, fewer].map((id) => id.toString('hex'))).size).toBe(3);
    await expect(verify('other', ledgerId)).rejects.toThrow('networkProof: expected ledgerId');
  });
});

test.each([1, 2, 3, 7, 30])('a network of %i nodes signs', async (nodes) => {
  await write(`${nodes} nodes`, { blocks: 2, nodes });
  expect(await verify(`${nodes} nodes`)).toEqual(['0 by 0, selfDeclared', '1 by 1, selfDeclared']);
});

test.each(['records', 'wrapped'] as const)('%s hand the ledger id over to a block stream', async (format) => {
  await write(format, { blocks: 5, format, cutoverAt: 3n });
  expect(await verify(format)).toEqual([
    '0 signatures',
    '1 signatures',
    '2 signatures',
    '3 by 3, handedOver',
    '4 by 4, handedOver',
  ]);
});

test('a run leaves no block without a proof, and proves one in twenty through the next, two through the one after', async () => {
  const network = await openNetwork({ folder: folderOf('run'), seed: 'run', nodes: 1, format: 'blocks' });
  await network.run({ intervalMs: 0, blocks: 15, transactionsPerBlock: 1 });
  await network.run({ intervalMs: 0, blocks: 1, transactionsPerBlock: 1 });
  await network.close();
  const rests = [0, 1, 2, 3, 4, 5, 7, 7, 8, 9, 10, 11, 12, 14, 14, 15];
  expect(await verify('run')).toEqual(rests.map((by, block) => `${block} by ${by}, selfDeclared`));
});

test('one in some blocks is signed where that is asked', async () => {
  const network = await openNetwork({ folder: folderOf('seldom'), seed: 'seldom', nodes: 1, format: 'blocks' });
  await network.run({ intervalMs: 0, blocks: 10, transactionsPerBlock: 1, signEvery: 4 });
  await network.close();
  const rests = [0, 4, 4, 4, 4, 8, 8, 8, 8, 9];
  expect(await verify('seldom')).toEqual(rests.map((by, block) => `${block} by ${by}, selfDeclared`));
});
