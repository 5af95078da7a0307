// The address book of a ledger whose id has 64 bytes: node ids, weights, and history keys of 128 bytes on Grumpkin. Its
// hash is the first half of the id. Nothing but that hash is needed of it: what such keys have signed is inside the
// Nova proof.
import { bn254_Fr } from '@noble/curves/bn254.js';
import { bytesToNumberBE, concatBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { BookEntry } from './address-book.ts';
import { createPartReader, scalarLength, toHex, writeScalar } from './field-bytes.ts';
import {
  type GrumpkinPoint,
  grumpkinGenerator,
  grumpkinLength,
  grumpkinOrder,
  multiplyGrumpkin,
  readGrumpkin,
  toGrumpkinNumbers,
  writeGrumpkin,
} from './grumpkin-points.ts';
import { novaPoseidonHash } from './nova-poseidon.ts';
import { refuse } from './proof-refusal.ts';

const maxGrumpkinSeats = 64;
/** Key and commitment of a point each, challenge, response. */
export const grumpkinKeyLength = 2 * grumpkinLength + 2 * scalarLength;

/** 32 bytes. Throws ProofRefusal, also for a key without proof that its secret is known. */
export function hashGrumpkinBook(entries: readonly BookEntry[]): Uint8Array {
  if (entries.length === 0 || entries.length > maxGrumpkinSeats) {
    refuse('publication', `1 to ${maxGrumpkinSeats} nodes in the address book`, `${entries.length}`);
  }
  const seats = entries.map(({ nodeId, weight, key }) => ({ nodeId, weight, key: readKey(key, nodeId) }));
  checkTogether(seats.filter(({ key }) => !key.is0()));
  return hashSeats(seats);
}

const maxTotal = (1n << 64n) - 1n;

/** Empty seats are no keys, and their weight counts nowhere. */
function checkTogether(taken: readonly Seat[]): void {
  const total = taken.reduce((sum, { weight }) => sum + weight, 0n);
  if (total > maxTotal) refuse('publication', `a total weight of at most ${maxTotal}`, `${total}`);
  const seen = new Set<string>();
  for (const { nodeId, key } of taken) {
    const name = toHex(writeGrumpkin(key));
    if (seen.has(name)) refuse('publication', 'a history key for one node each', `that of node ${nodeId} twice`);
    seen.add(name);
  }
}

const pokDomain = utf8ToBytes('WRAPS-schnorr-pok-sha256-mod-v4');

function readKey(bytes: Uint8Array, nodeId: bigint): GrumpkinPoint {
  const name = `history key of node ${nodeId}`;
  const reader = createPartReader(bytes, grumpkinKeyLength, name);
  const key = readGrumpkin(reader.next(grumpkinLength), name);
  const commitment = readGrumpkin(reader.next(grumpkinLength), `commitment of the ${name}`);
  const challenge = reader.scalar(grumpkinOrder, 'challenge');
  const response = reader.scalar(grumpkinOrder, 'response');
  if (key.is0()) {
    // Of a node that sent no key in time.
    if (commitment.is0() && challenge === 0n && response === 0n) return key;
    refuse('publication', `no proof for the empty seat of node ${nodeId}`, 'one');
  }
  const said = concatBytes(pokDomain, ...[grumpkinGenerator, key, commitment].map(writeGrumpkin));
  const isKnown =
    bytesToNumberBE(sha256(said)) % grumpkinOrder === challenge &&
    multiplyGrumpkin(grumpkinGenerator, response).equals(commitment.add(multiplyGrumpkin(key, challenge)));
  if (!isKnown) refuse('publication', `proof that node ${nodeId} knows the secret of its key`, 'an invalid one');
  return key;
}

type Seat = { nodeId: bigint; weight: bigint; key: GrumpkinPoint };

const bookDomain = 1n;
/** What stands for nodes that the book has not: no id, infinity, no weight. */
const padding = [bn254_Fr.ORDER - 1n, 0n, 0n, 1n, 0n] as const;

/** Seat by seat, as long as the largest book. */
export function hashSeats(seats: readonly Seat[]): Uint8Array {
  const rows: (readonly bigint[])[] = seats.map(({ nodeId, weight, key }) => [
    nodeId,
    ...toGrumpkinNumbers(key),
    weight,
  ]);
  while (rows.length < maxGrumpkinSeats) rows.push(padding);
  return writeScalar(novaPoseidonHash(rows.flat(), bookDomain));
}
