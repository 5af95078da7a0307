// The network's threshold signature of a block root: a hinTS signature (BLS12-381), and who vouches for its key: the nodes of the
// first address book (Schnorr), or a chain of address books that begins with it (WRAPS, BN254).
import { edwards } from '@noble/curves/abstract/edwards.js';
import { grainGenConstants, poseidonSponge } from '@noble/curves/abstract/poseidon.js';
import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { bytesToNumberBE, bytesToNumberLE, concatBytes, hexToBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { blake2s } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { check, reader, same } from './bytes.js';

const [F, Q] = [bls.fields.Fr, bn254.fields.Fr];
const utf8 = (text) => new TextEncoder().encode(text);
const le = (value) => numberToBytesLE(value, 32);
const times = (point, scalar) => (scalar === 0n ? point.subtract(point) : point.multiplyUnsafe(scalar));
const pieces = (bytes) =>
  Array.from({ length: Math.ceil(bytes.length / 32) }, (_, at) => bytes.subarray(at * 32, at * 32 + 32));

/** Whether e(points 0, 1) · e(points 2, 3) · … is 1. A pairing with zero is. */
function isOne({ fields, pairingBatch }, ...points) {
  const pairs = points.flatMap((g1, at) => (at % 2 ? [] : [{ g1, g2: points[at + 1] }]));
  const live = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return live.length === 0 || fields.Fp12.eql(pairingBatch(live), fields.Fp12.ONE);
}

/** The library throws for points that are none. */
function attempt(make, name) {
  try {
    return make();
  } catch (error) {
    return check(false, `${name} has a point that is none: ${error.message}`);
  }
}

/** expand_message_xmd with a padding of 48 zeros. */
function hashToScalar(message, domain, order) {
  const end = [domain, Uint8Array.of(domain.length)];
  const first = sha256(concatBytes(new Uint8Array(48), message, Uint8Array.of(0, 48, 0), ...end));
  const one = sha256(concatBytes(first, Uint8Array.of(1), ...end));
  const mixed = first.map((byte, at) => byte ^ one[at]);
  const two = sha256(concatBytes(mixed, Uint8Array.of(2), ...end));
  return bytesToNumberBE(concatBytes(one, two.subarray(0, 16))) % order;
}

let sponges;
function poseidon(elements) {
  const shape = { Fp: Q, t: 5, roundsFull: 8, roundsPartial: 60, sboxPower: 5 };
  sponges ??= poseidonSponge({ ...shape, ...grainGenConstants(shape), rate: 4, capacity: 1 });
  const sponge = sponges();
  sponge.absorb(elements.map((element) => Q.create(element)));
  return le(sponge.squeeze(1)[0]);
}

/** Checks that the signature is of the root, by the network of the ledger id. `trusted`: its first book, or the WRAPS key. */
export function verifyThreshold(root, signature, ledgerId, { book, wrapsKey }) {
  const [key, rest] = [signature.subarray(0, 1096), signature.subarray(2728)];
  const keyHash = poseidon(pieces(key).map(bytesToNumberLE));
  const weights = verifyHints(root, key, signature.subarray(1096, 2728));
  if (wrapsKey) {
    return { ...weights, isSettled: true, rotations: verifyWraps(wrapsKey, ledgerId, keyHash, rest) };
  }
  verifySchnorr(book, ledgerId, keyHash, rest, bytesToNumberLE(key.subarray(0, 8)));
  return { ...weights, isSettled: false, rotations: null };
}

function verifyHints(root, keyBytes, signatureBytes) {
  const point = (from, Point, length) => {
    const encoded = from.take(length);
    const value = attempt(() => Point.fromBytes(encoded), 'the hinTS signature');
    check(same(value.toBytes(false), encoded), 'the hinTS signature has a point in another form');
    return value;
  };
  const key = reader(keyBytes, 'the hinTS key');
  const [n, total] = [key.word(), key.scalar(F.ORDER)];
  const g1 = (from) => point(from, bls.G1.Point, 96);
  const g2 = (from) => point(from, bls.G2.Point, 192);
  const [g0, h0, h1, last, W, SK, Z] = [g1, g2, g2, g1, g1, g2, g2].map((read) => read(key));
  const from = reader(signatureBytes, 'the hinTS signature');
  const [aPK, weight, sigma] = [g1(from), from.scalar(F.ORDER), g2(from)];
  const [B, Qx, Qxt, Qz, PS, Q1, Q3, Q2, Q4, O, O2] = Array.from({ length: 11 }, () => g1(from));
  const [ps, psBefore, w, b, q1, q3, q2, q4] = Array.from({ length: 8 }, () => from.scalar(F.ORDER));

  check(n >= 2n && n <= 1n << 20n && (n & (n - 1n)) === 0n, `the hinTS key is of a domain of ${n}`);
  check(total < 1n << 63n && weight <= total && 2n * weight > total, `signed by ${weight} of ${total}: no majority`);
  check(!aPK.is0() && !sigma.is0(), 'the hinTS signature is empty');
  const message = bls.G2.hashToCurve(root, { DST: 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_' });
  check(isOne(bls, aPK, message, g0.negate(), sigma), 'the hinTS signature is not of this block root');

  const said = [SK, h1, aPK, weight, W, B, PS, Qx, Qz, Qxt, Q1, Q2, Q3, Q4];
  const encoded = said.map((one) => (typeof one === 'bigint' ? le(one) : one.toBytes(true)));
  const x = hashToScalar(concatBytes(...encoded), utf8('HINTS_SIG_BLS12381:FIAT_SHAMIR'), F.ORDER);
  const omega = F.pow(7n, (F.ORDER - 1n) / n);
  const end = F.inv(omega);
  const z = F.sub(F.pow(x, n), 1n);
  check(z !== 0n, 'the challenge is in the domain');
  const l = F.div(F.mul(end, z), F.mul(n, F.sub(x, end)));
  const holds =
    F.sub(F.sub(ps, psBefore), F.mul(w, b)) === F.mul(q1, z) &&
    F.mul(l, ps) === F.mul(q3, z) &&
    F.sub(F.sqr(b), b) === F.mul(q2, z) &&
    F.mul(l, F.sub(b, 1n)) === F.mul(q4, z);
  check(holds, 'the values of the hinTS signature do not fit each other');
  const commitments = [PS, W.subtract(times(last, weight)), B, Q1, Q3, Q2, Q4];
  const C = commitments.reduceRight((sum, commitment) => times(sum, x).add(commitment));
  const v = [ps, w, b, q1, q3, q2, q4].reduceRight((sum, value) => F.add(F.mul(sum, x), value));
  const opens = (commitment, at, proof) => isOne(bls, commitment.add(times(proof, at)), h0, proof.negate(), h1);
  check(opens(C.subtract(times(g0, v)), x, O), 'the first opening of the hinTS signature is wrong');
  check(opens(PS.subtract(times(g0, psBefore)), F.div(x, omega), O2), 'the second opening is wrong');
  const isSum = isOne(bls, B, SK, Qz.negate(), Z, Qx.negate(), h1, aPK.negate(), h0);
  check(isSum, 'the aggregate key is not that of the signers');
  check(isOne(bls, Qx, h1, Qxt.negate(), h0), 'the degree of the hinTS signature is too high');
  return { weight, totalWeight: total };
}

const order = 2736030358979909402780800718157159386076813972158567259200215660948447373041n;
const curve = {
  ...{ p: Q.ORDER, n: order, h: 8n, a: 1n, d: Q.div(168696n, 168700n) },
  Gx: 19698561148652590122159747500897617769866003486955115824547446575314762165298n,
  Gy: 19298250018296453272277890825869354524455968081175474282777126169995084727839n,
};
const Point = edwards(curve, { Fp: Q });
const absent = hexToBytes(
  '8b3288d58331049d2703cf9e1fba5de9565d26eeb97233452d286000d6ce101bbdeeb9632479bd393126759069765e655f2c4bbde7fe7cb98fe9e7a3deaa3129',
);

/** `book`: weight, node id and the 64 bytes of the public key of each node. Its hash is the ledger id, or it is refused. */
function verifySchnorr(book, ledgerId, keyHash, bytes, domain) {
  check(book.length > 0 && book.length <= 128 && domain > book.length, 'the address book does not fit the hinTS key');
  const places = Array.from({ length: 128 }, (_, at) => {
    const { key, weight, nodeId } = book[at] ?? { key: absent, weight: 0n, nodeId: -1n };
    const from = reader(key, 'a key of the address book');
    return [from.scalar(Q.ORDER), from.scalar(Q.ORDER), weight, nodeId];
  });
  const elements = [0, 1, 2, 3].flatMap((column) => places.map((row) => row[column]));
  check(same(poseidon(elements), ledgerId), 'the address book is not the one of the trusted ledger id');
  const from = reader(bytes, 'the Schnorr signature');
  const marks = from.take(128);
  const isMark = (mark, at) => mark === 0 || (mark === 1 && at < book.length);
  check(marks.every(isMark), 'a mark of the Schnorr signature is of no node');
  const [s, e] = [from.scalar(order), from.scalar(order)];
  const signers = places.filter((_, at) => marks[at] === 1);
  const [signed, total] = [signers, places].map((rows) => rows.reduce((sum, [, , weight]) => sum + weight, 0n));
  check(2n * signed > total, `the hinTS key is signed by ${signed} of ${total}: no majority`);
  const A = signers.reduce((sum, [x, y]) => sum.add(Point.fromAffine({ x, y })), Point.ZERO);
  const K = times(Point.BASE, s).add(times(A, e));
  const digest = blake2s(concatBytes(le(A.x), le(A.y), le(K.x), le(K.y), ledgerId, keyHash));
  check(bytesToNumberLE(digest.subarray(0, 31)) % order === e, 'the nodes of the address book have not signed the key');
}

function bnPoint(from, isG2 = false) {
  const { G1, G2, fields } = bn254;
  const [Fp, Group] = isG2 ? [fields.Fp2, G2.Point] : [fields.Fp, G1.Point];
  const raw = Uint8Array.from(from.take(isG2 ? 64 : 32));
  const flags = raw.at(-1) & 0xc0;
  raw[raw.length - 1] &= 0x3f;
  const x = pieces(raw).map(bytesToNumberLE);
  const isZero = x.every((part) => part === 0n);
  const isCanonical = x.every((part) => part < fields.Fp.ORDER) && (!(flags & 0x40) || (isZero && flags === 0x40));
  check(isCanonical, 'the WRAPS proof has a point in another form');
  if (flags & 0x40) return Group.ZERO;
  const b = isG2 ? Fp.div({ c0: 3n, c1: 0n }, { c0: 9n, c1: 1n }) : 3n;
  const X = isG2 ? fields.Fp2.fromBigTuple(x) : x[0];
  const y = attempt(() => Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(X), X), b)), 'the WRAPS proof');
  const [one, other] = [y, Fp.neg(y)].map((value) => (isG2 ? (value.c1 << 256n) + value.c0 : value));
  const point = Group.fromAffine({ x: X, y: one > other === (flags === 0x80) ? y : Fp.neg(y) });
  check(!isG2 || point.isTorsionFree(), 'the WRAPS proof has a point outside of its group');
  return point;
}

