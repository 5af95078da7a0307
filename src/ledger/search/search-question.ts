import { selectAccountIds } from '../../store/read/select-account-ids.ts';
import {
  selectBlockNumber,
  selectEntityType,
  selectTransaction,
  type TransactionName,
} from '../../store/read/select-search-target.ts';
import type { Database } from '../../store/wire/database.ts';
import type { SearchTarget, SearchTerm } from './search.ts';

/** Of a transaction's 48 bytes the database indexes the first 32. */
const indexedHashBytes = 32;
const blockHashBytes = 48;

/** null = nothing of that name is kept here. */
export async function askSearch(db: Database, term: SearchTerm): Promise<SearchTarget | null> {
  switch (term.kind) {
    case 'id':
      return findEntity(db, term.id);
    case 'evmAddress':
    case 'alias': {
      const [id] = await selectAccountIds(db, term);
      return id === undefined ? null : findEntity(db, id);
    }
    case 'hash': {
      const number = term.hash.length === blockHashBytes ? await selectBlockNumber(db, term.hash) : null;
      if (number !== null) return { kind: 'block', number };
      return findTransaction(db, { kind: 'hash', hash: term.hash.subarray(0, indexedHashBytes) });
    }
    case 'transactionId':
      return findTransaction(db, { ...term, kind: 'id' });
    case 'timestamp':
      return findTransaction(db, term);
  }
}

async function findEntity(db: Database, id: bigint): Promise<SearchTarget | null> {
  const type = await selectEntityType(db, id);
  return type === null ? null : { kind: 'entity', type, id };
}

async function findTransaction(db: Database, name: TransactionName): Promise<SearchTarget | null> {
  const found = await selectTransaction(db, name);
  if (!found) return null;
  const { contractResultHash, ...id } = found;
  return contractResultHash ? { kind: 'contractResult', hash: contractResultHash } : { kind: 'transaction', ...id };
}
