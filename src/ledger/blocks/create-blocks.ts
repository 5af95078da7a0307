// Queries about blocks.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type BlockFees, selectBlockFees } from '../../../packages/store/read/select-block-fees.ts';
import {
  type BlockName,
  type BlockRow,
  type BlocksFilter,
  selectBlocks,
  selectBlocksNamed,
  selectProvedBlockFrom,
  selectProvedBlocksNamed,
  type VerificationRow,
} from '../../../packages/store/read/select-blocks.ts';
import type { Wanted } from '../../../packages/store/read/select-page.ts';
import { askPage, whereEvery } from '../question/page.ts';

export function createBlocks({ db }: { db: Database }) {
  return {
    /** Every condition must hold. The next page begins by number, whatever the order. */
    list: <Name extends string>(query: BlocksFilter & Wanted<Name>) =>
      askPage(
        whereEvery(query, ['number', 'timestamp']),
        async (filter) => (await selectBlocks(db, filter)).map(toBlock),
        (last) => last.number,
      ),
    /** null also if several blocks have that name. `withProof`: with how it was verified. */
    async find<Name extends string>(name: BlockName, wanted: Wanted<Name> & { withProof: boolean }) {
      if (wanted.withProof) {
        const [row, other] = await selectProvedBlocksNamed(db, name, wanted);
        return row && !other ? { ...toBlock<typeof row & BlockRow>(row), proof: toProof(row) } : null;
      }
      const [row, other] = await selectBlocksNamed(db, name, wanted);
      return row && !other ? { ...toBlock(row), proof: undefined } : null;
    },
    /** The block that holds this consensus time (ns), with how it was verified. */
    async findAt<Name extends string>(timestamp: bigint, wanted: Wanted<Name>) {
      const row = await selectProvedBlockFrom(db, timestamp, wanted);
      const isInside = row !== null && row.consensusStart <= timestamp;
      return isInside ? { ...toBlock<typeof row & BlockRow>(row), proof: toProof(row) } : null;
    },
    /** What its stored transactions were charged. */
    fees: (block: { consensusStart: bigint; consensusEnd: bigint }): Promise<BlockFees> => selectBlockFees(db, block),
  };
}

/** `hapiVersion`: null if the block's file names none. −1 in gas_used means that it was not counted. */
function toBlock<Row extends BlockRow>(row: Row) {
  const version = [row.hapiVersionMajor, row.hapiVersionMinor, row.hapiVersionPatch];
  return {
    ...row,
    hapiVersion: version.includes(null) ? null : version.join('.'),
    gasUsed: row.gasUsed === -1n ? null : row.gasUsed,
    logsBloom: row.logsBloom ?? bloomWithoutLogs(row.gasUsed),
  };
}

const blockStreamVersion = 7;

/** Record files are stored only with signatures of nodes. `key`: why the key of the signature is trusted. */
function toProof(row: VerificationRow) {
  const { version, coverKind, restsOn, weight, totalWeight, rotations, keyNamedBy } = row;
  const key = coverKind === null ? null : toSnakeCase(row.attestation ?? (rotations === null ? 'schnorr' : 'wraps'));
  const kind = key === 'unproved' ? key : (coverKind ?? (version < blockStreamVersion ? 'nodes' : 'unverified'));
  // Which ledger a block is of is known of one that was verified.
  const ledger = coverKind === null || row.origin === null ? null : toSnakeCase(row.origin);
  const ledgerId = ledger === null ? null : row.ledgerId;
  return { kind, restsOn, weight, totalWeight, rotations, key, keyNamedBy, ledgerId, ledger };
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Older programs stored no bloom for a block without logs; gas was counted from the start. */
function bloomWithoutLogs(gasUsed: bigint | null): Buffer | null {
  if (gasUsed === null || gasUsed < 0n) return null;
  return gasUsed > 0n ? noLogs : noResults;
}

const noLogs = Buffer.alloc(256);
const noResults = Buffer.alloc(0);
