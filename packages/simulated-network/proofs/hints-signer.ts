// hinTS signatures of a network that chose its own setup (docs/reference/block-proofs.md). It knows the secret τ behind the
// setup, so each polynomial is a value at τ, each commitment one multiplication, and it could forge any signature: for
// simulations and tests alone. Of a signature only σ depends on the message; the rest is made once for each set of signers.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { numberToBytesLE } from '@noble/curves/utils.js';
import { hashToField } from './hash-to-field.ts';

const { G1, G2, fields } = bls12_381;
const F = fields.Fr;
type G1Point = InstanceType<typeof G1.Point>;
type G2Point = InstanceType<typeof G2.Point>;

export type HintsSigner = {
  /** 1096 bytes. */
  key: Buffer;
  /** 1632 bytes: of these nodes, by their place in the address book. */
  sign(message: Uint8Array, signers: readonly number[]): Buffer;
};

type Setup = {
  weights: readonly bigint[];
  /** Of the domain: a power of two above the number of nodes. */
  size: number;
  tau: bigint;
  /** A secret key for each node. */
  secrets: readonly bigint[];
};

const fiatShamir = Buffer.from('HINTS_SIG_BLS12381:FIAT_SHAMIR');
const messageDomain = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

const inG1 = (scalar: bigint): G1Point => (F.is0(scalar) ? G1.Point.ZERO : G1.Point.BASE.multiply(scalar));
const inG2 = (scalar: bigint): G2Point => G2.Point.BASE.multiply(scalar);
const scalarBytes = (value: bigint) => numberToBytesLE(value, 32);
const sum = (values: readonly bigint[]) => values.reduce((total, value) => F.add(total, value), F.ZERO);

export function createHintsSigner({ weights, size, tau, secrets }: Setup): HintsSigner {
  const { at, lagrange, vanishing, before } = createDomain(size);
  const secretAtTau = at(secrets, tau);
  const points = {
    h1: inG2(tau),
    last: inG1(lagrange(size - 1, tau)),
    weights: inG1(at(weights, tau)),
    secrets: inG2(secretAtTau),
    vanishing: inG2(vanishing(tau)),
  };
  const key = Buffer.concat([
    numberToBytesLE(BigInt(size), 8),
    scalarBytes(sum(weights)),
    G1.Point.BASE.toBytes(false),
    ...[G2.Point.BASE, points.h1].map((point) => point.toBytes(false)),
    ...[points.last, points.weights].map((point) => point.toBytes(false)),
    ...[points.secrets, points.vanishing].map((point) => point.toBytes(false)),
  ]);

  /** The polynomials of a set of signers at a point: sums of weights, weights, bits, and the four quotients. */
  function evaluate(columns: Columns, y: bigint) {
    const [ps, psBefore] = [at(columns.sums, y), at(columns.sums, before(y))];
    const [w, b] = [at(columns.weights, y), at(columns.bits, y)];
    const [z, last] = [vanishing(y), lagrange(size - 1, y)];
    const over = (value: bigint) => F.div(value, z);
    const quotients = {
      q1: over(F.sub(F.sub(ps, psBefore), F.mul(w, b))),
      q3: over(F.mul(last, ps)),
      q2: over(F.mul(b, F.sub(b, F.ONE))),
      q4: over(F.mul(last, F.sub(b, F.ONE))),
    };
    return { ps, psBefore, w, b, ...quotients };
  }

  /** All but σ; `ask`: the secret of the aggregate key. */
  function prepare(signers: readonly number[]) {
    const share = F.inv(BigInt(size));
    const columns = toColumns(weights, size, signers);
    const ask = F.mul(share, sum(signers.map((node) => secrets[node]!)));
    const ofNodes = signers.map((node) => F.mul(secrets[node]!, F.sub(lagrange(node, tau), share)));
    const remainder = F.div(sum(ofNodes), tau);
    const here = evaluate(columns, tau);
    const keyQuotient = F.div(F.sub(F.mul(here.b, secretAtTau), F.add(ask, F.mul(tau, remainder))), vanishing(tau));
    const commitments = {
      key: inG1(ask),
      b: inG1(here.b),
      qx: inG1(remainder),
      degree: inG1(F.mul(tau, remainder)),
      qz: inG1(keyQuotient),
      ps: inG1(here.ps),
      q1: inG1(here.q1),
      q3: inG1(here.q3),
      q2: inG1(here.q2),
      q4: inG1(here.q4),
    };
    const weight = scalarBytes(signers.reduce((total, node) => total + weights[node]!, 0n));
    const { b, ps, qx, qz, degree, q1, q2, q3, q4 } = commitments;
    const said = [points.secrets, points.h1, commitments.key, weight, points.weights, b, ps, qx, qz, degree];
    const x = challenge([...said, q1, q2, q3, q4]);
    const there = evaluate(columns, x);
    const folded = (values: Evaluation) => fold(x, values);
    const opening = F.div(F.sub(folded(here), folded(there)), F.sub(tau, x));
    const openingBefore = F.div(F.sub(here.ps, there.psBefore), F.sub(tau, before(x)));
    const { key: aggregate, ...rest } = commitments;
    return {
      ask,
      beforeSigma: Buffer.concat([aggregate.toBytes(false), weight]),
      afterSigma: Buffer.concat([
        ...[...Object.values(rest), inG1(opening), inG1(openingBefore)].map((point) => point.toBytes(false)),
        ...[there.ps, there.psBefore, there.w, there.b, there.q1, there.q3, there.q2, there.q4].map(scalarBytes),
      ]),
    };
  }

  const prepared = new Map<string, ReturnType<typeof prepare>>();

  return {
    key,
    sign(message, signers) {
      const name = signers.join();
      const { ask, beforeSigma, afterSigma } = prepared.get(name) ?? prepare(signers);
      if (!prepared.has(name)) prepared.set(name, { ask, beforeSigma, afterSigma });
      const sigma = G2.hashToCurve(message, { DST: messageDomain }).multiplyUnsafe(ask);
      return Buffer.concat([beforeSigma, sigma.toBytes(false), afterSigma]);
    },
  };
}

