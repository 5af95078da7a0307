// Whether the machines of a cluster answer: each one that holds rows runs `select 1`.
import type { Database } from '../../../postgres/wire/database.ts';

/** Machines beside the coordinator. */
export type Machines = { all: number; missing: number };

/** Of a distributed database. */
export async function selectMachines(db: Database): Promise<Machines> {
  const [machines] = await db.query<Machines>({
    name: 'select-machines',
    text: `select count(*)::int4 as "all", (count(*) filter (where not success))::int4 as missing
from run_command_on_workers('select 1')`,
  });
  return machines!;
}

/** Without their names: the text is public. */
export function describeMissing({ all, missing }: Machines): string {
  return `${missing} of ${all} machines of the cluster ${missing === 1 ? 'does' : 'do'} not answer`;
}
