// Transactions of a block stream → raw transactions and records as in record files. What a block omits from a record is
// reconstructed: ids, supply, serials and topic hashes from outputs and state, the hash from the transaction's bytes.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import { isSuccess } from '../hapi/response-codes.ts';
import { decodeTransactionBody, type TransactionBody } from '../hapi/transaction-body.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import { isBadData } from '../ledger-value-error.ts';
import type { RawItem } from '../record-stream/raw-record-file.ts';
import type { ExecutedHook } from '../stream/stream-block.ts';
import { findWireBytes } from '../wire-fields.ts';
import { bytesField, intField, optionalBytes } from '../wire-writer.ts';
import type { BlockStreamItem } from './block-item.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { readBlockSequence } from './block-sequence.ts';
import { type BlockState, createBlockState } from './block-state.ts';
import { type BlockUnit, toBlockUnits, type UnitTransaction } from './block-unit.ts';
import { type EvmOutput, evmAddressOf, findEvmResult, readSidecars, writeFunctionResult } from './contract-output.ts';
import { pairTransactions } from './pair-transactions.ts';
import { type RecordContext, reconstructRecord } from './reconstruct-record.ts';
import { hookOwner, listWrittenSlots } from './written-slots.ts';

type BlockTransaction = RawItem & {
  sidecars: proto.ITransactionSidecarRecord[];
  /** Thousandths; null if the block does not have it. */
  congestionPricingMultiplier: bigint | null;
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
      made.push(toRawItem({ transaction, unitSlots, state, madeByParent, problems }));
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
  transaction: UnitTransaction;
  unitSlots(): WrittenSlots;
  state: BlockState;
  madeByParent: Map<bigint, Buffer[]>;
  problems: string[];
};

function toRawItem(surroundings: Surroundings): BlockTransaction {
  const { transaction, state } = surroundings;
  const {
    transaction: { bytes, bodyBytes, type, hash },
    result: { message: result },
    outputs,
  } = transaction;
  const lazyBody = { body: null as TransactionBody | null };
  const context: RecordContext = {
    transaction,
    state,
    isSuccess: isSuccess(result.status),
    get body() {
      lazyBody.body ??= readBody(bodyBytes);
      return lazyBody.body;
    },
  };
  const evm = findEvmResult(outputs);
  const created = evm && context.isSuccess ? takeCreatedContracts(evm, surroundings) : noContracts;
  const parts = reconstructRecord(context);
  const functionResult = evm
    ? writeFunctionResult({
        result: evm.result,
        trace: findTrace(transaction),
        createdContractIds: created.ids,
        evmAddress: created.own === null ? null : evmAddressOf(toContractId(created.own), state),
      })
    : null;
  const receipt = Buffer.concat(
    [
      intField(1, result.status),
      ...parts.receipt,
      // Calls name the contract too, as receipts do.
      evm && contractTypes.includes(type) ? optionalBytes(4, evm.result.contractId) : [],
    ].flat(),
  );
  const idBytes = findWireBytes(bodyBytes, 1);
  const record = Buffer.concat(
    [
      bytesField(1, receipt),
      bytesField(2, hash),
      bytesField(3, result.consensusTimestamp),
      idBytes ? bytesField(4, idBytes) : [],
      optionalBytes(5, findWireBytes(bodyBytes, 6)),
      intField(6, toBigInt(result.transactionFeeCharged)),
      functionResult ? bytesField(evm?.isCreate ? 8 : 7, functionResult) : [],
      optionalBytes(10, result.transferList),
      ...result.tokenTransferLists.map((list) => bytesField(11, list)),
      optionalBytes(12, result.scheduleRef),
      ...result.assessedCustomFees.map((fee) => bytesField(13, fee)),
      ...result.automaticTokenAssociations.map((association) => bytesField(14, association)),
      optionalBytes(15, result.parentConsensusTimestamp),
      ...parts.record,
      ...result.paidStakingRewards.map((reward) => bytesField(18, reward)),
      intField(23, toBigInt(result.highVolumePricingMultiplier)),
    ].flat(),
  );
  const congestion = toBigInt(result.congestionPricingMultiplier);
  return {
    transaction: bytes,
    record,
    sidecars: sidecarsOf(surroundings, created.own === null ? [] : [created.own]),
    congestionPricingMultiplier: congestion === 0n ? null : congestion,
    ethereumNonce: delegatedNonce(context),
    executedHook: toExecutedHook(evm?.result.executedHookId),
  };
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

function findTrace({ traces }: UnitTransaction) {
  return traces.find(({ evmTraceData }) => evmTraceData)?.evmTraceData ?? null;
}

/** A trace that cannot be read is left out, and reported. */
function sidecarsOf({ transaction, unitSlots, state, problems }: Surroundings, created: readonly Buffer[]) {
  const trace = findTrace(transaction);
  if (!trace && created.length === 0) return [];
  const { message, consensusTimestamp } = transaction.result;
  const parts = {
    consensusTimestamp: decodeMessage(proto.Timestamp, message.consensusTimestamp),
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
function delegatedNonce(context: RecordContext): bigint | null {
  const { transaction, state } = context;
  const { type, bodyBytes } = transaction.transaction;
  const tag = delegationTags.get(type);
  if (!context.isSuccess || !tag || !bodyBytes.includes(tag)) return null;
  const { body } = context;
  const created = transaction.outputs.find(({ accountCreate }) => accountCreate)?.accountCreate?.createdAccountId;
  const id = body.cryptoUpdateAccount?.accountIDToUpdate ?? (created && decodeMessage(proto.AccountID, created));
  const delegation = (body.cryptoCreateAccount ?? body.cryptoUpdateAccount)?.delegationAddress;
  if (!delegation?.length) return null;
  const nonce = state.account(toEntityId(id))?.ethereumNonce;
  return nonce === null || nonce === undefined ? null : toBigInt(nonce);
}

/** Tags of `delegation_address` by type; searched for before decoding the body, since hardly any transaction has it. */
const delegationTags: ReadonlyMap<number, Buffer> = new Map([
  [typeNumber.cryptoCreateAccount, Buffer.of(0xa2, 1)],
  [typeNumber.cryptoUpdateAccount, Buffer.of(0xaa, 1)],
]);

/** If it cannot be decoded, nothing is reconstructed; the problem is reported where the item is decoded. */
function readBody(bytes: Buffer): TransactionBody {
  try {
    return decodeTransactionBody(bytes).body;
  } catch {
    return {};
  }
}

const contractTypes = [typeNumber.contractCall, typeNumber.contractCreateInstance];
