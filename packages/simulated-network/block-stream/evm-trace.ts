// TraceData (item 11): the run of a contract, and running hashes of messages that are missing in the state changes of
// their unit, because another message of the same topic followed.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { bytesField, encodeVarint, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import type { StreamItem } from '../run/stream-item.ts';
import { encodeMessage, joinFields, noBytes, withoutLeadingZeros } from './message-fields.ts';

/** Positions of a contract's slots in the unit's state changes, by slot in hex. */
export type SlotPlaces = ReadonlyMap<bigint, ReadonlyMap<string, number>>;

type EvmTraceParts = {
  item: StreamItem;
  record: proto.ITransactionRecord;
  /** null if written slots are listed here, since several traces of the unit may have written them. */
  places: SlotPlaces | null;
  /** Submitted by a client: its initcode is in the transaction, and is not repeated. */
  isTopLevel: boolean;
  /** With what was written to slots. */
  saysMore: boolean;
};

export function toEvmTrace({ item: { sidecars }, record, places, isTopLevel, saysMore }: EvmTraceParts): Buffer | null {
  const result = record.contractCreateResult ?? record.contractCallResult;
  const fields = [
    ...sidecars.flatMap(({ actions }) =>
      (actions?.contractActions ?? []).map((action) => bytesField(1, encodeMessage(proto.ContractAction, action))),
    ),
    ...sidecars.flatMap(({ stateChanges }) =>
      (stateChanges?.contractStateChanges ?? []).map((change) => messageField(2, slotUsage(change, places, saysMore))),
    ),
    ...sidecars.flatMap(({ bytecode }) =>
      bytecode?.initcode?.length && !isTopLevel ? [messageField(4, executedInitcode(bytecode))] : [],
    ),
    ...(result?.logInfo ?? []).map((log) => messageField(5, evmLog(log))),
  ];
  return fields.length === 0 ? null : joinFields([messageField(1, fields)]);
}

export function toMessageTrace({ receipt }: proto.ITransactionRecord): Buffer {
  const fields = [
    intField(1, toBigInt(receipt?.topicSequenceNumber)),
    bytesField(2, receipt?.topicRunningHash ?? noBytes),
  ];
  return joinFields([messageField(2, fields)]);
}

/** ContractSlotUsage. */
function slotUsage(
  { contractId, storageChanges }: proto.IContractStateChange,
  places: SlotPlaces | null,
  saysMore: boolean,
): WireField[] {
  const changes = (storageChanges ?? []).map(({ slot, valueRead, valueWritten }) => ({
    key: withoutLeadingZeros(slot ?? noBytes),
    read: withoutLeadingZeros(valueRead ?? noBytes),
    isWritten: Boolean(valueWritten),
    value: withoutLeadingZeros(valueWritten?.value ?? noBytes),
  }));
  const written = changes.filter(({ isWritten }) => isWritten).map(({ key }) => key);
  const ofContract = places?.get(toEntityId(contractId));
  const placeOf = ({ key, isWritten }: (typeof changes)[number]) => {
    if (!isWritten) return undefined;
    return places ? ofContract?.get(Buffer.from(key).toString('hex')) : written.indexOf(key);
  };
  const reads = changes.map((change) => {
    const place = placeOf(change);
    return messageField(4, [
      // Both are members of a oneof: a position of 0 and an empty key are written, too.
      place === undefined ? bytesField(2, change.key) : [Buffer.of(1 * 8), encodeVarint(BigInt(place))],
      change.read.length > 0 ? bytesField(3, change.read) : [],
      saysMore && change.value.length > 0 ? bytesField(4, change.value) : [],
    ]);
  });
  const keys = messageField(
    3,
    written.map((key) => bytesField(1, key)),
  );
  return [bytesField(1, encodeMessage(proto.ContractID, contractId ?? {})), places ? [] : keys, ...reads];
}

/** ExecutedInitcode; without the code that it leaves, which is in the state, if that is a part of it. */
function executedInitcode({ contractId, initcode, runtimeBytecode }: proto.IContractBytecode): WireField[] {
  const code = Buffer.from(initcode!);
  const start = runtimeBytecode?.length ? code.indexOf(runtimeBytecode) : -1;
  const id = contractId ? bytesField(1, encodeMessage(proto.ContractID, contractId)) : [];
  if (start < 0) return [id, bytesField(3, code)];
  const bookends = [
    bytesField(1, code.subarray(0, start)),
    bytesField(2, code.subarray(start + runtimeBytecode!.length)),
  ];
  return [
    id,
    messageField(
      2,
      bookends.filter((field) => field[2]!.length > 0),
    ),
  ];
}

/** EvmTransactionLog. */
function evmLog({ contractID, data, topic }: proto.IContractLoginfo): WireField[] {
  return [
    bytesField(1, encodeMessage(proto.ContractID, contractID ?? {})),
    data?.length ? bytesField(2, data) : [],
    ...(topic ?? []).map((word) => bytesField(3, withoutLeadingZeros(word))),
  ];
}
