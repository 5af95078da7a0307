// What proofs are checked against: a ledger id, where it comes from, what its publication says, and the hinTS keys that
// are trusted by themselves. A value; each decision makes the next one or refuses.
//
// How a hinTS key comes to be trusted, where ledger ids have 64 bytes and the proof of the address book cannot be
// checked:
// - the ledger id ends with its hash (pinLedgerId, takePublication);
// - a block that was proved under another trusted key names it in the network's state (takeNamedKey);
// - the operator names it (pinKey).
// Who follows a chain must keep one order. A key that block N names is trusted only once N is covered by a signature of
// a key that was trusted without N: its own signature, or that of a later block that leads to N. The signature of the
// new key itself, over N or over any block behind it, shows nothing of the kind. `takeNamedKey` asks for the verdict
// that covers N, and there is no verdict `verified` under a key that is not trusted yet, so the circle cannot be closed
// by mistake; what must not be mixed up is the order of calls: verify, take the verdict's trust, name the keys of the
// blocks that it covers, and only then verify with the new key.
import { formatLedgerId } from '../kit/format-ledger-id.ts';
import type { AddressBook } from './address-book.ts';
import { isSameBytes } from './field-bytes.ts';
import { checkLedgerId, findFirstKeyHash } from './ledger-id.ts';
import { findKey, keyHashLength, type TrustedKey, withKey, withUse } from './named-keys.ts';
import { refuse } from './proof-refusal.ts';
import { type Publication, readPublication } from './publication.ts';
import { ceremonyWrapsKeyHash, hashWrapsKey } from './wraps-key.ts';

export type { TrustedKey } from './named-keys.ts';

/**
 * pinned: the operator or the program named the ledger id. handedOver: it was published under signatures of the nodes'
 * address book, or in a block of a ledger that was trusted before. selfDeclared: it was in the first block that was
 * read, which anybody could have made. export: the export that the database was filled from says so, as it says the
 * address book.
 */
export type TrustOrigin = 'pinned' | 'handedOver' | 'selfDeclared' | 'export';

export type Trust = {
  /** 32 or 64 bytes. */
  ledgerId: Uint8Array;
  origin: TrustOrigin;
  /**
   * Ids that the network had before it published this one, the oldest first. Blocks may still name them for a while.
   */
  formerIds: readonly Uint8Array[];
  /**
   * null until the publication is there: proofs of a network that has not settled cannot be checked. null of an id of
   * 64 bytes.
   */
  book: AddressBook | null;
  /** null where none is accepted: proofs of a settled network cannot be checked. null of an id of 64 bytes. */
  wrapsKey: Uint8Array | null;
  /**
   * The newest rotation of keys that was proved, and the block whose signature shows it; 0 steps before the network
   * settled.
   */
  rotation: { steps: bigint; block: bigint } | null;
  /** The message that the book is of. */
  publication: Uint8Array | null;
  /**
   * hinTS keys that are trusted without a proof of the address book; the first one is there as soon as the ledger id
   * names it.
   */
  keys: readonly TrustedKey[];
};

/** What a database or a message between threads holds of it: the book follows from the publication. */
export type StoredTrust = Omit<Trust, 'book'>;

/** Throws ProofRefusal if the publication is not one. */
export function restoreTrust(stored: StoredTrust): Trust {
  const keys = withFirstKey(stored.keys, stored.ledgerId);
  return { ...stored, keys, book: stored.publication && readPublication(stored.publication).book };
}

export function toStoredTrust({ book: _follows, ...stored }: Trust): StoredTrust {
  return stored;
}

/** Throws ProofRefusal for anything but 32 or 64 bytes. */
export function pinLedgerId(ledgerId: Uint8Array): Trust {
  checkLedgerId(ledgerId);
  return {
    ledgerId,
    origin: 'pinned',
    formerIds: [],
    book: null,
    wrapsKey: null,
    rotation: null,
    publication: null,
    keys: withFirstKey([], ledgerId),
  };
}

function withFirstKey(keys: readonly TrustedKey[], ledgerId: Uint8Array, block: bigint | null = null) {
  const keyHash = findFirstKeyHash(ledgerId);
  return keyHash ? withKey(keys, { keyHash, source: 'ledgerId', block }) : keys;
}

