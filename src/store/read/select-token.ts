// A token with its entity and its custom fees, as they are now or as they stood at T. A token without a custom fee row
// is not found: both sides of the join are needed.

import type { JsonValue } from '../schema/table.ts';
import type { Database } from '../wire/database.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { latestVersion } from './statement-parts.ts';

export type TokenRow = {
  admin_key: Buffer | null;
  auto_renew_account_id: bigint | null;
  auto_renew_period: bigint | null;
  created_timestamp: bigint;
  decimals: bigint;
  deleted: boolean | null;
  expiration_timestamp: bigint | null;
  fee_schedule_key: Buffer | null;
  fees_timestamp: bigint;
  fixed_fees: JsonValue;
  fractional_fees: JsonValue;
  freeze_default: boolean;
  freeze_key: Buffer | null;
  initial_supply: bigint;
  kyc_key: Buffer | null;
  max_supply: bigint;
  memo: string;
  metadata: Buffer | null;
  metadata_key: Buffer | null;
  modified_timestamp: bigint;
  name: string;
  pause_key: Buffer | null;
  pause_status: string;
  royalty_fees: JsonValue;
  supply_key: Buffer | null;
  supply_type: string;
  symbol: string;
  token_id: bigint;
  total_supply: bigint;
  treasury_account_id: bigint;
  type: string;
  wipe_key: Buffer | null;
};

/** `until`: versions that began at or before this moment (ns) count; null = the current ones. */
export async function selectToken(db: Database, tokenId: bigint, until: bigint | null): Promise<TokenRow | null> {
  const rows = await (until === null
    ? db.query<StoredRow>({ name: 'select-token', text: currentText, values: [tokenId] })
    : db.query<StoredRow>({ name: 'select-token-at', text: historicText, values: [tokenId, until] }));
  const row = rows[0];
  if (!row) return null;
  return {
    ...row,
    fixed_fees: parseExactJson(row.fixed_fees),
    fractional_fees: parseExactJson(row.fractional_fees),
    royalty_fees: parseExactJson(row.royalty_fees),
  };
}

type StoredRow = Omit<TokenRow, 'fixed_fees' | 'fractional_fees' | 'royalty_fees'> & {
  fixed_fees: string | null;
  fractional_fees: string | null;
  royalty_fees: string | null;
};

const tokenColumns = [
  'created_timestamp',
  'decimals',
  'fee_schedule_key',
  'freeze_default',
  'freeze_key',
  'initial_supply',
  'kyc_key',
  'max_supply',
  'metadata',
  'metadata_key',
  'name',
  'pause_key',
  'pause_status',
  'supply_key',
  'supply_type',
  'symbol',
  'token_id',
  'total_supply',
  'treasury_account_id',
  'type',
  'wipe_key',
];

const entityColumns = [
  'auto_renew_account_id',
  'auto_renew_period',
  'deleted',
  'expiration_timestamp',
  'key',
  'memo',
  'timestamp_range',
];
const feeColumns = ['fixed_fees', 'fractional_fees', 'royalty_fees', 'timestamp_range'];

const selection = `select ${tokenColumns.map((column) => `t.${column}`).join(', ')},
  e.auto_renew_account_id, e.auto_renew_period, e.deleted, e.expiration_timestamp, e.key as admin_key, e.memo,
  greatest(lower(t.timestamp_range), lower(e.timestamp_range)) as modified_timestamp,
  lower(f.timestamp_range) as fees_timestamp,
  f.fixed_fees::text, f.fractional_fees::text, f.royalty_fees::text`;

const currentText = `${selection}
from token t
join entity e on e.id = t.token_id
join custom_fee f on f.entity_id = t.token_id
where t.token_id = $1`;

const began = 'lower(timestamp_range) <= $2';
const historicText = `${selection}
from ${latestVersion('token', [...tokenColumns, 'timestamp_range'], `token_id = $1 and ${began}`)} t
cross join ${latestVersion('entity', entityColumns, `id = $1 and ${began}`)} e
cross join ${latestVersion('custom_fee', feeColumns, `entity_id = $1 and ${began}`)} f`;
