// Contract results: pages across all contracts and of one, and a single one with everything about its transaction. Rows
// without an Ethereum transaction get the gas price of their time.

import { isEmptyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { isSuccess } from '../../../packages/protocol/hapi/response-codes.ts';
import { type Execution, type ExecutionKey, selectExecution } from '../../../packages/store/read/contract-execution.ts';
import type { ResultsFilter } from '../../../packages/store/read/contract-result-parts.ts';
import type { ContractResultRow } from '../../../packages/store/read/contract-result-row.ts';
import {
  type ContractActionRow,
  type ContractActionsFilter,
  selectActionsAt,
  selectContractActions,
} from '../../../packages/store/read/select-contract-actions.ts';
import {
  type ContractResultDetailRow,
  type ResultOptions,
  selectContractResult,
} from '../../../packages/store/read/select-contract-result.ts';
import {
  type ContractResultsFilter,
  selectContractResults,
} from '../../../packages/store/read/select-contract-results.ts';
import { selectFileVersion } from '../../../packages/store/read/select-file-version.ts';
import type { Wanted } from '../../../packages/store/read/select-page.ts';
import { selectResultsOfContract } from '../../../packages/store/read/select-results-of-contract.ts';
import { int64, latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import { askPage, emptyPage, toPage, whereEvery } from '../question/page.ts';
import { withinClock } from '../question/within-clock.ts';
import type { GasPrices } from './gas-prices.ts';

/** `gasPriceTinybar`: from the system files, for a row without an Ethereum transaction; null if they have none. */
export type ContractResult = ContractResultRow & SenderAlias & { gasPriceTinybar: bigint | null };
export type ContractResultDetail = NonNullable<Awaited<ReturnType<ReturnType<typeof createContractResults>['find']>>>;

/** EVM alias of the sender from the stored function result; only read if senderId is null. */
type SenderAlias = { senderAlias: Buffer | null };

/** Identifies the execution of a transaction; `hash` has 32 bytes, `validStart` is ns. */
export type ExecutionName =
  | { kind: 'hash'; hash: Buffer }
  | { kind: 'id'; payerAccountId: bigint; validStart: bigint; nonce: bigint };

type ActionsQuery = Omit<ContractActionsFilter, 'execution'> & { execution: ExecutionName };

const maxInt32 = 2n ** 31n - 1n;

type Options = { db: Database; gasPrices: GasPrices };

export function createContractResults({ db, gasPrices }: Options) {
  return { list, listOf, find, findAt, findTime, listActions, listActionsAt: listActionsAt(db) };

  /** Across all contracts, by consensus timestamp. */
  async function list(query: ContractResultsFilter) {
    // The column is int4: no transaction has a larger position.
    const transactionIndexes = query.transactionIndexes.filter((index) => index <= maxInt32);
    if (transactionIndexes.length === 0 && query.transactionIndexes.length > 0) return emptyPage;
    return askPage(
      withinLedger({ ...query, transactionIndexes, synthetic: mayBeSynthetic(query) }),
      async (filter) => {
        const rows = await selectContractResults(db, filter);
        const prices = await Promise.all(rows.map(findGasPrice));
        return rows.map((row, index) => withGasPrice(row, prices[index]!));
      },
      (last) => last.consensusTimestamp,
    );
  }

  /** Of one contract (null = of all), by consensus timestamp; without columns of block and Ethereum transaction. */
  async function listOf(contractId: bigint | null, query: ContractResultsFilter) {
    if (contractId === null) return list(query);
    return askPage(
      withinLedger({ ...query, contractId, synthetic: mayBeSynthetic(query) }),
      async (filter) => (await selectResultsOfContract(db, filter)).map(withSenderAlias),
      (last) => last.consensusTimestamp,
    );
  }

  /** Of several executions the newest successful one, else the newest. */
  async function find(name: ExecutionName, { synthetic }: Pick<ResultOptions, 'synthetic'>) {
    const key = toKey(name);
    return key && findDetail(key, { contractId: null, synthetic });
  }

  /** The consensus time of the execution that `find` finds; null = there is no result of it. */
  async function findTime(name: ExecutionName): Promise<bigint | null> {
    const key = toKey(name);
    const row = key && (await selectContractResult(db, key, { contractId: null, synthetic: false }));
    return row?.consensusTimestamp ?? null;
  }

  /** `contractId`: of a contract or account that took part; null = any. */
  async function findAt(timestamp: bigint, options: ResultOptions) {
    return timestamp > latestMoment ? null : findDetail({ kind: 'time', timestamp }, options);
  }

  async function findDetail(key: ExecutionKey, options: ResultOptions) {
    if (!db.isDistributed) {
      const row = await selectContractResult(db, key, options);
      if (row === null || callDataFile(row) === null) return row && toDetail(row, row.functionParameters);
    }
    // From here on it takes more than one query.
    return db.snapshot(async (own) => {
      const row = await selectContractResult(own, key, options);
      const file = row && callDataFile(row);
      const stored = file === null ? null : await selectFileVersion(own, file, latestMoment);
      return row && toDetail(row, stored?.content ?? row.functionParameters);
    });
  }

  async function toDetail(row: ContractResultDetailRow, functionParameters: Buffer) {
    const gasPrice = await findGasPrice(row);
    return {
      ...withGasPrice(row, gasPrice),
      functionParameters: row.callData?.length ? row.callData : functionParameters,
      failedInitcode: toFailedInitcode(row),
      gasLimit: row.ethGasLimit ?? row.gasLimit,
    };
  }

  function findGasPrice({ ethType, consensusTimestamp }: ContractResultRow): Promise<bigint | null> | null {
    return ethType === null ? gasPrices.at(consensusTimestamp) : null;
  }

  /** By index. Every condition must hold. null = there is no such execution. */
  async function listActions<Name extends keyof ContractActionRow>(query: ActionsQuery & Wanted<Name>) {
    const execution = toKey(query.execution);
    if (execution === null) return null;
    const filter = whereEvery({ ...query, execution }, ['index']);
    if (filter === null) return (await selectExecution(db, execution)) && emptyPage;
    const rows = await (db.isDistributed
      ? db.snapshot((own) => selectContractActions(own, filter))
      : selectContractActions(db, filter));
    return rows && toPage(rows, filter.limit, (last) => BigInt(last.index));
  }
}

/** `listActions` of a transaction that is known by time and payer. */
function listActionsAt(db: Database) {
  return <Name extends keyof ContractActionRow>(
    execution: Execution,
    query: Omit<ActionsQuery, 'execution'> & Wanted<Name>,
  ) =>
    askPage(
      whereEvery(query, ['index']),
      (filter) => selectActionsAt(db, execution, filter),
      (last) => BigInt(last.index),
    );
}

/** null = no execution can have this name. */
function toKey(name: ExecutionName) {
  if (name.kind === 'hash') return name;
  return name.validStart > latestMoment - maxDelay ? null : { ...name, latest: name.validStart + maxDelay };
}

/** The file in which call data was stored that is too long for a transaction; null = the row has it. */
export function callDataFile({
  callData,
  functionParameters,
  callDataId,
}: Pick<ContractResultDetailRow, 'callData' | 'functionParameters' | 'callDataId'>): bigint | null {
  if (callData?.length || functionParameters.length > 0 || callDataId === null) return null;
  return (callDataId & lowest38Bits) > 1000n ? callDataId : null;
}

/** A condition on the sender excludes synthetic results: they ran no code, a log only names the payer. */
function mayBeSynthetic({ synthetic, sender }: ContractResultsFilter): boolean {
  return synthetic && sender.equals.length === 0 && sender.others.length === 0;
}

/** null = nothing can meet it. No block has a number beyond int64. */
function withinLedger<F extends ResultsFilter>(filter: F): F | null {
  const { block } = filter;
  const timestamp = withinClock(filter.timestamp);
  const isBeyond = block !== null && 'number' in block && block.number > int64.max;
  return isBeyond || isEmptyRange(timestamp) ? null : { ...filter, timestamp };
}

/** Maximum time from a transaction's valid start to its consensus, ns. */
const maxDelay = 35n * 60_000_000_000n;

const lowest38Bits = (1n << 38n) - 1n;

function toFailedInitcode(row: ContractResultDetailRow): Buffer | null {
  if (row.failedInitcode?.length) return row.failedInitcode;
  return isSuccess(row.transactionResult) ? null : row.callData;
}

/** The row is changed. */
function withGasPrice<Row extends ContractResultRow>(row: Row, gasPriceTinybar: bigint | null) {
  // −1 means that it was not counted.
  const blockGasUsed = row.blockGasUsed === -1n ? null : row.blockGasUsed;
  return Object.assign(withSenderAlias(row), { gasPriceTinybar, blockGasUsed });
}

/** The row is changed. */
export function withSenderAlias<Row extends { senderId: bigint | null; functionResult: Buffer | null }>(
  row: Row,
): Row & SenderAlias {
  return Object.assign(row, { senderAlias: row.senderId === null ? readSenderAlias(row.functionResult) : null });
}

/** The alias in the stored ContractFunctionResult's sender_id; null if the bytes hold none. */
function readSenderAlias(functionResult: Buffer | null): Buffer | null {
  if (!functionResult || functionResult.length === 0) return null;
  let alias: Uint8Array | null | undefined;
  try {
    alias = proto.ContractFunctionResult.decode(functionResult).senderId?.alias;
  } catch {
    // The column holds the network's bytes; if they cannot be decoded, the sender is unknown, and the row is still
    // returned.
    return null;
  }
  return alias && alias.length > 0 ? Buffer.from(alias) : null;
}
