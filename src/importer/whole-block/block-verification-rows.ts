// What is stored of the verification of a block of a block stream, and of the ledger that it was verified as.
import type { StoredTrust } from '../../proof/trust.ts';
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import type { Row } from '../../store/schema/tables.ts';
import type { BulkOperation, TableChanges } from '../../store/write/block-changes.ts';
import type { NetworkCover } from '../open/block-verification.ts';

type CoverColumns = Omit<Row<'block_verification'>, 'consensus_end'>;

/** `hasUnproved`: blocks are stored that no signature of the network covers; the first one that is covered covers them, too. */
export function createVerificationRows({ hasUnproved }: { hasUnproved: boolean }) {
  return (
    { version, consensusEnd }: StreamBlock,
    cover: NetworkCover | null,
    trust: StoredTrust | null,
  ): (TableChanges | BulkOperation)[] => {
    const changes: (TableChanges | BulkOperation)[] = trust ? [{ ledger_trust: [trustRow(trust)] }] : [];
    if (version !== blockStreamVersion) return changes;
    const columns = cover ? coverColumns(cover) : {};
    if (!cover) hasUnproved = true;
    else if (hasUnproved) {
      // Each names the root of the one before it, which was checked when it was stored.
      changes.push({ operation: 'coverEarlierBlocks', timestamp: consensusEnd, cover: { ...columns, kind: 'chain' } });
      hasUnproved = false;
    }
    return [...changes, { block_verification: [{ consensus_end: consensusEnd, ...columns }] }];
  };
}

const blockStreamVersion = 7;

function coverColumns({ kind, restsOn, weight, totalWeight, rotations }: NetworkCover): CoverColumns {
  return { kind, rests_on: restsOn, weight, total_weight: totalWeight, rotations };
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
