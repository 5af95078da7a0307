// Transactions of a block stream → transactions with results. What a block omits from a record is reconstructed: ids, supply,
// serials and topic hashes from outputs and state. What it has in full is decoded by `decodeBlockTransaction`.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import { isSuccess } from '../hapi/response-codes.ts';
import type { TransactionRecord } from '../hapi/transaction-body.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import { isBadData } from '../ledger-value-error.ts';
import type { ExecutedHook } from '../stream/stream-block.ts';
import type { BlockStreamItem } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { type BlockResult, type PairedTransaction, readBlockSequence } from './block-sequence.ts';
import { type BlockState, createBlockState } from './block-state.ts';
import { type BlockUnit, toBlockUnits } from './block-unit.ts';
import { type EvmOutput, evmAddressOf, findEvmResult, readSidecars, writeFunctionResult } from './contract-output.ts';
import { pairTransactions } from './pair-transactions.ts';
import { type ReceiptIds, type RecordContext, reconstructRecord } from './reconstruct-record.ts';
import { bodyOf, type SignedTransaction } from './signed-transaction.ts';
import { hookOwner, listWrittenSlots } from './written-slots.ts';

export type BlockTransaction = {
  transaction: SignedTransaction;
  result: BlockResult;
  /** What the block omits; the rest is still in `result`, and in the following. */
  record: RecordContext['record'];
  receiptIds: ReceiptIds;
  /** Serialized ContractFunctionResult; null without one. */
  functionResult: { bytes: Buffer; isCreate: boolean } | null;
  sidecars: proto.ITransactionSidecarRecord[];
  /** Nonce of an account with code delegation (EIP-7702) after its transaction; null for all others. */
  ethereumNonce: bigint | null;
  /** The hook that was run, for the call of a hook. */
  executedHook: ExecutedHook | null;
};

export type BlockTransactions = {
  /** In block order. */
  transactions: BlockTransaction[];
  /** What the block omits, or what could not be read. */
  problems: string[];
};

/** Throws StreamFileError, also if it is uncertain which result belongs to which transaction. */
export function readBlockTransactions(items: readonly BlockStreamItem[]): BlockTransactions {
  const { items: sequence, stateChanges, problems } = readBlockSequence(items);
  const { transactions: paired, unshown } = pairTransactions(sequence);
  if (unshown > 0) problems.push(`transactions that are not shown, since parts of them were taken out: ${unshown}`);
  const state = createBlockState();
  const made: BlockTransaction[] = [];
  // Contracts created by children, by the time of their parent; children follow it.
  const madeByParent = new Map<bigint, Buffer[]>();
  for (const unit of toBlockUnits(paired, stateChanges).reverse()) {
    const unread = state.goBack(unit.stateChanges);
    const unitSlots = createUnitSlots(unit);
    if (unread > 0) problems.push(`state changes that cannot be read: ${unread}`);
    for (const transaction of unit.transactions.toReversed()) {
      made.push(reconstruct({ transaction, unitSlots, state, madeByParent, problems }));
    }
  }
  return { transactions: made.reverse(), problems };
}

type WrittenSlots = ReturnType<typeof listWrittenSlots>;

/** What the unit wrote, listed once for all of its traces. Throws StreamFileError or LedgerValueError, each time the same. */
function createUnitSlots({ stateChanges }: BlockUnit): () => WrittenSlots {
  let listed: { slots: WrittenSlots } | { error: unknown } | null = null;
  return () => {
    listed ??= tryList(stateChanges);
    if ('error' in listed) throw listed.error;
    return listed.slots;
  };
}

function tryList(changes: BlockUnit['stateChanges']): { slots: WrittenSlots } | { error: unknown } {
  try {
    return { slots: listWrittenSlots(changes) };
  } catch (error) {
    return { error };
  }
}

type Surroundings = {
  transaction: PairedTransaction;
  unitSlots(): WrittenSlots;
  state: BlockState;
  madeByParent: Map<bigint, Buffer[]>;
  problems: string[];
};

