// The statements that add to the tables of days: from stored rows, or from what was counted of rows as they were made.
import { successCodes } from '../../protocol/hapi/response-codes.ts';
import type { tables } from '../../schema/tables.ts';
import { dayNs, maxSentAge } from './day-counts.ts';

type Total = Exclude<keyof (typeof tables)['ledger_day']['columns'], 'day' | 'gas_price'>;

/** Column and the label of the type. */
export const created = {
  new_accounts: 'ACCOUNT',
  new_contracts: 'CONTRACT',
  new_tokens: 'TOKEN',
  new_topics: 'TOPIC',
} as const satisfies Partial<Record<Total, string>>;

export const countCreated = (type: string): string =>
  Object.entries(created)
    .map(([column, label]) => `count(*) filter (where ${type} = '${label}') as ${column}`)
    .join(', ');

/** SQL over `per_day` p, `blocks` b, `seen` s and `created` c of a day. */
const sums: Record<Total, string> = {
  blocks: 'b.blocks',
  gas_used: 'b.gas_used',
  transactions: 'p.transactions',
  failed: 'p.failed',
  fees: 'p.fees',
  active_accounts: 's.active_accounts',
  sent: 'p.sent',
  consensus_ms: 'p.consensus_ms',
  new_accounts: 'c.new_accounts',
  new_contracts: 'c.new_contracts',
  new_tokens: 'c.new_tokens',
  new_topics: 'c.new_topics',
};

const totals = Object.keys(sums) as Total[];
export const fromRows = totals.filter((column) => !Object.hasOwn(created, column));

/** A ledger may say any number: a sum that is too large for the column is its largest value. */
const clamp = (sum: string): string => `least(${sum}, 9223372036854775807)::int8`;

const addTo = (table: string, columns: readonly string[]): string =>
  columns.map((c) => `${c} = ${clamp(`${table}.${c}::numeric + excluded.${c}`)}`).join(', ');

/** As `day-counts.ts` counts them. */
const isSent = `nonce = 0 and not scheduled and parent_consensus_timestamp is null
    and valid_start_ns between consensus_timestamp - ${maxSentAge} and consensus_timestamp`;

/** In [$1, $2]; $3: entities. */
export const sources = {
  per_payer: {
    types:
      'day int8, type int2, payer_account_id int8, transactions int8, failed int8, fees numeric, sent int8, consensus_ms numeric',
    text: `select consensus_timestamp / ${dayNs} as day, type, payer_account_id, count(*) as transactions,
    count(*) filter (where result not in (${successCodes.join(', ')})) as failed, coalesce(sum(charged_tx_fee), 0) as fees,
    count(*) filter (where ${isSent}) as sent,
    coalesce(sum((consensus_timestamp - valid_start_ns) / 1000000) filter (where ${isSent}), 0) as consensus_ms
  from transaction where consensus_timestamp >= $1::int8 and consensus_timestamp <= $2::int8 group by 1, 2, 3`,
  },
  blocks: {
    types: 'day int8, blocks int8, gas_used numeric',
    text: `select consensus_end / ${dayNs} as day, count(*) as blocks, coalesce(sum(greatest(gas_used, 0)), 0) as gas_used
  from record_file where consensus_end >= $1::int8 and consensus_end <= $2::int8 group by 1`,
  },
  created: {
    types: `day int8, ${Object.keys(created).join(' int8, ')} int8`,
    text: `select created_timestamp / ${dayNs} as day, ${countCreated('type::text')}
  from (
    select created_timestamp, type, timestamp_range from entity where id = any ($3::int8[])
    union all
    select created_timestamp, type, timestamp_range from entity_history where id = any ($3::int8[])
  ) e where created_timestamp >= $1::int8 and created_timestamp <= $2::int8 and lower(timestamp_range) = created_timestamp
  group by 1`,
  },
} as const;

/** Over `per_day`, `per_type`, `payers`, `blocks` and `created`. */
const intoDays = `, types as (
  insert into ledger_day_type (day, type, transactions, fees)
  select day, type, transactions, ${clamp('fees')} from per_type
  on conflict (day, type) do update set ${addTo('ledger_day_type', ['transactions', 'fees'])}
), seen as (
  insert into ledger_day_payer (day, payer_account_id) select day, payer_account_id from payers
  on conflict do nothing returning day
)
insert into ledger_day (day, ${totals.join(', ')})
select d.day, ${totals.map((column) => clamp(`coalesce(${sums[column]}, 0)`)).join(', ')}
from (select day from per_day union select day from blocks union select day from created) d
left join per_day p on p.day = d.day
left join blocks b on b.day = d.day
left join (select day, count(*) as active_accounts from seen group by 1) s on s.day = d.day
left join created c on c.day = d.day
on conflict (day) do update set ${addTo('ledger_day', totals)}`;

type Source = { types: string; text: string };

function addTotals(select: (source: Source, place: number) => string): string {
  const read = Object.entries(sources).map(
    ([name, source], at) => `${name} as materialized (${select(source, at + 1)})`,
  );
  return `with ${read.join(', ')}, per_day as (
  select day, sum(transactions) as transactions, sum(failed) as failed, sum(fees) as fees, sum(sent) as sent,
    sum(consensus_ms) as consensus_ms
  from per_payer group by 1
), per_type as (
  select day, type, sum(transactions) as transactions, sum(fees) as fees from per_payer group by 1, 2
), payers as (
  select distinct day, payer_account_id from per_payer
)${intoDays}`;
}

export const addFromTables = addTotals(({ text }) => text);
export const addFromRead = addTotals(
  ({ types }, place) => `select * from json_to_recordset($${place}::json) as r (${types})`,
);

const perDayTypes = 'day int8, transactions int8, failed int8, fees numeric, sent int8, consensus_ms numeric';
const perTypeTypes = 'day int8, type int2, transactions int8, fees numeric';

const fromJson = (place: number, types: string): string =>
  `select * from json_to_recordset($${place}::json) as r (${types})`;

/** `created`: SQL of what was created. */
const addFromCountsOf = (created: string): string => `with per_day as materialized (${fromJson(1, perDayTypes)}),
per_type as (${fromJson(2, perTypeTypes)}), blocks as materialized (${fromJson(3, sources.blocks.types)}),
payers as (select * from unnest($4::int8[], $5::int8[]) given (day, payer_account_id)),
created as materialized (${created})${intoDays}`;

const noneCreated = `select null::int8 as day, ${Object.keys(created)
  .map((column) => `0 as ${column}`)
  .join(', ')} where false`;

export const addFromCounts = addFromCountsOf(noneCreated);
export const addFromCountsAndTables = addFromCountsOf(
  sources.created.text.replaceAll(/\$([1-3])/g, (_all, place: string) => `$${Number(place) + 5}`),
);
export const addFromCountsAndRead = addFromCountsOf(fromJson(6, sources.created.types));
