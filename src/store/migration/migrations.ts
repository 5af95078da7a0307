// Changes of the schema since the first version, oldest first, each additive and run once in a transaction of its own. An
// empty database gets `baselineStatements()` instead, which always makes the newest schema.
// Invariant: entries are frozen text. None is edited and none takes statements from a table's living description, or
// databases that were changed already would differ from those that are changed now.
import { blockRootFormsTable } from './migrations/block-root-forms-table.ts';
import { contractVerificationTables } from './migrations/contract-verification-tables.ts';
import { hookAndRegistrationTables } from './migrations/hook-and-registration-tables.ts';
import { importRevisionTable } from './migrations/import-revision-table.ts';
import { importerStateTable } from './migrations/importer-state-table.ts';
import { ledgerScanTable } from './migrations/ledger-scan-table.ts';
import { listIndexes } from './migrations/list-indexes.ts';
import { mirrorExtentTable } from './migrations/mirror-extent-table.ts';
import { mirroredNetworkTable } from './migrations/mirrored-network-table.ts';
import { postponedIndexTable } from './migrations/postponed-index-table.ts';
import { realmOfNetwork } from './migrations/realm-of-network.ts';
import { streamProofTables } from './migrations/stream-proof-tables.ts';
import { transactionHashFunction } from './migrations/transaction-hash-function.ts';

export type Migration = {
  name: string;
  statements: readonly string[];
};

export const migrations: readonly Migration[] = [
  { name: 'contract verification', statements: contractVerificationTables },
  { name: 'packed transfers', statements: ['alter table transaction add column packed_transfers bytea'] },
  { name: 'importer state', statements: importerStateTable },
  { name: 'mirrored network', statements: mirroredNetworkTable },
  { name: 'hooks and registrations', statements: hookAndRegistrationTables },
  { name: 'stream proofs', statements: streamProofTables },
  { name: 'mirror extent', statements: mirrorExtentTable },
  { name: 'list indexes', statements: listIndexes },
  { name: 'known beginning', statements: ['alter table mirror_extent add column knows_beginning bool'] },
  { name: 'postponed indexes', statements: postponedIndexTable },
  { name: 'block root forms', statements: blockRootFormsTable },
  { name: 'realm of the network', statements: realmOfNetwork },
  { name: 'ledger scans', statements: ledgerScanTable },
  { name: 'import revisions', statements: importRevisionTable },
  { name: 'transactions by hash for others', statements: transactionHashFunction },
];
