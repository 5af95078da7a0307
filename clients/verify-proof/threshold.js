// The network's threshold signature of a block root: a hinTS signature (BLS12-381), and who vouches for its key: the nodes of the
// first address book (Schnorr), or a chain of address books that begins with it (WRAPS, BN254).
import { edwards } from '@noble/curves/abstract/edwards.js';
import { hash_to_field } from '@noble/curves/abstract/hash-to-curve.js';
import { grainGenConstants, poseidonSponge } from '@noble/curves/abstract/poseidon.js';
import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { bytesToHex, bytesToNumberLE, concatBytes, equalBytes, numberToBytesLE } from '@noble/curves/utils.js';
import { blake2s } from '@noble/hashes/blake2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { check, ProofRefused, reader } from './bytes.js';

const [F, Q] = [bls.fields.Fr, bn254.fields.Fr];
const le = (value) => numberToBytesLE(value, 32);
const numbers = (bytes) =>
  Array.from({ length: Math.ceil(bytes.length / 32) }, (_, at) =>
    bytesToNumberLE(bytes.subarray(at * 32, at * 32 + 32)),
  );

const blsPoint = (raw, Group) => {
  const point = Group.fromBytes(raw);
  check(equalBytes(point.toBytes(false), raw), 'its bytes have another form');
  return point;
};
/** x, little-endian; of the two highest bits one says which y, the other says zero. */
const bnPoint = (raw, Group) => {
  const [{ Fp }, flags] = [Group, raw.at(-1) & 0xc0];
  const [x, high] = numbers(raw.with(-1, raw.at(-1) & 0x3f));
  if (flags === 0x40 && !x && !high) return Group.ZERO;
  const isBelow = [x, high ?? 0n].every((part) => part < bn254.fields.Fp.ORDER);
  check(isBelow && (flags & 0x40) === 0, 'its bytes have another form');
  const X = high === undefined ? x : { c0: x, c1: high };
  const y = Fp.sqrt(Fp.add(Fp.mul(Fp.sqr(X), X), Group.CURVE().b));
  const size = (value) => (high === undefined ? value : (value.c1 << 256n) + value.c0);
  const point = Group.fromAffine({ x: X, y: size(y) > size(Fp.neg(y)) === (flags === 0x80) ? y : Fp.neg(y) });
  point.assertValidity();
  return point;
};
const onBls = { curve: bls, sizes: { g: 96, G: 192 }, decode: blsPoint, order: F.ORDER };
const onBn = { curve: bn254, sizes: { g: 32, G: 64 }, decode: bnPoint, order: Q.ORDER };

/** Values one after the other: w is a word of 64 bits, s a scalar, g and G are points of the two groups. */
function parse(bytes, layout, { curve, sizes, decode, order }, name) {
  const { take } = reader(bytes, name);
  return Array.from(layout, (kind) => {
    const raw = take({ w: 8, s: 32, ...sizes }[kind]);
    if (kind === 'w' || kind === 's') {
      check(kind === 'w' || bytesToNumberLE(raw) < order, `${name} has a number that is not below its modulus`);
      return bytesToNumberLE(raw);
    }
    try {
      return decode(raw, kind === 'g' ? curve.G1.Point : curve.G2.Point);
    } catch (error) {
      throw new ProofRefused(`${name} has a point that is none: ${error.message}`);
    }
  });
}

/** Whether e(points 0, 1) · e(points 2, 3) · … is 1. A pairing with zero is. */
function isOne({ fields, pairingBatch }, ...points) {
  const pairs = points.flatMap((g1, at) => (at % 2 ? [] : [{ g1, g2: points[at + 1] }]));
  const live = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  return live.length === 0 || fields.Fp12.eql(pairingBatch(live), fields.Fp12.ONE);
}

/** Whether the polynomial of a commitment has this value at that place. */
const opens = (curve, [g, h, tau], commitment, value, at, proof) =>
  isOne(curve, commitment.subtract(g.multiplyUnsafe(value)).add(proof.multiplyUnsafe(at)), h, proof.negate(), tau);

let sponges;
function poseidon(elements) {
  const shape = { Fp: Q, t: 5, roundsFull: 8, roundsPartial: 60, sboxPower: 5 };
  sponges ??= poseidonSponge({ ...shape, ...grainGenConstants(shape), rate: 4, capacity: 1 });
  const sponge = sponges();
  sponge.absorb(elements.map((element) => Q.create(element)));
  return le(sponge.squeeze(1)[0]);
}

