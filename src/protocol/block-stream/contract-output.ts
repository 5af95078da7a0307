// What a block says of an EVM run, as records and sidecars say it: function result, logs, actions, storage, bytecode. The
// blooms of logs are left out: they depend on addresses that a block does not carry.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto, toBigInt } from '../hapi/hapi.ts';
import { bytesField, intField, messageField, type WireField } from '../wire-writer.ts';
import type { EvmTraceDataMessage, EvmTransactionResultMessage } from './block-messages.ts';
import type { BlockState } from './block-state.ts';
import type { BlockUnit } from './block-unit.ts';

const topicLength = 32;

export type FunctionResultParts = {
  result: EvmTransactionResultMessage;
  traces: readonly EvmTraceDataMessage[];
  /** Serialized ContractIDs. */
  createdContractIds: readonly Buffer[];
  /** 20 bytes; only of creations. */
  evmAddress: Uint8Array | null;
};

/** Serialized ContractFunctionResult. */
export function writeFunctionResult({ result, traces, createdContractIds, evmAddress }: FunctionResultParts): Buffer {
  const { internalCallContext: call } = result;
  const fields: WireField[] = [
    bytesUnlessEmpty(1, result.contractId),
    bytesUnlessEmpty(2, result.resultData),
    bytesUnlessEmpty(3, Buffer.from(result.errorMessage)),
    intField(5, toBigInt(result.gasUsed)),
    ...traces.flatMap(({ logs }) =>
      logs.map(({ contractId, data, topics }) =>
        messageField(6, [
          bytesField(1, contractId),
          ...topics.map((topic) => bytesField(3, padTopic(topic))),
          bytesUnlessEmpty(4, data),
        ]),
      ),
    ),
    ...createdContractIds.map((id) => bytesField(7, id)),
    evmAddress ? messageField(9, [bytesField(1, evmAddress)]) : [],
    intField(10, toBigInt(call?.gas)),
    intField(11, toBigInt(call?.value)),
    bytesUnlessEmpty(12, call?.callData),
    bytesUnlessEmpty(13, result.senderId),
    ...result.contractNonces.map((nonce) => bytesField(14, nonce)),
    Object.hasOwn(result, 'signerNonce') ? bytesField(15, result.signerNonce) : [],
  ];
  return Buffer.concat(fields.flat());
}

/** An account's own address as its state has it; null where it has none. */
export function evmAddressOf(id: bigint, state: BlockState): Uint8Array | null {
  const alias = state.account(id)?.alias;
  return alias && alias.length === 20 ? alias : null;
}

/** State changes, actions and bytecode of one transaction; takes its storage changes back in `state`. */
export function readSidecars(
  unit: BlockUnit,
  /** Serialized ContractIDs. */
  created: readonly Buffer[],
  state: BlockState,
): proto.ITransactionSidecarRecord[] {
  const consensusTimestamp = decodeMessage(proto.Timestamp, unit.result.consensusTimestamp);
  const traces = unit.traces.flatMap(({ evmTraceData }) => (evmTraceData ? [evmTraceData] : []));
  const contractActions = traces.flatMap((trace) =>
    trace.contractActions.map((a) => decodeMessage(proto.ContractAction, a)),
  );
  const contractStateChanges = traces.flatMap((trace) => trace.contractSlotUsages.map((use) => storage(use, state)));
  const runs = new Map(
    traces.flatMap(({ executedInitcode: run }) => (run ? [[run.contractId.toString('hex'), run] as const] : [])),
  );
  const records: proto.ITransactionSidecarRecord[] = [];
  if (contractStateChanges.length > 0) records.push({ consensusTimestamp, stateChanges: { contractStateChanges } });
  if (contractActions.length > 0) records.push({ consensusTimestamp, actions: { contractActions } });
  for (const text of new Set([...created.map((id) => id.toString('hex')), ...runs.keys()])) {
    const contractId = text === '' ? null : decodeMessage(proto.ContractID, Buffer.from(text, 'hex'));
    const runtimeBytecode = contractId && state.bytecode(toEntityId(contractId));
    const initcode = toInitcode(runs.get(text), runtimeBytecode);
    if (runtimeBytecode || initcode) {
      records.push({ consensusTimestamp, bytecode: { contractId, initcode, runtimeBytecode } });
    }
  }
  return records;
}

function storage(
  { contractId, writtenSlotKeys, slotReads }: EvmTraceDataMessage['contractSlotUsages'][number],
  state: BlockState,
): proto.IContractStateChange {
  const contract = decodeMessage(proto.ContractID, contractId);
  const id = toEntityId(contract);
  const written = writtenSlotKeys?.keys ?? [];
  const storageChanges = slotReads.map((read): proto.IStorageChange => {
    const writtenKey = Object.hasOwn(read, 'key') ? undefined : written[read.index ?? 0];
    if (!writtenKey) return { slot: read.key, valueRead: read.readValue };
    const value = state.slot(id, writtenKey) ?? undefined;
    state.setSlot(id, writtenKey, read.readValue);
    return { slot: writtenKey, valueRead: read.readValue, valueWritten: value && { value } };
  });
  return { contractId: contract, storageChanges };
}

function toInitcode(
  run: EvmTraceDataMessage['executedInitcode'] | undefined,
  runtimeBytecode: Uint8Array | null,
): Uint8Array | null {
  if (!run) return null;
  if (!run.initcodeBookends) return run.explicitInitcode.length > 0 ? run.explicitInitcode : null;
  const { deployBytecode, metadataBytes } = run.initcodeBookends;
  return Buffer.concat([deployBytecode, runtimeBytecode ?? Buffer.alloc(0), metadataBytes]);
}

function padTopic(topic: Buffer): Buffer {
  return topic.length >= topicLength ? topic : Buffer.concat([Buffer.alloc(topicLength - topic.length), topic]);
}

function bytesUnlessEmpty(number: number, bytes: Uint8Array | undefined): WireField {
  return bytes && bytes.length > 0 ? bytesField(number, bytes) : [];
}
