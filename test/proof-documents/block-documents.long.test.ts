// Proofs of items of blocks, for clients that trust nobody: the package takes good ones and refuses all others.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ProvenBlock, type VerifyOptions, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { itemKinds, splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { unpackBlockFile } from '../../packages/streams/block-stream/unpack-block-file.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { makeBlockDocument as makeDocument } from '../../src/ledger/proofs/make-block-document.ts';
import { openProvedBlock } from '../../src/ledger/proofs/open-proved-block.ts';
import { findSchemaErrors } from './check-schema.ts';
import { findAcceptedFlips } from './flip-bits.ts';
import { type BlockDocument, findLedgerId, makeBlockDocument, openBlock } from './make-block-document.ts';
import { otherHex } from './other-hex.ts';

// A proof takes 0.1 to 0.5 s, and each test checks several.
vi.setConfig({ testTimeout: 300_000 });
beforeEach(() => setImmediate());

/** `CONTRIBUTING.md` says how to try more. */
const flips = Number(process.env.DOCUMENT_FLIPS ?? 60);

const real = findRealData('blocks');
const read = (path: string) => unpackBlockFile(readFileSync(`${real.path}/${path}.blk.gz`));
const verify = (document: object, options: VerifyOptions) => verifyProof(document, options) as ProvenBlock;

/** Each result with the transaction before it, as the sender of the block placed them. */
function pairsByPlace(block: Buffer): [Buffer, Buffer][] {
  const pairs: [Buffer, Buffer][] = [];
  let newest: Buffer | null = null;
  for (const { kind, bytes } of splitBlock(block)) {
    if (kind === itemKinds.signedTransaction) newest = bytes;
    if (kind === itemKinds.transactionResult) pairs.push([newest!, bytes]);
  }
  return pairs;
}

type Case = {
  name: string;
  make(): BlockDocument;
  ledgerId: string;
  block: bigint;
  steps: number;
  wrapsKeyHash?: string;
};

function realCases(): Case[] {
  if (real.isAbsent) return [];
  const of = (network: string, block: number, form: 'sixteen' | 'eight', steps: number, newest?: number): Case => {
    const first = read(`${network}/0`);
    const at = (number: number) => read(`${network}/${number}`);
    const newer = () => ({
      block: at(newest!),
      roots: Array.from({ length: newest! }, (_, number) => openBlock(at(number)).rootOf(form)),
      index: block,
    });
    return {
      name: `${network}/${block}${newest === undefined ? '' : ` through the history of block ${newest}`}`,
      make: () =>
        makeBlockDocument({
          block: at(block),
          form,
          first,
          single: [
            ['outputs', 0],
            ['inputs', 0],
            ['outputs', 1],
          ],
          newer: newest === undefined ? undefined : newer(),
        }),
      ledgerId: findLedgerId(first),
      block: BigInt(block),
      steps,
    };
  };
  return [
    of('consensus-node-0.73', 2, 'eight', 0),
    of('consensus-node-0.73', 0, 'eight', 1, 4),
    of('consensus-node-0.77', 1, 'eight', 4),
    of('consensus-node-0.78', 5, 'sixteen', 0),
    of('consensus-node-0.78', 2, 'sixteen', 3),
    of('consensus-node-0.78', 3, 'sixteen', 1, 5),
    of('consensus-node-0.78-settled', 391, 'sixteen', 0),
  ];
}

