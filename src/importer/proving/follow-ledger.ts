// What is trusted of a ledger while its blocks pass: the id, its keys, and what blocks say of both. What a block says counts once
// the block is covered: until then it is noted with the block's number.
import { ProofRefusal, type Refusal, refuse } from '../../proof/proof-refusal.ts';
import { type Publication, readPublication } from '../../proof/publication.ts';
import {
  describeLedger,
  type PublicationSource,
  pinKey,
  restoreTrust,
  type StoredTrust,
  settleTrust,
  type Trust,
  takeNamedKey,
  takePublication,
  toStoredTrust,
} from '../../proof/trust.ts';
import type { KeyUnproved, Verified } from '../../proof/verify-block-proof.ts';
import type { KnownLedger, NamedKey, UnreadPublication } from './ledger-change.ts';
import { isUnknownForm, type ReadPublications, readPublications, type UnreadMessage } from './read-publications.ts';

/** What an import begins with. */
export type GivenTrust = {
  /** Of earlier blocks. */
  stored: KnownLedger;
  /** All from the operator. `ledgerKey`: the hash of a hinTS key. */
  ledgerId: Uint8Array | null;
  ledgerKey: Uint8Array | null;
  publication: Uint8Array | null;
};

/** `keyHashes`: of hinTS keys in the block's state. */
export type SaidOfLedger = ReadPublications & { keyHashes: readonly Uint8Array[] };

/** A ledger id took the place of another one, in this block. */
export type Handover = { block: bigint; from: Uint8Array; to: Uint8Array };

/** Of a block that nothing has proved yet. `isStored`: a signature by a key covers it that nothing vouches for. */
type Noted = {
  block: bigint;
  publications: readonly Publication[];
  unread: readonly UnreadMessage[];
  keyHashes: readonly Uint8Array[];
  isStored: boolean;
};

/** Larger ones are of no use to a later version: a publication of 128 nodes takes some 30 kB. */
const maxKeptContent = 256 * 1024;

