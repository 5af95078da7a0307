// Contract results: pages across all contracts and of one, and a single one with all that its transaction left behind.
// Rows without an Ethereum transaction carry the gas price of their time.
import { everyCondition, isEmptyRange } from '../../kit/range.ts';
import { isSuccess } from '../../protocol/hapi/response-codes.ts';
import { selectContractActions } from '../../store/read/select-contract-actions.ts';
import { selectLogsAt } from '../../store/read/select-contract-logs.ts';
import {
  type ContractResultDetailRow,
  type StateChangeRow,
  selectContractResult,
  selectExecutionByHash,
  selectExecutionById,
  selectStateChanges,
} from '../../store/read/select-contract-result.ts';
import { selectContractResults } from '../../store/read/select-contract-results.ts';
import { selectFileVersion } from '../../store/read/select-file-version.ts';
import { selectResultsOfContract } from '../../store/read/select-results-of-contract.ts';
import { int64, latestMoment } from '../../store/read/statement-parts.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';
import { withinClock } from '../question/within-clock.ts';
import { type ContractAction, toContractAction } from './contract-action.ts';
import { toContractLog } from './contract-log.ts';
import type {
  ContractActionsQuery,
  ContractResult,
  ContractResultDetail,
  ContractResultsQuery,
  Execution,
  ExecutionName,
  ResultsOfContractQuery,
  StateChange,
} from './contract-result.ts';
import type { GasPrices } from './gas-prices.ts';
import { toContractResult, toResultOfContract } from './to-contract-result.ts';

const maxInt32 = 2n ** 31n - 1n;

type Options = { db: Database; gasPrices: GasPrices };

export function createContractResults({ db, gasPrices }: Options) {
  return { list, listOf, locate, find, listActions };

  /** Across all contracts, by consensus timestamp. */
  async function list(query: ContractResultsQuery): Promise<Page<ContractResult>> {
    if (isBeyondLedger(query)) return emptyPage;
    // The column is int4: a larger position is that of no transaction.
    const transactionIndexes = query.transactionIndexes.filter((index) => index <= maxInt32);
    if (transactionIndexes.length < query.transactionIndexes.length && transactionIndexes.length === 0)
      return emptyPage;
    // Whose sender is asked for cannot be a synthetic row: it ran no code, a log only says who paid.
    const synthetic = query.synthetic && query.sender.equals.length === 0 && query.sender.others.length === 0;
    const rows = await selectContractResults(db, {
      ...query,
      timestamp: withinClock(query.timestamp),
      transactionIndexes,
      synthetic,
    });
    const prices = await Promise.all(
      rows.map((row) => (row.ethType === null ? gasPrices.at(row.consensusTimestamp) : null)),
    );
    const results = rows.map((row, index) => toContractResult(row, prices[index]!));
    return toPage(results, query.limit, (last) => last.consensusTimestamp);
  }

  /** Of one contract (null = of all), by consensus timestamp; without what block and Ethereum transaction say of them. */
  async function listOf(contractId: bigint | null, query: ResultsOfContractQuery): Promise<Page<ContractResult>> {
    if (contractId === null) {
      const { items, next } = await list({ ...query, synthetic: false });
      return { items: items.map((item) => ({ ...item, block: null, ethereum: null, gasPriceTinybar: null })), next };
    }
    if (isBeyondLedger(query)) return emptyPage;
    const rows = await selectResultsOfContract(db, { ...query, contractId, timestamp: withinClock(query.timestamp) });
    return toPage(rows.map(toResultOfContract), query.limit, (last) => last.consensusTimestamp);
  }

  /** Of several executions of one name the newest that succeeded, else the newest. null = there is none. */
  async function locate(name: ExecutionName): Promise<Execution | null> {
    if (name.kind === 'id' && name.validStart > latestMoment - maxDelay) return null;
    const row =
      name.kind === 'hash'
        ? await selectExecutionByHash(db, name.hash)
        : await selectExecutionById(db, { ...name, latest: name.validStart + maxDelay });
    return row && { consensusTimestamp: row.consensusTimestamp, payerAccountId: row.payerAccountId };
  }

  /** `contractId`: of a contract or account that took part; null = whoever did. */
  async function find(timestamp: bigint, contractId: bigint | null): Promise<ContractResultDetail | null> {
    if (timestamp > latestMoment) return null;
    const [row, logs, changes] = await Promise.all([
      selectContractResult(db, timestamp, contractId),
      selectLogsAt(db, timestamp),
      selectStateChanges(db, timestamp, contractId),
    ]);
    if (!row) return null;
    const [gasPrice, functionParameters] = await Promise.all([
      row.ethType === null ? gasPrices.at(timestamp) : null,
      readFunctionParameters(row),
    ]);
    return {
      ...toContractResult(row, gasPrice),
      functionParameters,
      failedInitcode: toFailedInitcode(row),
      gasLimit: row.ethGasLimit ?? row.gasLimit,
      logs: logs.map(toContractLog),
      stateChanges: changes.map(toStateChange),
    };
  }

  /** Call data that is too long for a transaction is put into a file first. */
  async function readFunctionParameters(row: ContractResultDetailRow): Promise<Buffer> {
    if (row.callData?.length) return row.callData;
    if (row.functionParameters.length > 0 || row.callDataId === null) return row.functionParameters;
    const isUserFile = (row.callDataId & lowest38Bits) > 1000n;
    const file = isUserFile ? await selectFileVersion(db, row.callDataId, latestMoment) : null;
    return file?.content ?? row.functionParameters;
  }

  async function listActions({ execution, index, order, limit }: ContractActionsQuery): Promise<Page<ContractAction>> {
    const range = everyCondition(index);
    if (isEmptyRange(range)) return emptyPage;
    const rows = await selectContractActions(db, { ...execution, index: range, order, limit });
    return toPage(rows.map(toContractAction), limit, (last) => BigInt(last.index));
  }
}

/** No block has a number beyond int64. */
function isBeyondLedger({ block }: ResultsOfContractQuery): boolean {
  return block !== null && 'number' in block && block.number > int64.max;
}

/** Longest time from the valid start of a transaction to its consensus, ns. */
const maxDelay = 35n * 60_000_000_000n;

const lowest38Bits = (1n << 38n) - 1n;

function toFailedInitcode(row: ContractResultDetailRow): Buffer | null {
  if (row.failedInitcode?.length) return row.failedInitcode;
  return isSuccess(row.transactionResult) ? null : row.callData;
}

function toStateChange(row: StateChangeRow): StateChange {
  return {
    contractId: row.contractId,
    contractEvmAddress: row.evmAddress,
    slot: row.slot,
    valueRead: row.valueRead,
    valueWritten: row.valueWritten,
  };
}
