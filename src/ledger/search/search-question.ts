import { anyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectAccountIds } from '../../../packages/store/read/select-account-ids.ts';
import {
  type ContractTokenRow,
  selectContractTokensByName,
  selectContractTokensOfSymbol,
} from '../../../packages/store/read/select-contract-tokens.ts';
import { selectNft } from '../../../packages/store/read/select-nfts.ts';
import {
  selectBlockOfHash,
  selectBlockOfNumber,
  selectFoundEntity,
  selectIdsOfKey,
  selectTokensOfSymbol,
  selectTransaction,
  type TransactionName,
} from '../../../packages/store/read/select-search-target.ts';
import { selectTokens } from '../../../packages/store/read/select-tokens.ts';
import { selectTopicMessage } from '../../../packages/store/read/select-topic-messages.ts';
import { contractTokenStandards } from '../tokens/create-contract-tokens.ts';
import { maxNamedTokens, type SearchTarget, type SearchTerm } from './search.ts';

/** The database indexes the first 32 of a transaction's 48 bytes. */
const indexedHashBytes = 32;
const blockHashBytes = 48;

/** Empty = nothing of that name is stored. Of tokens by name the first ones by id. */
export async function askSearch(db: Database, term: SearchTerm): Promise<SearchTarget[]> {
  if (term.kind === 'tokenName') return findTokens(db, term.part);
  if (term.kind === 'tokenSymbol') {
    const tokens = await selectTokensOfSymbol(db, term.symbol, maxNamedTokens);
    const ofContracts = await selectContractTokensOfSymbol(db, term.symbol, maxNamedTokens);
    return [
      ...tokens.map(({ tokenId: id, name, symbol }) => ({ kind: 'token' as const, id, name, symbol })),
      ...ofContracts.map(toContractTarget),
    ];
  }
  const found = await findOne(db, term);
  return found ? [found] : [];
}

type SingleTerm = Exclude<SearchTerm, { kind: 'tokenName' | 'tokenSymbol' }>;

async function findOne(db: Database, term: SingleTerm): Promise<SearchTarget | null> {
  switch (term.kind) {
    case 'id':
      return findEntity(db, term.id);
    case 'evmAddress':
    case 'alias': {
      const [id] = await selectAccountIds(db, term);
      return id === undefined ? null : findEntity(db, id);
    }
    case 'publicKey': {
      const [id, other] = await selectIdsOfKey(db, term.key);
      if (other !== undefined) return { kind: 'accountsOfKey', key: term.key };
      return id === undefined ? null : findEntity(db, id);
    }
    case 'numbered':
      return findNumbered(db, term);
    case 'hash': {
      const block = term.hash.length === blockHashBytes ? await selectBlockOfHash(db, term.hash) : null;
      if (block !== null) return { kind: 'block', ...block };
      return findTransaction(db, { kind: 'hash', hash: term.hash.subarray(0, indexedHashBytes) });
    }
    case 'transactionId':
      return findTransaction(db, { ...term, kind: 'id' });
    case 'timestamp':
      return findTransaction(db, term);
    case 'blockNumber': {
      const block = await selectBlockOfNumber(db, term.number);
      return block && { kind: 'block', ...block };
    }
  }
}

async function findNumbered(
  db: Database,
  { id, number }: { id: bigint; number: bigint },
): Promise<SearchTarget | null> {
  const [message, [nft]] = await Promise.all([
    selectTopicMessage(db, { topicId: id, sequenceNumber: number }),
    selectNft(db, { tokenId: id, serialNumber: number, members: [], order: 'asc', limit: 1 }),
  ]);
  if (nft) return { kind: 'nft', tokenId: id, serialNumber: number };
  if (!message) return null;
  const { topicId, sequenceNumber, consensusTimestamp } = message;
  return { kind: 'message', topicId, sequenceNumber, consensusTimestamp };
}

/** Of a token; its id besides. */
const shown = ['name', 'symbol'] as const;

async function findTokens(db: Database, part: string): Promise<SearchTarget[]> {
  // Escapes the wildcards of a pattern.
  const names = [part.replaceAll(/[\\%_]/g, '\\$&')];
  const all = { accountId: null, id: anyRange, publicKey: [], type: [] };
  const tokens = await selectTokens(db, { ...all, members: shown, names, order: 'asc', limit: maxNamedTokens });
  const ofContracts = await selectContractTokensByName(db, {
    part: names[0]!,
    standards: contractTokenStandards,
    limit: maxNamedTokens,
  });
  return [
    ...tokens.map(({ tokenId: id, name, symbol }) => ({ kind: 'token' as const, id, name, symbol })),
    ...ofContracts.map(toContractTarget),
  ];
}

function toContractTarget({ contractId: id, name, symbol, standard }: ContractTokenRow): SearchTarget {
  return { kind: 'contractToken', id, name, symbol, standard };
}

async function findEntity(db: Database, id: bigint): Promise<SearchTarget | null> {
  const found = await selectFoundEntity(db, id);
  return found && { kind: 'entity', id, ...found };
}

async function findTransaction(db: Database, name: TransactionName): Promise<SearchTarget | null> {
  const found = await selectTransaction(db, name);
  return found && { kind: 'transaction', ...found };
}
