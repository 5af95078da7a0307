// What transfers of tokens of contracts add up to. Sums and how far they go are written by one statement, so that a
// kill neither misses nor repeats a transfer.
import type { Database } from '../../postgres/wire/database.ts';

/** What a part of the ledger changes of a contract that logged transfers. */
export type TokenChange = {
  contractId: bigint;
  /** null = it is no token. */
  standard: string | null;
  /** To be added. */
  transfers: bigint;
  holders: bigint;
  firstTimestamp: bigint;
  lastTimestamp: bigint;
  isPartial: boolean;
};

type HolderAmount = { contractId: bigint; account: Buffer; amount: bigint };
type SerialAmount = HolderAmount & { serialNumber: bigint; modifiedTimestamp: bigint };

export type TokenTransfers = {
  /** Of what was stored before; null = nothing was. Nothing is written if another process went on meanwhile. */
  after: bigint | null;
  until: bigint;
  tokens: readonly TokenChange[];
  /** The new amounts. */
  holders: readonly HolderAmount[];
  serials: readonly SerialAmount[];
};

export async function storeTokenTransfers(db: Database, stored: TokenTransfers): Promise<void> {
  const { after, until, tokens, holders, serials } = stored;
  await db.query({
    name: 'store-token-transfers',
    text: statement,
    values: [
      ...[after, until],
      tokens.map(({ contractId }) => contractId),
      tokens.map(({ standard }) => standard),
      tokens.map(({ transfers }) => transfers),
      tokens.map((token) => token.holders),
      tokens.map(({ firstTimestamp }) => firstTimestamp),
      tokens.map(({ lastTimestamp }) => lastTimestamp),
      tokens.map(({ isPartial }) => isPartial),
      holders.map(({ contractId }) => contractId),
      holders.map(({ account }) => account),
      holders.map(({ amount }) => amount.toString()),
      serials.map(({ contractId }) => contractId),
      serials.map(({ serialNumber }) => serialNumber.toString()),
      serials.map(({ account }) => account),
      serials.map(({ amount }) => amount.toString()),
      serials.map(({ modifiedTimestamp }) => modifiedTimestamp),
    ],
  });
}

const statement = `with moved as (
  insert into contract_token_progress as p (id, consensus_timestamp) values (1, $2)
  on conflict (id) do update set consensus_timestamp = excluded.consensus_timestamp
    where p.consensus_timestamp = $1
  returning id
), tokens as (
  insert into contract_token as t
    (contract_id, standard, transfers, holders, first_timestamp, last_timestamp, is_partial)
  select given.* from unnest($3::int8[], $4::text[], $5::int8[], $6::int8[], $7::int8[], $8::int8[], $9::bool[]) given
  where exists (select from moved)
  on conflict (contract_id) do update set transfers = t.transfers + excluded.transfers,
    holders = t.holders + excluded.holders, last_timestamp = excluded.last_timestamp,
    is_partial = t.is_partial or excluded.is_partial
), holders as (
  insert into contract_token_holder (contract_id, account, amount)
  select given.* from unnest($10::int8[], $11::bytea[], $12::text[]::numeric[]) given where exists (select from moved)
  on conflict (contract_id, account) do update set amount = excluded.amount
)
insert into contract_token_serial (contract_id, serial_number, account, amount, modified_timestamp)
select given.* from unnest($13::int8[], $14::text[]::numeric[], $15::bytea[], $16::text[]::numeric[], $17::int8[]) given
where exists (select from moved)
on conflict (contract_id, serial_number, account) do update
  set amount = excluded.amount, modified_timestamp = excluded.modified_timestamp`;

export type TokenAnswers = {
  contractId: bigint;
  /** Of its last transfer when it was asked. */
  askedTimestamp: bigint;
  /** null = it did not say. */
  name: string | null;
  symbol: string | null;
  decimals: number | null;
  totalSupply: bigint | null;
};

/** What a contract does not say any more stays as it was said. */
export async function storeTokenAnswers(db: Database, answers: readonly TokenAnswers[]): Promise<void> {
  await db.query({
    name: 'store-token-answers',
    text: `update contract_token t set asked_timestamp = a.asked_timestamp, name = coalesce(a.name, t.name),
  symbol = coalesce(a.symbol, t.symbol), decimals = coalesce(a.decimals, t.decimals),
  total_supply = coalesce(a.total_supply, t.total_supply)
from unnest($1::int8[], $2::int8[], $3::text[], $4::text[], $5::int4[], $6::text[]::numeric[])
  as a (contract_id, asked_timestamp, name, symbol, decimals, total_supply)
where t.contract_id = a.contract_id`,
    values: [
      answers.map(({ contractId }) => contractId),
      answers.map(({ askedTimestamp }) => askedTimestamp),
      answers.map(({ name }) => name),
      answers.map(({ symbol }) => symbol),
      answers.map(({ decimals }) => decimals),
      answers.map(({ totalSupply }) => totalSupply?.toString() ?? null),
    ],
  });
}
