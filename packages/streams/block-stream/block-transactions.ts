// Transactions of a block stream → transactions with results. What a block omits from a record is reconstructed: ids,
// supply, serials and topic hashes from outputs and state. What it has in full is decoded by `decodeBlockTransaction`.
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { isSuccess } from '../../protocol/hapi/response-codes.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { createDoubtCounts, type Doubt, type DoubtCounts } from '../stream/doubt.ts';
import type { StateAnswers, StateQuestion } from '../stream/state-question.ts';
import type { ExecutedHook } from '../stream/stream-block.ts';
import type { BlockStreamItem } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { type PairedTransaction, readBlockSequence } from './block-sequence.ts';
import { type BlockState, createBlockState } from './block-state.ts';
import { type BlockUnit, toBlockUnits } from './block-unit.ts';
import {
  type EvmOutput,
  findEvmResult,
  readSidecars,
  readUsage,
  type SlotUse,
  writeFunctionResult,
} from './contract-output.ts';
import { createNamedAt } from './named-by-changes.ts';
import { pairTransactions } from './pair-transactions.ts';
import type { BlockResult } from './read-result.ts';
import { type ReceiptIds, reconstructRecord } from './reconstruct-record.ts';
import { bodyOf, type SignedTransaction } from './signed-transaction.ts';
import { hookOwner, listWrittenSlots, slotWord, type WrittenSlot } from './written-slots.ts';

export type BlockTransaction = {
  /** Among the items of the block. */
  place: number;
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
  /** What is not shown, or shown in part. */
  doubts: Doubt[];
  /** What the transactions need of the state before the block, as far as `answers` lacks it. */
  questions: StateQuestion[];
  /** What is missing in the transactions, since no block says it: counts by kind. */
  unknown: ReadonlyMap<string, number>;
};

/**
 * Throws StreamFileError only where the root cannot be computed either.
 * @param answers to the questions of a reading before
 */
export function readBlockTransactions(
  items: readonly BlockStreamItem[],
  answers: StateAnswers = noAnswers,
): BlockTransactions {
  const { items: sequence, stateChanges, history, lacksStateChanges, doubts } = readBlockSequence(items);
  const { transactions: paired, isWhole, doubts: ofPairs } = pairTransactions(sequence, createNamedAt(stateChanges));
  const counts = createDoubtCounts();
  const unknown = new Map<string, number>();
  const walk: Walk = {
    state: createBlockState(history, answers, { isWhole, lacksStateChanges }),
    madeByParent: new Map(),
    unitSlots: noSlots,
    firstReads: noReads,
    onUnknown: (what) => void unknown.set(what, (unknown.get(what) ?? 0) + 1),
    counts,
  };
  const made: BlockTransaction[] = [];
  const units = toBlockUnits(paired, lacksStateChanges ? [] : stateChanges);
  const ends = listEnds(units);
  for (let index = units.length - 1; index >= 0; index--) {
    const unit = units[index]!;
    // Of several transactions, one that is left out may have done something.
    const isWholeUnit = isWhole || unit.transactions.length === 1;
    const unread = walk.state.goBack(unit.stateChanges, { place: ends[index]!, isWhole: isWholeUnit });
    walk.unitSlots = isWholeUnit ? createUnitSlots(unit) : noSlots;
    walk.firstReads = createFirstReads(unit, walk);
    if (unread > 0) {
      const place = unit.stateChanges[0]?.place ?? null;
      counts.add('stateChange', 'state changes that cannot be read', { count: unread, place });
    }
    for (let place = unit.transactions.length - 1; place >= 0; place--) {
      made.push(reconstruct(unit.transactions[place]!, walk));
    }
  }
  const all = [...doubts, ...ofPairs, ...counts.list()];
  return { transactions: made.reverse(), doubts: all, questions: walk.state.questions(), unknown };
}

const noAnswers: StateAnswers = new Map();

/** By unit: the place of the last change of state up to its end. */
function listEnds(units: readonly BlockUnit[]): number[] {
  let last = -1;
  return units.map(({ stateChanges }) => {
    for (const { place } of stateChanges) last = Math.max(last, place);
    return last;
  });
}

/** From the end of a block to its beginning. */
type Walk = {
  state: BlockState;
  /** Contracts created by children, by the time of their parent; children follow it. */
  madeByParent: Map<bigint, Buffer[]>;
  unitSlots(): WrittenSlots;
  firstReads(): FirstReads;
  /** Something of a transaction is not known. */
  onUnknown(what: string): void;
  counts: DoubtCounts;
};

/** By name of the slot: what the first trace of the unit that has the slot read. */
type FirstReads = ReadonlyMap<string, Uint8Array>;

const noReads = (): FirstReads => new Map();

/** A slot that a unit leaves as it was still has this value. Listed once, if it is needed. */
function createFirstReads({ transactions }: BlockUnit, { unitSlots }: Walk): () => FirstReads {
  let listed: Map<string, Uint8Array> | null = null;
  return () => {
    if (listed) return listed;
    listed = new Map();
    for (const transaction of transactions) {
      for (const { slot, valueRead } of tryUses(transaction, unitSlots)) {
        if (valueRead && !listed.has(slot.name)) listed.set(slot.name, slotWord(valueRead));
      }
    }
    return listed;
  };
}

