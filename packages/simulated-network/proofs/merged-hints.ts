// The argument of a hinTS signature with one merged quotient. One transcript grows: the whole key compressed, the
// commitments, then what was computed with the challenges that were drawn of it.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { hashToField } from './hash-to-field.ts';
import { type Argued, type Argument, inG1, scalarBytes } from './hints-argument.ts';
import { identitiesAt } from './hints-polynomials.ts';

const F = bls12_381.fields.Fr;

export function argueMerged({ domain, columns, tau, weights, signed, key, commitments }: Argued): Argument {
  const { key: aggregate, b, ps, qx, qz, degree } = commitments;
  const transcript: Uint8Array[] = [
    // Size and total weight.
    key.bytes.subarray(0, 40),
    ...key.points.map((point) => point.toBytes(true)),
    aggregate.toBytes(true),
    signed,
    ...[b, ps, qx, qz, degree].map((point) => point.toBytes(true)),
  ];
  const draw = (name: string) =>
    hashToField(Buffer.concat(transcript), Buffer.from(`HINTS_SIG_BLS12381:FIAT_SHAMIR_V2_${name}`), F.ORDER);

  const merge = draw('QUOTIENT_MERGE');
  const quotientAt = (y: bigint) => {
    const { grows, isBit, ends, isMarked } = identitiesAt(domain, columns, y);
    return F.div(inPowers(merge, [grows, isBit, ends, isMarked]), domain.vanishing(y));
  };
  const quotient = inG1(quotientAt(tau));
  transcript.push(quotient.toBytes(true));

  const r = draw('EVALUATION_POINT');
  const there = identitiesAt(domain, columns, r);
  // Of the key: the last place has no weight in it.
  const [w, qm] = [domain.at(weights, r), quotientAt(r)];
  transcript.push(...[there.ps, there.psBefore, w, there.b, qm].map(scalarBytes));

  const batch = draw('OPENING_BATCH');
  const here = identitiesAt(domain, columns, tau);
  const atTau = inPowers(batch, [quotientAt(tau), here.ps, here.b, domain.at(weights, tau)]);
  const atPlace = inPowers(batch, [qm, there.ps, there.b, w]);
  const opening = F.div(F.sub(atTau, atPlace), F.sub(tau, r));
  const openingBefore = F.div(F.sub(here.ps, there.psBefore), F.sub(tau, domain.before(r)));
  return {
    points: [quotient, inG1(opening), inG1(openingBefore)],
    scalars: [there.ps, there.psBefore, w, there.b, qm],
  };
}

function inPowers(challenge: bigint, values: readonly bigint[]): bigint {
  return values.reduceRight((total, value) => F.add(F.mul(total, challenge), value), F.ZERO);
}
