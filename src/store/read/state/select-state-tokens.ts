// What system contracts ask about tokens, relations, NFTs and allowances, now or at a time (ns; null = now). Rows come by the place
// of their key.
import type { Database } from '../../wire/database.ts';
import { asTexts, columns, expression, type RowOf, selectAll, selectQuery } from '../statement/columns.ts';
import { selectVersions, versionsOf } from './select-versions.ts';

const token = versionsOf(
  'token',
  [
    'created_timestamp',
    'decimals',
    'fee_schedule_key',
    'freeze_default',
    'freeze_key',
    'freeze_status',
    'kyc_key',
    'kyc_status',
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
  ],
  ['token_id'],
);
const feeColumns = ['fixed_fees', 'fractional_fees', 'royalty_fees'] as const;
const fees = { ...versionsOf('custom_fee', feeColumns, ['entity_id']), optional: true };
const entity = versionsOf(
  'entity',
  ['auto_renew_account_id', 'auto_renew_period', 'deleted', 'expiration_timestamp', 'key', 'memo'],
  ['id'],
);
export const tokenRow = selectAll(
  token.select,
  entity.select,
  asTexts('custom_fee', feeColumns, 'custom_fee').nullable(),
);

export type StateTokenRow = RowOf<typeof tokenRow>;

/** Fees as JSON texts. */
export function selectStateTokens(db: Database, ids: readonly bigint[], until: bigint | null) {
  const keys = ids.map((id) => [id]);
  return selectVersions(db, {
    name: 'select-state-tokens',
    sources: [token, entity, fees],
    select: tokenRow,
    keys,
    until,
  });
}

const relation = versionsOf(
  'token_account',
  ['associated', 'automatic_association', 'balance', 'freeze_status', 'kyc_status'],
  ['token_id', 'account_id'],
);

/** Keys are token and account. */
export function selectStateRelations(db: Database, keys: readonly (readonly bigint[])[], until: bigint | null) {
  return selectVersions(db, {
    name: 'select-state-relations',
    sources: [relation],
    select: relation.select,
    keys,
    until,
  });
}

const nft = versionsOf(
  'nft',
  ['account_id', 'created_timestamp', 'deleted', 'metadata', 'spender'],
  ['token_id', 'serial_number'],
);

/** Keys are token and serial number. */
export function selectStateNfts(db: Database, keys: readonly (readonly bigint[])[], until: bigint | null) {
  return selectVersions(db, { name: 'select-state-nfts', sources: [nft], select: nft.select, keys, until });
}

const ofToken = ['token_id', 'owner', 'spender'] as const;
const tokenAllowance = versionsOf('token_allowance', ['amount'], ofToken);
const nftAllowance = versionsOf('nft_allowance', ['approved_for_all'], ofToken);
const hbarAllowance = versionsOf('crypto_allowance', ['amount'], ['owner', 'spender']);

/** Keys are token, owner and spender. */
export function selectTokenAllowances(db: Database, keys: readonly (readonly bigint[])[], until: bigint | null) {
  const { select } = tokenAllowance;
  return selectVersions(db, { name: 'select-state-token-allowances', sources: [tokenAllowance], select, keys, until });
}

/** Keys are token, owner and spender. */
export function selectNftAllowances(db: Database, keys: readonly (readonly bigint[])[], until: bigint | null) {
  const { select } = nftAllowance;
  return selectVersions(db, { name: 'select-state-nft-allowances', sources: [nftAllowance], select, keys, until });
}

/** Keys are owner and spender. */
export function selectHbarAllowances(db: Database, keys: readonly (readonly bigint[])[], until: bigint | null) {
  const { select } = hbarAllowance;
  return selectVersions(db, { name: 'select-state-hbar-allowances', sources: [hbarAllowance], select, keys, until });
}

const owner = versionsOf('entity', ['deleted', 'id', 'key', 'max_automatic_token_associations'], ['id']);
/** Of now, whenever it is asked: only associations that a call makes itself depend on it. */
const usedAutomatic = `(
  select count(*) from token_account where account_id = entity.id and associated and automatic_association
)`;
const ownerRow = selectAll(owner.select, expression('usedAutomatic', 'int8', usedAutomatic));

export function selectStateOwners(db: Database, ids: readonly bigint[], until: bigint | null) {
  const keys = ids.map((id) => [id]);
  return selectVersions(db, { name: 'select-state-owners', sources: [owner], select: ownerRow, keys, until });
}

const lastSerial = selectAll(
  expression('tokenId', 'int8', 'a.token_id'),
  expression('serial', 'int8', 's.serial_number'),
);

/** The greatest serial number of each token, whether or not it still exists; a token without any has no row. */
export function selectLastSerials(db: Database, tokens: readonly bigint[], until: bigint | null) {
  const condition = until === null ? '' : ' and created_timestamp <= $2';
  return db.query(
    selectQuery({
      name: 'select-last-serials',
      shape: `${until === null ? '' : 'past'}${db.isDistributed ? 'distributed' : ''}`,
      select: lastSerial,
      from: db.isDistributed
        ? `from (
  select token_id, max(serial_number) as serial_number from nft
  where token_id = any($1::int8[])${condition} group by token_id
) s cross join lateral (select s.token_id) a`
        : `from unnest((select $1::int8[])) a (token_id) cross join lateral (
  select serial_number from nft where token_id = a.token_id${condition} order by serial_number desc limit 1
) s`,
      values: until === null ? [tokens] : [tokens, until],
    }),
  );
}

const holdings = selectAll(
  expression('id', 'int8', 'a.id'),
  expression(
    'isTreasury',
    'bool',
    `exists (
  select from token_account r join token t on t.token_id = r.token_id
  where r.account_id = a.id and r.associated and t.treasury_account_id = a.id
)`,
  ),
  expression(
    'holdsTokens',
    'bool',
    'exists (select from token_account r where r.account_id = a.id and r.associated and r.balance > 0)',
  ),
);

/** Of now, whenever it is asked. In a distributed database the rows of one account are on one machine, their tokens on others. */
export async function selectStateHoldings(db: Database, ids: readonly bigint[]) {
  const select = holdings;
  if (!db.isDistributed) {
    const from = 'from unnest((select $1::int8[])) a (id)';
    return db.query(selectQuery({ name: 'select-state-holdings', select, from, values: [ids] }));
  }
  const one = (id: bigint) =>
    db.query(
      selectQuery({ name: 'select-state-holding', select, from: 'from (select $1::int8 as id) a', values: [id] }),
    );
  return (await Promise.all(ids.map(one))).flat();
}

const schedule = columns('schedule', [
  'consensus_timestamp',
  'creator_account_id',
  'payer_account_id',
  'schedule_id',
  'transaction_body',
]);

export function selectStateSchedules(db: Database, ids: readonly bigint[]) {
  return db.query(
    selectQuery({
      name: 'select-state-schedules',
      select: schedule,
      from: 'from schedule where schedule_id = any($1::int8[])',
      values: [ids],
    }),
  );
}
