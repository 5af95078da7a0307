// A block's data about an EVM run, as records and sidecars have it: function result, logs, actions, storage, bytecode.
// Log blooms are left out: they depend on addresses that a block does not carry.
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { findWireBytes, noBytes } from '../../protocol/wire-fields.ts';
import { bytesField, intField, messageField, optionalBytes, type WireField } from '../../protocol/wire-writer.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { blockMessages } from './block-messages.ts';
import type { BlockState } from './block-state.ts';
import type { BlockOutput } from './created-contracts.ts';
import {
  contractSlot,
  hookSlot,
  type listWrittenSlots,
  slotOwner,
  slotWord,
  type WrittenSlot,
} from './written-slots.ts';

const topicLength = 32;

export type FunctionResultParts = {
  result: BlockMessages['EvmTransactionResult'];
  trace: BlockMessages['EvmTraceData'] | null;
  /** Serialized ContractIDs. */
  createdContractIds: readonly Buffer[];
  /** 20 bytes; only for creations. */
  evmAddress: Uint8Array | null;
};

/** Serialized ContractFunctionResult. */
export function writeFunctionResult({ result, trace, createdContractIds, evmAddress }: FunctionResultParts): Buffer {
  const { internalCallContext: call } = result;
  const fields: WireField[] = [
    optionalBytes(1, result.contractId),
    optionalBytes(2, result.resultData),
    optionalBytes(3, Buffer.from(result.errorMessage || (trace?.errorDetails ?? ''))),
    intField(5, toBigInt(result.gasUsed)),
    ...(trace?.logs ?? []).map(({ contractId, data, topics }) =>
      messageField(6, [
        bytesField(1, contractId),
        ...topics.map((topic) => bytesField(3, padTopic(topic))),
        optionalBytes(4, data),
      ]),
    ),
    ...createdContractIds.map((id) => bytesField(7, id)),
    evmAddress ? messageField(9, [bytesField(1, evmAddress)]) : [],
    intField(10, toBigInt(call?.gas)),
    intField(11, toBigInt(call?.value)),
    optionalBytes(12, call?.callData),
    optionalBytes(13, result.senderId),
    ...result.contractNonces.map((nonce) => bytesField(14, nonce)),
    Object.hasOwn(result, 'signerNonce') ? bytesField(15, result.signerNonce) : [],
  ];
  return Buffer.concat(fields.flat());
}

export type SidecarParts = {
  consensusTimestamp: proto.ITimestamp;
  trace: BlockMessages['EvmTraceData'] | null;
  /** Serialized ContractIDs. */
  created: readonly Buffer[];
  /** The unit's written slots: the list that traces without a list point into. */
  written: ReturnType<typeof listWrittenSlots>;
  /** The hook that was run; null outside of hooks. */
  hook: BlockMessages['HookId'] | null;
  /** What a slot had before the unit, as its traces show it; null: they do not. */
  valueBefore(slot: WrittenSlot): Uint8Array | null;
  /** The value of a written slot is not known. */
  onUnknownValue(): void;
  /** A part of the trace cannot be read, and is left out. */
  onDoubt(why: string): void;
};

/** State changes, actions and bytecode of one transaction; undoes its storage changes in `state`. */
export function readSidecars(parts: SidecarParts, state: BlockState): proto.ITransactionSidecarRecord[] {
  const { consensusTimestamp, trace, created, written, hook, onDoubt } = parts;
  // Each action names the one that made it by its place: without one of them the others say nothing.
  const contractActions = readOr(onDoubt, noActions, () =>
    (trace?.contractActions ?? []).map((action) => decodeMessage(proto.ContractAction, action)),
  );
  const usages = (trace?.contractSlotUsages ?? []).flatMap((usage) =>
    readOr<ContractUse[]>(onDoubt, [], () => [readUsage(usage, { written, hook, onDoubt })]),
  );
  const run = trace?.executedInitcode ?? null;
  const codes = new Set([...created, ...(run ? [run.contractId] : [])].map((id) => id.toString('hex'))).values();
  const bytecodes = [...codes].flatMap((text) =>
    readOr<proto.IContractBytecode[]>(onDoubt, [], () => readBytecode(Buffer.from(text, 'hex'), run, state)),
  );
  const contractStateChanges = usages.map((usage) => takeBackStorage(usage, state, parts));
  return [
    ...(contractStateChanges.length > 0 ? [{ consensusTimestamp, stateChanges: { contractStateChanges } }] : []),
    ...(contractActions.length > 0 ? [{ consensusTimestamp, actions: { contractActions } }] : []),
    ...bytecodes.map((bytecode) => ({ consensusTimestamp, bytecode })),
  ];
}

const noActions: proto.IContractAction[] = [];

function readOr<Part>(onDoubt: SidecarParts['onDoubt'], otherwise: Part, read: () => Part): Part {
  try {
    return read();
  } catch (error) {
    if (!isBadData(error)) throw error;
    onDoubt(error.message);
    return otherwise;
  }
}

