// Own .proto files, for messages that no package has. protobufjs compiles a decoder for each message when it is first
// used, as fast as a generated one; int64 fields arrive as `Long` and bytes as views of what was decoded, as they do from
// the HAPI package. A field that was absent is no own property of the message; absent bytes read as an empty Buffer.
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

export type MessageType<Message> = Omit<protobuf.Type, 'decode'> & { decode(bytes: Uint8Array): Message };

/**
 * Reads a .proto file that is part of the program; gives its messages by name. Their types are generated:
 * `node scripts/run.mjs scripts/generate-messages.mjs`.
 */
export function loadMessages<Messages = Record<string, protobuf.Message>>(file: URL) {
  const { root } = protobuf.parse(readFileSync(file, 'utf8'), { keepCase: false });
  root.resolveAll();
  giveEmptyBytes(root);
  return <Name extends keyof Messages & string>(name: Name) =>
    root.lookupType(name) as unknown as MessageType<Messages[Name]>;
}

const noBytes = Buffer.alloc(0);

/** In place of the empty list of protobufjs, which nothing that takes bytes takes. */
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
