// The key that WRAPS proofs are verified with: 1768 bytes. Who chooses it can forge every proof, so it is used only
// where it is the one of the public ceremony, or comes with a publication that is trusted itself.
import { sha256 } from '@noble/hashes/sha2.js';
import {
  type Bn254G1,
  type Bn254Pairing,
  bn254G1Length,
  bn254G2Length,
  prepareBn254G2,
  prepareBn254Sum,
  proofField,
  readBn254G1,
  readBn254G2,
} from './bn254-points.ts';
import { createPartReader, toHex } from './field-bytes.ts';

export const wrapsKeyLength = 1768;

/** SHA-256 of the key of the public ceremony, "v1.0". */
export const ceremonyWrapsKeyHash = '5a6d78fb8d0d1ef989db3ca9c6aff7e2bd336665af8f5ec904892522ec8f2b3d';

export function hashWrapsKey(bytes: Uint8Array): string {
  return toHex(sha256(bytes));
}

const wrapsInputCount = 40;

export type WrapsKey = {
  /** Of the parameters of the folding. */
  parametersHash: bigint;
  alpha: Bn254G1;
  lines: Record<'beta' | 'gamma' | 'delta' | 'kzg' | 'kzgBeta', Bn254Pairing[1]>;
  /** Of the public inputs, the constant one apart. */
  constantInput: Bn254G1;
  sumInputs: (inputs: bigint[]) => Bn254G1;
  kzgGenerator: Bn254G1;
};

/** Throws ProofRefusal. */
export function readWrapsKey(bytes: Uint8Array): WrapsKey {
  const reader = createPartReader(bytes, wrapsKeyLength, 'WRAPS key');
  const g1 = (part: string) => readBn254G1(reader.next(bn254G1Length), `${part} of the WRAPS key`);
  const g2 = (part: string) => prepareBn254G2(readBn254G2(reader.next(bn254G2Length), `${part} of the WRAPS key`));
  const parametersHash = reader.scalar(proofField.ORDER, 'hash of parameters');
  const alpha = g1('alpha');
  const [beta, gamma, delta] = [g2('beta'), g2('gamma'), g2('delta')];
  reader.count(BigInt(wrapsInputCount + 1), 'inputs');
  const constantInput = g1('constant input');
  const inputs = Array.from({ length: wrapsInputCount }, (_, place) => g1(`input ${place}`));
  const kzgGenerator = g1('KZG generator');
  g1('second KZG generator');
  return {
    parametersHash,
    alpha,
    lines: { beta, gamma, delta, kzg: g2('KZG h'), kzgBeta: g2('KZG beta h') },
    constantInput,
    sumInputs: prepareBn254Sum(inputs),
    kzgGenerator,
  };
}
