// Changes of the schema since the first release, oldest first, each additive and run once in a transaction of its own.
// A new database gets `baselineStatements()` instead, which always makes the newest schema. Entries are never edited.
import { verificationTableStatements } from '../verification/verification-tables.ts';

export type Migration = {
  name: string;
  statements: readonly string[];
};

export const migrations: readonly Migration[] = [
  { name: 'contract verification', statements: verificationTableStatements },
  { name: 'packed transfers', statements: ['alter table transaction add column packed_transfers bytea'] },
];
