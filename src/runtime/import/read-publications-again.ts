// Publications of ledger ids that blocks have which are stored without them: out of the files that were kept, or those
// of the source.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import { selectUnitAt } from '../../../packages/store/read/select-proof-parts.ts';
import {
  type PublishedLedger,
  selectPublishingBlockAt,
} from '../../../packages/store/read/select-published-ledgers.ts';
import { selectPublishingTransactions } from '../../../packages/store/read/select-publishing-transactions.ts';
import { ProofUnavailable } from '../../ledger/proofs/proof-unavailable.ts';
import { readPublishedMessage } from '../../ledger/proofs/record/read-published-message.ts';
import { createUnitReader, type ReadAgain } from '../../ledger/proofs/unit-reader.ts';

export type ReadPublicationsAgainOptions = {
  db: Database;
  /** null = no source is known. */
  readAgain: ReadAgain | null;
  warn(sentence: string): void;
};

/** In the order of their publication; of those that cannot be read again a warning says why. */
export async function readPublicationsAgain({ db, readAgain, warn }: ReadPublicationsAgainOptions) {
  const reader = createUnitReader({ readAgain });
  const found: PublishedLedger[] = [];
  for (const timestamp of await selectPublishingTransactions(db)) {
    const unit = await selectUnitAt(db, timestamp);
    if (!unit) continue;
    try {
      const content = await readPublishedMessage(unit, await reader.read(db, unit), timestamp);
      found.push({ ...(await selectPublishingBlockAt(db, timestamp)), content });
    } catch (error) {
      if (!(error instanceof ProofUnavailable || error instanceof StreamFileError)) throw error;
      warn(`The ledger id that block ${unit.number} published cannot be read again: ${error.message}.`);
    }
  }
  return found;
}
