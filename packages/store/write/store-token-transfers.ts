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

/** The new amounts. */
export type NewAmounts = { holders: readonly HolderAmount[]; serials: readonly SerialAmount[] };

export type TokenTransfers = NewAmounts & {
  /** Of what was stored before; null = nothing was. Nothing is written if another process went on meanwhile. */
  after: bigint | null;
  until: bigint;
  tokens: readonly TokenChange[];
};

export async function storeTokenTransfers(db: Database, stored: TokenTransfers): Promise<void> {
  const { after, until, tokens } = stored;
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
      ...valuesOf(stored),
    ],
  });
}

function valuesOf({ holders, serials }: NewAmounts): unknown[] {
  return [
    holders.map(({ contractId }) => contractId),
    holders.map(({ account }) => account),
    holders.map(({ amount }) => amount.toString()),
    serials.map(({ contractId }) => contractId),
    serials.map(({ serialNumber }) => serialNumber.toString()),
    serials.map(({ account }) => account),
    serials.map(({ amount }) => amount.toString()),
    serials.map(({ modifiedTimestamp }) => modifiedTimestamp),
  ];
}

/** What they are from the parameter `first` on, written if a row is in `moved`. */
const storeAmounts = (first: number): string => `holders as (
  insert into contract_token_holder (contract_id, account, amount)
  select given.* from unnest($${first}::int8[], $${first + 1}::bytea[], $${first + 2}::text[]::numeric[]) given
  where exists (select from moved)
  on conflict (contract_id, account) do update set amount = excluded.amount
)
insert into contract_token_serial (contract_id, serial_number, account, amount, modified_timestamp)
select given.* from unnest($${first + 3}::int8[], $${first + 4}::text[]::numeric[], $${first + 5}::bytea[],
  $${first + 6}::text[]::numeric[], $${first + 7}::int8[]) given
where exists (select from moved)
on conflict (contract_id, serial_number, account) do update
  set amount = excluded.amount, modified_timestamp = excluded.modified_timestamp`;

const statement = `with moved as (
  insert into contract_token_progress as p (id, consensus_timestamp) values (1, $2)
  on conflict (id) do update set consensus_timestamp = excluded.consensus_timestamp
    where p.consensus_timestamp = $1
  returning id
), tokens as (
  insert into contract_token as t
    (contract_id, standard, transfers, holders, first_timestamp, last_timestamp, is_partial, asked_timestamp)
  select given.*, case when given.standard is null then given.last end
  from unnest($3::int8[], $4::text[], $5::int8[], $6::int8[], $7::int8[], $8::int8[], $9::bool[])
    given (id, standard, transfers, holders, first, last, is_partial)
  where exists (select from moved)
  on conflict (contract_id) do update set transfers = t.transfers + excluded.transfers,
    holders = t.holders + excluded.holders, last_timestamp = excluded.last_timestamp,
    is_partial = t.is_partial or excluded.is_partial,
    summed_timestamp = case when t.summed_timestamp = $1 and excluded.standard is not null then null
      else t.summed_timestamp end
), caught_up as (
  update contract_token set summed_timestamp = null
  where summed_timestamp = $1 and contract_id <> all ($3) and exists (select from moved)
), ${storeAmounts(10)}`;

/** What older transfers of one token say, which was found to be one late. */
export type PastTransfers = NewAmounts & {
  contractId: bigint;
  /** Nothing is written if another process went on meanwhile. */
  after: bigint;
  until: bigint;
  /** To be added; null = there are none. */
  change: Pick<TokenChange, 'transfers' | 'holders' | 'isPartial'> | null;
};

export async function storePastTransfers(db: Database, stored: PastTransfers): Promise<void> {
  const { contractId, after, until, change } = stored;
  await db.query({
    name: 'store-past-token-transfers',
    text: `with moved as (
  update contract_token set summed_timestamp = $3, transfers = transfers + $4, holders = holders + $5,
    is_partial = is_partial or $6
  where contract_id = $1 and summed_timestamp = $2
  returning contract_id
), ${storeAmounts(7)}`,
    values: [
      ...[contractId, after, until],
      ...[change?.transfers ?? 0n, change?.holders ?? 0n, change?.isPartial ?? false],
      ...valuesOf(stored),
    ],
  });
}

/** `standard`: null = it still is no token; `askedTimestamp`: of its last transfer. */
export type TokenJudgement = { contractId: bigint; askedTimestamp: bigint; standard: string | null };

/** All transfers of those that are tokens now are still to be added up. */
export async function storeTokenJudgements(db: Database, judgements: readonly TokenJudgement[]): Promise<void> {
  await db.query({
    name: 'store-token-judgements',
    text: `update contract_token t set standard = j.standard,
  asked_timestamp = case when j.standard is null then j.asked_timestamp end,
  summed_timestamp = case when j.standard is not null then t.first_timestamp - 1 end
from unnest($1::int8[], $2::int8[], $3::text[]) as j (contract_id, asked_timestamp, standard)
where t.contract_id = j.contract_id and t.standard is null`,
    values: [
      judgements.map(({ contractId }) => contractId),
      judgements.map(({ askedTimestamp }) => askedTimestamp),
      judgements.map(({ standard }) => standard),
    ],
  });
}

/** Those that are no tokens so far are judged again soon. */
export async function judgeTokensSoon(db: Database, contractIds: readonly bigint[]): Promise<void> {
  await db.query({
    name: 'judge-tokens-soon',
    text: 'update contract_token set asked_timestamp = null where contract_id = any ($1::int8[]) and standard is null',
    values: [contractIds],
  });
}

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
