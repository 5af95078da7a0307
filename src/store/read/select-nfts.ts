// Single NFTs with what the entity of their token says: those of an account, those of a token, one of them, and the
// transactions that changed one.
import type { Range } from '../../kit/range.ts';
import type { JsonValue } from '../schema/table.ts';
import type { Database } from '../wire/database.ts';
import { asTexts, columns, expression, type RowOf, selectAll, selectQuery } from './columns.ts';
import { addFound } from './distributed/look-up.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';
import { type TwoKeyRange, toTwoKeyPart } from './two-key-part.ts';

export type NftRow = RowOf<typeof nftRow>;

type PageFilter = { order: 'asc' | 'desc'; limit: number };

/** By token and serial number. */
export async function selectNftsOfAccount(
  db: Database,
  filter: PageFilter & { accountId: bigint; keys: TwoKeyRange; spender: Range },
): Promise<NftRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.accountId];
  const keys = toTwoKeyPart(filter.keys, values);
  const spender = toRangePart(filter.spender, values);
  const rows = await selectWithToken(db, {
    name: 'select-nfts-of-account',
    shape: `${order}${limit}-${keys.code}-${spender.code}`,
    page: `
  select * from nft where account_id = $1${keys.sql('token_id', 'serial_number')}${spender.sql('spender')}
  order by token_id ${order}, serial_number ${order} limit ${limit}
`,
    order: `order by n.token_id ${order}, n.serial_number ${order}`,
    values,
  });
  return rows.slice(0, filter.limit);
}

/** By serial number. */
export async function selectNftsOfToken(
  db: Database,
  filter: PageFilter & { tokenId: bigint; serialNumber: Range; account: Range },
): Promise<NftRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.tokenId];
  const serialNumber = toRangePart(filter.serialNumber, values);
  const account = toRangePart(filter.account, values);
  const rows = await selectWithToken(db, {
    name: 'select-nfts-of-token',
    shape: `${order}${limit}-${serialNumber.code}-${account.code}`,
    page: `
  select * from nft where token_id = $1${serialNumber.sql('serial_number')}${account.sql('account_id')}
  order by serial_number ${order} limit ${limit}
`,
    order: `order by n.serial_number ${order}`,
    values,
  });
  return rows.slice(0, filter.limit);
}

export async function selectNft(db: Database, tokenId: bigint, serialNumber: bigint): Promise<NftRow | null> {
  const rows = await selectWithToken(db, {
    name: 'select-nft',
    page: 'select * from nft where token_id = $1 and serial_number = $2',
    order: '',
    values: [tokenId, serialNumber],
  });
  return rows[0] ?? null;
}

type NftPage = { name: string; shape?: string; page: string; order: string; values: unknown[] };

async function selectWithToken(db: Database, { page, order, ...query }: NftPage): Promise<NftRow[]> {
  if (!db.isDistributed) {
    const from = `from (${page}) n\n${withToken}${order && `\n${order}`}`;
    return db.query(selectQuery({ ...query, select: nftRow, from }));
  }
  const rows = await db.query(selectQuery({ ...query, select: storedNft, from: `from (${page}) n ${order}` }));
  return addFound(db, rows, {
    ...{ name: 'find-tokens-of-nfts', table: 'entity e', select: entityOfToken },
    keys: [['id', (row) => row.tokenId]],
  });
}

/** `created_timestamp` is the NFT's own, null where it is not known; the transfer's columns where it moved the NFT. */
export type NftEventRow = RowOf<typeof eventRow>;

/** The transactions at the times when a version of the NFT began, or when its token was deleted. */
export async function selectNftEvents(
  db: Database,
  filter: PageFilter & { tokenId: bigint; serialNumber: bigint; timestamp: Range },
): Promise<NftEventRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.tokenId, filter.serialNumber];
  const time = toRangePart(filter.timestamp, values);
  const began = `lower(timestamp_range)`;
  const ofNft = `token_id = $1 and serial_number = $2${time.sql(began)}`;
  const page = `
  select consensus_timestamp from (
    (select ${began} as consensus_timestamp from nft where ${ofNft})
    union
    (select ${began} from nft_history where ${ofNft} order by ${began} ${order} limit ${limit})
    union
    (select ${began} from entity where id = $1 and deleted${time.sql(began)})
  ) events order by consensus_timestamp ${order} limit ${limit}
`;
  const shape = `${order}${limit}-${time.code}`;
  if (db.isDistributed) {
    const times = { name: 'select-nft-times', shape, select: momentOfEvent, from: `from (${page}) page`, values };
    const moments = (await db.query(selectQuery(times))).map(({ at }) => at);
    return (await selectEventsAt(db, filter, moments)).slice(0, filter.limit);
  }
  const query = selectQuery({
    name: 'select-nft-events',
    shape,
    select: eventRow,
    from: `from (${page}) page
cross join lateral (
  select consensus_timestamp, nonce, nft_transfer, payer_account_id, type, valid_start_ns
  from transaction where consensus_timestamp = page.consensus_timestamp limit 1
) t
left join lateral (
  select item from jsonb_array_elements(t.nft_transfer) with ordinality as listed (item, place)
  where (item ->> 'token_id')::int8 = $1 and (item ->> 'serial_number')::int8 = $2 order by place limit 1
) moved on true
order by t.consensus_timestamp ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const storedNft = columns(
  'nft',
  [
    'account_id',
    'created_timestamp',
    'delegating_spender',
    'deleted',
    'metadata',
    'serial_number',
    'spender',
    'timestamp_range',
    'token_id',
  ],
  'n',
);
const entityOfToken = columns('entity', { token_deleted: 'deleted' }, 'e');
const nftRow = selectAll(storedNft, entityOfToken.nullable());

/** In a distributed database: the transactions of these moments, and what each says of the NFT. */
async function selectEventsAt(
  db: Database,
  { tokenId, serialNumber, order }: { tokenId: bigint; serialNumber: bigint; order: 'asc' | 'desc' },
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
    const moved = listed.find(
      (item) => toInt64(item.token_id) === tokenId && toInt64(item.serial_number) === serialNumber,
    );
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

const withToken = 'left join lateral (select deleted from entity where id = n.token_id limit 1) e on true';

const transactionOfEvent = columns(
  'transaction',
  ['consensus_timestamp', 'nonce', 'payer_account_id', 'type', 'valid_start_ns'],
  't',
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
