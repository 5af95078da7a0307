// Where each table lies in a database that Citus distributes over several machines. One line a table; its history lies with it.
// Rows with equal values in the distribution columns of one group lie on the same machine, whatever their tables. A reference
// table is whole on every machine; a local one is on the coordinator alone.
// Invariants: every unique key has the distribution column (`distributedKeyOf` adds it where it is missing), that column has
// a value in every row, and no statement ever changes it.

import type { Table } from './table.ts';
import { tables } from './tables.ts';
import { verificationTableNames } from './verification-tables.ts';

export type Placement =
  | { kind: 'distributed'; by: string; group: 'ids' | 'hashes'; reason: string }
  | { kind: 'reference'; reason: string }
  | { kind: 'local'; reason: string; isKnownToWorkers: boolean };

const byId = (by: string, reason: string): Placement => ({ kind: 'distributed', by, group: 'ids', reason });
const byHash = (reason: string): Placement => ({ kind: 'distributed', by: 'hash', group: 'hashes', reason });
const reference = (reason: string): Placement => ({ kind: 'reference', reason });
const local = (reason: string): Placement => ({ kind: 'local', reason, isKnownToWorkers: true });
const ofCoordinator = (reason: string): Placement => ({ kind: 'local', reason, isKnownToWorkers: false });

const paid =
  'lies with the transaction, whose payer is known wherever one is looked up by its id or on the page of an account';
const ofContract = 'pages of one contract, and its entity on the same machine';
const ofToken = 'a token, its fees and its entity on one machine';
const ofOwner = 'pages of one owner';
const ofBlock = 'small, and joined to rows of every machine';
const ofNetwork = 'small, seldom written, and joined to each other';
const verification = 'results of checks, with foreign keys among them; written and read through the coordinator';

/** The first of a group is what the others are placed with. */
export const placements: Readonly<Record<string, Placement>> = {
  entity: byId('id', 'every other table of ids is joined to it'),
  entity_stake: byId('id', 'joined to the account'),
  stake_at_period_end: byId('id', 'of the account'),
  entity_transaction: byId('entity_id', 'the transactions of one account'),
  contract: byId('id', 'joined to its entity'),
  topic: byId('id', 'joined to its entity and its fees'),
  token: byId('token_id', ofToken),
  custom_fee: byId('entity_id', ofToken),
  nft: byId('token_id', 'the NFTs of one token'),
  token_account: byId('account_id', 'the tokens of one account, with its entity'),
  token_airdrop: byId('receiver_account_id', 'the airdrops that wait for one account'),
  crypto_allowance: byId('owner', ofOwner),
  token_allowance: byId('owner', ofOwner),
  nft_allowance: byId('owner', ofOwner),
  hook: byId('owner_id', ofOwner),
  hook_storage: byId('owner_id', ofOwner),
  hook_storage_change: byId('owner_id', ofOwner),
  staking_reward_transfer: byId('account_id', 'the rewards of one account'),
  schedule: byId('schedule_id', 'joined to its entity and its signatures'),
  transaction_signature: byId('entity_id', 'the signatures of one schedule'),
  file_data: byId('entity_id', 'the content of one file'),
  topic_message: byId('topic_id', 'the messages of one topic'),
  contract_result: byId('contract_id', ofContract),
  contract_log: byId('contract_id', ofContract),
  contract_state: byId('contract_id', ofContract),
  contract_state_change: byId('contract_id', ofContract),
  contract_transaction: byId('entity_id', 'whether one contract or account took part'),
  transaction: byId('payer_account_id', 'the transactions that one account paid for'),
  crypto_transfer: byId('payer_account_id', paid),
  token_transfer: byId('payer_account_id', paid),
  assessed_custom_fee: byId('payer_account_id', paid),
  ethereum_transaction: byId('payer_account_id', paid),
  contract_action: byId('payer_account_id', paid),
  network_freeze: byId('payer_account_id', paid),
  prng: byId('payer_account_id', paid),
  transaction_hash: byHash('looked up by hash alone'),
  contract_transaction_hash: byHash('looked up by hash alone'),
  record_file: reference(ofBlock),
  sidecar_file: reference(ofBlock),
  account_balance_file: reference(ofBlock),
  address_book: reference(ofNetwork),
  address_book_entry: reference(ofNetwork),
  address_book_service_endpoint: reference(ofNetwork),
  node: reference(ofNetwork),
  node_stake: reference(ofNetwork),
  network_stake: reference(ofNetwork),
  registered_node: reference(ofNetwork),
  account_balance: local(
    'snapshots are read account by account in one recursive query, which Citus has only of local tables',
  ),
  token_balance: local('the same of tokens'),
  ledger: local('one row, which no answer is read from'),
  block_proof: local('no answer is read from it'),
  block_root_forms: local('read and written by the import alone'),
  wrapped_block_tree: local('read and written by the import alone'),
  importer_state: local('one row, written every few seconds'),
  mirrored_network: local('one row'),
  mirror_extent: local('one row'),
  import_revision: local('a row for each version that imported'),
  ledger_scan: local('read and written by the import alone'),
  postponed_index: local('about the tables of the coordinator'),
  ledger_mirror_schema: local('read before anything else is known of the database'),
  ...Object.fromEntries(verificationTableNames.map((table) => [table, ofCoordinator(verification)])),
};

/** Of a table, or of the history of one. */
export function placementOf(table: string): Placement | undefined {
  return placements[table] ?? placements[table.replace(/_history$/, '')];
}

/** The primary key where it lacks the distribution column; null = it stays. */
export function distributedKeyOf(table: string): readonly string[] | null {
  const placement = placementOf(table);
  const { key }: Pick<Table, 'key'> = (tables as Readonly<Record<string, Table>>)[table] ?? { key: [] };
  if (placement?.kind !== 'distributed' || key.length === 0 || key.includes(placement.by)) return null;
  return [...key, placement.by];
}
