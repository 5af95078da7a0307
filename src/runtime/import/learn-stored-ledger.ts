// Learns what is trusted of the ledger from what is stored of its publications, before an import begins, or when an
// export is loaded.

import { withClient } from '../../../packages/postgres/wire/connect-client.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { revisionOf } from '../../../packages/schema/import-revisions.ts';
import { type PublishedLedger, selectPublishedLedgers } from '../../../packages/store/read/select-published-ledgers.ts';
import type { TableChanges } from '../../../packages/store/write/block-changes.ts';
import { storeLedgerRows } from '../../../packages/store/write/store-ledger-rows.ts';
import { describeLedger } from '../../importer/open/block-verification.ts';
import { type LearntLedger, learnLedger } from '../../importer/proving/learn-ledger.ts';
import type { KnownLedger } from '../../importer/proving/ledger-change.ts';
import { loadKnownLedger } from '../../importer/proving/load-known-ledger.ts';
import { ledgerRows } from '../../importer/whole-block/block-verification-rows.ts';
import type { ReadAgain } from '../../ledger/proofs/unit-reader.ts';
import { readPublicationsAgain } from './read-publications-again.ts';

export type LearnStoredLedgerOptions = {
  connectionString: string;
  db: Database;
  /** The ledger id that the operator names. */
  pinned: Uint8Array | null;
  /** Reads the files of a stored block again; null = no source is known. */
  readAgain: ReadAgain | null;
  tell(sentence: string): void;
  warn(sentence: string): void;
};

/** Resolves with what is known of the ledger then. */
export async function learnStoredLedger(options: LearnStoredLedgerOptions): Promise<KnownLedger> {
  const { connectionString, db, pinned, tell, warn } = options;
  const known = await loadKnownLedger(db);
  const learn = (published: readonly PublishedLedger[]): LearntLedger =>
    learnLedger({ known, published, pinned, notedSince: revisionOf('ledgerId') });
  const ofRows = learn(await selectPublishedLedgers(db));
  const isKnown = known.trust !== null || known.unread !== null || ofRows.changes.length > 0;
  const learnt = isKnown ? ofRows : learn(await readPublicationsAgain(options));
  for (const { block, reason } of learnt.changes.length > 0 ? learnt.refused : ofRows.refused) {
    warn(`The ledger id that block ${block} published, which no version noted so far, cannot be trusted: ${reason}`);
  }
  if (learnt.unreadable !== null) {
    warn(
      `What is stored of the ledger that is trusted (table ledger_trust) cannot be read, and no import begins with it: ${learnt.unreadable}`,
    );
  }
  if (learnt.changes.length === 0) return known;
  await withClient(connectionString, 'ledger', (client) => storeLedgerRows(client, toRows(known, learnt)));
  for (const sentence of describeLearnt(learnt)) tell(sentence);
  return loadKnownLedger(db);
}

function toRows(known: KnownLedger, { changes }: LearntLedger): TableChanges[] {
  let before = known.trust;
  return changes.flatMap(({ block, change }) => {
    const rows = ledgerRows(change, before, block);
    before = change.trust ?? before;
    return rows;
  });
}

function describeLearnt({ changes }: LearntLedger): string[] {
  return changes.flatMap(({ block, change, source }) => {
    if (!change.trust) return [];
    const from =
      source === 'export'
        ? 'The export has the publication of a ledger id'
        : `Block ${block} published a ledger id, which the version that imported it did not note`;
    return `${from}: blocks of a block stream are verified as those of ${describeLedger(change.trust)}.`;
  });
}
