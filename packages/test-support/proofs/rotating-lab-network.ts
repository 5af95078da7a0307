// A network whose ledger id has 64 bytes, with any weights and any signers, whose hinTS key may change: for proofs that
// are good and proofs that are not. Its signatures are those of the simulated network.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import { grumpkinOrder, hashGrumpkinBook, publishGrumpkinKey } from '../../simulated-network/proofs/grumpkin-book.ts';
import { createHintsSigner } from '../../simulated-network/proofs/hints-signer.ts';
import { hashHintsKey, novaPart } from '../../simulated-network/proofs/nova-part.ts';
import type { LabNetwork } from './lab-network.ts';

export type RotatingLabNetwork = Omit<LabNetwork, 'attest'> & {
  /** 32 bytes: as ledger ids and proofs name the key. */
  keyHash: Buffer;
  /** 13,712 bytes: as if the proof of the key were of this ledger, and had these steps. */
  signAs(ledgerId: Uint8Array, root: Uint8Array, signers: readonly number[], steps?: number): Buffer;
  /** The secret of the setup, which a real network has thrown away. */
  tau: bigint;
  /** The same ledger with other weights, and so with another key. */
  rotate(weights: readonly bigint[]): RotatingLabNetwork;
};

type LabOptions = { weights: readonly bigint[]; seed?: string; size?: number };

/** Nodes 0, 1, … with these weights. `size`: of the domain, a power of two above their number. */
export function createRotatingLabNetwork(options: LabOptions): RotatingLabNetwork {
  return make(options, null, 1);
}

function make(options: LabOptions, first: RotatingLabNetwork | null, steps: number): RotatingLabNetwork {
  const { weights, seed = 'lab', size = 2 ** Math.ceil(Math.log2(weights.length + 1)) } = options;
  const secretOf = (name: string, order: bigint) =>
    bytesToNumberLE(createHash('sha512').update(`${seed} ${name}`).digest()) % order;
  const { ORDER: order } = bls12_381.fields.Fr;
  const secrets = weights.map((_, node) => secretOf(`bls ${node}`, order));
  const tau = secretOf('tau', order);
  const signer = createHintsSigner({ weights, size, tau, secrets, form: 'merged' });
  const history = weights.map((_, node) => 1n + secretOf(`history ${node}`, grumpkinOrder - 1n));
  const keyHash = hashHintsKey(signer.key);
  const state = Buffer.concat([hashGrumpkinBook(history, weights), keyHash]);
  const ledgerId = first ? Buffer.from(first.ledgerId) : state;
  const entries = history.map((secret, node) =>
    messageField(3, [
      intField(1, node),
      intField(2, weights[node]!),
      bytesField(3, publishGrumpkinKey(secret, 1n + secretOf(`commitment ${node}`, grumpkinOrder - 1n))),
    ]),
  );
  const network: RotatingLabNetwork = {
    ledgerId,
    publication: first?.publication ?? Buffer.concat([bytesField(1, ledgerId), ...entries].flat()),
    key: signer.key,
    keyHash,
    hints: signer.sign,
    tau,
    sign: (root, signers) => network.signAs(ledgerId, root, signers, steps),
    signAs: (id, root, signers, shown = 2) =>
      Buffer.concat([signer.key, signer.sign(root, signers), novaPart(shown, id, state)]),
    rotate: (next) => make({ ...options, weights: next, size }, first ?? network, steps + 1),
  };
  return network;
}
