// A network with any weights and any signers, for proofs that are good and proofs that are not. Its signatures are
// those of the simulated network.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { createHintsSigner } from '../../simulated-network/proofs/hints-signer.ts';
import { createHistorySigner } from '../../simulated-network/proofs/history-signer.ts';

export type LabNetwork = {
  ledgerId: Uint8Array;
  /** The message of its ledger id publication. */
  publication: Buffer;
  /** 1096 bytes. */
  key: Buffer;
  /** 1632 bytes, or 1248 of a ledger id of 64 bytes: of these nodes. */
  hints(root: Uint8Array, signers: readonly number[]): Buffer;
  /** 192 bytes: the attestation of a key, by these nodes. */
  attest(key: Uint8Array, signers: readonly number[]): Buffer;
  /** 2920 or 13,712 bytes: key, signature and attestation. */
  sign(root: Uint8Array, signers: readonly number[]): Buffer;
};

/**
 * Nodes 0, 1, … with these weights. `size`: of the domain, a power of two above their number. `withoutKey`: came too
 * late.
 */
export function createLabNetwork({
  weights,
  size = 2 ** Math.ceil(Math.log2(weights.length + 1)),
  seed = 'lab',
  withoutKey = [],
}: {
  weights: readonly bigint[];
  size?: number;
  seed?: string;
  withoutKey?: readonly number[];
}): LabNetwork {
  const secretOf = (name: string, order: bigint) =>
    bytesToNumberLE(createHash('sha512').update(`${seed} ${name}`).digest()) % order;
  const { ledgerId, publishedKeys, attest } = createHistorySigner({ weights, secretOf, withoutKey });
  const { ORDER: order } = bls12_381.fields.Fr;
  const secrets = weights.map((_, node) => secretOf(`bls ${node}`, order));
  const { key, sign: hints } = createHintsSigner({ weights, size, tau: secretOf('tau', order), secrets });
  const attestations = new Map<string, Buffer>();
  const signatures = new Map<string, Buffer>();
  /**
   * Tests sign the same blocks again and again: a signature takes 15 ms, and 50 ms in a process that has just begun.
   */
  function once(known: Map<string, Buffer>, name: string, make: () => Buffer): Buffer {
    const made = known.get(name) ?? make();
    known.set(name, made);
    return made;
  }
  return {
    ledgerId,
    publication: Buffer.concat(
      [
        bytesField(1, ledgerId),
        bytesField(2, Buffer.alloc(1768, 7)),
        ...weights.map((weight, node) =>
          messageField(3, [intField(1, node), intField(2, weight), bytesField(3, publishedKeys[node]!)]),
        ),
      ].flat(),
    ),
    key,
    hints,
    attest,
    sign(root, signers) {
      const names = signers.join();
      const signature = once(signatures, `${names} ${Buffer.from(root).toString('hex')}`, () => hints(root, signers));
      return Buffer.concat([key, signature, once(attestations, names, () => attest(key, signers))]);
    },
  };
}
