// The status of a running service as it is on disk: read from a copy, so that the service keeps its file to itself.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStatusJournal } from '../../packages/status/status-journal.ts';
import type { StatusState } from '../../packages/status/status-state.ts';

/** @param folder the data folder; nothing before the service has begun is there */
export function readStatusOnDisk(folder: string): StatusState {
  const copy = join(folder, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(folder, 'status'), copy, { recursive: true });
  const journal = openStatusJournal(copy);
  journal.close();
  return journal.state;
}
