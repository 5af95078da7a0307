// The decoders of the messages in block-messages.proto. Absent messages are null, absent bytes empty.
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { loadMessages } from '../../protocol/load-messages.ts';
import type { BlockMessages } from './block-messages.generated.ts';

const messages = loadMessages<BlockMessages>(new URL('./block-messages.proto', import.meta.url));

/** protobufjs compiles a codec at its first use. `decode` throws StreamFileError. */
function codec<Name extends keyof BlockMessages>(name: Name) {
  const type = messages(name);
  return {
    decode: (bytes: Uint8Array): BlockMessages[Name] => decodeMessage(type, bytes),
    encode: (message: object): Buffer => Buffer.from(type.encode(message).finish()),
  };
}

export const blockMessages = {
  header: codec('BlockHeader'),
  footer: codec('BlockFooter'),
  proof: codec('BlockProof'),
  recordFile: codec('RecordFileItem'),
  transactionResult: codec('TransactionResult'),
  transactionOutput: codec('TransactionOutput'),
  stateChanges: codec('StateChanges'),
  trace: codec('TraceData'),
  slotRead: codec('SlotRead'),
  evmHookSlot: codec('EvmHookSlotKey'),
  redactedItem: codec('RedactedItem'),
};

export type KeyKind = keyof BlockMessages['MapChangeKey'];
export type ValueKind = keyof BlockMessages['MapChangeValue'];

/** Names of the members of MapChangeKey and of MapChangeValue, by field number. */
export const stateKeyKinds = fieldNames('MapChangeKey') as readonly (KeyKind | undefined)[];
export const stateValueKinds = fieldNames('MapChangeValue') as readonly (ValueKind | undefined)[];

function fieldNames(name: 'MapChangeKey' | 'MapChangeValue'): string[] {
  const names: string[] = [];
  for (const field of messages(name).fieldsArray) names[field.id] = field.name;
  return names;
}
