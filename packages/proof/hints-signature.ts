// A hinTS signature: an aggregate BLS signature, and the argument that the aggregate key is the sum of the keys of
// signers who have that weight together. Its length tells how the argument is made: 1632 bytes with four quotients, of
// which the third and the second stand in this order, twice; 1248 bytes with one quotient that they are merged into.
import { type G1Point, type G2Point, g1Length, g2Length, readG1, readG2, scalarField } from './bls12-points.ts';
import { createPartReader } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

export const hintsSignatureLength = 1632;
export const mergedSignatureLength = 1248;

/** What both have. */
type Base = {
  aggregateKey: G1Point;
  weight: bigint;
  signature: G2Point;
  /** Commitments: who signed, and the quotients of the argument on the key. */
  signers: G1Point;
  keyRemainder: G1Point;
  keyRemainderShifted: G1Point;
  keyQuotient: G1Point;
  /** Running sum of the weights. */
  sum: G1Point;
  /** Proofs of the openings at the challenge and one place before it. */
  opening: G1Point;
  openingBefore: G1Point;
};

/** Claimed values at the challenge; `sumBefore` one place before it. */
type BaseValues = { sum: bigint; sumBefore: bigint; weight: bigint; signer: bigint };
type Four<Value> = readonly [Value, Value, Value, Value];

export type SeparateSignature = Base & {
  form: 'separate';
  /** Of the four identities. */
  quotients: Four<G1Point>;
  values: BaseValues & { quotients: Four<bigint> };
};

export type MergedSignature = Base & {
  form: 'merged';
  quotient: G1Point;
  values: BaseValues & { quotient: bigint };
};

export type HintsSignature = SeparateSignature | MergedSignature;

/** Throws ProofRefusal. */
export function readHintsSignature(bytes: Uint8Array): HintsSignature {
  if (bytes.length === hintsSignatureLength) return readSeparate(bytes);
  if (bytes.length === mergedSignatureLength) return readMerged(bytes);
  const lengths = `${hintsSignatureLength} or ${mergedSignatureLength} bytes`;
  return refuse('encoding', `hinTS signature of ${lengths}`, `${bytes.length} bytes`);
}

function createReader(bytes: Uint8Array) {
  const reader = createPartReader(bytes, bytes.length, 'hinTS signature');
  const point = (part: string) => readG1(reader.next(g1Length), `${part} of the hinTS signature`);
  const scalar = (part: string) => reader.scalar(scalarField.ORDER, part);
  return {
    point,
    scalar,
    /** As far as both forms are the same; properties are read in the order of the bytes. */
    start: () => ({
      aggregateKey: point('aggregate key'),
      weight: scalar('weight'),
      signature: readG2(reader.next(g2Length), 'BLS signature of the hinTS signature'),
      signers: point('commitment B'),
      keyRemainder: point('commitment Qx'),
      keyRemainderShifted: point('commitment of degree Qx'),
      keyQuotient: point('commitment Qz'),
      sum: point('commitment of the sum'),
    }),
    openings: () => ({ opening: point('opening'), openingBefore: point('second opening') }),
    values: () => ({
      sum: scalar('sum'),
      sumBefore: scalar('sum before'),
      weight: scalar('weight value'),
      signer: scalar('signer value'),
    }),
  };
}

function readSeparate(bytes: Uint8Array): SeparateSignature {
  const { start, point, openings, values, scalar } = createReader(bytes);
  const base = start();
  const [first, third, second, fourth] = [point('Q1'), point('Q3'), point('Q2'), point('Q4')];
  const [opened, claimed] = [openings(), values()];
  const [value1, value3, value2, value4] = [scalar('q1'), scalar('q3'), scalar('q2'), scalar('q4')];
  return {
    form: 'separate',
    ...base,
    quotients: [first, second, third, fourth],
    ...opened,
    values: { ...claimed, quotients: [value1, value2, value3, value4] },
  };
}

function readMerged(bytes: Uint8Array): MergedSignature {
  const { start, point, openings, values, scalar } = createReader(bytes);
  const base = start();
  const quotient = point('merged quotient');
  const opened = openings();
  return { form: 'merged', ...base, quotient, ...opened, values: { ...values(), quotient: scalar('merged quotient') } };
}
