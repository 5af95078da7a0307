// What system contracts ask about tokens, relations, NFTs and allowances, now or at a time (ns; null = now). Rows come
// by the place of their key.
import type { Database } from '../../../postgres/wire/database.ts';
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
/** A popular spender is that of many owners. */
const together = ['owner', 'spender'] as const;
const tokenAllowance = { ...versionsOf('token_allowance', ['amount'], ofToken), together };
const nftAllowance = versionsOf('nft_allowance', ['approved_for_all'], ofToken);
const hbarAllowance = { ...versionsOf('crypto_allowance', ['amount'], ['owner', 'spender']), together };

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
/**
 * `id`: SQL. The number is that of now, whenever it is asked: only associations that a call makes itself depend on it.
 */
const ownerRow = (id: string) => {
  const used = `(select count(*) from token_account where account_id = ${id} and associated and automatic_association)`;
  return selectAll(owner.select, expression('usedAutomatic', 'int8', used));
};
const ownerOfMany = ownerRow('entity.id');
/** Citus finds the machine by the given id. */
const ownerAlone = ownerRow('$1::int8');

export function selectStateOwners(db: Database, ids: readonly bigint[], until: bigint | null) {
  const keys = ids.map((id) => [id]);
  const select = db.isDistributed ? ownerAlone : ownerOfMany;
  return selectVersions(db, { name: 'select-state-owners', sources: [owner], select, keys, until });
}

const lastSerial = (serial: string) => selectAll(columns('nft', ['token_id']), expression('serial', 'int8', serial));

/** The greatest serial number of each token, whether or not it still exists; a token without any has no row. */
export function selectLastSerials(db: Database, tokens: readonly bigint[], until: bigint | null) {
  const condition = until === null ? '' : ' and created_timestamp <= $2';
  const values = until === null ? [tokens] : [tokens, until];
  const shape = until === null ? '' : 'past';
  const query = db.isDistributed
    ? {
        name: 'select-last-serials-by-machine',
        select: lastSerial('max(serial_number)'),
        from: `from nft where token_id = any($1::int8[])${condition} group by token_id`,
      }
    : {
        name: 'select-last-serials',
        select: lastSerial('serial_number'),
        from: `from unnest((select $1::int8[])) a (id) cross join lateral (
  select token_id, serial_number from nft where token_id = a.id${condition} order by serial_number desc limit 1
) s`,
      };
  return db.query(selectQuery({ ...query, shape, values }));
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

/** Of now, whenever it is asked. */
export async function selectStateHoldings(db: Database, ids: readonly bigint[]): Promise<RowOf<typeof holdings>[]> {
  if (db.isDistributed) return Promise.all(ids.map((id) => selectHoldingsFromMachines(db, id)));
  const from = 'from unnest((select $1::int8[])) a (id)';
  return db.query(selectQuery({ name: 'select-state-holdings', select: holdings, from, values: [ids] }));
}

const associated = selectAll(columns('token_account', ['token_id']), expression('holds', 'bool', 'balance > 0'));
const associatedPage = 1000;

/**
 * The associations of an account are on one machine, their tokens on others: a page of tokens, and whether one is its
 * own.
 */
async function selectHoldingsFromMachines(db: Database, id: bigint): Promise<RowOf<typeof holdings>> {
  const found = { id, isTreasury: false, holdsTokens: false };
  for (let after = -1n; !(found.isTreasury && found.holdsTokens); ) {
    const rows = await db.query(
      selectQuery({
        name: 'select-associated-tokens',
        select: associated,
        from: `from token_account where account_id = $1 and associated and token_id > $2 order by token_id limit ${associatedPage}`,
        values: [id, after],
      }),
    );
    found.holdsTokens ||= rows.some(({ holds }) => holds);
    if (rows.length > 0 && !found.isTreasury) {
      const own = await db.query(
        selectQuery({
          name: 'select-own-token',
          select: columns('token', ['token_id']),
          from: 'from token where token_id = any($1::int8[]) and treasury_account_id = $2 limit 1',
          values: [rows.map(({ tokenId }) => tokenId), id],
        }),
      );
      found.isTreasury = own.length > 0;
    }
    if (rows.length < associatedPage) break;
    after = rows.at(-1)!.tokenId;
  }
  return found;
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
