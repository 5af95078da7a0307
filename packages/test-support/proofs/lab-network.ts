// A network that signs blocks as networks do before they have settled, with keys that it chose. It knows the secret τ behind
// its setup, so it needs no arithmetic of polynomials, and could forge any proof: for tests alone.
import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bytesToNumberLE, numberToBytesLE } from '@noble/curves/utils.js';
import { blake2s } from '@noble/hashes/blake2.js';
import { readAddressBook } from '../../../src/proof/address-book.ts';
import { hashToG2 } from '../../../src/proof/bls12-points.ts';
import {
  compressEdwards,
  edwardsGenerator,
  edwardsOrder,
  edwardsZero,
  writeEdwards,
} from '../../../src/proof/edwards-points.ts';
import { hashToScalar } from '../../../src/proof/hash-to-scalar.ts';
import { readHintsKey } from '../../../src/proof/hints-key.ts';
import { readHintsSignature } from '../../../src/proof/hints-signature.ts';
import { poseidonHashBytes } from '../../../src/proof/poseidon.ts';
import { makeChallenge } from '../../../src/proof/verify-hints.ts';
import { bytesField, intField, messageField } from '../../../src/protocol/wire-writer.ts';

const { G1, G2, fields } = bls12_381;
const F = fields.Fr;

export type LabNetwork = {
  ledgerId: Uint8Array;
  /** The message of its ledger id publication. */
  publication: Buffer;
  /** 1096 bytes. */
  key: Buffer;
  /** 1632 bytes: of these nodes. */
  hints(root: Uint8Array, signers: readonly number[]): Buffer;
  /** 192 bytes: the attestation of a key, by these nodes. */
  attest(key: Uint8Array, signers: readonly number[]): Buffer;
  /** 2920 bytes: key, signature and attestation. */
  sign(root: Uint8Array, signers: readonly number[]): Buffer;
};

/** What stands for a key that came too late. */
const placeholder = Buffer.from(
  `15a85e32489c8e652e8979efd746286b8b938565fe6654074748eceef0fb4c0f2f049db576ba0cd0595a4f54e4a982b46648987500342050ac77ae29ac301323${'00'.repeat(32)}01${'00'.repeat(95)}`,
  'hex',
);

/** Nodes 0, 1, … with these weights. `size`: of the domain, a power of two above their number. `withoutKey`: came too late. */
export function createLabNetwork({
  weights,
  size = 2 ** Math.ceil(Math.log2(weights.length + 1)),
  seed = 'lab',
  withoutKey = [],
}: {
  weights: readonly bigint[];
  size?: number;
  seed?: string;
  withoutKey?: readonly number[];
}): LabNetwork {
  const secretOf = (name: string, order: bigint) =>
    bytesToNumberLE(createHash('sha512').update(`${seed} ${name}`).digest()) % order;
  const historySecrets = weights.map((_, node) => secretOf(`history ${node}`, edwardsOrder));
  const bookKeys = historySecrets.map((secret, node) =>
    withoutKey.includes(node) ? placeholder : writeHistoryKey(secret, secretOf(`commitment ${node}`, edwardsOrder)),
  );
  const book = readAddressBook(weights.map((weight, node) => ({ nodeId: BigInt(node), weight, key: bookKeys[node]! })));
  const { hash: ledgerId } = book;
  const { key, sign: hints } = createHintsSigner(
    weights,
    size,
    secretOf('tau', F.ORDER),
    weights.map((_, node) => secretOf(`bls ${node}`, F.ORDER)),
  );

  function attest(attested: Uint8Array, signers: readonly number[]): Buffer {
    const marks = Buffer.alloc(128);
    for (const node of signers) marks[node] = 1;
    const aggregate = signers.reduce((sum, node) => sum.add(book.entries[node]!.key), edwardsZero);
    const nonce = secretOf(`nonce ${Buffer.from(attested).toString('hex')}`, edwardsOrder);
    const said = [writeEdwards(aggregate), writeEdwards(edwardsGenerator.multiply(nonce)), ledgerId];
    const digest = blake2s(Buffer.concat([...said, poseidonHashBytes(attested)]));
    const challenge = bytesToNumberLE(digest.subarray(0, 31)) % edwardsOrder;
    const secret = signers.reduce((sum, node) => sum + historySecrets[node]!, 0n);
    const response = (((nonce - challenge * secret) % edwardsOrder) + edwardsOrder) % edwardsOrder;
    return Buffer.concat([marks, numberToBytesLE(response, 32), numberToBytesLE(challenge, 32)]);
  }

  return {
    ledgerId,
    publication: Buffer.concat(
      [
        bytesField(1, ledgerId),
        bytesField(2, Buffer.alloc(1768, 7)),
        ...weights.map((weight, node) =>
          messageField(3, [intField(1, node), intField(2, weight), bytesField(3, bookKeys[node]!)]),
        ),
      ].flat(),
    ),
    key,
    hints,
    attest,
    sign: (root, signers) => Buffer.concat([key, hints(root, signers), attest(key, signers)]),
  };
}