/** Checks that the signature is of the root, by the network of the ledger id. Last comes its first book, or the WRAPS key. */
export function verifyThreshold(root, signature, ledgerId, { book, wrapsKey }, say) {
  const [key, rest] = [signature.subarray(0, 1096), signature.subarray(2728)];
  const keyHash = poseidon(numbers(key));
  const weights = verifyHints(root, key, signature.subarray(1096, 2728));
  say(`that root is signed by ${weights.weight} of ${weights.totalWeight} of the weight of key ${bytesToHex(keyHash)}`);
  if (book) verifySchnorr(book, ledgerId, keyHash, rest, bytesToNumberLE(key.subarray(0, 8)));
  const rotations = book ? null : verifyWraps(wrapsKey, ledgerId, keyHash, rest);
  const how = book ? 'by its first address book' : `through ${rotations} changes of its address book`;
  say(`that key is the one of ledger ${bytesToHex(ledgerId)}, ${how}`);
  return { ...weights, isSettled: !book, rotations };
}

function verifyHints(root, key, signature) {
  const [n, total, g0, h0, h1, last, W, SK, Z] = parse(key, 'wsgGGggGG', onBls, 'the hinTS key');
  const layout = `gsG${'g'.repeat(11)}${'s'.repeat(8)}`;
  const [aPK, weight, sigma, ...others] = parse(signature, layout, onBls, 'the hinTS signature');
  const [B, Qx, Qxt, Qz, PS, Q1, Q3, Q2, Q4, O, O2, ps, psBefore, w, b, q1, q3, q2, q4] = others;
  check(n >= 2n && n <= 1n << 20n && (n & (n - 1n)) === 0n, `the hinTS key is of a domain of ${n}`);
  check(total < 1n << 63n && weight <= total && 2n * weight > total, `signed by ${weight} of ${total}: no majority`);
  check(!aPK.is0() && !sigma.is0(), 'the hinTS signature is empty');
  const message = bls.G2.hashToCurve(root, { DST: 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_' });
  check(isOne(bls, aPK, message, g0.negate(), sigma), 'the hinTS signature is not of this block root');

  const said = [SK, h1, aPK, weight, W, B, PS, Qx, Qz, Qxt, Q1, Q2, Q3, Q4];
  const encoded = concatBytes(...said.map((one) => (typeof one === 'bigint' ? le(one) : one.toBytes(true))));
  // The padding has 48 zeros, where the standard has a block of the hash.
  const digest = Object.assign((bytes) => sha256(bytes), { outputLen: 32, blockLen: 48 });
  const how = { DST: 'HINTS_SIG_BLS12381:FIAT_SHAMIR', p: F.ORDER, m: 1, k: 128, expand: 'xmd', hash: digest };
  const [[x]] = hash_to_field(encoded, 1, how);
  const omega = F.pow(7n, (F.ORDER - 1n) / n);
  const z = F.sub(F.pow(x, n), 1n);
  check(z !== 0n, 'the challenge is in the domain');
  const l = F.div(F.mul(F.inv(omega), z), F.mul(n, F.sub(x, F.inv(omega))));
  const holds =
    F.sub(F.sub(ps, psBefore), F.mul(w, b)) === F.mul(q1, z) &&
    F.mul(l, ps) === F.mul(q3, z) &&
    F.sub(F.sqr(b), b) === F.mul(q2, z) &&
    F.mul(l, F.sub(b, 1n)) === F.mul(q4, z);
  check(holds, 'the values of the hinTS signature do not fit each other');
  const commitments = [PS, W.subtract(last.multiplyUnsafe(weight)), B, Q1, Q3, Q2, Q4];
  const C = commitments.reduceRight((sum, commitment) => sum.multiplyUnsafe(x).add(commitment));
  const v = [ps, w, b, q1, q3, q2, q4].reduceRight((sum, value) => F.add(F.mul(sum, x), value));
  check(opens(bls, [g0, h0, h1], C, v, x, O), 'the first opening of the hinTS signature is wrong');
  const isBefore = opens(bls, [g0, h0, h1], PS, psBefore, F.div(x, omega), O2);
  check(isBefore, 'the second opening of the hinTS signature is wrong');
  const isSum = isOne(bls, B, SK, Qz.negate(), Z, Qx.negate(), h1, aPK.negate(), h0);
  check(isSum, 'the aggregate key is not that of the signers');
  check(isOne(bls, Qx, h1, Qxt.negate(), h0), 'the degree of the hinTS signature is too high');
  return { weight, totalWeight: total };
}

const curve = {
  ...{ p: Q.ORDER, h: 8n, a: 1n, d: Q.div(168696n, 168700n) },
  n: 2736030358979909402780800718157159386076813972158567259200215660948447373041n,
  Gx: 19698561148652590122159747500897617769866003486955115824547446575314762165298n,
  Gy: 19298250018296453272277890825869354524455968081175474282777126169995084727839n,
};
const Point = edwards(curve, { Fp: Q });
/** x and y of the key, weight and node id, where the book has no node. */
const absent = [
  12242143994000228932794072931472805933014698661472621875120544547182037447307n,
  18632581597336484007639911068407412014942769995951822776505801470647807372989n,
  0n,
  -1n,
];

/** `book`: weight, node id and the 64 bytes of the public key of each node. Its hash is the ledger id, or it is refused. */
function verifySchnorr(book, ledgerId, keyHash, signature, domain) {
  check(book.length > 0 && book.length <= 128 && domain > book.length, 'the address book does not fit the hinTS key');
  const places = Array.from({ length: 128 }, (_, at) => {
    const { key, weight, nodeId } = book[at] ?? {};
    return key ? [...parse(key, 'ss', onBn, 'a key of the address book'), weight, nodeId] : absent;
  });
  const elements = [0, 1, 2, 3].flatMap((column) => places.map((row) => row[column]));
  check(equalBytes(poseidon(elements), ledgerId), 'the address book is not the one of the trusted ledger id');
  const marks = signature.subarray(0, 128);
  const isMark = (mark, at) => mark === 0 || (mark === 1 && at < book.length);
  check(marks.every(isMark), 'a mark of the Schnorr signature is of no node');
  const [s, e] = parse(signature.subarray(128), 'ss', { order: curve.n }, 'the Schnorr signature');
  const signers = places.filter((_, at) => marks[at] === 1);
  const [signed, total] = [signers, places].map((rows) => rows.reduce((sum, [, , weight]) => sum + weight, 0n));
  check(2n * signed > total, `the hinTS key is signed by ${signed} of ${total}: no majority`);
  const A = signers.reduce((sum, [x, y]) => sum.add(Point.fromAffine({ x, y })), Point.ZERO);
  const K = Point.BASE.multiplyUnsafe(s).add(A.multiplyUnsafe(e));
  const digest = blake2s(concatBytes(le(A.x), le(A.y), le(K.x), le(K.y), ledgerId, keyHash));
  check(
    bytesToNumberLE(digest.subarray(0, 31)) % curve.n === e,
    'the nodes of the address book have not signed the key',
  );
}

/** The number of rotations since the first proof: steps from the book of the ledger id to the one that has signed the key. */
function verifyWraps(key, ledgerId, keyHash, proof) {
  const [parameters, ...ofKey] = parse(key, `sgGGGw${'g'.repeat(41)}ggGG`, onBn, 'the WRAPS key');
  const [alpha, beta, gamma, delta, inputCount, ...points] = ofKey;
  const [ic, [g, , h, betaH]] = [points.slice(0, 41), points.slice(41)];
  const [steps, two, first, ledgerNow, ...ofProof] = parse(proof, 'swsswsswggwgggGgsgsggsss', onBn, 'the WRAPS proof');
  const [twoLast, last, keyNow, twoRunning, r0, r1, twoFresh, f0, f1, a, b, c, ...end] = ofProof;
  const [v0, o0, v1, o1, cross, rho, x0, x1] = end;
  const counts = [two, twoLast, twoRunning, twoFresh];
  check(inputCount === 41n && counts.every((count) => count === 2n), 'the WRAPS proof has another number of parts');
  check(equalBytes(le(first), ledgerId), 'the WRAPS proof is of another ledger');
  check(equalBytes(le(keyNow), keyHash), 'the WRAPS proof is of another hinTS key');
  check(steps >= 2n && f1.is0(), 'the WRAPS proof has too few steps');
  const folded = [r0.add(f0.multiplyUnsafe(rho)), r1.add(cross.multiplyUnsafe(rho))];
  const limbs = (point) => {
    const { x, y } = point.is0() ? { x: 0n, y: 0n } : point.toAffine();
    return [x, y].flatMap((value) => [0n, 1n, 2n, 3n, 4n].map((at) => BigInt.asUintN(55, value >> (55n * at))));
  };
  const states = [parameters, steps, first, ledgerNow, last, keyNow];
  const inputs = [...states, ...folded.flatMap(limbs), x0, x1, v0, v1, ...limbs(cross)];
  const sum = inputs.reduce((total, input, at) => total.add(ic[at + 1].multiplyUnsafe(input)), ic[0]);
  check(isOne(bn254, a.negate(), b, alpha, beta, sum, gamma, c, delta), 'the WRAPS proof is not of these inputs');
  const isOpen = ([point, ...opening]) => opens(bn254, [g, h, betaH], point, ...opening);
  const openings = [
    [folded[0], v0, x0, o0],
    [folded[1], v1, x1, o1],
  ];
  check(openings.every(isOpen), 'the WRAPS proof is not of these commitments');
  return Number(steps - 2n);
}
