// A hinTS signature: an aggregate BLS signature, and the argument that the aggregate key is the sum of the keys of signers who
// have that weight together. 1632 bytes. The third and the second quotient stand in this order, twice.
import { type G1Point, type G2Point, g1Length, g2Length, readG1, readG2, scalarField } from './bls12-points.ts';
import { createPartReader } from './field-bytes.ts';

export const hintsSignatureLength = 1632;

export type HintsSignature = {
  aggregateKey: G1Point;
  weight: bigint;
  signature: G2Point;
  /** Commitments: who signed, and the quotients of the argument on the key. */
  signers: G1Point;
  keyRemainder: G1Point;
  keyRemainderShifted: G1Point;
  keyQuotient: G1Point;
  /** Running sum of the weights, and the quotients of its four identities. */
  sum: G1Point;
  quotients: readonly [G1Point, G1Point, G1Point, G1Point];
  /** Proofs of the openings at the challenge and one place before it. */
  opening: G1Point;
  openingBefore: G1Point;
  /** Claimed values at the challenge; `sumBefore` one place before it. */
  values: {
    sum: bigint;
    sumBefore: bigint;
    weight: bigint;
    signer: bigint;
    quotients: readonly [bigint, bigint, bigint, bigint];
  };
};

/** Throws ProofRefusal. */
export function readHintsSignature(bytes: Uint8Array): HintsSignature {
  const reader = createPartReader(bytes, hintsSignatureLength, 'hinTS signature');
  const point = (part: string) => readG1(reader.next(g1Length), `${part} of the hinTS signature`);
  const scalar = (part: string) => reader.scalar(scalarField.ORDER, part);
  const aggregateKey = point('aggregate key');
  const weight = scalar('weight');
  const signature = readG2(reader.next(g2Length), 'BLS signature of the hinTS signature');
  const [signers, keyRemainder, keyRemainderShifted, keyQuotient] = [
    point('commitment B'),
    point('commitment Qx'),
    point('commitment of degree Qx'),
    point('commitment Qz'),
  ];
  const sum = point('commitment of the sum');
  const [first, third, second, fourth] = [point('Q1'), point('Q3'), point('Q2'), point('Q4')];
  const [opening, openingBefore] = [point('opening'), point('second opening')];
  const [sumValue, sumBefore, weightValue, signer] = [
    scalar('sum'),
    scalar('sum before'),
    scalar('weight value'),
    scalar('signer value'),
  ];
  const [value1, value3, value2, value4] = [scalar('q1'), scalar('q3'), scalar('q2'), scalar('q4')];
  return {
    aggregateKey,
    weight,
    signature,
    signers,
    keyRemainder,
    keyRemainderShifted,
    keyQuotient,
    sum,
    quotients: [first, second, third, fourth],
    opening,
    openingBefore,
    values: {
      sum: sumValue,
      sumBefore,
      weight: weightValue,
      signer,
      quotients: [value1, value2, value3, value4],
    },
  };
}