function writeHistoryKey(secret: bigint, nonce: bigint): Buffer {
  const [key, commitment] = [edwardsGenerator.multiply(secret), edwardsGenerator.multiply(nonce)];
  const said = Buffer.concat([edwardsGenerator, key, commitment].map(compressEdwards));
  const challenge = hashToScalar(said, new Uint8Array(), edwardsOrder);
  const response = (nonce + challenge * secret) % edwardsOrder;
  const numbers = [challenge, response].map((number) => numberToBytesLE(number, 32));
  return Buffer.concat([writeEdwards(key), writeEdwards(commitment), ...numbers]);
}

const inG1 = (scalar: bigint) => (F.is0(scalar) ? G1.Point.ZERO : G1.Point.BASE.multiply(scalar)).toBytes(false);
const inG2 = (scalar: bigint) => G2.Point.BASE.multiply(scalar).toBytes(false);
const word = (value: number) => numberToBytesLE(BigInt(value), 8);
const scalarBytes = (value: bigint) => numberToBytesLE(value, 32);

/** hinTS over a domain of `size`, by evaluation at τ. */
function createHintsSigner(weights: readonly bigint[], size: number, tau: bigint, secrets: readonly bigint[]) {
  const n = BigInt(size);
  const omega = F.pow(7n, (F.ORDER - 1n) / n);
  const lastPlace = size - 1;
  const vanishing = (y: bigint) => F.sub(F.pow(y, n), F.ONE);
  const lagrange = (place: number, y: bigint) => {
    const root = F.pow(omega, BigInt(place));
    return F.div(F.mul(F.div(root, n), vanishing(y)), F.sub(y, root));
  };
  const at = (values: readonly bigint[], y: bigint) =>
    values.reduce((sum, value, place) => (value === 0n ? sum : F.add(sum, F.mul(value, lagrange(place, y)))), 0n);
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const [last, secretAt, z] = [lagrange(lastPlace, tau), at(secrets, tau), vanishing(tau)];
  const key = Buffer.concat([
    word(size),
    scalarBytes(total),
    inG1(1n),
    inG2(1n),
    inG2(tau),
    inG1(last),
    inG1(at(weights, tau)),
    inG2(secretAt),
    inG2(z),
  ]);

  function sign(root: Uint8Array, signers: readonly number[]): Buffer {
    const weight = signers.reduce((sum, node) => sum + weights[node]!, 0n);
    const marks = Array.from({ length: size }, (_, place) =>
      signers.includes(place) || place === lastPlace ? 1n : 0n,
    );
    const signed = Array.from({ length: size }, (_, place) =>
      place === lastPlace ? F.neg(weight) : (weights[place] ?? 0n),
    );
    let running = 0n;
    const sums = marks.map((mark, place) => {
      running = F.add(running, F.mul(mark, signed[place]!));
      return running;
    });
    const before = (y: bigint) => F.div(y, omega);
    const share = F.inv(n);
    const ask = F.mul(
      share,
      signers.reduce((sum, node) => F.add(sum, secrets[node]!), 0n),
    );
    const remainder = F.div(
      signers.reduce((sum, node) => F.add(sum, F.mul(secrets[node]!, F.sub(lagrange(node, tau), share))), 0n),
      tau,
    );
    const valuesAt = (y: bigint) => {
      const [sum, sumBefore, w, b] = [at(sums, y), at(sums, before(y)), at(signed, y), at(marks, y)];
      const [end, zero] = [lagrange(lastPlace, y), vanishing(y)];
      const quotients = [
        F.sub(F.sub(sum, sumBefore), F.mul(w, b)),
        F.sub(F.sqr(b), b),
        F.mul(end, sum),
        F.mul(end, F.sub(b, F.ONE)),
      ].map((value) => F.div(value, zero)) as [bigint, bigint, bigint, bigint];
      return { sum, sumBefore, w, b, quotients };
    };
    const here = valuesAt(tau);
    const [q1, q2, q3, q4] = here.quotients;
    const keyQuotient = F.div(F.sub(F.sub(F.mul(here.b, secretAt), ask), F.mul(tau, remainder)), z);
    const write = (openings: readonly bigint[], values: readonly bigint[]) =>
      Buffer.concat([
        inG1(ask),
        scalarBytes(weight),
        hashToG2(root).multiply(ask).toBytes(false),
        ...[here.b, remainder, F.mul(tau, remainder), keyQuotient, here.sum, q1, q3, q2, q4, ...openings].map(inG1),
        ...values.map(scalarBytes),
      ]);
    const draft = readHintsSignature(write([0n, 0n], new Array<bigint>(8).fill(0n)));
    const x = makeChallenge(readHintsKey(key), draft);
    const there = valuesAt(x);
    const [v1, v2, v3, v4] = there.quotients;
    const fold = (values: readonly bigint[]) => values.reduceRight((sum, value) => F.add(F.mul(sum, x), value), 0n);
    const opening = F.div(
      F.sub(fold([here.sum, here.w, here.b, q1, q3, q2, q4]), fold([there.sum, there.w, there.b, v1, v3, v2, v4])),
      F.sub(tau, x),
    );
    const openingBefore = F.div(F.sub(here.sum, there.sumBefore), F.sub(tau, before(x)));
    return write([opening, openingBefore], [there.sum, there.sumBefore, there.w, there.b, v1, v3, v2, v4]);
  }

  return { key, sign };
}
