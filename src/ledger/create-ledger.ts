// The ledger over one database: its queries, one by one or several as of one moment.

import type { Database } from '../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { createThroughput } from './blocks/create-throughput.ts';
import { createGasPrices } from './contracts/gas-prices.ts';
import { Questions, type QuestionsOptions } from './create-questions.ts';
import { createStorageQuestion } from './extent/storage.ts';
import type { Ledger } from './ledger.ts';
import { createUnitReader, type ReadAgain } from './proofs/unit-reader.ts';

export type LedgerOptions = {
  db: Database;
  /** The present in ns since 1970. */
  clock: () => bigint;
  /** Of the system accounts and files. Read with each query, since an unknown network may become known. */
  system: SystemRealm;
  /** Files of the stream again, for proofs; default: there is no source. */
  readAgain?: ReadAgain | null | undefined;
  /** Bytes that are free where the database keeps its files; null = on another machine, the default. */
  freeBytes?: (() => bigint | null) | undefined;
};

export function createLedger({ db, clock, system, readAgain = null, freeBytes = () => null }: LedgerOptions): Ledger {
  // They cache data that never changes: they need no snapshot.
  const gasPrices = createGasPrices({ db, system });
  const units = createUnitReader({ readAgain });
  const throughput = createThroughput({ db, clock });
  const storage = createStorageQuestion({ db, clock, freeBytes });
  return new LedgerOver({ db, clock, system, gasPrices, units, throughput, storage });
}

/** One is made for each snapshot. */
class LedgerOver extends Questions implements Ledger {
  readonly snapshot: Ledger['snapshot'];

  constructor(options: QuestionsOptions) {
    super(options);
    this.snapshot = (work) => options.db.snapshot((db) => work(new LedgerOver({ ...options, db })));
  }
}