/**
 * How a publication came here. operator: from a file that the operator named. records: in a record file, or a block
 * around one, whose signatures reach the quorum of the address book. signedBlock: in a block whose own proof was good
 * by what was trusted before. unverified: in a block that nothing has proved yet. export: in an export of a database,
 * which is not signed.
 */
export type PublicationSource = 'operator' | 'records' | 'signedBlock' | 'unverified' | 'export';

/** `content`: null of an id of 64 bytes whose address book is not known: nothing is verified with that. */
export type PublishedId = Omit<Publication, 'content'> & { content: Uint8Array | null };

/**
 * What is trusted with this publication, of a transaction that succeeded. Its book is the one of the ledger id; its
 * WRAPS key is accepted where it is the ceremony's, or the publication is trusted. A publication of another ledger id
 * is a second genesis of the network: it is taken only from signed records or from a block that the old trust has
 * proved, and the id before it is then a former one; `block` says which block it was, from where on its key may take
 * over. Throws ProofRefusal for another ledger id from elsewhere: it names the id, which an operator may pin who knows
 * that it is the network's.
 */
export function takePublication(
  trust: Trust | null,
  publication: PublishedId,
  source: PublicationSource,
  block: bigint | null = null,
): Trust {
  const { ledgerId, book, wrapsKey, content } = publication;
  if (trust && !isSameBytes(trust.ledgerId, ledgerId)) return handOver(trust, publication, source, block);
  const origin = originAfter(trust, source);
  const isTrusted =
    source === 'operator' || source === 'records' || (source === 'signedBlock' && origin !== 'selfDeclared');
  const ceremonyKey = wrapsKey && hashWrapsKey(wrapsKey) === ceremonyWrapsKeyHash ? wrapsKey : null;
  return {
    ledgerId,
    origin,
    formerIds: trust?.formerIds ?? [],
    book,
    wrapsKey: isTrusted ? wrapsKey : (trust?.wrapsKey ?? ceremonyKey),
    rotation: trust?.rotation ?? null,
    publication: content,
    keys: withFirstKey(trust?.keys ?? [], ledgerId),
  };
}

/**
 * The keys stay trusted: networks go on with the key of the day. Throws ProofRefusal where the old trust does not cover
 * it.
 */
function handOver(trust: Trust, publication: PublishedId, source: PublicationSource, block: bigint | null): Trust {
  const { ledgerId, book, wrapsKey, content } = publication;
  if (trust.formerIds.some((former) => isSameBytes(former, ledgerId))) return trust;
  // Records are signed by an address book that the pinned id knows nothing of: they may publish it before they publish
  // another.
  const isCovered =
    source === 'signedBlock' ||
    (source === 'records' && isPublished(trust)) ||
    (source === 'export' && trust.origin === 'export');
  if (!isCovered) {
    const orCovered = source === 'operator' ? '' : ', or of a new id where its trusted keys have signed';
    refuse(
      'ledgerId',
      `a publication of ${describeLedger(trust)}${orCovered}`,
      `one of ledger ${formatLedgerId(ledgerId)}`,
    );
  }
  return {
    ledgerId,
    origin: originAfterHandOver(trust, source),
    formerIds: [...trust.formerIds, trust.ledgerId],
    book,
    wrapsKey,
    rotation: null,
    publication: content,
    keys: withFirstKey(trust.keys, ledgerId, block),
  };
}

/** A block rests on what its ledger before rests on. */
function originAfterHandOver({ origin }: Trust, source: PublicationSource): TrustOrigin {
  if (source === 'export') return 'export';
  return source === 'signedBlock' && (origin === 'selfDeclared' || origin === 'export') ? origin : 'handedOver';
}

const isPublished = ({ origin, publication }: Trust) => origin !== 'pinned' || publication !== null;

/**
 * What is trusted at the start of a run: `ledgerId` is what the operator names, beside what was stored. A former id of
 * the ledger is as good as its present one: the network itself has replaced it. Throws ProofRefusal for any other.
 */
