// Nonces of accounts at a time, which no version of an account says: of the newest Ethereum transaction before, else of the first one
// after it.
import type { Database } from '../../wire/database.ts';
import { expression, selectAll, selectQuery } from '../statement/columns.ts';

const nonceOf = (id: string, time: string) => {
  const sent = (condition: string, order: string) => `(
    select e.nonce from contract_result r
    join ethereum_transaction e on e.consensus_timestamp = r.consensus_timestamp and e.payer_account_id = r.payer_account_id
    where r.sender_id = ${id} and r.gas_used > 0 and r.consensus_timestamp ${condition} ${time}
    order by r.consensus_timestamp ${order} limit 1
  )`;
  return `coalesce(${sent('<=', 'desc')} + 1, ${sent('>', 'asc')})`;
};

/** By id; an account that never sent one has none. */
export async function selectPastNonces(
  db: Database,
  ids: readonly bigint[],
  until: bigint,
): Promise<Map<bigint, bigint>> {
  if (ids.length === 0) return new Map();
  const nonce = (id: string, time: string) => expression('nonce', 'int8', nonceOf(id, time)).nullable();
  const rows = db.isDistributed
    ? await Promise.all(
        ids.map(async (id) => {
          const query = { name: 'select-past-nonce', select: nonce('$1::int8', '$2::int8'), values: [id, until] };
          return { id, nonce: (await db.query(selectQuery(query)))[0]!.nonce };
        }),
      )
    : await db.query(
        selectQuery({
          name: 'select-past-nonces',
          select: selectAll(expression('id', 'int8', 'a.id'), nonce('a.id', '$2::int8')),
          from: 'from unnest($1::int8[]) a (id)',
          values: [ids, until],
        }),
      );
  return new Map(rows.flatMap((row) => (row.nonce === null ? [] : [[row.id, row.nonce] as const])));
}