/** The number of rotations since the first proof: steps from the book of the ledger id to the one that has signed the key. */
function verifyWraps(keyBytes, ledgerId, keyHash, bytes) {
  const key = reader(keyBytes, 'the WRAPS key');
  const parameters = key.scalar(Q.ORDER);
  const [alpha, beta, gamma, delta] = [bnPoint(key), bnPoint(key, true), bnPoint(key, true), bnPoint(key, true)];
  check(key.word() === 41n, 'the WRAPS key is of another number of inputs');
  const ic = Array.from({ length: 41 }, () => bnPoint(key));
  const [g, , h, betaH] = [bnPoint(key), bnPoint(key), bnPoint(key, true), bnPoint(key, true)];

  const from = reader(bytes, 'the WRAPS proof');
  const scalar = () => from.scalar(Q.ORDER);
  const two = (read) => {
    check(from.word() === 2n, 'the WRAPS proof has another number of parts');
    return [read(), read()];
  };
  const steps = scalar();
  const [first, last, running, fresh] = [scalar, scalar, () => bnPoint(from), () => bnPoint(from)].map(two);
  const [a, b, c] = [bnPoint(from), bnPoint(from, true), bnPoint(from)];
  const openings = [0, 1].map(() => [scalar(), bnPoint(from)]);
  const [cross, rho, challenges] = [bnPoint(from), scalar(), [scalar(), scalar()]];
  check(same(le(first[0]), ledgerId), 'the WRAPS proof is of another ledger');
  check(same(le(last[1]), keyHash), 'the WRAPS proof is of another hinTS key');
  check(steps >= 2n && fresh[1].is0(), 'the WRAPS proof has too few steps');
  const folded = [running[0].add(times(fresh[0], rho)), running[1].add(times(cross, rho))];
  const limbs = (point) => {
    const { x, y } = point.is0() ? { x: 0n, y: 0n } : point.toAffine();
    return [x, y].flatMap((value) => [0n, 1n, 2n, 3n, 4n].map((at) => BigInt.asUintN(55, value >> (55n * at))));
  };
  const inputs = [parameters, steps, ...first, ...last, ...folded.flatMap(limbs), ...challenges];
  inputs.push(...openings.map(([value]) => value), ...limbs(cross));
  const sum = inputs.reduce((total, input, at) => total.add(times(ic[at + 1], input)), ic[0]);
  const isOfInputs = isOne(bn254, a.negate(), b, alpha, beta, sum, gamma, c, delta);
  check(isOfInputs, 'the WRAPS proof is not of these inputs');
  for (const [at, [value, proof]] of openings.entries()) {
    const left = folded[at].subtract(times(g, value)).add(times(proof, challenges[at]));
    check(isOne(bn254, left, h, proof.negate(), betaH), 'the WRAPS proof is not of these commitments');
  }
  return Number(steps - 2n);
}