/** What cannot be read is reported with its transaction. */
function tryUses(transaction: PairedTransaction, unitSlots: Walk['unitSlots']): SlotUse[] {
  try {
    const written = writtenSlotsOf(transaction, unitSlots);
    const hook = findEvmResult(transaction.outputs)?.result.executedHookId ?? null;
    const usages = findTrace(transaction)?.contractSlotUsages ?? [];
    return usages.flatMap((usage) => readUsage(usage, { written, hook, onDoubt: () => {} }).uses);
  } catch (error) {
    if (!isBadData(error)) throw error;
    return [];
  }
}

/** A transaction that has written slots counts only those. */
function writtenSlotsOf({ stateChanges }: PairedTransaction, unitSlots: Walk['unitSlots']): WrittenSlots {
  const own = listWrittenSlots(stateChanges);
  return own.size > 0 ? own : unitSlots();
}

type WrittenSlots = ReturnType<typeof listWrittenSlots>;

const noSlots = (): WrittenSlots => new Map();

/**
 * What the unit wrote, listed once for all of its traces. Throws StreamFileError or LedgerValueError, each time the
 * same.
 */
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
  const { place, transaction, result, outputs } = paired;
  const evm = outputs.length > 0 ? findEvmResult(outputs) : null;
  const read = <Part>(part: string, make: () => Part, otherwise: Part): Part =>
    readPartOf(paired, walk, { part, make, otherwise });
  const created =
    evm && isSuccess(result.status)
      ? read('created contracts', () => takeCreatedContracts(evm, paired, walk), noContracts)
      : noContracts;
  let receiptIds = read('receipt', () => reconstructRecord(paired, walk.state, walk.onUnknown), null);
  // Calls name the contract too, as receipts do.
  if (evm && contractTypes.includes(transaction.type) && evm.result.contractId.length > 0)
    receiptIds = { ...receiptIds, contractID: evm.result.contractId };
  return {
    place,
    transaction,
    result,
    receiptIds,
    functionResult: evm && read('function result', () => toFunctionResult(evm, created, paired, walk), null),
    sidecars: sidecarsOf(paired, walk, created.own === null ? noIds : [created.own]),
    ethereumNonce: read('nonce', () => delegatedNonce(paired, walk), null),
    executedHook: read('hook', () => toExecutedHook(evm?.result.executedHookId), null),
  };
}

/** Of bad data only this part of the transaction is left out, and counted. */
function readPartOf<Part>(
  { place }: PairedTransaction,
  { counts }: Walk,
  { part, make, otherwise }: { part: string; make: () => Part; otherwise: Part },
): Part {
  try {
    return make();
  } catch (error) {
    if (!isBadData(error)) throw error;
    counts.add('output', `parts of results that cannot be read (${part})`, { place, example: error.message });
    return otherwise;
  }
}

function toFunctionResult(
  { result, isCreate, createdContracts }: EvmOutput,
  created: CreatedContracts,
  paired: PairedTransaction,
  walk: Walk,
): FunctionResult {
  const bytes = writeFunctionResult({
    result,
    trace: findTrace(paired),
    createdContractIds: createdContracts ?? created.ids,
    evmAddress: created.own === null ? null : evmAddressOf(toContractId(created.own), walk),
  });
  return { bytes, isCreate };
}

/** A contract's own address; null without one. */
function evmAddressOf(id: bigint, { state, onUnknown }: Walk): Uint8Array | null {
  const alias = state.alias(id);
  if (alias === null) onUnknown('EVM address of a contract');
  return alias?.length === 20 ? alias : null;
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

/** What cannot be read of its trace is left out, and reported. */
function sidecarsOf(transaction: PairedTransaction, walk: Walk, created: readonly Buffer[]) {
  const { unitSlots, state, counts } = walk;
  const { place, result, outputs } = transaction;
  const trace = findTrace(transaction);
  if (!trace && created.length === 0) return [];
  const onDoubt = (example: string): void =>
    counts.add('trace', 'parts of traces that cannot be read', { place, example });
  const parts = {
    consensusTimestamp: result.record.consensusTimestamp!,
    created,
    hook: findEvmResult(outputs)?.result.executedHookId ?? null,
    valueBefore: ({ name }: WrittenSlot) => walk.firstReads().get(name) ?? null,
    onUnknownValue: () => walk.onUnknown('value of a written slot'),
    onDoubt,
  };
  try {
    const written = writtenSlotsOf(transaction, unitSlots);
    return readSidecars({ ...parts, trace, written }, state);
  } catch (error) {
    // The slots that its unit wrote cannot be listed.
    if (!isBadData(error)) throw error;
    onDoubt(error.message);
    return readSidecars({ ...parts, trace: null, written: new Map() }, state);
  }
}

function toExecutedHook(id: BlockMessages['HookId'] | null | undefined): ExecutedHook | null {
  return id ? { ownerId: hookOwner(id), hookId: toBigInt(id.hookId) } : null;
}

/** Nodes increment the nonce when they execute a delegation, which no result shows. */
function delegatedNonce(
  { transaction, result, outputs }: PairedTransaction,
  { state, onUnknown }: Walk,
): bigint | null {
  const body = bodyOf(transaction).body ?? {};
  const delegation = (body.cryptoCreateAccount ?? body.cryptoUpdateAccount)?.delegationAddress;
  if (!delegation?.length || !isSuccess(result.status)) return null;
  const created = outputs.find(({ accountCreate }) => accountCreate)?.accountCreate?.createdAccountId;
  const id = body.cryptoUpdateAccount?.accountIDToUpdate ?? (created && decodeMessage(proto.AccountID, created));
  const nonce = state.ethereumNonce(toEntityId(id));
  if (nonce === null) onUnknown('nonce of an account that delegates its code');
  return nonce;
}

const contractTypes = [typeNumber.contractCall, typeNumber.contractCreateInstance];
