// Own .proto files, for messages that no package has. protobufjs compiles a decoder for each message at its first use,
// as fast as a generated one; int64 fields arrive as `Long` and bytes as views, as from the HAPI package. An absent
// field is no own property of the message; absent bytes read as an empty Buffer.
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { noBytes } from './wire-fields.ts';

export type MessageType<Message> = Omit<protobuf.Type, 'decode'> & { decode(bytes: Uint8Array): Message };

/**
 * Reads a .proto file of the program; returns its messages by name. `scripts/generate-messages.mjs` makes their types.
 */
export function loadMessages<Messages = Record<string, protobuf.Message>>(file: URL) {
  const { root } = protobuf.parse(readFileSync(file, 'utf8'), { keepCase: false });
  root.resolveAll();
  giveEmptyBytes(root);
  return <Name extends keyof Messages & string>(name: Name) =>
    root.lookupType(name) as unknown as MessageType<Messages[Name]>;
}

/** Instead of protobufjs's empty list, which is no byte array. */
function giveEmptyBytes(namespace: protobuf.NamespaceBase): void {
  for (const nested of namespace.nestedArray) {
    if (nested instanceof protobuf.Namespace) giveEmptyBytes(nested);
    if (!(nested instanceof protobuf.Type)) continue;
    const prototype = nested.ctor.prototype as Record<string, unknown>;
    for (const { name, type, repeated } of nested.fieldsArray) {
      if (type === 'bytes' && !repeated && Array.isArray(prototype[name])) prototype[name] = noBytes;
    }
  }
}
