// A second decoder of block streams, independent of the reader of this program. The messages of the stream are those of
// block-stream-table.proto; HAPI and state messages in them come from @hiero-ledger/proto 2.31, which has no messages
// of block streams.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import protobuf from 'protobufjs';

const folder = join(dirname(createRequire(import.meta.url).resolve('@hiero-ledger/proto/package.json')), 'src/proto');

/** A message as a plain object: int64 as text, bytes as Buffer, enums as numbers; absent fields are undefined. */
// biome-ignore lint/suspicious/noExplicitAny: messages of any shape, as a test knows them.
export type Plain = any;

export type SecondDecoder = {
  /** A type of the table by its name, `TransactionResult`, or of HAPI, `proto.TransactionBody`. */
  type(name: string): protobuf.Type;
  decode(type: protobuf.Type | string, bytes: Uint8Array): Plain;
  /** The items of a block, each with its one member. */
  decodeBlock(bytes: Uint8Array): Plain[];
};

export function createSecondDecoder(): SecondDecoder {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => (target.startsWith('google/') ? target : join(folder, target));
  // It imports every message of state.
  root.loadSync(['virtual_map_state.proto', 'services_event_core.proto', 'services_event_descriptor.proto']);
  root.loadSync([
    'services_transaction_contents.proto',
    'services_transaction_record.proto',
    'streams_sidecar_file.proto',
  ]);
  protobuf.parse(readFileSync(new URL('./block-stream-table.proto', import.meta.url), 'utf8'), root);
  root.resolveAll();
  const type = (name: string) => root.lookupType(name.includes('.') ? name : `table.${name}`);
  const decode = (of: protobuf.Type | string, bytes: Uint8Array): Plain => {
    const messageType = typeof of === 'string' ? type(of) : of;
    return messageType.toObject(messageType.decode(bytes), { longs: String, bytes: Buffer, enums: Number });
  };
  return { type, decode, decodeBlock: (bytes) => decode('Block', bytes).items };
}
