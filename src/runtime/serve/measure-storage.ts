// Metrics of the room that the database takes, and of what is left of it.
import type { Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import type { Storage, StorageQuestion } from '../../ledger/extent/storage.ts';
import { askInTime } from './ask-in-time.ts';

/** None has a value while the database does not answer. */
export function measureStorage(ask: StorageQuestion, registry: Registry): void {
  const gauges: [name: string, help: string, read: (storage: Storage) => bigint | null][] = [
    ['ledger_mirror_database_bytes', 'Size of the database, with its indexes and without WAL.', ({ bytes }) => bytes],
    ['ledger_mirror_database_bytes_per_day', 'What a day of the ledger adds to it.', ({ bytesADay }) => bytesADay],
    ['ledger_mirror_database_free_bytes', 'Free on the disk of the embedded PostgreSQL.', ({ freeBytes }) => freeBytes],
  ];
  for (const [name, help, read] of gauges) {
    addGauge(registry, {
      name,
      help: `${help} Looked at every ten minutes; no value where it is not known.`,
      aggregator: 'max',
      async read() {
        const storage = await askInTime(ask());
        const value = storage && read(storage);
        return value === null ? null : Number(value);
      },
    });
  }
}
