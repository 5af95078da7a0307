// Transactions that published a ledger id, as mirrors of every version stored them.

import type { Database } from '../../postgres/wire/database.ts';
import { successCodes } from '../../protocol/hapi/response-codes.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { columns, selectQuery } from './statement/columns.ts';

/** Networks publish one, or a few. */
const maxPublications = 16;

/** Consensus timestamps (ns) of the first ones that succeeded. */
export async function selectPublishingTransactions(db: Database): Promise<bigint[]> {
  const query = selectQuery({
    name: 'select-publishing-transactions',
    select: columns('transaction', ['consensus_timestamp']),
    from: `from transaction where type = ${typeNumber.ledgerIdPublication} and result in (${successCodes.join(', ')})
order by consensus_timestamp limit ${maxPublications}`,
  });
  return (await db.query(query)).map(({ consensusTimestamp }) => consensusTimestamp);
}
