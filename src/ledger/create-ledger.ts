// The ledger over one database: its questions, one by one or several as of one moment.
import { encodeEntityId } from '../protocol/hapi/entity-id.ts';
import type { Database } from '../store/wire/database.ts';
import { createGasPrices } from './contracts/gas-prices.ts';
import { createQuestions } from './create-questions.ts';
import type { Ledger } from './ledger.ts';

export type LedgerOptions = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  /** Shard and realm of the system accounts and files. */
  shard: bigint;
  realm: bigint;
};

export function createLedger({ db, clock, shard, realm }: LedgerOptions): Ledger {
  const system = (num: bigint) => encodeEntityId(shard, realm, num);
  // Remembers what it has read, which never changes: it needs no snapshot.
  const gasPrices = createGasPrices({ db, feeScheduleFileId: system(111n), exchangeRateFileId: system(112n) });
  const over = (own: Database): Ledger => ({
    ...createQuestions({ db: own, clock, system, gasPrices }),
    snapshot: (work) => own.snapshot((inner) => work(over(inner))),
  });
  return over(db);
}
