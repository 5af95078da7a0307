// How far the mirror has come: whether it has begun, its oldest transaction, and ids that exist right now.
import type { Database } from '../wire/database.ts';

export async function selectHasAddressBook(db: Database): Promise<boolean> {
  const rows = await db.query<{ found: boolean }>({
    name: 'select-has-address-book',
    text: 'select exists (select from address_book) as found',
    values: [],
  });
  return rows[0]?.found === true;
}

export async function selectFirstTransactionTimestamp(db: Database): Promise<bigint | null> {
  const rows = await db.query<{ consensus_timestamp: bigint }>({
    name: 'select-first-transaction-timestamp',
    text: 'select consensus_timestamp from transaction order by consensus_timestamp limit 1',
    values: [],
  });
  return rows[0]?.consensus_timestamp ?? null;
}

export type ExamplesRow = {
  token_id: bigint | null;
  account_id: bigint | null;
  contract_id: bigint | null;
  schedule_id: bigint | null;
  block_number: bigint | null;
  block_end: bigint | null;
};

/** Newest of each kind, every one found from the end of an index. */
export async function selectExamples(db: Database): Promise<ExamplesRow> {
  const rows = await db.query<ExamplesRow>({
    name: 'select-examples',
    text: `select
  (select t.token_id from token t
    where exists (select from custom_fee f where f.entity_id = t.token_id)
      and exists (select from entity e where e.id = t.token_id)
    order by t.token_id desc limit 1) as token_id,
  (select t.payer_account_id from transaction t
    where exists (select from entity e where e.id = t.payer_account_id and e.type in ('ACCOUNT', 'CONTRACT'))
    order by t.consensus_timestamp desc limit 1) as account_id,
  (select e.id from entity e where e.type = 'CONTRACT' order by e.type desc, e.id desc limit 1) as contract_id,
  (select s.schedule_id from schedule s order by s.schedule_id desc limit 1) as schedule_id,
  b.index as block_number, b.consensus_end as block_end
from (values (1)) one
left join (select index, consensus_end from record_file order by consensus_end desc limit 1) b on true`,
    values: [],
  });
  return rows[0]!;
}
