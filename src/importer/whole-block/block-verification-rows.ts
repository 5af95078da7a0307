// What is stored of the verification of a block of a block stream, and of the ledger that it was verified as.
import type { StoredTrust } from '../../../packages/proof/trust.ts';
import type { Row } from '../../../packages/schema/tables.ts';
import type { BulkOperation, TableChanges } from '../../../packages/store/write/block-changes.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import type { NetworkCover } from '../open/block-verification.ts';
import type { LedgerChange, UnreadPublication } from '../proving/ledger-change.ts';

type CoverColumns = Omit<Row<'block_verification'>, 'consensus_end'>;

export type StoredVerification = {
  /** Blocks are stored that no signature of the network covers; the first one that is covered covers them, too. */
  hasUncovered: boolean;
  /** And such as only signatures cover whose key nothing vouches for: the first one by a trusted key covers them. */
  hasUnproved: boolean;
  trust: StoredTrust | null;
};

export function createVerificationRows({ hasUncovered, hasUnproved, trust: stored }: StoredVerification) {
  let trust = stored;

  function coverEarlier(consensusEnd: bigint, cover: NetworkCover): BulkOperation[] {
    const isProved = cover.attestation !== 'unproved';
    const isNews = hasUncovered || (isProved && hasUnproved);
    hasUncovered = false;
    hasUnproved = !isProved;
    if (!isNews) return [];
    // Each names the root of the one before it, which was checked when it was stored.
    const columns: CoverColumns = { ...coverColumns(cover), kind: 'chain' };
    return [{ operation: 'coverEarlierBlocks', timestamp: consensusEnd, cover: columns }];
  }

  /** @param number of the block */
  return (
    { version, consensusEnd }: StreamBlock,
    number: bigint,
    cover: NetworkCover | null,
    change: LedgerChange,
  ): (TableChanges | BulkOperation)[] => {
    const changes: (TableChanges | BulkOperation)[] = [...ledgerRows(change, trust, number)];
    trust = change.trust ?? trust;
    if (version !== blockStreamVersion) return changes;
    if (cover) changes.push(...coverEarlier(consensusEnd, cover));
    else hasUncovered = true;
    const columns = cover ? coverColumns(cover) : {};
    return [...changes, { block_verification: [{ consensus_end: consensusEnd, ...columns }] }];
  };
}

const blockStreamVersion = 7;

function coverColumns(cover: NetworkCover): CoverColumns {
  const { kind, restsOn, weight, totalWeight, rotations, attestation, namedBy } = cover;
  const ofKey = { rotations, attestation, key_named_by: namedBy };
  return { kind, rests_on: restsOn, weight, total_weight: totalWeight, ...ofKey };
}

/** `number`: of the block that shows it; where the ledger id changes, the last one of the former. */
export function ledgerRows(
  { trust, unread, unprovedKeys = [] }: LedgerChange,
  before: StoredTrust | null,
  number: bigint,
): TableChanges[] {
  const changes: TableChanges = {};
  const keys = [...(trust ? keyRows(before, trust) : []), ...unprovedKeys.map(unprovedRow)];
  if (trust) changes.ledger_trust = [trustRow(trust)];
  if (keys.length > 0) changes.ledger_key = keys;
  if (trust && before && hex(before.ledgerId) !== hex(trust.ledgerId)) {
    changes.former_ledger = [{ until_block: number, ledger_id: before.ledgerId, origin: before.origin }];
  }
  if (unread !== undefined) changes.unread_publication = [unreadRow(unread)];
  return Object.keys(changes).length > 0 ? [changes] : [];
}

function trustRow({ ledgerId, origin, publication, wrapsKey, rotation }: StoredTrust): Row<'ledger_trust'> {
  return {
    id: 1n,
    ledger_id: ledgerId,
    origin,
    publication,
    wraps_key: wrapsKey,
    rotation_steps: rotation?.steps ?? null,
    rotation_block: rotation?.block ?? null,
  };
}

/** Of those that have changed. */
function keyRows(before: StoredTrust | null, { keys }: StoredTrust): Row<'ledger_key'>[] {
  const known = new Map(before?.keys.map((key) => [hex(key.keyHash), key]));
  return keys
    .filter(({ keyHash, block, namedLast, signsFrom }) => {
      const stored = known.get(hex(keyHash));
      return stored?.block !== block || stored.namedLast !== namedLast || stored.signsFrom !== signsFrom;
    })
    .map(({ keyHash, source, block, namedLast, signsFrom }) => ({
      key_hash: keyHash,
      source,
      named_by: block,
      named_last: namedLast,
      signs_from: signsFrom,
    }));
}

function unprovedRow({ keyHash, block }: NonNullable<LedgerChange['unprovedKeys']>[number]): Row<'ledger_key'> {
  return { key_hash: keyHash, source: 'unproved', named_by: block, named_last: block, signs_from: null };
}

function unreadRow(unread: UnreadPublication | null): Row<'unread_publication'> {
  return { id: 1n, block: null, source: null, reason: null, content: null, ...unread };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
