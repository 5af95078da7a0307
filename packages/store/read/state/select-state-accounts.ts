// Who is at addresses: entities with code, balance and nonce, now or at a time. All addresses of a question are one
// statement.
import type { Database } from '../../../postgres/wire/database.ts';
import { accountColumns } from '../account-columns.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from '../statement/columns.ts';
import { latestVersion } from '../statement/statement-parts.ts';

const names = [...accountColumns, 'receiver_sig_required'] as const;
const entity = columns('entity', names, 'e');
const found = selectAll(
  expression('asked', 'bytea', 'a.address').nullable(),
  expression('askedId', 'int8', 'a.id'),
  // Also of an entity that was not there yet, or is deleted.
  expression('isContract', 'bool', `(select type = 'CONTRACT' from entity where id = a.id)`).nullable(),
  entity.optional(),
);

/**
 * `asked`: the EVM address by which it was asked, null if by id. Without a version at that time, the members of the
 * entity are null.
 */
export type StateAccountRow = RowOf<typeof found>;

export type AddressesAsked = {
  ids: readonly bigint[];
  /** EVM addresses that are not long-zero. */
  addresses: readonly Buffer[];
};

/**
 * `until`: the versions of this time (ns); null = the current ones. Deleted ones too; several entities may have had one
 * address.
 */
export function selectStateAccounts(
  db: Database,
  { ids, addresses }: AddressesAsked,
  until: bigint | null,
): Promise<StateAccountRow[]> {
  if (db.isDistributed) return selectFromMachines(db, { ids, addresses }, until);
  const values: unknown[] = [ids, addresses];
  if (until !== null) values.push(until);
  return db.query(
    selectQuery({
      name: until === null ? 'select-state-accounts' : 'select-past-state-accounts',
      select: found,
      from: `from (
  select id, null::bytea as address from unnest((select $1::int8[])) by_id (id)
  union all
  select named.id, by_address.address from unnest((select $2::bytea[])) by_address (address)
  cross join lateral (select id from entity where evm_address = by_address.address limit 10) named
) a
left join lateral ${until === null ? current : versionAt('a.id', '$3')} e on true`,
      values,
    }),
  );
}

const list = names.join(', ');
const current = `(select ${list} from entity where id = a.id limit 1)`;

function versionAt(id: string, time: string): string {
  return latestVersion('entity', [...names, 'timestamp_range'], `id = ${id} and lower(timestamp_range) <= ${time}`);
}

const oneVersion = selectAll(entity);

/** In a distributed database each entity is asked where it lies. */
async function selectFromMachines(
  db: Database,
  { ids, addresses }: AddressesAsked,
  until: bigint | null,
): Promise<StateAccountRow[]> {
  const named = await db.query(
    selectQuery({
      name: 'select-ids-of-addresses',
      select: columns('entity', ['id', 'evm_address', 'type']).present(),
      from: 'from entity where evm_address = any($1::bytea[])',
      values: [addresses],
    }),
  );
  const byId = await db.query(
    selectQuery({
      name: 'select-types-of-entities',
      select: columns('entity', ['id', 'type']),
      from: 'from entity where id = any($1::int8[])',
      values: [ids],
    }),
  );
  const asked = [
    ...named.map(({ id, evmAddress, type }) => ({ id, type, address: evmAddress })),
    ...byId.map(({ id, type }) => ({ id, type, address: null })),
  ];
  return Promise.all(
    asked.map(async ({ id, type, address }) => {
      const [version] = await db.query(
        selectQuery({
          name: until === null ? 'select-state-account' : 'select-past-state-account',
          select: oneVersion,
          from: `from ${until === null ? `(select ${list} from entity where id = $1)` : versionAt('$1', '$2')} e`,
          values: until === null ? [id] : [id, until],
        }),
      );
      const absent = Object.fromEntries(entity.members.map((member) => [member, null]));
      return {
        asked: address,
        askedId: id,
        isContract: type === 'CONTRACT',
        ...(version ?? absent),
      } as StateAccountRow;
    }),
  );
}

const code = columns('contract', ['id', 'runtime_bytecode']);

export function selectRuntimeCodes(db: Database, ids: readonly bigint[]): Promise<RowOf<typeof code>[]> {
  return db.query(
    selectQuery({
      name: 'select-runtime-codes',
      select: code,
      from: 'from contract where id = any($1::int8[])',
      values: [ids],
    }),
  );
}