function reconstruct(surroundings: Surroundings): BlockTransaction {
  const { transaction: paired, state } = surroundings;
  const { transaction, result, outputs } = paired;
  const context: RecordContext = {
    transaction: paired,
    state,
    isSuccess: isSuccess(result.message.status),
    // If it cannot be decoded, nothing is reconstructed; the problem is reported where the item is decoded.
    body: bodyOf(transaction).body ?? {},
    record: createRecord(),
    receiptIds: {},
  };
  const evm = findEvmResult(outputs);
  const created = evm && context.isSuccess ? takeCreatedContracts(evm, surroundings) : noContracts;
  reconstructRecord(context);
  // Calls name the contract too, as receipts do.
  if (evm && contractTypes.includes(transaction.type) && evm.result.contractId.length > 0)
    context.receiptIds.contractID = evm.result.contractId;
  return {
    transaction,
    result,
    record: context.record,
    receiptIds: context.receiptIds,
    functionResult: evm && toFunctionResult(evm, created, surroundings),
    sidecars: sidecarsOf(surroundings, created.own === null ? [] : [created.own]),
    ethereumNonce: delegatedNonce(context),
    executedHook: toExecutedHook(evm?.result.executedHookId),
  };
}

function createRecord(): RecordContext['record'] {
  const record: TransactionRecord = new proto.TransactionRecord();
  record.receipt = new proto.TransactionReceipt();
  return record as RecordContext['record'];
}

function toFunctionResult({ result, isCreate }: EvmOutput, created: CreatedContracts, of: Surroundings) {
  const bytes = writeFunctionResult({
    result,
    trace: findTrace(of.transaction),
    createdContractIds: created.ids,
    evmAddress: created.own === null ? null : evmAddressOf(toContractId(created.own), of.state),
  });
  return { bytes, isCreate };
}

type CreatedContracts = {
  /** The contract that the transaction itself created. Serialized ContractIDs. */
  own: Buffer | null;
  /** All in the record. */
  ids: Buffer[];
};

const noContracts: CreatedContracts = { own: null, ids: [] };

/** A creation names its own contract first; that of a child is named by its parent. */
function takeCreatedContracts({ result, isCreate }: EvmOutput, { transaction, madeByParent }: Surroundings) {
  const { isInner } = transaction;
  const { consensusTimestamp, parentTimestamp } = transaction.result;
  const ids = (madeByParent.get(consensusTimestamp) ?? []).toReversed();
  const own = isCreate && result.contractId.length > 0 ? result.contractId : null;
  if (own === null) return { own, ids };
  if (parentTimestamp === null || isInner) return { own, ids: [own, ...ids.filter((id) => !id.equals(own))] };
  madeByParent.set(parentTimestamp, [...(madeByParent.get(parentTimestamp) ?? []), own]);
  return { own, ids };
}

function toContractId(bytes: Buffer): bigint {
  return toEntityId(decodeMessage(proto.ContractID, bytes));
}

function findTrace({ traces }: PairedTransaction) {
  return traces.find(({ evmTraceData }) => evmTraceData)?.evmTraceData ?? null;
}

/** A trace that cannot be read is left out, and reported. */
function sidecarsOf({ transaction, unitSlots, state, problems }: Surroundings, created: readonly Buffer[]) {
  const trace = findTrace(transaction);
  if (!trace && created.length === 0) return [];
  const { moment, consensusTimestamp } = transaction.result;
  const parts = {
    consensusTimestamp: moment,
    created,
    hook: findEvmResult(transaction.outputs)?.result.executedHookId ?? null,
  };
  try {
    // A transaction that has written slots counts only those.
    const own = listWrittenSlots(transaction.stateChanges);
    const written = own.size > 0 ? own : unitSlots();
    return readSidecars({ ...parts, trace, written }, state);
  } catch (error) {
    if (!isBadData(error)) throw error;
    problems.push(`the trace of the transaction at ${consensusTimestamp} is left out: ${error.message}`);
    return readSidecars({ ...parts, trace: null, written: new Map() }, state);
  }
}

function toExecutedHook(id: BlockMessages['HookId'] | null | undefined): ExecutedHook | null {
  return id ? { ownerId: hookOwner(id), hookId: toBigInt(id.hookId) } : null;
}

/** Nodes increment the nonce when they execute a delegation, which no result shows. */
function delegatedNonce({ isSuccess: isDone, body, transaction, state }: RecordContext): bigint | null {
  const delegation = (body.cryptoCreateAccount ?? body.cryptoUpdateAccount)?.delegationAddress;
  if (!isDone || !delegation?.length) return null;
  const created = transaction.outputs.find(({ accountCreate }) => accountCreate)?.accountCreate?.createdAccountId;
  const id = body.cryptoUpdateAccount?.accountIDToUpdate ?? (created && decodeMessage(proto.AccountID, created));
  const nonce = state.account(toEntityId(id))?.ethereumNonce;
  return nonce === null || nonce === undefined ? null : toBigInt(nonce);
}

const contractTypes = [typeNumber.contractCall, typeNumber.contractCreateInstance];
