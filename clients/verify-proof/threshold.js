// The network's threshold signature of a block root under a ledger id of 32 bytes: a hinTS signature (BLS12-381), and who vouches for
// its key: the nodes of the first address book (Schnorr), or a chain of address books that begins with it (WRAPS, BN254).
import { edwards } from '@noble/curves/abstract/edwards.js';
import { grainGenConstants, poseidonSponge } from '@noble/curves/abstract/poseidon.js';
import { bn254 } from '@noble/curves/bn254.js';
import { bytesToHex, bytesToNumberLE, concatBytes, equalBytes } from '@noble/curves/utils.js';
import { blake2s } from '@noble/hashes/blake2.js';
import { check } from './bytes.js';
import { verifyHints } from './hints.js';
import { isOne, le, numbers, onBn, opens, parse } from './points.js';

const Q = bn254.fields.Fr;

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
  const proved = { hash: bytesToHex(keyHash), from: book ? 'book' : 'wraps' };
  return { ...weights, isSettled: !book, rotations, key: proved };
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
