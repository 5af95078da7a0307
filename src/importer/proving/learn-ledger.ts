// What is trusted of a ledger by publications that are stored and were never taken note of: in blocks that a version
// imported which did not know what they are, and in an export of another mirror. They count as they would have counted
// in their blocks.
import { findFirstKeyHash } from '../../../packages/proof/ledger-id.ts';
import { ProofRefusal, type Refusal, refuse } from '../../../packages/proof/proof-refusal.ts';
import { readPublication } from '../../../packages/proof/publication.ts';
import {
  type PublishedId,
  restoreTrust,
  type Trust,
  takePublication,
  toStoredTrust,
} from '../../../packages/proof/trust.ts';
import type { PublishedLedger } from '../../../packages/store/read/select-published-ledgers.ts';
import type { KnownLedger, LedgerChange, UnreadPublication } from './ledger-change.ts';
import { restorePublication } from './restore-publication.ts';

export type LearntLedger = {
  /** In order, each with the block that shows it. */
  changes: { block: bigint; change: LedgerChange; source: PublishedLedger['source'] }[];
  /** Why what is stored of a trusted ledger cannot be read, as that of an export may be anything; null: it can. */
  unreadable: string | null;
  /** Publications that could not be taken. */
  refused: { block: bigint; reason: string }[];
};

export type LearnOptions = {
  known: KnownLedger;
  /** In the order of their publication. */
  published: readonly PublishedLedger[];
  /** The ledger id that the operator names: what nothing proves does not contradict it. */
  pinned: Uint8Array | null;
  /** Versions from this revision of the import on have noted publications. */
  notedSince: number;
};

export function learnLedger({ known, published, pinned, notedSince }: LearnOptions): LearntLedger {
  const learnt: LearntLedger = { changes: [], unreadable: null, refused: [] };
  let trust: Trust | null = null;
  try {
    trust = known.trust && restoreTrust(known.trust);
  } catch (error) {
    if (!(error instanceof ProofRefusal)) throw error;
    return { ...learnt, unreadable: error.message };
  }
  for (const one of published) {
    const block = one.block ?? 0n;
    const { source } = one;
    const isUnnoted = source === 'records' && one.revision !== null && one.revision < notedSince;
    if (known.trust !== null && !isUnnoted) continue;
    try {
      const read = readPublished(one);
      if (source === 'unverified' && pinned !== null && !isSame(read.ledgerId, pinned)) continue;
      if (trust && [trust.ledgerId, ...trust.formerIds].some((id) => isSame(id, read.ledgerId))) continue;
      trust = takePublication(trust, read, source, block);
      learnt.changes.push({ block, change: { trust: toStoredTrust(trust) }, source });
    } catch (error) {
      if (!(error instanceof ProofRefusal)) throw error;
      learnt.refused.push({ block, reason: error.message });
      const unread = trust === null && error.refusal.check === 'unknownForm' && toUnread(one, block, error.refusal);
      if (unread) learnt.changes.push({ block, change: { trust: null, unread }, source });
    }
  }
  return learnt;
}

/** Throws ProofRefusal if it cannot be trusted, or is not stored as a whole. */
function readPublished(one: PublishedLedger): PublishedId {
  if ('content' in one) return readPublication(one.content);
  const message = restorePublication(one);
  if (message) return readPublication(message);
  const { ledgerId } = one;
  if (findFirstKeyHash(ledgerId)) return { ledgerId, book: null, wrapsKey: null, content: null };
  return refuse('publication', `the first address book beside ledger id ${hex(ledgerId)}`, 'none that is stored');
}

/** A later version may know how to read it. null: nothing proves that the network published it. */
function toUnread(one: PublishedLedger, block: bigint, { expected, found }: Refusal): UnreadPublication | null {
  const { source } = one;
  if (source !== 'records' && source !== 'signedBlock') return null;
  const content = 'content' in one ? one.content : restorePublication(one);
  return { block, source, reason: `expected ${expected}, found ${found}`, content };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
