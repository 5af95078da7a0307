// Nonces of accounts at a time, which no version of an account says: of the newest Ethereum transaction before, else of
// the first one after it; and such transactions by time.
import type { Database } from '../../../postgres/wire/database.ts';
import { selectOne } from '../select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from '../statement/columns.ts';

const sentColumns = columns('ethereum_transaction', ['consensus_timestamp', 'hash', 'nonce'], 'e');
/** An Ethereum transaction that ran. */
export type SentRow = RowOf<typeof sentColumns>;

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

/** SQL, from `from` on: Ethereum transactions of a sender that ran. */
const sentBy = (id: string): string => `from contract_result r
    join ethereum_transaction e on e.consensus_timestamp = r.consensus_timestamp and e.payer_account_id = r.payer_account_id
    where r.sender_id = ${id} and r.gas_used > 0 and r.consensus_timestamp`;
const sent = (condition: string, order: string) => `(
    select e.nonce ${sentBy('a.id')} ${condition}
    order by r.consensus_timestamp ${order} limit 1
  )`;
const nonceOfSender = `coalesce(${sent('<= $2::int8', 'desc')} + 1, ${sent('> $2::int8', 'asc')})`;

/** The newest that a sender sent within a span of time; bounds are inclusive, ns. null = none. */
export async function selectNewestSent(
  db: Database,
  senderId: bigint,
  { from, to }: { from: bigint; to: bigint },
): Promise<SentRow | null> {
  if (!db.isDistributed) {
    return selectOne(db, {
      name: 'select-newest-sent',
      select: sentColumns,
      from: `${sentBy('$1')} >= $2 and r.consensus_timestamp <= $3
order by r.consensus_timestamp desc limit 1`,
      values: [senderId, from, to],
    });
  }
  const found = await findSent(db, senderId, { order: 'desc', from: to });
  return found && found.consensusTimestamp >= from ? found : null;
}

async function selectFromMachines(db: Database, id: bigint, until: bigint): Promise<bigint | null> {
  const before = await findSent(db, id, { order: 'desc', from: until });
  if (before !== null) return before.nonce + 1n;
  return (await findSent(db, id, { order: 'asc', from: until + 1n }))?.nonce ?? null;
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
): Promise<SentRow | null> {
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
        select: sentColumns,
        from: `from ethereum_transaction e where consensus_timestamp = any($1::int8[]) and payer_account_id = any($2::int8[])
order by consensus_timestamp ${order} limit 1`,
        values: [
          results.map(({ consensusTimestamp }) => consensusTimestamp),
          [...new Set(results.map(({ payerAccountId }) => payerAccountId))],
        ],
      }),
    );
    if (found) return found;
    if (results.length < pageSize) return null;
    next = results.at(-1)!.consensusTimestamp + (order === 'asc' ? 1n : -1n);
  }
}
