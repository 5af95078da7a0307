// What other tables say of contract results and logs, in a distributed database: the entity of the contract, the Ethereum
// transaction, the block.
import type { Database } from '../../wire/database.ts';
import { type Absent, columnsOf, expression, type RowOf, type Selection, selectAll, selectQuery } from '../columns.ts';
import { blockOfResult, entityOfResult, joinBlock } from '../contract-result-row.ts';
import { addFound } from './look-up.ts';

/** Each row with the address of its contract. */
export function addEntities<Row extends { contractId: bigint }>(db: Database, rows: readonly Row[]) {
  return addFound(db, rows, {
    ...{ name: 'find-entities', table: 'entity', select: entityOfResult },
    keys: [['id', (row) => row.contractId]],
  });
}

/** Each row with what its Ethereum transaction says. */
function addEthereum<Row extends { consensusTimestamp: bigint; payerAccountId: bigint }, Found extends object>(
  db: Database,
  rows: readonly Row[],
  { name, select }: { name: string; select: Selection<Found> },
) {
  return addFound(db, rows, {
    ...{ name, table: 'ethereum_transaction', select },
    keys: [
      ['payer_account_id', (row) => row.payerAccountId],
      ['consensus_timestamp', (row) => row.consensusTimestamp],
    ],
  });
}

type FoundBlock = RowOf<typeof blockOfResult>;

/** Each row with its block; every machine has all blocks. */
export async function addBlocks<Row extends { consensusTimestamp: bigint }>(db: Database, rows: readonly Row[]) {
  const query = selectQuery({
    name: 'find-blocks',
    select: selectAll(expression('at', 'int8', 'page.at'), columnsOf(blockOfResult, 'b').optional()),
    from: `from unnest($1::int8[]) as page (at)\n${joinBlock('page.at')}`,
    values: [[...new Set(rows.map((row) => row.consensusTimestamp))]],
  });
  const blocks = new Map((await db.query(query)).map(({ at, ...block }) => [at, block]));
  return rows.map((row) => Object.assign(row, blocks.get(row.consensusTimestamp) as FoundBlock | Absent<FoundBlock>));
}

/** A page of results with all three. */
export async function addToResults<
  Row extends { contractId: bigint; consensusTimestamp: bigint; payerAccountId: bigint },
  Found extends object,
>(db: Database, rows: readonly Row[], ethereum: { name: string; select: Selection<Found> }) {
  const all = await Promise.all([addEntities(db, rows), addEthereum(db, rows, ethereum), addBlocks(db, rows)]);
  return all[0] as ((typeof all)[0][number] & (typeof all)[1][number] & (typeof all)[2][number])[];
}
