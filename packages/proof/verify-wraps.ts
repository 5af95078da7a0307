// The attestation of a network that has settled: a recursive proof that there is a chain of address books from the one
// whose hash is the ledger id, each signed by more than half of the weight of the book before, whose last names the
// hinTS key. Its size does not depend on the number of books: 704 bytes.
import { formatLedgerId } from '../kit/format-ledger-id.ts';
import {
  type Bn254G1,
  bn254G1Length,
  bn254G2Length,
  isBn254ProductOne,
  multiplyBn254,
  prepareBn254G2,
  proofField,
  readBn254G1,
  readBn254G2,
} from './bn254-points.ts';
import { createPartReader, isSameBytes, toHex, writeScalar } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';
import type { WrapsKey } from './wraps-key.ts';

export const wrapsLength = 704;

export type WrapsClaim = {
  /** Of the chain of address books: 2 at its beginning, one more for each rotation of keys or weights. */
  steps: bigint;
  /** Hash of the last address book, 32 bytes. */
  bookHash: Uint8Array;
};

/** Throws ProofRefusal. */
export function verifyWraps(
  key: WrapsKey,
  { ledgerId, keyHash }: { ledgerId: Uint8Array; keyHash: Uint8Array },
  bytes: Uint8Array,
): WrapsClaim {
  const proof = readWrapsProof(bytes);
  const firstBook = writeScalar(proof.first[0]);
  const namedKey = writeScalar(proof.last[1]);
  if (!isSameBytes(firstBook, ledgerId)) {
    refuse(
      'ledgerId',
      `a WRAPS proof of ledger ${formatLedgerId(ledgerId)}`,
      `one of ledger ${formatLedgerId(firstBook)}`,
    );
  }
  if (!isSameBytes(namedKey, keyHash)) {
    refuse('attestation', `a WRAPS proof of hinTS key ${toHex(keyHash)}`, `one of ${toHex(namedKey)}`);
  }
  if (proof.steps < minSteps) refuse('attestation', `at least ${minSteps} steps of the WRAPS proof`, `${proof.steps}`);
  if (!proof.freshError.is0()) refuse('attestation', 'no error in the fresh instance of the WRAPS proof', 'one');
  if (!isGrothProof(key, proof, makeInputs(key, proof))) {
    refuse('attestation', 'a valid Groth16 proof in the WRAPS proof', 'one of other inputs');
  }
  for (const [place, commitment] of proof.folded.entries()) {
    if (isOpening(key, commitment, proof.challenges[place]!, proof.openings[place]!)) continue;
    refuse('attestation', `a valid opening ${place} of the WRAPS proof`, 'one of another commitment');
  }
  return { steps: proof.steps, bookHash: writeScalar(proof.last[0]) };
}

const minSteps = 2n;

type WrapsProof = ReturnType<typeof readWrapsProof>;

/** Its points and numbers; `folded`: commitments of the two instances together. */
export function readWrapsProof(bytes: Uint8Array) {
  const reader = createPartReader(bytes, wrapsLength, 'WRAPS proof');
  const scalar = (part: string) => reader.scalar(proofField.ORDER, part);
  const point = (part: string) => readBn254G1(reader.next(bn254G1Length), `${part} of the WRAPS proof`);
  const opening = (part: string) => ({ value: scalar(`value of the ${part}`), proof: point(part) });
  const pair = <Value>(read: (part: string) => Value, part: string): readonly [Value, Value] => {
    reader.count(2n, part);
    return [read(part), read(part)];
  };
  const steps = scalar('number of steps');
  const [first, last] = [pair(scalar, 'first state'), pair(scalar, 'last state')];
  const running = pair(point, 'running instance');
  const [fresh, freshError] = pair(point, 'fresh instance');
  const groth = {
    a: point('Groth16 A'),
    b: readBn254G2(reader.next(bn254G2Length), 'Groth16 B of the WRAPS proof'),
    c: point('Groth16 C'),
  };
  const openings = [opening('first opening'), opening('second opening')] as const;
  const cross = point('cross term');
  const factor = scalar('folding factor');
  const challenges = [scalar('first challenge'), scalar('second challenge')] as const;
  const folded = [running[0].add(multiplyBn254(fresh, factor)), running[1].add(multiplyBn254(cross, factor))] as const;
  return { steps, first, last, freshError, groth, openings, cross, challenges, folded };
}

/** What the Groth16 proof is of. */
export function makeInputs(key: WrapsKey, proof: WrapsProof): bigint[] {
  return [
    key.parametersHash,
    proof.steps,
    ...proof.first,
    ...proof.last,
    ...proof.folded.flatMap(toLimbs),
    ...proof.challenges,
    ...proof.openings.map(({ value }) => value),
    ...toLimbs(proof.cross),
  ];
}

const limbBits = 55n;
const limbsOfCoordinate = 5;

/** x, then y; the lowest limb first. */
function toLimbs(point: Bn254G1): bigint[] {
  const { x, y } = point.is0() ? { x: 0n, y: 0n } : point.toAffine();
  return [x, y].flatMap((coordinate) =>
    Array.from({ length: limbsOfCoordinate }, (_, limb) =>
      BigInt.asUintN(Number(limbBits), coordinate >> (BigInt(limb) * limbBits)),
    ),
  );
}

/** e(A, B) = e(α, β) · e(inputs, γ) · e(C, δ) */
function isGrothProof({ alpha, lines, constantInput, sumInputs }: WrapsKey, { groth }: WrapsProof, inputs: bigint[]) {
  return isBn254ProductOne([
    [groth.a.negate(), prepareBn254G2(groth.b)],
    [alpha, lines.beta],
    [constantInput.add(sumInputs(inputs)), lines.gamma],
    [groth.c, lines.delta],
  ]);
}

/** e(F − value·g + challenge·proof, h) = e(proof, β·h) */
function isOpening(
  { kzgGenerator, lines }: WrapsKey,
  commitment: Bn254G1,
  challenge: bigint,
  { value, proof }: WrapsProof['openings'][number],
): boolean {
  const left = commitment.subtract(multiplyBn254(kzgGenerator, value)).add(multiplyBn254(proof, challenge));
  return isBn254ProductOne([
    [left, lines.kzg],
    [proof.negate(), lines.kzgBeta],
  ]);
}
