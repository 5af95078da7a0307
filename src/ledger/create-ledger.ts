// The ledger over one database: its questions, one by one or several as of one moment.
import type { SystemRealm } from '../protocol/hapi/system-entity.ts';
import type { Database } from '../store/wire/database.ts';
import { createGasPrices } from './contracts/gas-prices.ts';
import { createQuestions } from './create-questions.ts';
import type { Ledger } from './ledger.ts';

export type LedgerOptions = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  /** Of the system accounts and files. A network that is not known yet becomes known: it is looked at with each question. */
  system: SystemRealm;
};

export function createLedger({ db, clock, system }: LedgerOptions): Ledger {
  // Remembers what it has read, which never changes: it needs no snapshot.
  const gasPrices = createGasPrices({ db, system });
  const over = (own: Database): Ledger => ({
    ...createQuestions({ db: own, clock, system, gasPrices }),
    snapshot: (work) => own.snapshot((inner) => work(over(inner))),
  });
  return over(db);
}