describe.skipIf(real.isAbsent)(`items of real blocks${real.hint}`, () => {
  it.each(realCases())('$name', async ({ make, ledgerId, block, steps }) => {
    const document = make();
    expect(findSchemaErrors(document)).toBeNull();
    const proven = verify(document, { ledgerId });
    expect([proven.block, document.path.length]).toEqual([block, steps]);
    expect(proven.items.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual(
      document.items.map((part) => ('item' in part ? part.item : null)),
    );
    expect(await findAcceptedFlips(document, { ledgerId }, flips)).toEqual([]);
    const other = otherHex(ledgerId);
    expect(() => verify(document, { ledgerId: other })).toThrow(/another ledger|not the one of the trusted ledger id/);
    const known = { ...document, proof: { known: proven.signedRoot } };
    expect(findSchemaErrors(known)).toBeNull();
    expect(verify(known, { ledgerId, knownRoots: [proven.signedRoot] }).root).toBe(proven.root);
    expect(() => verify(known, { ledgerId })).toThrow('the root was not proved before');
    const before = { ...document, proof: { known: otherHex(proven.signedRoot) } };
    expect(() => verify(before, { ledgerId, knownRoots: [before.proof.known] })).toThrow('not proved before');
  });

  it('has the result of each transaction where all of both subtrees are there', () => {
    const [first, block] = [read('consensus-node-0.78/0'), read('consensus-node-0.78/5')];
    const document = makeBlockDocument({ block, form: 'sixteen', first, whole: ['inputs', 'outputs'] });
    const { pairs, items } = verify(document, { ledgerId: findLedgerId(first) });
    const inputs = items.filter(({ subtree }) => subtree === 'inputs');
    expect(inputs.length).toBeGreaterThan(pairs!.length);
    expect(pairs!.length).toBe(openBlock(block).ofSubtree.outputs!.filter(([tag]) => tag === 0x2a).length);
    const [without] = document.items;
    const moved = {
      ...document,
      items: [
        without!,
        {
          subtree: 'outputs',
          all: openBlock(block)
            .ofSubtree.outputs!.toReversed()
            .map((one) => one.toString('hex')),
        },
      ],
    };
    expect(() => verify(moved, { ledgerId: findLedgerId(first) })).toThrow(
      'an item is not in the outputs of the block',
    );
  });
});

describe('items of the simulated network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proof-documents-'));
  let blocks: Buffer[];
  beforeAll(async () => {
    await writeNetwork({ folder, seed: 'documents', format: 'blocks', nodes: 4, blocks: 18, transactions: 6 });
    blocks = readBlocks(join(folder, 'blocks'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['signed itself', 12, null, 0],
    ['proved through the next block', 6, null, 1],
    ['proved through the block after the next', 13, null, 2],
    ['in the history of a newer block', 6, 17, 1],
    ['in the history of the next block', 16, 17, 1],
  ])('%s', async (_name, number, newest, steps) => {
    const first = blocks[0]!;
    const ledgerId = findLedgerId(first);
    const roots = blocks.map((block) => openBlock(block).rootOf('sixteen'));
    const newer =
      newest === null ? undefined : { block: blocks[newest]!, roots: roots.slice(0, newest), index: number };
    const { inputs, outputs } = openBlock(blocks[number]!).ofSubtree;
    const single = [
      ['outputs', 0],
      ...inputs!.map((_, place) => ['inputs', place] as const),
      ...outputs!.map((_, place) => ['outputs', place] as const),
    ] as [string, number][];
    const document = makeBlockDocument({ block: blocks[number]!, form: 'sixteen', first, single, newer });
    const proven = verify(document, { ledgerId });
    expect([proven.block, proven.root, document.path.length]).toEqual([
      BigInt(number),
      roots[number]!.toString('hex'),
      steps,
    ]);
    expect(proven.items).toHaveLength(1 + inputs!.length + outputs!.length);
    const short = makeBlockDocument({
      block: blocks[number]!,
      form: 'sixteen',
      first,
      single: single.slice(0, 3),
      newer,
    });
    expect(await findAcceptedFlips(short, { ledgerId }, flips)).toEqual([]);
  });

  it('have the result of each transaction where all of both subtrees are there, and no batch', () => {
    let shown = 0;
    for (const bytes of blocks) {
      const [block, root] = [openBlock(bytes), openBlock(bytes).rootOf('sixteen').toString('hex')];
      const made = makeBlockDocument({
        block: bytes,
        form: 'sixteen',
        first: blocks[0]!,
        whole: ['inputs', 'outputs'],
      });
      const document = { ...made, path: [], proof: { known: root } };
      const { pairs } = verify(document, { ledgerId: findLedgerId(blocks[0]!), knownRoots: [root] });
      if (pairs === null) continue;
      shown += 1;
      const { inputs, outputs } = block.ofSubtree;
      expect(pairs.map(({ input, output }) => [inputs![input], outputs![output]])).toEqual(pairsByPlace(bytes));
    }
    expect(shown).toBeGreaterThan(blocks.length / 2);
  });

  it('says how many of the nodes signed, and the weight', () => {
    const document = makeBlockDocument({ block: blocks[4]!, form: 'sixteen', first: blocks[0]!, whole: ['outputs'] });
    const steps: string[] = [];
    const { weight, totalWeight, isSettled, rotations } = verify(document, {
      ledgerId: findLedgerId(blocks[0]!),
      onStep: (step) => steps.push(step),
    });
    expect(2n * weight!).toBeGreaterThan(totalWeight!);
    expect([isSettled, rotations]).toEqual([false, null]);
    const hash = '[0-9a-f]{96}';
    const said = [
      `these \\d+ items are all of the subtree outputs, whose root is ${hash}`,
      `the subtrees and the time of the block have the root ${openBlock(blocks[4]!).rootOf('sixteen').toString('hex')}`,
      `that root is signed by ${weight} of ${totalWeight} of the weight of key [0-9a-f]{64}`,
      `that key is the one of ledger ${findLedgerId(blocks[0]!)}, by its first address book`,
    ];
    expect(steps).toEqual(said.map((sentence) => expect.stringMatching(`^${sentence}$`)));
  });

  it.each<[string, (document: BlockDocument) => object, string]>([
    ['of another version', (document) => ({ ...document, version: 2 }), 'version is none of 1'],
    ['with a member that it should not have', (document) => ({ ...document, more: 1 }), 'has a member more'],
    ['without its path', ({ path: _, ...document }) => document, 'path is not a list'],
    ['in the other form of the root', (document) => ({ ...document, form: 'eight' }), 'not of this block root'],
    ['with another time', (document) => ({ ...document, timestamp: '0801' }), 'not of this block root'],
    ['with hex in capitals', (document) => ({ ...document, timestamp: '0A' }), 'not lowercase hex'],
    ['with seven hashes', (document) => ({ ...document, hashes: document.hashes.slice(1) }), '8 or 16 hashes'],
    [
      'with items of another subtree',
      (document) => ({ ...document, items: document.items.map((item) => ({ ...item, subtree: 'traces' })) }),
      'not in the traces',
    ],
    [
      'with a book and a WRAPS key',
      (document) => ({ ...document, proof: { ...document.proof, wrapsKey: '00' } }),
      'proof has a member wrapsKey',
    ],
    ['without a proof', (document) => ({ ...document, proof: {} }), 'proof has none of known, book, wrapsKey, namings'],
    [
      'with an item of no bytes, in a subtree that is empty',
      (document) => ({ ...document, items: [{ subtree: 'traces', item: '', siblings: [] }] }),
      'an item is empty',
    ],
    [
      'with all items of a subtree twice',
      (document) => ({ ...document, items: [1, 2].map(() => ({ subtree: 'inputs', all: ['00'] })) }),
      'are there twice',
    ],
  ])('a document %s is refused', (_name, change, reason) => {
    const first = blocks[0]!;
    const document = makeBlockDocument({ block: blocks[4]!, form: 'sixteen', first, single: [['inputs', 0]] });
    expect(() => verify(change(document), { ledgerId: findLedgerId(first) })).toThrow(reason);
  });
});