export function settleTrust(stored: StoredTrust | null, ledgerId: Uint8Array | null): Trust | null {
  if (!ledgerId) return stored && restoreTrust(stored);
  const pinned = pinLedgerId(ledgerId);
  if (!stored) return pinned;
  const known = restoreTrust(stored);
  if (known.formerIds.some((former) => isSameBytes(former, ledgerId))) return known;
  if (!isSameBytes(known.ledgerId, ledgerId)) {
    refuse('ledgerId', describeLedger(known), `ledger ${formatLedgerId(ledgerId)}`);
  }
  const trust: Trust = { ...known, origin: 'pinned' };
  if (!stored.publication || known.origin === 'pinned') return trust;
  // Its block was proved before it was stored; an export's was not: anybody may have made its key for WRAPS proofs.
  const source = known.origin === 'export' ? 'export' : 'signedBlock';
  return takePublication(trust, readPublication(stored.publication), source);
}

const origins: Record<TrustOrigin, string> = {
  pinned: 'which is pinned',
  handedOver: 'which signed records or blocks handed over',
  selfDeclared: 'which the first block declared',
  export: 'which is from the export',
};

/** Which ledger is trusted, and why. */
export function describeLedger({ ledgerId, origin }: Pick<Trust, 'ledgerId' | 'origin'>): string {
  return `ledger ${formatLedgerId(ledgerId)}, ${origins[origin]}`;
}

function originAfter(trust: Trust | null, source: PublicationSource): TrustOrigin {
  if (trust?.origin === 'pinned' || source === 'operator') return 'pinned';
  if (trust?.origin === 'handedOver' || source === 'records') return 'handedOver';
  if (trust?.origin === 'export' || source === 'export') return 'export';
  return 'selfDeclared';
}

/** What there is to say of the verdict `Verified` of a signature: of which block, and as which ledger. */
type Covered = { state: 'verified'; restsOn: bigint; ledgerId: Uint8Array };

/**
 * A block names the next hinTS key, in the state of its construction: the key is trusted from here on. `covered`: the
 * verdict of the signature that covers the block, its own or that of the later block that its chain of roots leads to.
 * Throws ProofRefusal where the signature is of an earlier block, or of another ledger.
 */
export function takeNamedKey(
  trust: Trust,
  { keyHash, block, covered }: { keyHash: Uint8Array; block: bigint; covered: Covered },
): Trust {
  checkKeyHash(keyHash);
  if (covered.restsOn < block) {
    refuse('attestation', `a signature that covers block ${block}`, `one of block ${covered.restsOn}`);
  }
  if (![trust.ledgerId, ...trust.formerIds].some((id) => isSameBytes(id, covered.ledgerId))) {
    refuse('ledgerId', `a block of ${describeLedger(trust)}`, `one of ledger ${formatLedgerId(covered.ledgerId)}`);
  }
  return { ...trust, keys: withKey(trust.keys, { keyHash, source: 'signedBlock', block }) };
}

/** The operator names a key that no block has named. Throws ProofRefusal for anything but 32 bytes. */
export function pinKey(trust: Trust, keyHash: Uint8Array): Trust {
  checkKeyHash(keyHash);
  return { ...trust, keys: withKey(trust.keys, { keyHash, source: 'pinned', block: null }) };
}

function checkKeyHash(keyHash: Uint8Array): void {
  if (keyHash.length !== keyHashLength) {
    refuse('attestation', `a hash of a hinTS key of ${keyHashLength} bytes`, `${keyHash.length} bytes`);
  }
}

/** A trusted key has signed this block. Throws ProofRefusal for one that another has taken over from. */
export function takeKeyUse(trust: Trust, keyHash: Uint8Array, block: bigint): Trust {
  const used = findKey(trust.keys, keyHash);
  if (!used) return trust;
  const keys = withUse(trust.keys, used, block);
  return keys === trust.keys ? trust : { ...trust, keys };
}

/**
 * `steps`: of the WRAPS proof that the signature of this block shows; 0 of a network that has not settled. Old keys
 * never expire: a block after a rotation that is signed by a key from before it is refused. Throws ProofRefusal.
 */
export function takeRotation(trust: Trust, steps: bigint, block: bigint): Trust {
  const { rotation } = trust;
  if (!rotation) return { ...trust, rotation: { steps, block } };
  if (steps < rotation.steps && block >= rotation.block) {
    refuse(
      'rotation',
      `at least ${rotation.steps} steps, as block ${rotation.block} shows`,
      `${steps} at block ${block}`,
    );
  }
  const isNews = steps > rotation.steps || (steps === rotation.steps && block < rotation.block);
  return isNews ? { ...trust, rotation: { steps, block } } : trust;
}
