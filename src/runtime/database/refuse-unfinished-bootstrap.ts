// A database that an export has filled in part, or whose rows do not add up, is not imported into: nothing would show
// it later.

import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { type BootstrapRun, selectBootstrapRun } from '../../../packages/store/transfer/bootstrap-run.ts';
import { UsageError } from '../settings/usage-error.ts';

/** Throws UsageError. */
export async function refuseUnfinishedBootstrap(connectionString: string): Promise<void> {
  const run = await findRun(connectionString);
  if (!run) return;
  const { place, mode, loadedAt, isAccepted, failedChecks } = run;
  if (loadedAt === null) {
    throw new UsageError(
      `This database is filled in part from the export in ${place} (--${mode}). Go on with "bootstrap --from ${place}" first, or use an empty database.`,
    );
  }
  if (failedChecks === null || isAccepted) return;
  throw new UsageError(
    `This database was filled from the export in ${place}, and checks of its rows do not hold: ${failedChecks}. "bootstrap" with the same settings and --accept lets the import go on all the same.`,
  );
}

async function findRun(connectionString: string): Promise<BootstrapRun | null> {
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    return await selectBootstrapRun(db);
  } finally {
    await db.close();
  }
}
