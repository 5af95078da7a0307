import { anyRange } from '../../kit/range.ts';
import { selectAccountIds } from '../../store/read/select-account-ids.ts';
import {
  hasBlock,
  selectBlockNumber,
  selectEntityType,
  selectTransaction,
  type TransactionName,
} from '../../store/read/select-search-target.ts';
import { selectTokens } from '../../store/read/select-tokens.ts';
import type { Database } from '../../store/wire/database.ts';
import { maxNamedTokens, type SearchTarget, type SearchTerm } from './search.ts';

/** The database indexes the first 32 of a transaction's 48 bytes. */
const indexedHashBytes = 32;
const blockHashBytes = 48;

/** Empty = nothing of that name is stored. Of tokens by name the first ones by id. */
export async function askSearch(db: Database, term: SearchTerm): Promise<SearchTarget[]> {
  if (term.kind === 'tokenName') return findTokens(db, term.part);
  const found = await findOne(db, term);
  return found ? [found] : [];
}

async function findOne(db: Database, term: Exclude<SearchTerm, { kind: 'tokenName' }>): Promise<SearchTarget | null> {
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
    case 'blockNumber':
      return (await hasBlock(db, term.number)) ? { kind: 'block', number: term.number } : null;
  }
}

/** Of a token; its id besides. */
const shown = ['name', 'symbol'] as const;

async function findTokens(db: Database, part: string): Promise<SearchTarget[]> {
  // Escapes the wildcards of a pattern.
  const names = [part.replaceAll(/[\\%_]/g, '\\$&')];
  const all = { accountId: null, id: anyRange, publicKey: [], type: [] };
  const tokens = await selectTokens(db, { ...all, members: shown, names, order: 'asc', limit: maxNamedTokens });
  return tokens.map(({ tokenId: id, name, symbol }) => ({ kind: 'token', id, name, symbol }));
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
