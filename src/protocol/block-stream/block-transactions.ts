// Transactions of a block stream → transactions with results. What a block omits from a record is reconstructed: ids, supply,
// serials and topic hashes from outputs and state. What it has in full is decoded by `decodeBlockTransaction`.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import { isSuccess } from '../hapi/response-codes.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import { isBadData } from '../ledger-value-error.ts';
import type { ExecutedHook } from '../stream/stream-block.ts';
import type { BlockStreamItem } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { type PairedTransaction, readBlockSequence } from './block-sequence.ts';
import { type BlockState, createBlockState } from './block-state.ts';
import { type BlockUnit, toBlockUnits } from './block-unit.ts';
import { type EvmOutput, evmAddressOf, findEvmResult, readSidecars, writeFunctionResult } from './contract-output.ts';
import { pairTransactions } from './pair-transactions.ts';
import type { BlockResult } from './read-result.ts';
import { type ReceiptIds, reconstructRecord } from './reconstruct-record.ts';
import { bodyOf, type SignedTransaction } from './signed-transaction.ts';
import { hookOwner, listWrittenSlots } from './written-slots.ts';

export type BlockTransaction = {
  transaction: SignedTransaction;
  /** Its record has what the block omits, except for these ids. */
  result: BlockResult;
  receiptIds: ReceiptIds | null;
  /** Serialized ContractFunctionResult; null without one. */
  functionResult: FunctionResult | null;
  sidecars: proto.ITransactionSidecarRecord[];
  /** Nonce of an account with code delegation (EIP-7702) after its transaction; null for all others. */
  ethereumNonce: bigint | null;
  /** The hook that was run, for the call of a hook. */
  executedHook: ExecutedHook | null;
};

type FunctionResult = { bytes: Buffer; isCreate: boolean };

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
  const walk: Walk = { state: createBlockState(), madeByParent: new Map(), unitSlots: noSlots, problems };
  const made: BlockTransaction[] = [];
  const units = toBlockUnits(paired, stateChanges);
  for (let index = units.length - 1; index >= 0; index--) {
    const unit = units[index]!;
    const unread = walk.state.goBack(unit.stateChanges);
    walk.unitSlots = createUnitSlots(unit);
    if (unread > 0) problems.push(`state changes that cannot be read: ${unread}`);
    for (let place = unit.transactions.length - 1; place >= 0; place--) {
      made.push(reconstruct(unit.transactions[place]!, walk));
    }
  }
  return { transactions: made.reverse(), problems };
}

/** From the end of a block to its beginning. */
type Walk = {
  state: BlockState;
  /** Contracts created by children, by the time of their parent; children follow it. */
  madeByParent: Map<bigint, Buffer[]>;
  unitSlots(): WrittenSlots;
  problems: string[];
};

type WrittenSlots = ReturnType<typeof listWrittenSlots>;

const noSlots = (): WrittenSlots => new Map();

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

function reconstruct(paired: PairedTransaction, walk: Walk): BlockTransaction {
  const { transaction, result, outputs } = paired;
  const evm = outputs.length > 0 ? findEvmResult(outputs) : null;
  const created = evm && isSuccess(result.status) ? takeCreatedContracts(evm, paired, walk) : noContracts;
  let receiptIds = reconstructRecord(paired, walk.state);
  // Calls name the contract too, as receipts do.
  if (evm && contractTypes.includes(transaction.type) && evm.result.contractId.length > 0)
    receiptIds = { ...receiptIds, contractID: evm.result.contractId };
  return {
    transaction,
    result,
    receiptIds,
    functionResult: evm && toFunctionResult(evm, created, paired, walk),
    sidecars: sidecarsOf(paired, walk, created.own === null ? noIds : [created.own]),
    ethereumNonce: delegatedNonce(paired, walk.state),
    executedHook: toExecutedHook(evm?.result.executedHookId),
  };
}

function toFunctionResult(
  { result, isCreate }: EvmOutput,
  created: CreatedContracts,
  paired: PairedTransaction,
  { state }: Walk,
): FunctionResult {
  const bytes = writeFunctionResult({
    result,
    trace: findTrace(paired),
    createdContractIds: created.ids,
    evmAddress: created.own === null ? null : evmAddressOf(toContractId(created.own), state),
  });
  return { bytes, isCreate };
}

type CreatedContracts = {
  /** The contract that the transaction itself created. Serialized ContractIDs. */
  own: Buffer | null;
  /** All in the record. */
  ids: readonly Buffer[];
};

const noIds: readonly Buffer[] = [];
const noContracts: CreatedContracts = { own: null, ids: noIds };

/** A creation names its own contract first; that of a child is named by its parent. */
function takeCreatedContracts(
  { result, isCreate }: EvmOutput,
  { isInner, result: { consensusTimestamp, parentTimestamp } }: PairedTransaction,
  { madeByParent }: Walk,
): CreatedContracts {
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
function sidecarsOf(transaction: PairedTransaction, { unitSlots, state, problems }: Walk, created: readonly Buffer[]) {
  const trace = findTrace(transaction);
  if (!trace && created.length === 0) return [];
  const { record, consensusTimestamp } = transaction.result;
  const parts = {
    consensusTimestamp: record.consensusTimestamp!,
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
function delegatedNonce({ transaction, result, outputs }: PairedTransaction, state: BlockState): bigint | null {
  const body = bodyOf(transaction).body ?? {};
  const delegation = (body.cryptoCreateAccount ?? body.cryptoUpdateAccount)?.delegationAddress;
  if (!delegation?.length || !isSuccess(result.status)) return null;
  const created = outputs.find(({ accountCreate }) => accountCreate)?.accountCreate?.createdAccountId;
  const id = body.cryptoUpdateAccount?.accountIDToUpdate ?? (created && decodeMessage(proto.AccountID, created));
  const nonce = state.account(toEntityId(id))?.ethereumNonce;
  return nonce === null || nonce === undefined ? null : toBigInt(nonce);
}

const contractTypes = [typeNumber.contractCall, typeNumber.contractCreateInstance];
