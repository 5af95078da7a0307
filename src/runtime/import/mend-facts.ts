// Facts that this version derives from blocks and needs for later ones, where the blocks are stored already: each has
// its mend.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { DerivedFact } from '../../../packages/schema/import-revisions.ts';
import type { ReadAgain } from '../../ledger/proofs/unit-reader.ts';
import type { Settings } from '../settings/load-settings.ts';
import { learnStoredLedger } from './learn-stored-ledger.ts';

export type MendOptions = {
  connectionString: string;
  db: Database;
  settings: Settings;
  /** Reads the files of a stored block again, from the source. */
  readAgain: ReadAgain;
  tell(sentence: string): void;
  warn(sentence: string): void;
};

/** Each finds out by itself whether there is anything to do, and may be repeated. */
const mends: Record<DerivedFact, (options: MendOptions) => Promise<unknown>> = {
  ledgerId: ({ settings, ...options }) => learnStoredLedger({ ...options, pinned: settings.find('ledger-id') ?? null }),
};

export async function mendFacts(options: MendOptions): Promise<void> {
  for (const mend of Object.values(mends)) await mend(options);
}
