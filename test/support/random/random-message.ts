// HAPI messages with any content that their fields allow. They follow from the .proto files of the HAPI package, so new
// fields are included. The same seed makes the same message.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import protobuf from 'protobufjs';
import { createSeededRandom, type SeededRandom } from '../../../packages/simulated-network/ledger/seeded-random.ts';

const folder = join(dirname(createRequire(import.meta.url).resolve('@hashgraph/proto/package.json')), 'src/proto');

export type RandomMessages = {
  /** Type of a message by its name, `proto.TransactionBody`. */
  type(name: string): protobuf.Type;
  /**
   * A message as a plain object for `type.encode`. moderate: 64-bit integers no larger than a ledger's numbers, for
   * values that the ledger writes and the database adds up.
   */
  make(type: protobuf.Type, kind: 'any' | 'moderate'): Record<string, unknown>;
};

export function createRandomMessages(seed: string): RandomMessages {
  const root = new protobuf.Root();
  root.resolvePath = (_origin, target) => (existsSync(join(folder, target)) ? join(folder, target) : target);
  root.loadSync(['services_transaction.proto', 'services_transaction_record.proto', 'streams_sidecar_file.proto']);
  root.resolveAll();
  const random = createSeededRandom(seed);
  return { type: (name) => root.lookupType(name), make: (type, kind) => makeRandomMessage(type, { random, kind }) };
}

type Maker = { random: SeededRandom; kind: 'any' | 'moderate' };

const maxDepth = 7;

/** A message of any type that protobufjs knows; a starting depth makes it flatter. */
export function makeRandomMessage(type: protobuf.Type, maker: Maker, depth = 0): Record<string, unknown> {
  return makeMessage(type, maker, depth);
}

function makeMessage(type: protobuf.Type, maker: Maker, depth: number): Record<string, unknown> {
  const { random } = maker;
  const message: Record<string, unknown> = {};
  const taken = new Set<protobuf.OneOf>();
  for (const field of type.fieldsArray) {
    if (depth >= maxDepth && field.resolvedType instanceof protobuf.Type) continue;
    if (field.partOf && !field.options?.proto3_optional) {
      const members = field.partOf.fieldsArray;
      if (taken.has(field.partOf)) continue;
      taken.add(field.partOf);
      const member = random.pick(members);
      if (depth < maxDepth || !(member.resolvedType instanceof protobuf.Type)) {
        message[member.name] = makeValue(member, maker, depth);
      }
    } else if (field.repeated) {
      message[field.name] = Array.from({ length: random.pick([0, 0, 1, 1, 2]) }, () => makeValue(field, maker, depth));
    } else if (random.pick([true, true, false])) message[field.name] = makeValue(field, maker, depth);
  }
  return message;
}

function makeValue(field: protobuf.Field, maker: Maker, depth: number): unknown {
  const { random, kind } = maker;
  const { resolvedType } = field;
  if (resolvedType instanceof protobuf.Type) return makeMessage(resolvedType, maker, depth + 1);
  if (resolvedType instanceof protobuf.Enum) {
    return random.pick(random.chance(0.2) ? [99, 70_000, -1, -(2 ** 31)] : Object.values(resolvedType.values));
  }
  const pool = kind === 'moderate' && field.type.endsWith('int64') ? moderate : valuesOf[field.type];
  if (!pool) throw new Error(`No values for fields of type ${field.type}`);
  return random.pick(pool);
}

const long = (value: bigint) =>
  protobuf.util.LongBits.from({
    low: Number(BigInt.asIntN(32, value)),
    high: Number(BigInt.asIntN(32, value >> 32n)),
    unsigned: false,
  } as never).toLong(false);
const moderate = [0n, 1n, 2n, 98n, 1001n, 1002n, 1003n, 5_000n, -1n].map(long);
const integers64 = [...moderate, ...[2n ** 38n, 2n ** 63n - 1n, -(2n ** 63n)].map(long)];
const integers32 = [0, 1, 2, 8, 255, -1, 2 ** 31 - 1, -(2 ** 31)];
const bytes = [0, 1, 20, 32, 33, 48, 300].map((length) => Buffer.alloc(length, length));

/** By protobuf type: ordinary values and the limits of the type. */
const valuesOf: Readonly<Record<string, readonly unknown[]>> = {
  int64: integers64,
  sint64: integers64,
  uint64: integers64,
  int32: integers32,
  sint32: integers32,
  uint32: [0, 1, 2, 8, 255, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1],
  bool: [true, false],
  string: ['', 'a', 'a\0b', 'b🪙', 'long'.repeat(300)],
  bytes: [...bytes, Buffer.from('000000000000000000000000000000000000012c', 'hex'), Buffer.from('a\0b')],
};