export function createLedgerFollower() {
  let trust: Trust | null = null;
  let unread: UnreadPublication | null = null;
  /** The unread publication may be good. */
  let isUnreadOpen = false;
  let noted: Noted[] = [];
  let newest: bigint | null = null;
  /** The first block of the ledger was seen, whose key the ledger id names. */
  let isFromStart = false;
  /** Blocks are missing, which may have named the key that signs now. */
  let isBroken = false;

  function take(publication: Publication, source: PublicationSource, block: bigint): Handover[] {
    const before = trust;
    trust = takePublication(trust, publication, source);
    if (source !== 'unverified') unread = null;
    return before && !isSame(before.ledgerId, trust.ledgerId)
      ? [{ block, from: before.ledgerId, to: trust.ledgerId }]
      : [];
  }

  function keepUnread({ content, refusal }: UnreadMessage, source: UnreadPublication['source'], block: bigint): void {
    const reason = `expected ${refusal.expected}, found ${refusal.found}`;
    unread = { block, source, reason, content: content.length <= maxKeptContent ? content : null };
    isUnreadOpen = refusal.check === 'unknownForm';
  }

  /** What a version before this one could not read. */
  function readAgain(): void {
    if (!unread) return;
    isUnreadOpen = true;
    if (!unread.content) return;
    const { block, source, content } = unread;
    const read = readPublications([content]);
    for (const publication of read.publications) take(publication, source, block);
    for (const message of read.unread) keepUnread(message, source, block);
  }

  /** Whether the id is another one than that of the ledger, now or before. */
  function isForeign({ ledgerId }: Publication): boolean {
    return trust !== null && ![trust.ledgerId, ...trust.formerIds].some((id) => isSame(id, ledgerId));
  }

  return {
    trust: () => trust,
    /** The refusal of what was given; null = it is trusted from here on. */
    begin({ stored, ledgerId, ledgerKey, publication }: GivenTrust): Refusal | null {
      [trust, unread, isUnreadOpen, noted] = [null, stored.unread, false, stored.unprovedKeys.map(toNoted)];
      [newest, isFromStart, isBroken] = [null, false, false];
      try {
        const given = publication && readPublication(publication);
        trust =
          given && isNewLedger(stored.trust, ledgerId, given)
            ? begin(stored.trust!, given)
            : settleTrust(stored.trust, ledgerId);
        if (given) take(given, 'operator', 0n);
        readAgain();
        if (ledgerKey)
          trust = pinKey(trust ?? refuse('ledgerId', 'the id of the ledger whose key is named', 'none'), ledgerKey);
        return null;
      } catch (error) {
        return refusalOf(error);
      }
    },
    /** Of a block that nothing has proved yet. Throws ProofRefusal for what can never be proved. */
    note(block: bigint, { publications, unread: messages, keyHashes }: SaidOfLedger): void {
      if (newest !== null && block !== newest + 1n) {
        // No chain leads from here to those before.
        [noted, isBroken] = [[], true];
      }
      newest = block;
      if (block === 0n) isFromStart = true;
      for (const publication of publications) {
        // Nothing can be proved as of a ledger that nothing is known of but its id.
        if (!isForeign(publication) || !hasMeans(trust!)) take(publication, 'unverified', block);
      }
      const open = messages.find(isUnknownForm);
      if (open && trust === null) throw new ProofRefusal(open.refusal);
      if (publications.length + messages.length + keyHashes.length > 0) {
        noted.push({ block, publications, unread: messages, keyHashes, isStored: false });
      }
    },
    /** Throws ProofRefusal if all that is known of the ledger is that its publication cannot be read. */
    refuseWithout(): void {
      if (trust === null && unread && isUnreadOpen) {
        refuse(
          'unknownForm',
          `a publication of the ledger id that this version can read (block ${unread.block})`,
          unread.reason,
        );
      }
    },
    /** The block, and all before it, are covered. Throws ProofRefusal for what a proved block says and nobody may believe. */
    cover(block: bigint, verdict: Verified | KeyUnproved, after: Trust | null): Handover[] {
      trust = after;
      const covered = noted.filter((one) => one.block <= block);
      if (verdict.state === 'unproved') {
        noted = [...keepStored(covered), ...noted.filter((one) => one.block > block)];
        return [];
      }
      noted = noted.filter((one) => one.block > block);
      isBroken = false;
      const handovers: Handover[] = [];
      for (const one of covered) {
        for (const keyHash of one.keyHashes) {
          trust = takeNamedKey(trust!, { keyHash, block: one.block, covered: verdict });
        }
        for (const publication of one.publications) handovers.push(...take(publication, 'signedBlock', one.block));
        for (const message of one.unread) keepUnread(message, 'signedBlock', one.block);
      }
      return handovers;
    },
    /** From a block that signatures of nodes prove. Throws ProofRefusal. */
    takeRecords(block: bigint, { publications, unread: messages }: ReadPublications): Handover[] {
      const handovers = publications.flatMap((publication) => take(publication, 'records', block));
      for (const message of messages) keepUnread(message, 'records', block);
      return handovers;
    },
    /** Whether every key must be one that was announced: keys are known from the beginning on, or since one has signed. */
    isFollowed(): boolean {
      if (!trust || isBroken) return false;
      const { keys, formerIds, origin } = trust;
      return (
        isFromStart ||
        formerIds.length > 0 ||
        origin === 'selfDeclared' ||
        keys.some(({ signsFrom }) => signsFrom !== null)
      );
    },
    hasNamed: () => noted.some(({ keyHashes }) => keyHashes.length > 0),
    /** The first block before this one that names the key and is not proved; null: none does. */
    findNaming: (keyHash: Uint8Array, before: bigint): bigint | null =>
      noted.find(({ block, keyHashes }) => block < before && keyHashes.some((one) => isSame(one, keyHash)))?.block ?? null,
    /** The block publishes the id of another ledger. */
    hasForeign: (block: bigint): boolean => findForeign(block) !== null,
    refusalOfForeign(block: bigint): ProofRefusal | null {
      const publication = findForeign(block);
      try {
        if (publication) takePublication(trust, publication, 'unverified');
        return null;
      } catch (error) {
        if (!(error instanceof ProofRefusal)) throw error;
        return error;
      }
    },
    refusalOf,
    refusalOfKey(keyHash: Uint8Array): Refusal {
      const expected = 'a hinTS key that a proved block named before, or that is pinned (--ledger-key)';
      return refusalOf(
        new ProofRefusal({ check: 'attestation', expected, found: `key ${hex(keyHash)}, which none has named` }),
      );
    },
    known(): KnownLedger {
      return { trust: trust && toStoredTrust(trust), unread, unprovedKeys: unprovedKeys() };
    },
  };

  function findForeign(block: bigint): Publication | null {
    const { publications = [] } = noted.find((one) => one.block === block) ?? {};
    return publications.find(isForeign) ?? null;
  }

  function unprovedKeys(): NamedKey[] {
    const trusted = new Set(trust?.keys.map(({ keyHash }) => hex(keyHash)));
    return newestNamed(noted.filter(({ isStored }) => isStored)).filter(({ keyHash }) => !trusted.has(hex(keyHash)));
  }

  function refusalOf(error: unknown): Refusal {
    if (!(error instanceof ProofRefusal)) throw error;
    const { refusal } = error;
    const isOfLedger = trust && ofLedger.has(refusal.check);
    return { ...refusal, expected: refusal.expected + (isOfLedger ? `, of ${describeLedger(trust!)}` : '') };
  }
}

/** Refusals that mean more beside the ledger that is trusted. */
const ofLedger: ReadonlySet<Refusal['check']> = new Set(['attestation', 'wrapsKey', 'rotation']);

/** Something of the ledger is known that a proof can be checked with. */
function hasMeans({ book, wrapsKey, keys }: Trust): boolean {
  return book !== null || wrapsKey !== null || keys.length > 0;
}

/** Each key once: networks name the same one again and again. */
function keepStored(covered: readonly Noted[]): Noted[] {
  const rest = covered.filter(({ publications, unread }) => publications.length + unread.length > 0);
  const others = rest.map((one) => ({ ...one, keyHashes: [], isStored: true }));
  return [...newestNamed(covered).map(toNoted), ...others].sort((one, other) => Number(one.block - other.block));
}

function newestNamed(some: readonly Noted[]): NamedKey[] {
  const named = some.flatMap(({ block, keyHashes }) =>
    keyHashes.map((keyHash) => [hex(keyHash), { keyHash, block }] as const),
  );
  return [...new Map(named).values()];
}

const toNoted = ({ keyHash, block }: NamedKey): Noted => {
  return { block, publications: [], unread: [], keyHashes: [keyHash], isStored: true };
};

/** The operator names the id of another ledger, and gives its publication: that the network goes on under this id. */
function isNewLedger(stored: StoredTrust | null, ledgerId: Uint8Array | null, given: Publication): boolean {
  if (!stored || !ledgerId || !isSame(given.ledgerId, ledgerId)) return false;
  return ![stored.ledgerId, ...stored.formerIds].some((id) => isSame(id, ledgerId));
}

/** The operator vouches for it as a block of the ledger before would. */
function begin(stored: StoredTrust, given: Publication): Trust {
  return { ...takePublication(restoreTrust(stored), given, 'signedBlock'), origin: 'pinned' };
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
