// The machines behind a writer of a distributed database. A commit there has two phases: each machine prepares its
// part, the coordinator commits, then each machine commits its prepared part. A machine that is lost in between keeps
// its part prepared until Citus recovers it (`citus.recover_2pc_interval`). Invariant: while there is such a part,
// nothing is written and nothing counts as written: its rows are invisible, and rows merged with the older ones would
// overwrite them.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createBackOff } from '../../kit/back-off.ts';
import { LostMachineError } from '../../postgres/wire/lost-machine.ts';
import { describeMissing } from '../read/distributed/select-machines.ts';

/** How long to wait for prepared transactions before reporting them. */
const waitMs = 5_000;

/**
 * Resolves when every machine answers and none has a prepared part left. Throws LostMachineError; not within a
 * transaction.
 */
export async function settleMachines(client: pg.Client): Promise<void> {
  const deadline = performance.now() + waitMs;
  const delays = createBackOff(20, 500);
  for (;;) {
    const { rows } = await client.query<{ all: number; missing: number; prepared: number }>(preparedOnMachines);
    const { all, missing, prepared } = rows[0]!;
    if (missing > 0) throw new LostMachineError(describeMissing({ all, missing }));
    if (prepared === 0) return;
    if (performance.now() > deadline) {
      throw new LostMachineError(
        `${prepared} prepared transactions of a commit that a machine of the cluster missed are not finished yet`,
      );
    }
    await recover(client);
    await sleep(delays.next());
  }
}

const preparedOnMachines = `select count(*)::int as "all", (count(*) filter (where not success))::int as missing,
  coalesce(sum(case when success then result::int end), 0)::int as prepared
from run_command_on_workers($$select count(*) from pg_prepared_xacts where gid like 'citus\\_%' and database = current_database()$$)`;

const insufficientPrivilege = '42501';

/** Citus does it by itself, once a minute; the right to start it has to be granted. */
async function recover(client: pg.Client): Promise<void> {
  try {
    await client.query('select recover_prepared_transactions()');
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
  }
}
