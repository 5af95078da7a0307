// NFTs with columns of their token's entity: those of an account, those of a token, one of them, and the transactions
// that changed one.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { foundBy } from './joined.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { type PageFilter, type PageQuery, pageReader, type Wanted } from './select-page.ts';
import { asTexts, columns, everyColumn, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import { toLiteralLimit, toRangePart } from './statement/statement-parts.ts';

const nft = selectAll(everyColumn('nft'), expression('modified_timestamp', 'int8', 'lower(timestamp_range)'));
export type NftRow = RowOf<typeof nft>;

const entityOfToken = foundBy({
  name: 'find-tokens-of-nfts',
  table: 'entity',
  alias: 'e',
  select: columns('entity', { token_deleted: 'deleted' }),
  keys: { id: 'token_id' },
});

const needed = ['deleted', 'serialNumber', 'tokenId'] as const;

type ToQuery<Filter> = (filter: Filter) => Omit<PageQuery<unknown>, 'select'>;
type DeletedRow = { deleted: boolean | null; tokenDeleted: boolean | null };

/** `deleted`: alone or with its token; null = unknown. */
function withTokens<Row extends DeletedRow>(rows: Row[]): Row[] {
  for (const row of rows) row.deleted = row.tokenDeleted || row.deleted;
  return rows;
}

function nftsReader<Filter>(toQuery: ToQuery<Filter>) {
  const select = pageReader(nft, needed, toQuery, entityOfToken);
  return async <Name extends keyof NftRow>(db: Database, filter: Filter & PageFilter & Wanted<Name>) =>
    withTokens(await select(db, filter));
}

const nftOfToken = selectAll(
  nft,
  expression('token_deleted', 'bool', '(select deleted from entity where id = $1)').nullable(),
);

/**
 * The same of NFTs of one token, `values[0]`, which is looked up once: that takes a third less of PostgreSQL's time.
 */
function nftsOfTokenReader<Filter>(toQuery: ToQuery<Filter>) {
  const select = pageReader(nftOfToken, [...needed, 'tokenDeleted'], toQuery);
  const selectDistributed = nftsReader(toQuery);
  return async <Name extends keyof NftRow>(db: Database, filter: Filter & PageFilter & Wanted<Name>) =>
    db.isDistributed ? selectDistributed(db, filter) : withTokens(await select(db, filter));
}

type NftsOfAccountFilter = { accountId: bigint; token: Range; serialNumber: Range; spender: Range };

/** By token and serial number. */
export const selectNftsOfAccount = nftsReader(({ accountId, token, serialNumber, spender }: NftsOfAccountFilter) => ({
  name: 'select-nfts-of-account',
  from: 'nft',
  owner: 'account_id',
  values: [accountId],
  keys: { token_id: token, serial_number: serialNumber },
  further: { spender },
}));

export type NftsOfTokenFilter = PageFilter & { tokenId: bigint; serialNumber: Range; account: Range };

/** By serial number. */
export const selectNftsOfToken = nftsOfTokenReader(({ tokenId, serialNumber, account }: NftsOfTokenFilter) => ({
  name: 'select-nfts-of-token',
  from: 'nft where token_id = $1',
  values: [tokenId],
  keys: { serial_number: serialNumber },
  further: { account_id: account },
}));

export type NftFilter = { tokenId: bigint; serialNumber: bigint };

/** At most one. */
export const selectNft = nftsOfTokenReader(({ tokenId, serialNumber }: NftFilter) => ({
  name: 'select-nft',
  from: 'nft where token_id = $1 and serial_number = $2',
  values: [tokenId, serialNumber],
  keys: {},
}));

/** `created_timestamp` is the NFT's own, null if unknown; the transfer's columns are set if it moved the NFT. */
export type NftEventRow = RowOf<typeof eventRow>;

export type NftEventsFilter = PageFilter &
  NftFilter & {
    timestamp: Range;
    /** Whether a change of the treasury, which moves all NFTs of the old one by one transfer, names its two sides. */
    movesOfAll: boolean;
  };

/** Serial number of a transfer that moves every NFT of the token that its sender holds. */
const everySerialNumber = -1;

/**
 * The transactions that began a version of the NFT, or deleted its token. Moments without a stored transaction are left
 * out.
 */
export async function selectNftEvents(db: Database, filter: NftEventsFilter): Promise<NftEventRow[]> {
  if (db.isDistributed) return selectEventsFromMachines(db, filter);
  const values: unknown[] = [filter.tokenId, filter.serialNumber];
  // The transaction is looked up before the limit. `limit 1` keeps it one index probe a moment.
  const stored = `cross join lateral (
      select from transaction where consensus_timestamp = lower(timestamp_range) limit 1
    ) stored`;
  const { page, shape } = momentsOfNft(filter, values, stored);
  const { order, movesOfAll } = filter;
  const query = selectQuery({
    name: 'select-nft-events',
    shape: `${shape}${movesOfAll ? 'a' : ''}`,
    select: eventRow,
    from: `from (${page}) page
cross join lateral (
  select consensus_timestamp, nonce, nft_transfer, payer_account_id, type, valid_start_ns
  from transaction where consensus_timestamp = page.consensus_timestamp limit 1
) t
left join lateral (
  select item from jsonb_array_elements(t.nft_transfer) with ordinality as listed (item, place)
  where (item ->> 'token_id')::int8 = $1
    and (item ->> 'serial_number')::int8 in ($2${movesOfAll ? `, ${everySerialNumber}` : ''})
  order by (item ->> 'serial_number')::int8 desc, place limit 1
) moved on true
order by t.consensus_timestamp ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

/**
 * SQL: at most a page of moments; pushes the values of its bounds. `stored` joins each version, and each end of the
 * token.
 */
function momentsOfNft({ order, limit: size, timestamp }: NftEventsFilter, values: unknown[], stored: string) {
  const limit = toLiteralLimit(size);
  const time = toRangePart(timestamp, values);
  const began = 'lower(timestamp_range)';
  const ofNft = `token_id = $1 and serial_number = $2${time.sql(began)}`;
  const page = `
  select consensus_timestamp from (
    (select ${began} as consensus_timestamp from nft ${stored} where ${ofNft})
    union
    (select ${began} from nft_history ${stored} where ${ofNft} order by ${began} ${order} limit ${limit})
    union
    (select ${began} from entity ${stored} where id = $1 and deleted${time.sql(began)})
  ) events order by consensus_timestamp ${order} limit ${limit}
`;
  return { page, shape: `${order}${limit}-${time.code}` };
}

/** In a distributed database: moments, and the transactions of these, until the page is full. */
async function selectEventsFromMachines(db: Database, filter: NftEventsFilter): Promise<NftEventRow[]> {
  const found: NftEventRow[] = [];
  let { timestamp } = filter;
  for (;;) {
    const values: unknown[] = [filter.tokenId, filter.serialNumber];
    const { page, shape } = momentsOfNft({ ...filter, timestamp }, values, '');
    const times = { name: 'select-nft-times', shape, select: momentOfEvent, from: `from (${page}) page`, values };
    const moments = (await db.query(selectQuery(times))).map(({ at }) => at);
    found.push(...(await selectEventsAt(db, filter, moments)));
    if (found.length >= filter.limit || moments.length < filter.limit) return found.slice(0, filter.limit);
    const last = moments.at(-1)!;
    timestamp = filter.order === 'asc' ? { ...timestamp, from: last + 1n } : { ...timestamp, to: last - 1n };
  }
}

/** In a distributed database: the transactions of these moments, and their changes of the NFT. */
async function selectEventsAt(
  db: Database,
  { tokenId, serialNumber, order, movesOfAll }: NftEventsFilter,
  moments: readonly bigint[],
): Promise<NftEventRow[]> {
  const created = selectQuery({
    name: 'select-nft-created',
    select: columns('nft', ['created_timestamp']),
    from: 'from nft where token_id = $1 and serial_number = $2',
    values: [tokenId, serialNumber],
  });
  const transactions = selectQuery({
    name: 'select-nft-transactions',
    shape: order,
    select: selectAll(transactionOfEvent, asTexts('transaction', ['nft_transfer'], 't')),
    from: `from transaction t where consensus_timestamp = any($1::int8[]) order by consensus_timestamp ${order}`,
    values: [moments],
  });
  const [nfts, rows] = await Promise.all([db.query(created), db.query(transactions)]);
  return rows.map(({ nftTransfer: text, ...row }) => {
    const listed = (parseExactJson(text) ?? []) as { [name: string]: JsonValue }[];
    const ofToken = listed.filter((item) => toInt64(item.token_id) === tokenId);
    const moveOf = (serial: bigint) => ofToken.find((item) => toInt64(item.serial_number) === serial);
    const moved = moveOf(serialNumber) ?? (movesOfAll ? moveOf(BigInt(everySerialNumber)) : undefined);
    return {
      ...row,
      isApproval: (moved?.is_approval as boolean | undefined) ?? null,
      receiverAccountId: toInt64(moved?.receiver_account_id),
      senderAccountId: toInt64(moved?.sender_account_id),
      createdTimestamp: nfts[0]?.createdTimestamp ?? null,
    };
  });
}

function toInt64(value: JsonValue | undefined): bigint | null {
  return value === null || value === undefined ? null : BigInt(value as number | bigint);
}

const momentOfEvent = expression('at', 'int8', 'consensus_timestamp');

const transactionOfEvent = selectAll(
  columns('transaction', ['consensus_timestamp', 'nonce', 'payer_account_id', 'type'], 't'),
  columns('transaction', { valid_start: 'valid_start_ns' }, 't'),
);
const eventRow = selectAll(
  transactionOfEvent,
  expression('is_approval', 'bool', `(moved.item ->> 'is_approval')::bool`).nullable(),
  expression('receiver_account_id', 'int8', `(moved.item ->> 'receiver_account_id')::int8`).nullable(),
  expression('sender_account_id', 'int8', `(moved.item ->> 'sender_account_id')::int8`).nullable(),
  expression(
    'created_timestamp',
    'int8',
    '(select created_timestamp from nft where token_id = $1 and serial_number = $2)',
  ).nullable(),
);
