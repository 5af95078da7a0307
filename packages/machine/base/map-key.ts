// Keys of maps by words. V8 hashes a bigint by its lowest 64 bits: a contract that uses slots which have these in
// common would make every look-up a walk through all of them (1,000 slots: 130 times slower).
const secret = BigInt(Math.floor(2 ** 52 * (1 + Math.random()))) * 1024n + 1n;
const maxPlain = (1n << 64n) - 1n;

/** Different for different words, its lowest 64 bits are not to be foreseen. */
export function mapKey(word: bigint): bigint {
  return word > maxPlain ? (word << 64n) | (word % secret) : word;
}
