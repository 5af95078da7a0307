// Nonces of accounts at a time, which no version of an account says: of the newest Ethereum transaction before, else of
// the first one after it.
import type { Database } from '../../../../packages/postgres/wire/database.ts';
import { columns, expression, selectAll, selectQuery } from '../statement/columns.ts';

/** By id; an account that never sent one has none. */
export async function selectPastNonces(
  db: Database,
  ids: readonly bigint[],
  until: bigint,
): Promise<Map<bigint, bigint>> {
  if (ids.length === 0) return new Map();
  const rows = db.isDistributed
    ? await Promise.all(ids.map(async (id) => ({ id, nonce: await selectFromMachines(db, id, until) })))
    : await db.query(
        selectQuery({
          name: 'select-past-nonces',
          select: selectAll(expression('id', 'int8', 'a.id'), expression('nonce', 'int8', nonceOfSender).nullable()),
          from: 'from unnest($1::int8[]) a (id)',
          values: [ids, until],
        }),
      );
  return new Map(rows.flatMap(({ id, nonce }) => (nonce === null ? [] : [[id, nonce] as const])));
}

/** SQL: an Ethereum transaction of `a` that ran. */
const sent = (condition: string, order: string) => `(
    select e.nonce from contract_result r
    join ethereum_transaction e on e.consensus_timestamp = r.consensus_timestamp and e.payer_account_id = r.payer_account_id
    where r.sender_id = a.id and r.gas_used > 0 and r.consensus_timestamp ${condition}
    order by r.consensus_timestamp ${order} limit 1
  )`;
const nonceOfSender = `coalesce(${sent('<= $2::int8', 'desc')} + 1, ${sent('> $2::int8', 'asc')})`;

async function selectFromMachines(db: Database, id: bigint, until: bigint): Promise<bigint | null> {
  const before = await findSent(db, id, { order: 'desc', from: until });
  return before === null ? findSent(db, id, { order: 'asc', from: until + 1n }) : before + 1n;
}

/** Many results of a sender may be of calls that are no Ethereum transactions. */
const pageSize = 250;

/**
 * Results lie by contract and Ethereum transactions by payer, which no cluster joins: a page of results, and the first
 * of them that is an Ethereum transaction, until there is one. `from`: ns, inclusive.
 */
async function findSent(
  db: Database,
  senderId: bigint,
  { order, from }: { order: 'asc' | 'desc'; from: bigint },
): Promise<bigint | null> {
  for (let next = from; ; ) {
    const results = await db.query(
      selectQuery({
        name: 'select-sent-results',
        shape: order,
        select: columns('contract_result', ['consensus_timestamp', 'payer_account_id']),
        from: `from contract_result
where sender_id = $1 and gas_used > 0 and consensus_timestamp ${order === 'asc' ? '>=' : '<='} $2
order by consensus_timestamp ${order} limit ${pageSize}`,
        values: [senderId, next],
      }),
    );
    if (results.length === 0) return null;
    const [found] = await db.query(
      selectQuery({
        name: 'select-sent-nonce',
        shape: order,
        select: columns('ethereum_transaction', ['nonce']),
        from: `from ethereum_transaction where consensus_timestamp = any($1::int8[]) and payer_account_id = any($2::int8[])
order by consensus_timestamp ${order} limit 1`,
        values: [
          results.map(({ consensusTimestamp }) => consensusTimestamp),
          [...new Set(results.map(({ payerAccountId }) => payerAccountId))],
        ],
      }),
    );
    if (found) return found.nonce;
    if (results.length < pageSize) return null;
    next = results.at(-1)!.consensusTimestamp + (order === 'asc' ? 1n : -1n);
  }
}
