// What this program knows of HAPI and block streams: its tables, its own proto files, and those of the HAPI package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { responseCode } from '../../../packages/protocol/hapi/response-codes.ts';
import { transactionTypes } from '../../../packages/protocol/hapi/transaction-types.ts';
import { itemKinds } from '../../../packages/streams/block-stream/block-item.ts';
import { type Fields, type ProtoFacts, readProtoFacts } from './proto-facts.ts';
import { readClone } from './read-clone.ts';

export type OurFacts = ProtoFacts & {
  /**
   * Messages of this program's own proto files, and the message without which a checkout has nothing of such a file.
   */
  own: ReadonlyMap<string, string>;
  /** What stands in tables. */
  tables: { transactionTypes: ReadonlyMap<number, string>; responseCodes: ReadonlyMap<number, string> };
};

const root = join(import.meta.dirname, '../../..');

export function readOurFacts(): OurFacts {
  const files = Object.entries(ownFiles).map(([path, anchor]) => ({ path, anchor, text: readOwn(path) }));
  const facts = readProtoFacts([...files, ...readClone(join(root, 'node_modules/@hashgraph/proto/src/proto')).protos]);
  const messages = new Map(facts.messages);
  messages.set('BlockItem', toFields(itemKinds));
  return {
    ...facts,
    messages,
    own: new Map(
      files.flatMap((file) => [...readProtoFacts([file]).messages.keys()].map((name) => [name, file.anchor])),
    ),
    tables: {
      transactionTypes: new Map(transactionTypes.map(({ number, bodyField }) => [number, bodyField])),
      responseCodes: new Map(Object.entries(responseCode).map(([name, number]) => [number, name])),
    },
  };
}

const ownFiles: Readonly<Record<string, string>> = {
  'packages/streams/block-stream/block-messages.proto': 'BlockItem',
  'packages/protocol/hapi/newer-fields.proto': 'TransactionBody',
  'packages/protocol/hapi/fee-schedule.proto': 'fees.FeeSchedule',
};

/** Our files have no packages. */
function readOwn(path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  return path.endsWith('fee-schedule.proto')
    ? text.replace('syntax = "proto3";', 'syntax = "proto3"; package support.fees;')
    : text;
}

function toFields(numbers: Readonly<Record<string, number>>): Fields {
  return new Map(Object.entries(numbers).map(([name, number]) => [number, { name, type: 'bytes', oneof: 'item' }]));
}
