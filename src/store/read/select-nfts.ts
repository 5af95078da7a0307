// Single NFTs with what the entity of their token says: those of an account, those of a token, one of them, and the
// transactions that changed one.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './columns.ts';
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
  const query = selectQuery({
    name: 'select-nfts-of-account',
    shape: `${order}${limit}-${keys.code}-${spender.code}`,
    select: nftRow,
    from: `from (
  select * from nft where account_id = $1${keys.sql('token_id', 'serial_number')}${spender.sql('spender')}
  order by token_id ${order}, serial_number ${order} limit ${limit}
) n
${withToken}
order by n.token_id ${order}, n.serial_number ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
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
  const query = selectQuery({
    name: 'select-nfts-of-token',
    shape: `${order}${limit}-${serialNumber.code}-${account.code}`,
    select: nftRow,
    from: `from (
  select * from nft where token_id = $1${serialNumber.sql('serial_number')}${account.sql('account_id')}
  order by serial_number ${order} limit ${limit}
) n
${withToken}
order by n.serial_number ${order}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

export async function selectNft(db: Database, tokenId: bigint, serialNumber: bigint): Promise<NftRow | null> {
  const query = selectQuery({
    name: 'select-nft',
    select: nftRow,
    from: `from (select * from nft where token_id = $1 and serial_number = $2) n
${withToken}`,
    values: [tokenId, serialNumber],
  });
  return (await db.query(query))[0] ?? null;
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
  const query = selectQuery({
    name: 'select-nft-events',
    shape: `${order}${limit}-${time.code}`,
    select: eventRow,
    from: `from (
  select consensus_timestamp from (
    (select ${began} as consensus_timestamp from nft where ${ofNft})
    union
    (select ${began} from nft_history where ${ofNft} order by ${began} ${order} limit ${limit})
    union
    (select ${began} from entity where id = $1 and deleted${time.sql(began)})
  ) events order by consensus_timestamp ${order} limit ${limit}
) page
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

const nftRow = selectAll(
  columns(
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
  ),
  columns('entity', { token_deleted: 'deleted' }, 'e').nullable(),
);

const withToken = 'left join lateral (select deleted from entity where id = n.token_id limit 1) e on true';

const eventRow = selectAll(
  columns('transaction', ['consensus_timestamp', 'nonce', 'payer_account_id', 'type', 'valid_start_ns'], 't'),
  expression('is_approval', 'bool', `(moved.item ->> 'is_approval')::bool`).nullable(),
  expression('receiver_account_id', 'int8', `(moved.item ->> 'receiver_account_id')::int8`).nullable(),
  expression('sender_account_id', 'int8', `(moved.item ->> 'sender_account_id')::int8`).nullable(),
  expression(
    'created_timestamp',
    'int8',
    '(select created_timestamp from nft where token_id = $1 and serial_number = $2)',
  ).nullable(),
);
