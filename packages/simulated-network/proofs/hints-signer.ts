// hinTS signatures of a network that chose its own setup (docs/reference/block-proofs.md). It knows the secret τ behind
// the setup, so each polynomial is a value at τ, each commitment one multiplication, and it could forge any signature:
// for simulations and tests alone. Of a signature only σ depends on the message; the rest is made once for each set of
// signers.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { numberToBytesLE } from '@noble/curves/utils.js';
import { type G2Point, inG1, scalarBytes } from './hints-argument.ts';
import { createDomain, sumOf, toColumns } from './hints-polynomials.ts';
import { argueMerged } from './merged-hints.ts';
import { argueSeparate } from './separate-hints.ts';

const { G1, G2, fields } = bls12_381;
const F = fields.Fr;

export type HintsSigner = {
  /** 1096 bytes. */
  key: Buffer;
  /** 1632 bytes, or 1248 with a merged quotient: of these nodes, by their place in the address book. */
  sign(message: Uint8Array, signers: readonly number[]): Buffer;
};

/** Whether the four quotients of the argument stand by themselves, or are merged into one. */
type HintsForm = 'separate' | 'merged';

type Setup = {
  weights: readonly bigint[];
  /** Of the domain: a power of two above the number of nodes. */
  size: number;
  tau: bigint;
  /** A secret key for each node. */
  secrets: readonly bigint[];
  form?: HintsForm;
};

const messageDomain = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

const inG2 = (scalar: bigint): G2Point => G2.Point.BASE.multiply(scalar);

export function createHintsSigner({ weights, size, tau, secrets, form = 'separate' }: Setup): HintsSigner {
  const domain = createDomain(size);
  const { at, lagrange, vanishing } = domain;
  const secretAtTau = at(secrets, tau);
  const points = {
    h1: inG2(tau),
    last: inG1(lagrange(size - 1, tau)),
    weights: inG1(at(weights, tau)),
    secrets: inG2(secretAtTau),
    vanishing: inG2(vanishing(tau)),
  };
  const inOrder = [
    G1.Point.BASE,
    G2.Point.BASE,
    points.h1,
    points.last,
    points.weights,
    points.secrets,
    points.vanishing,
  ];
  const key = Buffer.concat([
    numberToBytesLE(BigInt(size), 8),
    scalarBytes(sumOf(weights)),
    ...inOrder.map((point) => point.toBytes(false)),
  ]);
  const argue = form === 'merged' ? argueMerged : argueSeparate;

  /** All but σ; `ask`: the secret of the aggregate key. */
  function prepare(signers: readonly number[]) {
    const share = F.inv(BigInt(size));
    const columns = toColumns(weights, size, signers);
    const ask = F.mul(share, sumOf(signers.map((node) => secrets[node]!)));
    const ofNodes = signers.map((node) => F.mul(secrets[node]!, F.sub(lagrange(node, tau), share)));
    const remainder = F.div(sumOf(ofNodes), tau);
    const [b, ps] = [at(columns.bits, tau), at(columns.sums, tau)];
    const keyQuotient = F.div(F.sub(F.mul(b, secretAtTau), F.add(ask, F.mul(tau, remainder))), vanishing(tau));
    const commitments = {
      key: inG1(ask),
      b: inG1(b),
      qx: inG1(remainder),
      degree: inG1(F.mul(tau, remainder)),
      qz: inG1(keyQuotient),
      ps: inG1(ps),
    };
    const signed = scalarBytes(signers.reduce((total, node) => total + weights[node]!, 0n));
    const ofKey = { bytes: key, points: inOrder, ...points };
    const argument = argue({ domain, columns, tau, weights, signed, key: ofKey, commitments });
    const { key: aggregate, b: bits, qx, degree, qz, ps: sums } = commitments;
    return {
      ask,
      beforeSigma: Buffer.concat([aggregate.toBytes(false), signed]),
      afterSigma: Buffer.concat([
        ...[bits, qx, degree, qz, sums, ...argument.points].map((point) => point.toBytes(false)),
        ...argument.scalars.map(scalarBytes),
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
