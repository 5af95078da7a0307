// One step of the index of tokens that contracts keep: the next logs of the ledger are summed up, then some of the
// tokens that changed are asked what they say of themselves. Tokens of the token service are counted beside.
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import {
  selectHolderAmounts,
  selectKnownStandards,
  selectSerialAmounts,
  selectTokenProgress,
  selectTokensToAsk,
} from '../../../packages/store/read/select-contract-tokens.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import { selectEndOfLogs, selectTokenLogs, type TokenLog } from '../../../packages/store/read/select-token-logs.ts';
import { isFilledInPart } from '../../../packages/store/transfer/bootstrap-run.ts';
import {
  storeTokenAnswers,
  storeTokenTransfers,
  type TokenAnswers,
} from '../../../packages/store/write/store-token-transfers.ts';
import {
  type ContractCodeRow,
  selectContractCodes,
} from '../../../packages/verification/store/select-contract-codes.ts';
import type { AskContract } from '../onchain/ledger-chain.ts';
import { askToken } from './ask-token.ts';
import { countTokens } from './count-tokens.ts';
import { foldTransfers } from './fold-transfers.ts';
import { readTransfer, type TokenStandard, transferTopics } from './read-transfer.ts';
import { recogniseToken } from './recognise-token.ts';

type Options = {
  db: Database;
  ask: AskContract;
  /** Of a step; all of a moment are in one. */
  logsAtOnce?: number;
};

const askedAtOnce = 10;
/** A token is asked again when it had transfers since, at most so often. */
const askAgainNs = 30_000_000_000n;

export type IndexTokens = {
  /** What was done; null = there was nothing to do. */
  step(): Promise<'transfers' | 'answers' | 'counts' | null>;
};

export function createIndexTokens({ db, ask, logsAtOnce = 1_000 }: Options): IndexTokens {
  return {
    async step() {
      // An export may have what would be stored here.
      if (await isFilledInPart(db)) return null;
      const isFolded = await foldNext(db, ask, logsAtOnce);
      const isAsked = await askNext(db, ask);
      const isCounted = await countTokens(db);
      return isFolded ? 'transfers' : isAsked ? 'answers' : isCounted ? 'counts' : null;
    },
  };
}

async function foldNext(db: Database, ask: AskContract, logsAtOnce: number): Promise<boolean> {
  const stored = await selectTokenProgress(db);
  const after = stored ?? -1n;
  const until = await selectEndOfLogs(db, after, logsAtOnce);
  if (until === null) return false;
  const logs = await selectTokenLogs(db, { after, until, topics: transferTopics });
  const standards = await findStandards(db, logs, ask);
  const { tokens, holders, serials } = foldTransfers(logs, (id) => standards.get(id));
  const amountOfHolder = toAmounts(await selectHolderAmounts(db, holders), keyOf);
  const amountOfSerial = toAmounts(
    (await selectSerialAmounts(db, serials)).map((row) => ({ ...row, serialNumber: BigInt(row.serialNumber) })),
    keyOfSerial,
  );
  const changed = holders.map(({ change, ...holder }) => {
    const before = amountOfHolder.get(keyOf(holder)) ?? 0n;
    const amount = before + change;
    const token = tokens.get(holder.contractId)!;
    token.holders += (amount > 0n ? 1n : 0n) - (before > 0n ? 1n : 0n);
    return { ...holder, amount };
  });
  await storeTokenTransfers(db, {
    ...{ after: stored, until, tokens: [...tokens.values()], holders: changed },
    serials: serials.map(({ change, at, ...serial }) => ({
      ...serial,
      amount: (amountOfSerial.get(keyOfSerial(serial)) ?? 0n) + change,
      modifiedTimestamp: at,
    })),
  });
  return true;
}

/** Of the contracts among those that log transfers; tokens of the token service log them, too. */
async function findStandards(db: Database, logs: readonly TokenLog[], ask: AskContract) {
  const ids = [...new Set(logs.map(({ contractId }) => contractId))];
  const standards = new Map(await selectKnownStandards(db, ids)) as Map<bigint, TokenStandard | null>;
  const unknown = ids.filter((id) => !standards.has(id));
  if (unknown.length === 0) return standards;
  const logged = new Map<bigint, Set<TokenStandard>>();
  for (const log of logs) {
    const read = readTransfer(log);
    if (read) logged.set(log.contractId, (logged.get(log.contractId) ?? new Set()).add(read.standard));
  }
  for (const row of await selectContractCodes(db, unknown)) {
    const code = row.runtimeBytecode ?? Buffer.alloc(0);
    const contract = { address: addressOf(row), code, logged: logged.get(row.contractId) ?? new Set<TokenStandard>() };
    standards.set(row.contractId, await recogniseToken(contract, ask));
  }
  return standards;
}

async function askNext(db: Database, ask: AskContract): Promise<boolean> {
  const newest = await selectNewestBlock(db);
  if (newest === null) return false;
  const due = await selectTokensToAsk(db, newest.consensusEnd - askAgainNs, askedAtOnce);
  if (due.length === 0) return false;
  const rows = await selectContractCodes(
    db,
    due.map(({ contractId }) => contractId),
  );
  const addresses = new Map(rows.map((row) => [row.contractId, addressOf(row)]));
  const answers: TokenAnswers[] = [];
  for (const { contractId, standard, lastTimestamp: askedTimestamp } of due) {
    const address = addresses.get(contractId) ?? BigInt(`0x${toLongZeroAddress(contractId).toString('hex')}`);
    const said = await askToken(ask, { address, standard: standard as TokenStandard });
    answers.push({ contractId, askedTimestamp, ...said });
  }
  await storeTokenAnswers(db, answers);
  return true;
}

function addressOf({ evmAddress, contractId }: Pick<ContractCodeRow, 'evmAddress' | 'contractId'>): bigint {
  return BigInt(`0x${(evmAddress ?? toLongZeroAddress(contractId)).toString('hex')}`);
}

type Holder = { contractId: bigint; account: Buffer };

function keyOf({ contractId, account }: Holder): string {
  return `${contractId}-${account.toString('hex')}`;
}

function keyOfSerial({ serialNumber, ...holder }: Holder & { serialNumber: bigint }): string {
  return `${keyOf(holder)}-${serialNumber}`;
}

function toAmounts<Row extends { amount: string }>(rows: readonly Row[], key: (row: Row) => string) {
  return new Map(rows.map((row) => [key(row), BigInt(row.amount)]));
}
