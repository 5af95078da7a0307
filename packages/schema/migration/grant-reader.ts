// A role that may read every table, including later ones, and nothing else: for processes that only answer.

import { withClient } from '../../postgres/wire/connect-client.ts';
import { quoteName } from '../sql-names.ts';

/** Makes the role if it does not exist; the operator sets its password. Safe to repeat. */
export async function grantReader(connectionString: string, role: string): Promise<void> {
  await withClient(connectionString, 'migration', async (client) => {
    const { rows } = await client.query<{ exists: boolean; writes: boolean; schema: string; database: string }>(
      `select exists (select from pg_roles where rolname = $1) as exists, current_schema() as schema,
         current_database() as database,
         exists (select from pg_roles where rolname = $1 and (rolsuper or pg_has_role(rolname, current_user, 'member'))) as writes`,
      [role],
    );
    const { exists, writes, schema, database } = rows[0]!;
    if (writes) throw new Error(`The role ${role} has all rights of this one; name another as reader-role.`);
    const [name, inSchema] = [quoteName(role), quoteName(schema)];
    if (!exists) await client.query(`create role ${name} login`);
    for (const statement of [
      `grant connect on database ${quoteName(database)} to ${name}`,
      `grant usage on schema ${inSchema} to ${name}`,
      `grant select on all tables in schema ${inSchema} to ${name}`,
      `alter default privileges in schema ${inSchema} grant select on tables to ${name}`,
    ]) {
      await client.query(statement);
    }
  });
}
