// What is trusted of a ledger while its blocks pass: the id, its keys, and what blocks say of both. What a block says counts once
// the block is covered: until then it is noted with the block's number.
import { ProofRefusal, type Refusal } from '../../../packages/proof/proof-refusal.ts';
import type { Publication } from '../../../packages/proof/publication.ts';
import {
  describeLedger,
  type Trust,
  takeNamedKey,
  takePublication,
  toStoredTrust,
} from '../../../packages/proof/trust.ts';
import type { KeyUnproved, Verified } from '../../../packages/proof/verify-block-proof.ts';
import type { KnownLedger, LedgerAt } from './ledger-change.ts';
import { createNotedBlocks } from './noted-blocks.ts';
import { isUnknownForm, type ReadPublications } from './read-publications.ts';
import { createTrustHolder, type GivenTrust, type Handover } from './trust-holder.ts';

/** `keyHashes`: of hinTS keys in the block's state. */
export type SaidOfLedger = ReadPublications & { keyHashes: readonly Uint8Array[] };

export type LedgerFollower = ReturnType<typeof createLedgerFollower>;

export function createLedgerFollower() {
  const holder = createTrustHolder();
  const noted = createNotedBlocks();
  const chain = createContinuity();
  const { trust } = holder;

  const findForeign = (block: bigint): Publication | null => noted.publicationsOf(block).find(holder.isForeign) ?? null;

  return {
    trust,
    refuseWithout: holder.refuseWithout,
    hasNamed: noted.hasKeys,
    findNaming: noted.findNaming,
    refusalOf: (error: unknown): Refusal => refusalOf(error, trust()),
    /** The refusal of what was given; null = it is trusted from here on. */
    begin(given: GivenTrust): Refusal | null {
      noted.begin(given.stored.unprovedKeys);
      chain.begin();
      try {
        holder.begin(given);
        return null;
      } catch (error) {
        return refusalOf(error, trust());
      }
    },
    /** Of a block that nothing has proved yet. Throws ProofRefusal for what can never be proved. */
    note(block: bigint, { publications, unread, keyHashes }: SaidOfLedger): void {
      if (chain.isGapBefore(block)) noted.forget();
      for (const publication of publications) {
        // Nothing can be proved as of a ledger that nothing is known of but its id.
        if (!holder.isForeign(publication) || !holder.hasMeans()) holder.take(publication, 'unverified', block);
      }
      const open = unread.find(isUnknownForm);
      if (open && trust() === null) throw new ProofRefusal(open.refusal);
      noted.add({ block, publications, unread, keyHashes });
    },
    /**
     * The block, and all before it, are covered; what each of them says is returned with it. Throws ProofRefusal for
     * what a proved block says and must not be believed.
     */
    cover(
      block: bigint,
      verdict: Verified | KeyUnproved,
      after: Trust | null,
    ): { handovers: Handover[]; changes: LedgerAt[] } {
      holder.set(after);
      const [handovers, changes]: [Handover[], LedgerAt[]] = [[], []];
      if (verdict.state === 'unproved') {
        for (const one of noted.upTo(block)) {
          noted.keep(one.block);
          changes.push({ block: one.block, known: known() });
        }
        return { handovers, changes };
      }
      chain.prove();
      for (const one of noted.upTo(block)) {
        noted.remove(one);
        for (const keyHash of one.keyHashes) {
          holder.set(takeNamedKey(trust()!, { keyHash, block: one.block, covered: verdict }));
        }
        for (const publication of one.publications) {
          handovers.push(...holder.take(publication, 'signedBlock', one.block));
        }
        for (const message of one.unread) holder.keepUnread(message, 'signedBlock', one.block);
        changes.push({ block: one.block, known: known() });
      }
      changes.push({ block, known: known() });
      return { handovers, changes };
    },
    /** From a block that signatures of nodes prove. Throws ProofRefusal. */
    takeRecords(block: bigint, { publications, unread }: ReadPublications): Handover[] {
      const handovers = publications.flatMap((publication) => holder.take(publication, 'records', block));
      for (const message of unread) holder.keepUnread(message, 'records', block);
      return handovers;
    },
    /** Whether every key must be one that was announced: keys are known from the beginning on, or since one has signed. */
    isFollowed: (): boolean => chain.isFollowed(trust()),
    /** The block publishes the id of another ledger. */
    hasForeign: (block: bigint): boolean => findForeign(block) !== null,
    refusalOfForeign(block: bigint): ProofRefusal | null {
      const publication = findForeign(block);
      try {
        if (publication) takePublication(trust(), publication, 'unverified');
        return null;
      } catch (error) {
        if (!(error instanceof ProofRefusal)) throw error;
        return error;
      }
    },
    refusalOfKey: (keyHash: Uint8Array): Refusal => refusalOf(unknownKey(keyHash), trust()),
    known,
  };

  function known(): KnownLedger {
    const now = trust();
    const trusted = new Set(now?.keys.map(({ keyHash }) => hex(keyHash)));
    const unprovedKeys = noted.storedKeys().filter(({ keyHash }) => !trusted.has(hex(keyHash)));
    return { trust: now && toStoredTrust(now), unread: holder.unread(), unprovedKeys };
  }
}

/** Whether the blocks that were seen name every key. */
function createContinuity() {
  let newest: bigint | null = null;
  /** The first block of the ledger was seen, whose key the ledger id names. */
  let isFromStart = false;
  /** Blocks are missing, which may have named the key that signs now. */
  let isBroken = false;
  return {
    begin(): void {
      [newest, isFromStart, isBroken] = [null, false, false];
    },
    isGapBefore(block: bigint): boolean {
      const isGap = newest !== null && block !== newest + 1n;
      newest = block;
      isBroken ||= isGap;
      isFromStart ||= block === 0n;
      return isGap;
    },
    /** A block is proved. */
    prove(): void {
      isBroken = false;
    },
    isFollowed(trust: Trust | null): boolean {
      if (!trust || isBroken) return false;
      const { keys, formerIds, origin } = trust;
      const hasSigned = keys.some(({ signsFrom }) => signsFrom !== null);
      return isFromStart || hasSigned || formerIds.length > 0 || origin === 'selfDeclared';
    },
  };
}

function unknownKey(keyHash: Uint8Array): ProofRefusal {
  const expected = 'a hinTS key that a proved block named before, or that is pinned (--ledger-key)';
  return new ProofRefusal({ check: 'attestation', expected, found: `key ${hex(keyHash)}, which none has named` });
}

/** Refusals that mean more beside the ledger that is trusted. */
const ofLedger: ReadonlySet<Refusal['check']> = new Set(['attestation', 'wrapsKey', 'rotation']);

function refusalOf(error: unknown, trust: Trust | null): Refusal {
  if (!(error instanceof ProofRefusal)) throw error;
  const { refusal } = error;
  const ledger = trust && ofLedger.has(refusal.check) ? `, of ${describeLedger(trust)}` : '';
  return { ...refusal, expected: refusal.expected + ledger };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