/** Polynomials of the domain are given by their values at the roots of unity. */
function createDomain(size: number) {
  const n = BigInt(size);
  const omega = F.pow(7n, (F.ORDER - 1n) / n);
  const roots = Array.from({ length: size }, (_, place) => F.pow(omega, BigInt(place)));
  const vanishing = (y: bigint) => F.sub(F.pow(y, n), F.ONE);
  const lagrange = (place: number, y: bigint) =>
    F.div(F.mul(roots[place]!, vanishing(y)), F.mul(n, F.sub(y, roots[place]!)));
  return {
    vanishing,
    lagrange,
    before: (y: bigint) => F.div(y, omega),
    at: (values: readonly bigint[], y: bigint) =>
      sum(values.map((value, place) => (value === 0n ? 0n : F.mul(value, lagrange(place, y))))),
  };
}

type Columns = { bits: bigint[]; weights: bigint[]; sums: bigint[] };
type Evaluation = Record<'ps' | 'w' | 'b' | 'q1' | 'q2' | 'q3' | 'q4', bigint>;

/** The last place is no node's: its bit is set, and its weight takes what the signers have back to 0. */
function toColumns(weights: readonly bigint[], size: number, signers: readonly number[]): Columns {
  const bits = new Array<bigint>(size).fill(0n);
  for (const place of [...signers, size - 1]) bits[place] = 1n;
  const signed = Array.from({ length: size }, (_, place) => weights[place] ?? 0n);
  signed[size - 1] = F.neg(signers.reduce((total, node) => total + weights[node]!, 0n));
  const sums: bigint[] = [];
  for (const [place, bit] of bits.entries()) {
    sums.push(F.add(sums[place - 1] ?? 0n, F.mul(bit, signed[place]!)));
  }
  return { bits, weights: signed, sums };
}

/** Of points compressed; their order is not that of the signature. */
function challenge(said: readonly (G1Point | G2Point | Uint8Array)[]): bigint {
  const bytes = said.map((part) => (part instanceof Uint8Array ? part : part.toBytes(true)));
  return hashToField(Buffer.concat(bytes), fiatShamir, F.ORDER);
}

function fold(x: bigint, { ps, w, b, q1, q3, q2, q4 }: Evaluation): bigint {
  let [total, power] = [0n, 1n];
  for (const value of [ps, w, b, q1, q3, q2, q4]) {
    total = F.add(total, F.mul(power, value));
    power = F.mul(power, x);
  }
  return total;
}
