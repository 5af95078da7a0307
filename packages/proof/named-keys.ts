// hinTS keys that are trusted without a proof of the address book: the first one, which a ledger id of 64 bytes names,
// and those that followed it along the chain. The network writes its next key into its state, in a block that the key
// before signs.
import { isSameBytes, toHex } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

/**
 * ledgerId: the second half of the ledger id is the key's hash. signedBlock: a block that a trusted key had signed
 * named it. pinned: the operator named it.
 */
type KeySource = 'ledgerId' | 'signedBlock' | 'pinned';

export type TrustedKey = {
  /** 32 bytes: hash-hints-key.ts, of the key's 1096 bytes. */
  keyHash: Uint8Array;
  /** Why it is trusted: the first reason that there was. */
  source: KeySource;
  /**
   * The first block that named it, which is why it is trusted, or that published the ledger id which does; null: none,
   * or not known.
   */
  block: bigint | null;
  /** The newest block that named it, since networks write the key that signs into their state again; null as above. */
  namedLast: bigint | null;
  /** The first block that its signature was good for, since it took over from another key; null: none yet. */
  signsFrom: bigint | null;
};

export const keyHashLength = 32;

export function findKey(keys: readonly TrustedKey[], keyHash: Uint8Array): TrustedKey | null {
  return keys.find((key) => isSameBytes(key.keyHash, keyHash)) ?? null;
}

/** With this key, which is trusted from here on, or was so before. */
export function withKey(
  keys: readonly TrustedKey[],
  { keyHash, source, block }: Pick<TrustedKey, 'keyHash' | 'source' | 'block'>,
): readonly TrustedKey[] {
  const known = findKey(keys, keyHash);
  if (!known) return [...keys, { keyHash, source, block, namedLast: block, signsFrom: null }];
  const isNews = block !== null && (known.namedLast === null || block > known.namedLast);
  return isNews ? keys.map((key) => (key === known ? { ...key, namedLast: block } : key)) : keys;
}

/**
 * The key has signed this block. Old keys never expire: once another one has taken over, a key is refused unless a
 * block since then has named it again, as happens where weights return to what they were. Throws ProofRefusal for such
 * a key.
 */
export function withUse(keys: readonly TrustedKey[], used: TrustedKey, block: bigint): readonly TrustedKey[] {
  const newest = findSigner(keys, block);
  if (newest?.key === used) return keys;
  if (newest && !mayFollow(used, newest.signsFrom, block)) {
    refuse(
      'rotation',
      `a signature by key ${toHex(newest.key.keyHash)}, which signs from block ${newest.signsFrom} on, or by one that was named since`,
      `one by key ${toHex(used.keyHash)} at block ${block}`,
    );
  }
  // Blocks are not always checked in their order.
  if (used.signsFrom !== null && used.signsFrom > block) return keys;
  return keys.map((key) => (key === used ? { ...key, signsFrom: block } : key));
}

/** Whether the key may sign at a block where another one has signed since `signsFrom`. */
function mayFollow(used: TrustedKey, signsFrom: bigint, block: bigint): boolean {
  const { source, namedLast } = used;
  if (source === 'pinned' && namedLast === null && used.signsFrom === null) return true;
  return namedLast !== null && namedLast >= signsFrom && namedLast <= block;
}

/**
 * Whose signatures are good at a block, as far as is known: of the keys that sign from there on or earlier, the last
 * one.
 */
export function findSigner(keys: readonly TrustedKey[], block: bigint): { key: TrustedKey; signsFrom: bigint } | null {
  let newest: { key: TrustedKey; signsFrom: bigint } | null = null;
  for (const key of keys) {
    const { signsFrom } = key;
    if (signsFrom === null || signsFrom > block) continue;
    if (newest === null || signsFrom > newest.signsFrom) newest = { key, signsFrom };
  }
  return newest;
}