function readBytecode(
  contractIdBytes: Buffer,
  run: BlockMessages['ExecutedInitcode'] | null,
  state: BlockState,
): proto.IContractBytecode[] {
  const contractId = contractIdBytes.length > 0 ? decodeMessage(proto.ContractID, contractIdBytes) : null;
  const runtimeBytecode = contractId && state.bytecode(toEntityId(contractId));
  const initcode = run?.contractId.equals(contractIdBytes) ? toInitcode(run, runtimeBytecode) : null;
  return runtimeBytecode || initcode ? [{ contractId, initcode, runtimeBytecode }] : [];
}

/** `valueRead`, `valueWritten`: null if the trace does not have it. */
export type SlotUse = {
  slot: WrittenSlot;
  isWritten: boolean;
  valueRead: Uint8Array | null;
  valueWritten: Uint8Array | null;
};
type ContractUse = { contract: proto.IContractID; uses: SlotUse[] };

/**
 * Throws StreamFileError or LedgerValueError where the contract is unknown. A read that is none, or of a place beyond
 * the list of written slots, is left out.
 */
export function readUsage(
  { contractId, writtenSlotKeys, slotReads }: BlockMessages['ContractSlotUsage'],
  { written, hook, onDoubt }: Pick<SidecarParts, 'written' | 'hook' | 'onDoubt'>,
): ContractUse {
  const contract = decodeMessage(proto.ContractID, contractId);
  const id = toEntityId(contract);
  const owner = slotOwner(id);
  const toSlot = (key: Uint8Array): WrittenSlot =>
    owner === 'hooks' && hook ? hookSlot(hook, key) : contractSlot(id, key);
  const own = (writtenSlotKeys?.keys ?? []).map(toSlot);
  const list = own.length > 0 ? own : (written.get(owner) ?? []);
  const readUse = (bytes: Buffer): SlotUse => {
    const read = blockMessages.slotRead.decode(bytes);
    const { index = 0, key = noBytes, readValue: valueRead } = read;
    if (!Object.hasOwn(read, 'index')) return { slot: toSlot(key), isWritten: false, valueRead, valueWritten: null };
    const slot = list[index];
    if (slot) return { slot, isWritten: true, valueRead, valueWritten: findWrittenValue(bytes) };
    throw new StreamFileError('malformed', 'trace', `a place among ${list.length} written slots`, `place ${index}`);
  };
  const uses = slotReads.flatMap((bytes) => readOr<SlotUse[]>(onDoubt, [], () => [readUse(bytes)]));
  const touched = new Set(uses.filter(({ isWritten }) => isWritten).map(({ slot }) => slot.name));
  // Written without being read, which only a trace's own list shows.
  for (const slot of own) {
    if (!touched.has(slot.name)) uses.push({ slot, isWritten: true, valueRead: null, valueWritten: null });
  }
  return { contract, uses };
}

/** Of SlotRead: a word without leading zeros. Another content is not it. */
const writtenValueField = 4;
const maxWordLength = 32;

function findWrittenValue(slotRead: Buffer): Uint8Array | null {
  const value = findWireBytes(slotRead, writtenValueField);
  return value && value.length <= maxWordLength ? slotWord(value) : null;
}

function takeBackStorage(
  { contract, uses }: ContractUse,
  state: BlockState,
  { valueBefore, onUnknownValue }: SidecarParts,
): proto.IContractStateChange {
  const storageChanges = uses.map(({ slot, isWritten, valueRead, valueWritten }): proto.IStorageChange => {
    if (!isWritten) return { slot: slot.key, valueRead };
    const value = valueWritten ?? state.slot(slot, () => valueBefore(slot));
    if (!value) onUnknownValue();
    return { slot: slot.key, valueRead, valueWritten: value && { value } };
  });
  for (const { slot, valueRead } of uses) if (valueRead) state.setSlot(slot, valueRead);
  return { contractId: contract, storageChanges };
}

function toInitcode(run: BlockMessages['ExecutedInitcode'], runtimeBytecode: Uint8Array | null): Uint8Array | null {
  if (!run.initcodeBookends) return run.explicitInitcode?.length ? run.explicitInitcode : null;
  const { deployBytecode, metadataBytecode } = run.initcodeBookends;
  return Buffer.concat([deployBytecode, runtimeBytecode ?? noBytes, metadataBytecode]);
}

function padTopic(topic: Buffer): Buffer {
  return topic.length >= topicLength ? topic : Buffer.concat([Buffer.alloc(topicLength - topic.length), topic]);
}

export type EvmOutput = {
  result: BlockMessages['EvmTransactionResult'];
  isCreate: boolean;
  /** As the output lists them; null: it does not. Serialized ContractIDs. */
  createdContracts: readonly Buffer[] | null;
};

/** The EVM's result for a transaction; null if no output has it. */
export function findEvmResult(outputs: readonly BlockOutput[]): EvmOutput | null {
  for (const { contractCall, contractCreate, ethereumCall, createdContracts = null } of outputs) {
    const created = contractCreate?.evmTransactionResult ?? ethereumCall?.evmCreateTransactionResult;
    const called = contractCall?.evmTransactionResult ?? ethereumCall?.evmCallTransactionResult;
    if (created) return { result: created, isCreate: true, createdContracts };
    if (called) return { result: called, isCreate: false, createdContracts };
  }
  return null;
}