describe.skipIf(real.isAbsent)('real blocks as the mirror opens them (skipped without the data)', () => {
  const networks = { '0.73': [0, 1, 2, 3, 4], '0.77': [0, 1], '0.78': [0, 1, 2, 3, 4, 5], '0.78-settled': [0, 391] };
  const blocks = Object.entries(networks).flatMap(([network, numbers]) =>
    numbers.map((number) => [`consensus-node-${network}`, number] as const),
  );

  it.each(blocks)('%s/%s: the same documents, and the same pairs', async (network, number) => {
    const block = read(`${network}/${number}`);
    const { rootOf } = openBlock(block);
    const form = /0[.]7[37]/.test(network) ? 'eight' : 'sixteen';
    const opened = await openProvedBlock(splitBlock(block), rootOf(form).toString('hex'));
    expect(opened.form).toBe(form);
    const shown = { single: [['outputs', 0] as const, ['inputs', 1] as const], whole: ['inputs', 'outputs'] as const };
    const model = makeBlockDocument({ block, form, first: read(`${network}/0`), ...shown });
    const rest = { path: model.path, proof: { known: rootOf(form).toString('hex') } };
    const made = makeDocument(opened, shown, rest);
    const byText = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).sort();
    expect({ ...made, items: byText(made.items) }).toEqual({ ...model, ...rest, items: byText(model.items) });
    const [, inputs, outputs] = opened.parts;
    const pairs = [...opened.transactions.values()].map(({ input, result }) => [
      inputs!.itemAt(input),
      outputs!.itemAt(result),
    ]);
    expect(pairs).toEqual(pairsByPlace(block));
  });

  it('another block of the same number is refused', async () => {
    const [block, other] = [1, 2].map((number) => read(`consensus-node-0.78/${number}`)) as [Buffer, Buffer];
    const root = openBlock(other).rootOf('sixteen').toString('hex');
    await expect(openProvedBlock(splitBlock(block), root)).rejects.toThrow('another block of this number');
  });
});
