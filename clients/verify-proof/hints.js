// hinTS: more than half of the weight of a key has signed a root. In two forms: with four quotients (1632 bytes), or with one that they
// are merged into (1248 bytes). Each equation is tested by itself.
import { hash_to_field } from '@noble/curves/abstract/hash-to-curve.js';
import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { concatBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { check } from './bytes.js';
import { isOne, le, onBls, opens, parse } from './points.js';

const F = bls.fields.Fr;
const mergedLength = 1248;

/** Returns the weight of those who have signed, and of all. */
export function verifyHints(root, key, signature) {
  const isMerged = signature.length === mergedLength;
  const [n, total, ...points] = parse(key, 'wsgGGggGG', onBls, 'the hinTS key');
  const [g0, h0, h1, , , SK, Z] = points;
  const layout = isMerged ? `gsG${'g'.repeat(8)}${'s'.repeat(5)}` : `gsG${'g'.repeat(11)}${'s'.repeat(8)}`;
  const [aPK, weight, sigma, B, Qx, Qxt, Qz, PS, ...rest] = parse(signature, layout, onBls, 'the hinTS signature');
  check(n >= 2n && n <= 1n << 32n && (n & (n - 1n)) === 0n, `the hinTS key is of a domain of ${n}`);
  const isMajority = total < 1n << (isMerged ? 64n : 63n) && weight <= total && 2n * weight > total;
  check(isMajority, `signed by ${weight} of ${total}: no majority`);
  check(!aPK.is0() && !sigma.is0(), 'the hinTS signature is empty');
  const message = bls.G2.hashToCurve(root, { DST: 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_' });
  check(isOne(bls, aPK, message, g0.negate(), sigma), 'the hinTS signature is not of this block root');

  const domain = { n, omega: F.pow(7n, (F.ORDER - 1n) / n) };
  const signed = { aPK, weight, B, Qx, Qxt, Qz, PS };
  const { x, commitments, values, O, O2, psBefore, batch } = isMerged
    ? mergedArgument({ ...domain, total, points }, signed, rest)
    : separateArgument({ ...domain, points }, signed, rest);
  const C = commitments.reduceRight((sum, commitment) => sum.multiplyUnsafe(batch).add(commitment));
  const v = values.reduceRight((sum, value) => F.add(F.mul(sum, batch), value));
  check(opens(bls, [g0, h0, h1], C, v, x, O), 'the first opening of the hinTS signature is wrong');
  const isBefore = opens(bls, [g0, h0, h1], PS, psBefore, F.div(x, domain.omega), O2);
  check(isBefore, 'the second opening of the hinTS signature is wrong');
  const isSum = isOne(bls, B, SK, Qz.negate(), Z, Qx.negate(), h1, aPK.negate(), h0);
  check(isSum, 'the aggregate key is not that of the signers');
  check(isOne(bls, Qx, h1, Qxt.negate(), h0), 'the degree of the hinTS signature is too high');
  return { weight, totalWeight: total };
}

function separateArgument({ points, ...domain }, { aPK, weight, B, Qx, Qxt, Qz, PS }, rest) {
  const [, , h1, last, W, SK] = points;
  const [Q1, Q3, Q2, Q4, O, O2, ps, psBefore, w, b, q1, q3, q2, q4] = rest;
  const said = [SK, h1, aPK, le(weight), W, B, PS, Qx, Qz, Qxt, Q1, Q2, Q3, Q4];
  const x = challenge(encode(said), 'HINTS_SIG_BLS12381:FIAT_SHAMIR');
  const { z, l } = lagrange(domain, x);
  const holds =
    F.sub(F.sub(ps, psBefore), F.mul(w, b)) === F.mul(q1, z) &&
    F.mul(l, ps) === F.mul(q3, z) &&
    F.sub(F.sqr(b), b) === F.mul(q2, z) &&
    F.mul(l, F.sub(b, 1n)) === F.mul(q4, z);
  check(holds, 'the values of the hinTS signature do not fit each other');
  const commitments = [PS, W.subtract(last.multiplyUnsafe(weight)), B, Q1, Q3, Q2, Q4];
  return { x, commitments, values: [ps, w, b, q1, q3, q2, q4], O, O2, psBefore, batch: x };
}

/** Its challenges are drawn one after the other of all that was said before: first of the whole key. */
function mergedArgument({ points, total, ...domain }, { aPK, weight, B, Qx, Qxt, Qz, PS }, rest) {
  const [Qm, O, O2, ps, psBefore, w, b, qm] = rest;
  const draw = (said, name) => challenge(said, `HINTS_SIG_BLS12381:FIAT_SHAMIR_V2_${name}`);
  const first = encode([numberToBytesLE(domain.n, 8), le(total), ...points, aPK, le(weight), B, PS, Qx, Qz, Qxt]);
  const chi = draw(first, 'QUOTIENT_MERGE');
  const second = concatBytes(first, encode([Qm]));
  const x = draw(second, 'EVALUATION_POINT');
  const batch = draw(concatBytes(second, encode([ps, psBefore, w, b, qm].map(le))), 'OPENING_BATCH');
  const { z, l } = lagrange(domain, x);
  const grows = F.sub(F.sub(ps, psBefore), F.mul(F.sub(w, F.mul(weight, l)), b));
  const terms = [grows, F.sub(F.sqr(b), b), F.mul(l, ps), F.mul(l, F.sub(b, 1n))];
  const sum = terms.reduce((whole, term, at) => F.add(whole, F.mul(term, F.pow(chi, BigInt(at)))), 0n);
  check(sum === F.mul(qm, z), 'the values of the hinTS signature do not fit each other');
  return { x, commitments: [Qm, PS, B, points[4]], values: [qm, ps, b, w], O, O2, psBefore, batch };
}

const encode = (parts) => concatBytes(...parts.map((part) => (part instanceof Uint8Array ? part : part.toBytes(true))));

/** The padding has 48 zeros, where the standard has a block of the hash. */
function challenge(message, DST) {
  const digest = Object.assign((bytes) => sha256(bytes), { outputLen: 32, blockLen: 48 });
  const [[x]] = hash_to_field(message, 1, { DST, p: F.ORDER, m: 1, k: 128, expand: 'xmd', hash: digest });
  return x;
}

/** xⁿ − 1, and what is 1 in the last place of the domain and 0 in the others. */
function lagrange({ n, omega }, x) {
  const z = F.sub(F.pow(x, n), 1n);
  check(z !== 0n, 'the challenge is in the domain');
  return { z, l: F.div(F.mul(F.inv(omega), z), F.mul(n, F.sub(x, F.inv(omega)))) };
}
