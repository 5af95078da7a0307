// What is trusted of a ledger, and which publication of it could not be read, as blocks that were proved change it.
import { type Refusal, refuse } from '../../../packages/proof/proof-refusal.ts';
import { type Publication, readPublication } from '../../../packages/proof/publication.ts';
import {
  type PublicationSource,
  pinKey,
  restoreTrust,
  type StoredTrust,
  settleTrust,
  type Trust,
  takePublication,
} from '../../../packages/proof/trust.ts';
import type { KnownLedger, UnreadPublication } from './ledger-change.ts';
import { readPublications, type UnreadMessage } from './read-publications.ts';

/** What an import begins with. */
export type GivenTrust = {
  /** Of earlier blocks. */
  stored: KnownLedger;
  /** All from the operator. `ledgerKey`: the hash of a hinTS key. */
  ledgerId: Uint8Array | null;
  ledgerKey: Uint8Array | null;
  publication: Uint8Array | null;
};

/** A ledger id took the place of another one, in this block. */
export type Handover = { block: bigint; from: Uint8Array; to: Uint8Array };

/** Larger ones are of no use to a later version: a publication of 128 nodes takes some 30 kB. */
const maxKeptContent = 256 * 1024;

export function createTrustHolder() {
  let trust: Trust | null = null;
  let unread: UnreadPublication | null = null;
  /** Why the unread publication could not be read; null also if that is of an earlier run. */
  let why: Refusal['check'] | null = null;

  /** Throws ProofRefusal. */
  function take(publication: Publication, source: PublicationSource, block: bigint): Handover[] {
    const before = trust;
    trust = takePublication(trust, publication, source);
    if (source === 'records' || source === 'signedBlock') unread = null;
    return before && !isSame(before.ledgerId, trust.ledgerId)
      ? [{ block, from: before.ledgerId, to: trust.ledgerId }]
      : [];
  }

  function keepUnread({ content, refusal }: UnreadMessage, source: UnreadPublication['source'], block: bigint): void {
    const reason = `expected ${refusal.expected}, found ${refusal.found}`;
    unread = { block, source, reason, content: content.length <= maxKeptContent ? content : null };
    why = refusal.check;
  }

  /** What a version before this one could not read. */
  function readAgain(): void {
    if (!unread?.content) return;
    const { block, source, content } = unread;
    const read = readPublications([content]);
    for (const publication of read.publications) take(publication, source, block);
    for (const message of read.unread) keepUnread(message, source, block);
  }

  return {
    trust: () => trust,
    unread: () => unread,
    set(after: Trust | null): void {
      trust = after;
    },
    take,
    keepUnread,
    /** Throws ProofRefusal for what contradicts what is trusted already. */
    begin({ stored, ledgerId, ledgerKey, publication }: GivenTrust): void {
      [trust, unread, why] = [null, stored.unread, null];
      const given = publication && readPublication(publication);
      const isNew = given !== null && isNewLedger(stored.trust, ledgerId, given);
      trust = isNew ? goOnAs(stored.trust!, given) : settleTrust(stored.trust, ledgerId);
      if (given) take(given, 'operator', 0n);
      readAgain();
      if (ledgerKey) {
        trust = pinKey(trust ?? refuse('ledgerId', 'the id of the ledger whose key is named', 'none'), ledgerKey);
      }
    },
    /** Throws ProofRefusal if all that is known of the ledger is a publication that may be good, and cannot be read. */
    refuseWithout(): void {
      if (trust !== null || unread === null || (why !== null && why !== 'unknownForm')) return;
      const expected = `a publication of the ledger id that this version can read (block ${unread.block})`;
      refuse('unknownForm', expected, unread.reason);
    },
    /** Whether the id is another one than that of the ledger, now or before. */
    isForeign: ({ ledgerId }: Publication): boolean =>
      trust !== null && ![trust.ledgerId, ...trust.formerIds].some((id) => isSame(id, ledgerId)),
    /** Something of the ledger is known that a proof can be checked with. */
    hasMeans: (): boolean => trust !== null && (trust.book ?? trust.wrapsKey ?? trust.keys[0] ?? null) !== null,
  };
}

/** The operator names the id of another ledger, and gives its publication: that the network goes on under this id. */
function isNewLedger(stored: StoredTrust | null, ledgerId: Uint8Array | null, given: Publication): boolean {
  if (!stored || !ledgerId || !isSame(given.ledgerId, ledgerId)) return false;
  return ![stored.ledgerId, ...stored.formerIds].some((id) => isSame(id, ledgerId));
}

/** The operator vouches for it as a block of the ledger before would. */
function goOnAs(stored: StoredTrust, given: Publication): Trust {
  return { ...takePublication(restoreTrust(stored), given, 'signedBlock'), origin: 'pinned' };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
