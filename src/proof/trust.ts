// What proofs are checked against: a ledger id, where it comes from, and what its publication says. A value; each decision makes
// the next one or refuses.
import type { AddressBook } from './address-book.ts';
import { isSameBytes, scalarLength, toHex } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';
import { type Publication, readPublication } from './publication.ts';
import { ceremonyWrapsKeyHash, hashWrapsKey } from './wraps-key.ts';

/**
 * pinned: the operator or the program named the ledger id. handedOver: it was published under signatures of the nodes' address
 * book. selfDeclared: it was in the first block that was read, which anybody could have made.
 */
export type TrustOrigin = 'pinned' | 'handedOver' | 'selfDeclared';

export type Trust = {
  /** 32 bytes. */
  ledgerId: Uint8Array;
  origin: TrustOrigin;
  /** null until the publication is there: proofs of a network that has not settled cannot be checked. */
  book: AddressBook | null;
  /** null where none is accepted: proofs of a settled network cannot be checked. */
  wrapsKey: Uint8Array | null;
  /** The newest rotation of keys that was proved, and the block whose signature shows it; 0 steps before the network settled. */
  rotation: { steps: bigint; block: bigint } | null;
  /** The message that the book is of. */
  publication: Uint8Array | null;
};

/** What a database or a message between threads holds of it: the book follows from the publication. */
export type StoredTrust = Omit<Trust, 'book'>;

/** Throws ProofRefusal if the publication is not one. */
export function restoreTrust(stored: StoredTrust): Trust {
  return { ...stored, book: stored.publication && readPublication(stored.publication).book };
}

export function toStoredTrust({ book: _follows, ...stored }: Trust): StoredTrust {
  return stored;
}

/** Throws ProofRefusal for anything but 32 bytes. */
export function pinLedgerId(ledgerId: Uint8Array): Trust {
  if (ledgerId.length !== scalarLength) refuse('ledgerId', `${scalarLength} bytes`, `${ledgerId.length}`);
  return { ledgerId, origin: 'pinned', book: null, wrapsKey: null, rotation: null, publication: null };
}

/**
 * How a publication came here. operator: from a file that the operator named. records: in a record file, or a block around one,
 * whose signatures reach the quorum of the address book. signedBlock: in a block whose own proof was good by what was trusted
 * before. unverified: in a block that nothing has proved yet.
 */
export type PublicationSource = 'operator' | 'records' | 'signedBlock' | 'unverified';

/**
 * What is trusted with this publication, of a transaction that succeeded. Its book is the one of the ledger id; its WRAPS key is
 * accepted where it is the ceremony's, or the publication is trusted. Throws ProofRefusal for another ledger id.
 */
export function takePublication(trust: Trust | null, publication: Publication, source: PublicationSource): Trust {
  const { ledgerId, book, wrapsKey, content } = publication;
  if (trust && !isSameBytes(trust.ledgerId, ledgerId)) {
    refuse('ledgerId', `a publication of ${describeLedger(trust)}`, `one of ledger ${toHex(ledgerId)}`);
  }
  const origin = originAfter(trust, source);
  const isTrusted =
    source === 'operator' || source === 'records' || (source === 'signedBlock' && origin !== 'selfDeclared');
  const ceremonyKey = hashWrapsKey(wrapsKey) === ceremonyWrapsKeyHash ? wrapsKey : null;
  return {
    ledgerId,
    origin,
    book,
    wrapsKey: isTrusted ? wrapsKey : (trust?.wrapsKey ?? ceremonyKey),
    rotation: trust?.rotation ?? null,
    publication: content,
  };
}

const origins: Record<TrustOrigin, string> = {
  pinned: 'which is pinned',
  handedOver: 'which signed records handed over',
  selfDeclared: 'which the first block declared',
};

/** Which ledger is trusted, and why. */
export function describeLedger({ ledgerId, origin }: Pick<Trust, 'ledgerId' | 'origin'>): string {
  return `ledger ${toHex(ledgerId)}, ${origins[origin]}`;
}

function originAfter(trust: Trust | null, source: PublicationSource): TrustOrigin {
  if (trust?.origin === 'pinned' || source === 'operator') return 'pinned';
  if (trust?.origin === 'handedOver' || source === 'records') return 'handedOver';
  return 'selfDeclared';
}

/**
 * `steps`: of the WRAPS proof that the signature of this block shows; 0 of a network that has not settled. Old keys never expire:
 * a block after a rotation that is signed by a key from before it is refused. Throws ProofRefusal.
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
