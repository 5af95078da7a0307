// The argument of a hinTS signature with four quotients, of which the third and the second stand in this order.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { hashToField } from './hash-to-field.ts';
import { type Argued, type Argument, type G1Point, type G2Point, inG1 } from './hints-argument.ts';
import { identitiesAt } from './hints-polynomials.ts';

const F = bls12_381.fields.Fr;
const fiatShamir = Buffer.from('HINTS_SIG_BLS12381:FIAT_SHAMIR');

export function argueSeparate({ domain, columns, tau, signed, key, commitments }: Argued): Argument {
  const here = evaluate(tau);
  const [q1, q3, q2, q4] = [inG1(here.q1), inG1(here.q3), inG1(here.q2), inG1(here.q4)];
  const { key: aggregate, b, ps, qx, qz, degree } = commitments;
  const said = [key.secrets, key.h1, aggregate, signed, key.weights, b, ps, qx, qz, degree, q1, q2, q3, q4];
  const x = challenge(said);
  const there = evaluate(x);
  const opening = F.div(F.sub(fold(x, here), fold(x, there)), F.sub(tau, x));
  const openingBefore = F.div(F.sub(here.ps, there.psBefore), F.sub(tau, domain.before(x)));
  return {
    points: [q1, q3, q2, q4, inG1(opening), inG1(openingBefore)],
    scalars: [there.ps, there.psBefore, there.w, there.b, there.q1, there.q3, there.q2, there.q4],
  };

  /** Sums of weights, weights, bits, and the four quotients at a point. */
  function evaluate(y: bigint) {
    const { ps, psBefore, w, b, grows, isBit, ends, isMarked } = identitiesAt(domain, columns, y);
    const over = (value: bigint) => F.div(value, domain.vanishing(y));
    return { ps, psBefore, w, b, q1: over(grows), q3: over(ends), q2: over(isBit), q4: over(isMarked) };
  }
}

/** Of points compressed; their order is not that of the signature. */
function challenge(said: readonly (G1Point | G2Point | Uint8Array)[]): bigint {
  const bytes = said.map((part) => (part instanceof Uint8Array ? part : part.toBytes(true)));
  return hashToField(Buffer.concat(bytes), fiatShamir, F.ORDER);
}

type Evaluation = Record<'ps' | 'w' | 'b' | 'q1' | 'q2' | 'q3' | 'q4', bigint>;

function fold(x: bigint, { ps, w, b, q1, q3, q2, q4 }: Evaluation): bigint {
  let [total, power] = [0n, 1n];
  for (const value of [ps, w, b, q1, q3, q2, q4]) {
    total = F.add(total, F.mul(power, value));
    power = F.mul(power, x);
  }
  return total;
}
