// What is trusted of the ledger after an export was loaded: what the export says of it, or the id that the operator
// names.

import { withClient } from '../../../packages/postgres/wire/connect-client.ts';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { storeLedgerRows } from '../../../packages/store/write/store-ledger-rows.ts';
import { ledgerRows } from '../../importer/whole-block/block-verification-rows.ts';
import { learnStoredLedger } from '../import/learn-stored-ledger.ts';
import { settleLedger } from './examine-ledger.ts';

export type TakeLedgerOptions = {
  connectionString: string;
  /** The ledger id that the operator names. */
  pinned: Uint8Array | null;
  tell(sentence: string): void;
  warn(sentence: string): void;
};

/** Throws TransferError if the export is of another ledger than the operator names. */
export async function takeLedger(options: TakeLedgerOptions): Promise<void> {
  const { connectionString, pinned } = options;
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    const { trust: stored } = await learnStoredLedger({ ...options, db, readAgain: null });
    const trust = settleLedger(stored, pinned);
    if (!trust || pinned === null) return;
    const rows = ledgerRows({ trust }, stored, 0n);
    await withClient(connectionString, 'ledger', (client) => storeLedgerRows(client, rows));
  } finally {
    await db.close();
  }
}
