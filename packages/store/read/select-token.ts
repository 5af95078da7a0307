// A token with its entity and its custom fees, now or at T. A token without a custom fee row is not found: both sides
// of the join are needed.

import type { Database } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { asTexts, columns, expression, type Replace, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import { latestVersion } from './statement/statement-parts.ts';

export type TokenRow = Replace<StoredRow, { fixedFees: JsonValue; fractionalFees: JsonValue; royaltyFees: JsonValue }>;

/** `until`: versions that began at or before this moment (ns) count; null = the current ones. */
export async function selectToken(db: Database, tokenId: bigint, until: bigint | null): Promise<TokenRow | null> {
  const query =
    until === null
      ? selectQuery({ name: 'select-token', select: storedRow, from: fromCurrent, values: [tokenId] })
      : selectQuery({ name: 'select-token-at', select: storedRow, from: fromVersions, values: [tokenId, until] });
  const row = (await db.query(query))[0];
  if (!row) return null;
  return {
    ...row,
    fixedFees: parseExactJson(row.fixedFees),
    fractionalFees: parseExactJson(row.fractionalFees),
    royaltyFees: parseExactJson(row.royaltyFees),
  };
}

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
] as const;
const entityColumns = {
  admin_key: 'key',
  auto_renew_account: 'auto_renew_account_id',
  auto_renew_period: 'auto_renew_period',
  deleted: 'deleted',
  expiration_timestamp: 'expiration_timestamp',
  memo: 'memo',
} as const;
const feeColumns = ['fixed_fees', 'fractional_fees', 'royalty_fees'] as const;

const storedRow = selectAll(
  columns('token', tokenColumns, 't'),
  columns('entity', entityColumns, 'e'),
  expression('modified_timestamp', 'int8', 'greatest(lower(t.timestamp_range), lower(e.timestamp_range))'),
  expression('fees_timestamp', 'int8', 'lower(f.timestamp_range)'),
  asTexts('custom_fee', feeColumns, 'f'),
);
type StoredRow = RowOf<typeof storedRow>;

// The widest table last: of equal plans PostgreSQL takes the written order, and each further step sets up the columns
// of all steps before it. The reverse order takes 7 % more instructions.
const fromCurrent = `from custom_fee f
join entity e on e.id = f.entity_id
join token t on t.token_id = f.entity_id
where f.entity_id = $1`;

const began = 'lower(timestamp_range) <= $2';
const fromVersions = `from ${latestVersion('token', [...tokenColumns, 'timestamp_range'], `token_id = $1 and ${began}`)} t
cross join ${latestVersion('entity', [...Object.values(entityColumns), 'timestamp_range'], `id = $1 and ${began}`)} e
cross join ${latestVersion('custom_fee', [...feeColumns, 'timestamp_range'], `entity_id = $1 and ${began}`)} f`;
