// Blocks of a simulated network whose ledger id has 64 bytes, read by what verifies those of real networks: each key is
// followed from the ledger id through the state changes of blocks.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hashHintsKey } from '../../packages/proof/hash-hints-key.ts';
import { pinLedgerId, type Trust, takeNamedKey } from '../../packages/proof/trust.ts';
import { createProofVerifier } from '../../packages/proof/verify-block-proof.ts';
import { findWireBytes } from '../../packages/protocol/wire-fields.ts';
import { toBlock } from '../../packages/streams/block-stream/block.ts';
import { type BlockStreamItem, itemKinds, splitBlock } from '../../packages/streams/block-stream/block-item.ts';

/** Items of each block in the order of their numbers. */
export const readBlockFolder = (folder: string): BlockStreamItem[][] =>
  readdirSync(join(folder, 'blocks'))
    .sort()
    .map((file) => splitBlock(gunzipSync(readFileSync(join(folder, 'blocks', file)))));

/** Keys in the hints constructions of a block's state: one change an item. */
export function keysOf(items: readonly BlockStreamItem[]): Uint8Array[] {
  const path = [2, 4, 14, 6, 1, 2];
  return items.flatMap(({ kind, content }) => {
    if (kind !== itemKinds.stateChanges) return [];
    return path.reduce<Buffer | null>((bytes, number) => bytes && findWireBytes(bytes, number), content) ?? [];
  });
}

/** What is said of each block, one after the other, by who trusts no more than the ledger id. */
export function followKeys(folder: string, ledgerId: Buffer): string[] {
  const verifier = createProofVerifier({ random: randomBytes });
  let trust: Trust = pinLedgerId(ledgerId);
  return readBlockFolder(folder).map((items) => {
    const { number, roots } = toBlock(items);
    const proofs = items.filter(({ kind }) => kind === itemKinds.blockProof).map(({ content }) => content);
    const block = { number, roots, proofs };
    const standing = verifier.attest(block, trust);
    const { verdict, trust: after } = verifier.verify(block, trust);
    trust = after!;
    if (verdict.state !== 'verified') return `${standing} ${verdict.state}`;
    for (const key of keysOf(items)) {
      trust = takeNamedKey(trust, { keyHash: hashHintsKey(key), block: number, covered: verdict });
    }
    return `${standing} ${verdict.attestation}${verdict.namedBy === null ? '' : ` ${verdict.namedBy}`}`;
  });
}
