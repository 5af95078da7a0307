// One step of the index of tokens that contracts keep: the next logs of the ledger are summed up, then some of the
// tokens that changed are asked what they say of themselves. Tokens of the token service are counted beside.
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import {
  selectHolderAmounts,
  selectKnownStandards,
  selectSerialAmounts,
  selectTokenBehind,
  selectTokenProgress,
  selectTokensToAsk,
  selectTokensToJudge,
} from '../../../packages/store/read/select-contract-tokens.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import {
  selectContractTokenLogs,
  selectEndOfContractLogs,
  selectEndOfLogs,
  selectTokenLogs,
  type TokenLog,
} from '../../../packages/store/read/select-token-logs.ts';
import { isFilledInPart } from '../../../packages/store/transfer/bootstrap-run.ts';
import {
  judgeTokensSoon,
  type NewAmounts,
  storePastTransfers,
  storeTokenAnswers,
  storeTokenJudgements,
  storeTokenTransfers,
  type TokenAnswers,
  type TokenJudgement,
} from '../../../packages/store/write/store-token-transfers.ts';
import {
  type ContractCodeRow,
  selectContractCodes,
} from '../../../packages/verification/store/select-contract-codes.ts';
import type { AskContract } from '../onchain/ledger-chain.ts';
import { askToken } from './ask-token.ts';
import { countTokens } from './count-tokens.ts';
import { foldTransfers, type TokenChanges } from './fold-transfers.ts';
import { readTransfer, type TokenStandard, transferTopics, upgradedTopic } from './read-transfer.ts';
import { recogniseToken } from './recognise-token.ts';

type Options = {
  db: Database;
  ask: AskContract;
  /** Of a step; all of a moment are in one. */
  logsAtOnce?: number;
  /** ms between two judgements of a contract, which would else have as many as it logs upgrades of itself. */
  judgeAgainMs?: number;
};

const askedAtOnce = 10;
const judgedAtOnce = 10;
/** That are remembered until they may be judged again. */
const maxJudged = 10_000;
/** Newest logs of a contract that is judged again: what kinds of transfers it logs. */
const logsOfJudgement = 200;
/** A token is asked again when it had transfers since, at most so often. */
const askAgainNs = 30_000_000_000n;

export type IndexTokens = {
  /** What was done; null = there was nothing to do. */
  step(): Promise<'transfers' | 'answers' | 'counts' | null>;
};

export function createIndexTokens(options: Options): IndexTokens {
  const { db, ask, logsAtOnce = 1_000, judgeAgainMs = 30_000 } = options;
  const judged = new LRUCache<bigint, true>({ max: maxJudged, ttl: judgeAgainMs });
  return {
    async step() {
      // An export may have what would be stored here.
      if (await isFilledInPart(db)) return null;
      const isFolded = await foldNext(db, ask, logsAtOnce);
      const isSummed = await sumPast(db, logsAtOnce);
      const isJudged = await judgeNext(db, ask, judged);
      const isAsked = await askNext(db, ask);
      const isCounted = await countTokens(db);
      return isFolded || isSummed ? 'transfers' : isJudged || isAsked ? 'answers' : isCounted ? 'counts' : null;
    },
  };
}

async function foldNext(db: Database, ask: AskContract, logsAtOnce: number): Promise<boolean> {
  const stored = await selectTokenProgress(db);
  const after = stored ?? -1n;
  const until = await selectEndOfLogs(db, after, logsAtOnce);
  if (until === null) return false;
  const found = await selectTokenLogs(db, { after, until, topics: [...transferTopics, upgradedTopic] });
  const isUpgrade = ({ topic0 }: TokenLog) => topic0.equals(upgradedTopic);
  const upgraded = new Set(found.filter(isUpgrade).map(({ contractId }) => contractId));
  // Before what tells how far the logs were read: after a kill it is done again.
  if (upgraded.size > 0) await judgeTokensSoon(db, [...upgraded]);
  const logs = found.filter((log) => !isUpgrade(log));
  const standards = await findStandards(db, { logs, after }, ask);
  const changes = foldTransfers(logs, (id) => standards.get(id));
  const amounts = await addToStored(db, changes);
  await storeTokenTransfers(db, { after: stored, until, tokens: [...changes.tokens.values()], ...amounts });
  return true;
}

