// Documents of a ledger whose id has 64 bytes: the client finds out by itself whose key has signed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyHints } from '../../clients/verify-proof/hints.js';
import { type ProvenBlock, type VerifyOptions, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { hashHintsKey } from '../../packages/proof/hash-hints-key.ts';
import { verifyThresholdSignature } from '../../packages/proof/verify-threshold-signature.ts';
import { createRotatingLabNetwork } from '../../packages/test-support/proofs/rotating-lab-network.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { readBlocks } from '../../packages/test-support/streams/write-network.ts';
import { findSchemaErrors } from './check-schema.ts';
import { findAcceptedFlips } from './flip-bits.ts';
import { makeBlockDocument, makeNaming, type NamingDocument, openBlock } from './make-block-document.ts';

// Each proof takes 0.1 s to check.
vi.setConfig({ testTimeout: 300_000 });
afterAll(() => vi.resetConfig());
beforeEach(() => setImmediate());

const folder = mkdtempSync(join(tmpdir(), 'named-key-documents-'));
const start = 1_790_000_000_000_000_000n;
/** Block 3 names the second key, block 6 the third; block 6 is proved through block 7. */
const plans = [{}, {}, {}, named(), {}, taken(), { ...named(), isProvedLater: true }, {}, taken(), {}, {}];
let blocks: Buffer[];
let ledgerId: string;

beforeAll(async () => {
  const network = await openNetwork({ folder, seed: 'named keys', format: 'blocks', nodes: 3, ledgerIdBytes: 64 });
  for (const [block, plan] of plans.entries()) {
    await network.writeBlock({ consensusStart: start + BigInt(block) * 2_000_000_000n, transactions: 2, ...plan });
  }
  await network.close();
  ledgerId = network.ledgerId().toString('hex');
  blocks = readBlocks(join(folder, 'blocks'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function named() {
  return { rotation: 'named' as const };
}
function taken() {
  return { rotation: 'taken' as const };
}

const verify = (document: object, options: Partial<VerifyOptions> = {}) =>
  verifyProof(document, { ledgerId, ...options }) as ProvenBlock;

/** The state change with a key that is longest: it has the construction. */
function namingOf(number: number): NamingDocument {
  const block = blocks[number]!;
  const changes = openBlock(block).ofSubtree.stateChanges!;
  const place = changes.findIndex(({ length }) => length > 1096 && length < 2500);
  return makeNaming({ block, form: 'sixteen', first: blocks[0]!, single: [['stateChanges', place]] });
}

function documentOf(number: number, namings: readonly NamingDocument[]) {
  const block = blocks[number]!;
  return makeBlockDocument({ block, form: 'sixteen', first: blocks[0]!, single: [['outputs', 0]], namings });
}

const keyOf = (number: number): string => {
  const { proof } = openBlock(blocks[number]!);
  if (proof.kind === 'records') throw new Error('not signed by the network');
  return Buffer.from(hashHintsKey(proof.signature.subarray(0, 1096))).toString('hex');
};

describe('the key of a signature', () => {
  it('is the one that the ledger id names', () => {
    const document = documentOf(2, []);
    expect(findSchemaErrors(document)).toBeNull();
    const { key, block, weight, totalWeight, provedKeys } = verify(document);
    expect(key).toEqual({ hash: ledgerId.slice(64), from: 'ledgerId' });
    expect([block, provedKeys]).toEqual([2n, [ledgerId.slice(64)]]);
    expect(2n * weight!).toBeGreaterThan(totalWeight!);
  });

  it('was named by a block that such a key has signed, and so on', () => {
    const document = documentOf(9, [namingOf(3), namingOf(6)]);
    expect(findSchemaErrors(document)).toBeNull();
    const steps: string[] = [];
    const { key, provedKeys } = verify(document, { onStep: (step) => steps.push(step) });
    expect(key).toEqual({ hash: keyOf(9), from: 'named' });
    expect(provedKeys).toEqual([keyOf(2), keyOf(5), keyOf(9)]);
    expect(steps.filter((step) => step.includes(`names key ${keyOf(9)}`))).toHaveLength(1);
    // What was proved once may be left out.
    expect(verify(documentOf(9, [namingOf(6)]), { knownKeys: [keyOf(5)] }).key!.from).toBe('named');
    expect(verify(documentOf(9, []), { knownKeys: provedKeys! }).key).toEqual({ hash: keyOf(9), from: 'known' });
  });

  it('is refused where nothing names it, unless that may be so, and then it is said', () => {
    for (const namings of [[], [namingOf(3)]]) {
      const document = documentOf(9, namings);
      expect(() => verify(document)).toThrow(`key ${keyOf(9)} is not proved`);
      const steps: string[] = [];
      const allowed = verify(document, { allowUnprovedKey: true, onStep: (step) => steps.push(step) });
      expect(allowed.key).toEqual({ hash: keyOf(9), from: 'nothing' });
      expect(allowed.provedKeys).not.toContain(keyOf(9));
      expect(steps.at(-1)).toContain('NOTHING SHOWS');
    }
    // Block 8 names the key that signs it.
    expect(() => verify(documentOf(9, [namingOf(3), namingOf(8)]))).toThrow('which is not proved');
    expect(() => verify(documentOf(9, [namingOf(6), namingOf(3)]))).toThrow('which is not proved');
    expect(() => verify(documentOf(9, [namingOf(6)]), { allowUnprovedKey: true })).toThrow('which is not proved');
  });

  it('is not that of another ledger, or of one with an id of 32 bytes', () => {
    const document = documentOf(2, []);
    const last = ledgerId.endsWith('0') ? '1' : '0';
    expect(() => verify(document, { ledgerId: ledgerId.slice(0, -1) + last })).toThrow('is not proved');
    expect(() => verify(document, { ledgerId: ledgerId.slice(64) })).toThrow('is not proved');
    expect(() => verify(document, { ledgerId: ledgerId.slice(2) })).toThrow('32 or 64 bytes');
    expect(() => verify(document, { knownKeys: ['00'] })).toThrow('lowercase hex of 32 bytes');
  });

  it('is refused where a block that should name one shows something else', () => {
    const block = blocks[3]!;
    const header = makeNaming({ block, form: 'sixteen', first: blocks[0]!, single: [['outputs', 0]] });
    expect(() => verify(documentOf(5, [header]))).toThrow('names none');
    const naming = namingOf(3);
    expect(() => verify(documentOf(5, [{ ...naming, form: 'eight' }]))).toThrow('not of this block root');
    const more = { ...naming, more: 1 } as NamingDocument;
    expect(() => verify(documentOf(5, [more]))).toThrow('has a member more');
  });

  it('is proved by no document with another bit', async () => {
    const document = documentOf(9, [namingOf(3), namingOf(6)]);
    expect(await findAcceptedFlips(document, { ledgerId }, 40)).toEqual([]);
  });
});

describe('a second reading', () => {
  const isGood = (root: Uint8Array, key: Uint8Array, signature: Uint8Array): boolean => {
    try {
      verifyHints(root, key, signature);
      return true;
    } catch {
      return false;
    }
  };
  const vectors = findRealData('tss-d');

  it.skipIf(vectors.isAbsent)(`of vectors has the verdict that is due${vectors.hint}`, () => {
    type Case = { name: string; key: string; message: string; signature: string; expect: string };
    const text = readFileSync(join(vectors.path, 'hints-v2.json'), 'utf8');
    const { keys, cases } = JSON.parse(text) as { keys: Record<string, string>; cases: Case[] };
    const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
    // Documents have signatures of one length.
    for (const { name, key, message, signature, expect: due } of cases.filter((one) => one.signature.length === 2496)) {
      const asked = [bytesOf(message), bytesOf(keys[key]!), bytesOf(signature)] as const;
      expect([name, isGood(...asked)]).toEqual([name, due === 'accept']);
    }
  });

  it('of signatures of random networks is the same', async () => {
    for (const [count, size] of [
      [1, 2],
      [3, 4],
      [5, 16],
    ] as const) {
      const weights = Array.from({ length: count }, (_, node) => BigInt(3 * node + 1));
      const network = createRotatingLabNetwork({ weights, size, seed: `second ${count}` });
      const root = Buffer.alloc(48, count);
      for (let signers = 1; signers <= count; signers++) {
        await setImmediate();
        const nodes = Array.from({ length: signers }, (_, at) => count - 1 - at);
        const signature = network.hints(root, nodes);
        const due = verifyThresholdSignature(network.key, signature, root);
        expect(isGood(root, network.key, signature)).toBe(due);
        // Of every element.
        for (let offset = 5; offset < 1248; offset += 96) {
          const flipped = Buffer.from(signature);
          flipped[offset]! ^= 4;
          expect([offset, isGood(root, network.key, flipped)]).toEqual([offset, false]);
        }
      }
    }
  });
});
