// Storage of contracts and hooks at the first moment that a database holds, as changes before it: questions about a
// moment read changes alone, and an export of the state has none. The last write of a slot that has not been written
// since is its current value. What was written since first tells what it replaced; when that was written is unknown,
// and taken to be when the slot was.
import type pg from 'pg';
import { quoteName } from '../../schema/sql-names.ts';
import { selectLeafTables } from '../retention/leaf-tables.ts';
import { partitionName } from '../write/partitions.ts';

/** So that it is done once: a file of that name is none of an export. */
const noted = 'storage before what is held';

/** Within the caller's transaction, before the tables have keys. */
export async function keepStorage(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ from: string | null }>('select kept_from::text as from from mirror_extent');
  const from = rows[0]?.from ?? null;
  if (from === null) return;
  const isNew = await client.query('insert into bootstrap_file (name) values ($1) on conflict do nothing', [noted]);
  if (isNew.rowCount === 0) return;
  await addPastPartition(client, 'contract_state_change');
  for (const statement of [...ofContracts, ...ofHooks]) await client.query(statement, [from]);
}

/** One for all years before the first: each further partition slows questions that name no time. */
async function addPastPartition(client: pg.Client, table: string): Promise<void> {
  const [first] = await selectLeafTables(client, table);
  if (!first?.bounds || first.bounds.from <= 0n) return;
  const partition = quoteName(partitionName(table, 1970));
  await client.query(
    `create table ${partition} partition of ${quoteName(table)} for values from (0) to (${first.bounds.from})`,
  );
}

const sameSlot = `c.contract_id = s.contract_id and ltrim(c.slot, '\\x00'::bytea) = ltrim(s.slot, '\\x00'::bytea)`;
const intoContracts = `insert into contract_state_change
  (consensus_timestamp, contract_id, migration, payer_account_id, slot, value_read, value_written)`;
const lacksChange = (table: string, same: string): string =>
  `not exists (select from ${table} c where ${same} and c.consensus_timestamp < $1)`;

const ofContracts = [
  // First of all: what the others add is no change since.
  `${intoContracts}
select s.created_timestamp, s.contract_id, false, 0, ltrim(s.slot, '\\x00'::bytea), '', c.value_read
from contract_state s join (
  select distinct on (contract_id, ltrim(slot, '\\x00'::bytea)) contract_id, slot, value_read from contract_state_change
  where consensus_timestamp >= $1 order by contract_id, ltrim(slot, '\\x00'::bytea), consensus_timestamp
) c on ${sameSlot}
where s.created_timestamp < $1 and s.modified_timestamp >= $1
  and ${lacksChange('contract_state_change', sameSlot)}`,
  `${intoContracts}
select s.modified_timestamp, s.contract_id, false, 0, ltrim(s.slot, '\\x00'::bytea), '', coalesce(s.value, '')
from contract_state s where s.modified_timestamp < $1 and ${lacksChange('contract_state_change', sameSlot)}`,
];

const sameKey = 'c.owner_id = s.owner_id and c.hook_id = s.hook_id and c.key = s.key';
const intoHooks = `insert into hook_storage_change
  (consensus_timestamp, deleted, hook_id, key, owner_id, value_read, value_written)`;

const ofHooks = [
  `${intoHooks}
select s.created_timestamp, length(c.value_read) = 0, s.hook_id, s.key, s.owner_id, '', c.value_read
from hook_storage s join (
  select distinct on (owner_id, hook_id, key) owner_id, hook_id, key, value_read from hook_storage_change
  where consensus_timestamp >= $1 order by owner_id, hook_id, key, consensus_timestamp
) c on ${sameKey}
where s.created_timestamp < $1 and s.modified_timestamp >= $1 and ${lacksChange('hook_storage_change', sameKey)}`,
  `${intoHooks}
select s.modified_timestamp, s.deleted, s.hook_id, s.key, s.owner_id, '', s.value
from hook_storage s where s.modified_timestamp < $1 and ${lacksChange('hook_storage_change', sameKey)}`,
];