/** Of one token that was found to be one late: transfers that those of all others are ahead of. */
async function sumPast(db: Database, logsAtOnce: number): Promise<boolean> {
  const newest = await selectTokenProgress(db);
  const behind = newest === null ? null : await selectTokenBehind(db, newest);
  if (newest === null || behind === null) return false;
  const { contractId, standard, summedTimestamp: after } = behind;
  const end = await selectEndOfContractLogs(db, { contractId, after, until: newest, count: logsAtOnce });
  const until = end ?? newest;
  const logs = await selectContractTokenLogs(db, { contractId, after, until, topics: transferTopics });
  const changes = foldTransfers(logs, () => standard as TokenStandard);
  const amounts = await addToStored(db, changes);
  const change = changes.tokens.get(contractId) ?? null;
  await storePastTransfers(db, { contractId, after, until, change, ...amounts });
  return true;
}

/** The new amounts; counts into `tokens` who holds some now, or none any more. */
async function addToStored(db: Database, { tokens, holders, serials }: TokenChanges): Promise<NewAmounts> {
  if (holders.length === 0) return { holders: [], serials: [] };
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
  return {
    holders: changed,
    serials: serials.map(({ change, at, ...serial }) => ({
      ...serial,
      amount: (amountOfSerial.get(keyOfSerial(serial)) ?? 0n) + change,
      modifiedTimestamp: at,
    })),
  };
}

/** Of the contracts among those that log transfers; tokens of the token service log them, too. */
async function findStandards(
  db: Database,
  { logs, after }: { logs: readonly TokenLog[]; after: bigint },
  ask: AskContract,
): Promise<Map<bigint, TokenStandard | null>> {
  const ids = [...new Set(logs.map(({ contractId }) => contractId))];
  if (ids.length === 0) return new Map();
  const known = await selectKnownStandards(db, { contractIds: ids, after });
  const standards = new Map(known) as Map<bigint, TokenStandard | null>;
  const unknown = ids.filter((id) => !standards.has(id));
  if (unknown.length === 0) return standards;
  for (const row of await selectContractCodes(db, unknown)) {
    standards.set(row.contractId, await judge(row, logs, ask));
  }
  return standards;
}

/** By the transfers among these logs. */
function judge(row: ContractCodeRow, logs: readonly TokenLog[], ask: AskContract): Promise<TokenStandard | null> {
  const logged = new Set<TokenStandard>();
  for (const log of logs) {
    const read = log.contractId === row.contractId ? readTransfer(log) : null;
    if (read) logged.add(read.standard);
  }
  return recogniseToken({ address: addressOf(row), code: row.runtimeBytecode ?? Buffer.alloc(0), logged }, ask);
}

/** A contract that was no token may be one by now: its code became known, or what it forwards calls to. */
async function judgeNext(db: Database, ask: AskContract, judged: LRUCache<bigint, true>): Promise<boolean> {
  judged.purgeStale();
  const due = await selectTokensToJudge(db, { limit: judgedAtOnce, without: [...judged.keys()] });
  if (due.length === 0) return false;
  for (const { contractId } of due) judged.set(contractId, true);
  const ids = due.map(({ contractId }) => contractId);
  const rows = new Map((await selectContractCodes(db, ids)).map((row) => [row.contractId, row]));
  const judgements: TokenJudgement[] = [];
  for (const { contractId, firstTimestamp, lastTimestamp: until, askedTimestamp } of due) {
    const row = rows.get(contractId);
    const span = { contractId, after: askedTimestamp ?? firstTimestamp - 1n, until };
    const logs = await selectContractTokenLogs(db, { ...span, topics: transferTopics, newest: logsOfJudgement });
    const standard = row === undefined ? null : await judge(row, logs, ask);
    judgements.push({ contractId, askedTimestamp: until, standard });
  }
  await storeTokenJudgements(db, judgements);
  return true;
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
