// Blocks with any content that the messages of a block stream allow: every message of the table with and without its
// fields, integers at their limits, unknown fields and members of a oneof, redacted and filtered items. The same seed
// makes the same blocks.
import { createHash } from 'node:crypto';
import protobuf from 'protobufjs';
import { visitWireFields, wireBytes } from '../../../packages/protocol/wire-fields.ts';
import { bytesField, encodeVarint, intField } from '../../../packages/protocol/wire-writer.ts';
import { createSeededRandom, type SeededRandom } from '../../../packages/simulated-network/ledger/seeded-random.ts';
import type { Plain, SecondDecoder } from '../../oracle/read/second-decoder.ts';
import { makeRandomMessage } from './random-message.ts';

type RandomItem = {
  /** Field number in BlockItem, as written. */
  kind: number;
  /** BlockItem. */
  bytes: Buffer;
  /** The content, without unknown fields; null for unknown kinds. */
  message: Plain;
  /** The item that a hash replaces. */
  original: { kind: number; bytes: Buffer; message: Plain } | null;
};

/** A transaction; null where it was redacted. */
type RandomTransaction = {
  /** The serialized SignedTransaction, as an item or in the body of a batch. */
  signed: Buffer | null;
  isInner: boolean;
  /** undefined for a transaction between nodes. */
  result: Plain | null | undefined;
  outputs: Plain[];
  traces: Plain[];
  changes: Plain[];
};

export type RandomBlock = {
  number: bigint;
  /** Serialized Timestamp of the header. */
  timestamp: Buffer;
  bytes: Buffer;
  items: RandomItem[];
  transactions: RandomTransaction[];
};

type Options = {
  transactions?: number;
  /** Unknown fields, members of oneofs and items. */
  unknown?: boolean;
  redacted?: boolean;
  /** FilteredItemHash, which has the path of the item. */
  filtered?: boolean;
};

/** Field numbers of BlockItem and their messages. */
export const tableItems = {
  1: 'BlockHeader',
  2: 'EventHeader',
  3: 'RoundHeader',
  5: 'TransactionResult',
  6: 'TransactionOutput',
  7: 'StateChanges',
  8: 'FilteredItemHash',
  9: 'BlockProof',
  10: 'RecordFileItem',
  11: 'TraceData',
  12: 'BlockFooter',
  19: 'RedactedItem',
} as const;
export type TableItem = keyof typeof tableItems;
const signedTransaction = 4;
/** SubMerkleTree by kind of item. */
const treeOfKind: Readonly<Record<number, number>> = { 2: 4, 3: 4, 4: 5, 5: 6, 6: 6, 7: 7, 11: 8 };
/** Kinds of later versions: in the five trees, in those for extensions, and without a hash. */
const laterKinds = [23, 24, 25, 26, 27, 28, 35, 39, 40];
const start = 1_750_000_000n;

export type RandomBlocks = {
  /** Items in the order of a stream: header, transactions with their results, footer, proofs. */
  block(options?: Options): RandomBlock;
  /** One item with any content. */
  item(kind: TableItem, isUnknown?: boolean): RandomItem;
};

export function createRandomBlocks(decoder: SecondDecoder, seed: string): RandomBlocks {
  const random = createSeededRandom(seed);
  const tools = { decoder, random };
  let count = 0n;
  return {
    block: (options = {}) => makeBlock(tools, count++, options),
    item: (kind, isUnknown = false) => makeItem(tools, kind, {}, isUnknown),
  };
}

type Tools = { decoder: SecondDecoder; random: SeededRandom };

function makeBlock(tools: Tools, number: bigint, options: Options): RandomBlock {
  const { random } = tools;
  const { unknown: isUnknown = random.chance(0.5), transactions: wanted = random.integer(1, 8) } = options;
  const time = { seconds: `${start + number * 2n}`, nanos: 5 };
  const whole: RandomItem[] = [];
  const owners = new Map<RandomItem, { transaction: RandomTransaction; member: keyof RandomTransaction }>();
  const transactions: RandomTransaction[] = [];
  let nanos = 10;

  const add = (kind: TableItem, fixed: Plain = {}) => {
    const item = makeItem(tools, kind, fixed, isUnknown);
    whole.push(item);
    return item;
  };
  const own = (transaction: RandomTransaction, member: keyof RandomTransaction, item: RandomItem) => {
    owners.set(item, { transaction, member });
    return item.message;
  };
  const begin = (signed: Buffer, isInner: boolean): RandomTransaction => {
    const empty = { outputs: [], traces: [], changes: [] };
    const transaction: RandomTransaction = { signed, isInner, result: undefined, ...empty };
    transactions.push(transaction);
    if (isInner) return transaction;
    const item = wrap(signedTransaction, signed, signed);
    whole.push(item);
    own(transaction, 'signed', item);
    return transaction;
  };
  const finish = (transaction: RandomTransaction, parent?: Plain) => {
    const consensusTimestamp = { seconds: time.seconds, nanos: nanos++ };
    const parents = parent === undefined ? {} : { parentConsensusTimestamp: parent };
    const result = add(5, { parentConsensusTimestamp: null, consensusTimestamp, ...parents });
    transaction.result = own(transaction, 'result', result);
    const several = [0, 0, 1, 1, 2, 3];
    for (let left = random.pick(several); left > 0; left--) {
      transaction.outputs.push(own(transaction, 'outputs', add(6)));
    }
    for (let left = random.pick(several); left > 0; left--) {
      transaction.traces.push(own(transaction, 'traces', add(11)));
    }
    for (let left = random.pick([0, 1, 1, 2]); left > 0; left--) {
      transaction.changes.push(own(transaction, 'changes', add(7, { consensusTimestamp })));
    }
    return consensusTimestamp;
  };

  add(1, { number: `${number}`, blockTimestamp: time, hapiProtoVersion: { minor: 78 }, hashAlgorithm: 0 });
  if (random.chance(0.3)) add(7, { consensusTimestamp: {} });
  for (let left = wanted; left > 0; left--) {
    if (random.chance(0.3)) add(3);
    if (random.chance(0.4)) add(2);
    if (isUnknown && random.chance(0.2)) {
      whole.push({ ...wrap(random.pick(laterKinds), Buffer.from(random.bytes(9)), null), message: null });
    }
    if (random.chance(0.2))
      begin(sign(tools, { stateSignatureTransaction: { round: '7', hash: Buffer.alloc(48, 1) } }), false);
    if (random.chance(0.2)) makeBatch(tools, begin, finish);
    else finish(begin(sign(tools, randomBody(tools)), false));
  }
  const hash = (name: string) => createHash('sha384').update(`${name} ${number}`).digest();
  add(12, {
    previousBlockRootHash: hash('previous'),
    rootHashOfAllBlockHashesTree: hash('all'),
    startOfBlockStateRootHash: hash('state'),
  });
  for (let left = random.integer(1, 3); left > 0; left--) add(9, { block: `${number}` });

  const items = whole.map((item) => takeAway(tools, item, options, owners.get(item)));
  const timestamp = Buffer.from(tools.decoder.type('proto.Timestamp').encode(time).finish());
  return { number, timestamp, items, transactions, bytes: joinBlock(items) };
}

export function joinBlock(items: readonly Pick<RandomItem, 'bytes'>[]): Buffer {
  return Buffer.concat(items.flatMap(({ bytes }) => bytesField(1, bytes)));
}

/** Results follow in the order of the body and may end early; children of inner transactions are separate items. */
function makeBatch(
  tools: Tools,
  begin: (signed: Buffer, isInner: boolean) => RandomTransaction,
  finish: (transaction: RandomTransaction, parent?: Plain) => Plain,
): void {
  const { random } = tools;
  const inner = Array.from({ length: random.integer(1, 4) }, () => sign(tools, randomBody(tools)));
  const at = finish(begin(sign(tools, { atomicBatch: { transactions: inner } }), false));
  for (const signed of inner.slice(0, random.integer(0, inner.length))) {
    if (random.chance(0.2)) finish(begin(sign(tools, randomBody(tools)), false), at);
    finish(begin(signed, true), at);
  }
}

/** Any transaction except those whose results have special rules. */
function randomBody({ decoder, random }: Tools): Plain {
  const type = decoder.type('proto.TransactionBody');
  const body = makeRandomMessage(type, { random, kind: 'any' }, 2);
  const isSpecial = 'atomicBatch' in body || 'stateSignatureTransaction' in body;
  return isSpecial ? { memo: 'an ordinary one', cryptoTransfer: {} } : body;
}

function sign({ decoder, random }: Tools, body: Plain): Buffer {
  const bodyBytes = encode(decoder.type('proto.TransactionBody'), body);
  const sigMap = random.chance(0.8) ? { sigPair: [{ ed25519: Buffer.alloc(64, 3) }] } : undefined;
  const useSerializedTxMessageHashAlgorithm = random.chance(0.25);
  return encode(decoder.type('proto.SignedTransaction'), { bodyBytes, sigMap, useSerializedTxMessageHashAlgorithm });
}

function makeItem({ decoder, random }: Tools, kind: TableItem, fixed: Plain, isUnknown: boolean): RandomItem {
  const type = decoder.type(tableItems[kind]);
  const made = { ...makeRandomMessage(type, { random, kind: 'any' }, 1), ...fixed };
  // Oneofs are always filled, so that a message with one member is never empty.
  const message = Object.keys(fixed).length === 0 && random.chance(0.05) ? {} : made;
  const clean = encode(type, message);
  const content = isUnknown ? addUnknown(type, clean, random) : clean;
  return wrap(kind, content, decoder.decode(type, content));
}

function wrap(kind: number, content: Buffer, message: Plain): RandomItem {
  return { kind, message, bytes: Buffer.concat(bytesField(kind, content)), original: null };
}

/** Sometimes a hash in place of the item. */
function takeAway(
  { decoder, random }: Tools,
  item: RandomItem,
  { redacted, filtered }: Options,
  owner: { transaction: RandomTransaction; member: keyof RandomTransaction } | undefined,
): RandomItem {
  const tree = treeOfKind[item.kind];
  if (tree === undefined || !(redacted || filtered) || random.chance(0.8)) return item;
  if (owner) forget(owner.transaction, owner.member, item.message);
  const itemHash = createHash('sha384').update(Buffer.of(0)).update(item.bytes).digest();
  const original = { kind: item.kind, bytes: item.bytes, message: item.message };
  if (!redacted || (filtered && random.chance(0.5))) {
    const message = { itemHash, filteredPath: `${random.below(1_000_000)}` };
    return { ...wrap(8, encode(decoder.type('FilteredItemHash'), message), message), original };
  }
  const isSigned = item.kind === signedTransaction && random.chance(0.7);
  const signedTransactionHash = isSigned ? createHash('sha384').update(item.message).digest() : undefined;
  const message = { itemHash, ...(signedTransactionHash && { signedTransactionHash }), tree };
  return { ...wrap(19, encode(decoder.type('RedactedItem'), message), message), original };
}

function forget(transaction: RandomTransaction, member: keyof RandomTransaction, message: Plain): void {
  if (member === 'signed' || member === 'result') transaction[member] = null;
  else if (member !== 'isInner') transaction[member] = transaction[member].filter((one) => one !== message);
}

function encode(type: protobuf.Type, message: Plain): Buffer {
  return Buffer.from(type.encode(type.fromObject(message)).finish());
}

/** Adds unknown fields to any message of it, and changes members of oneofs to unknown ones. */
function addUnknown(type: protobuf.Type, message: Buffer, random: SeededRandom): Buffer {
  const parts: Buffer[] = [];
  let begin = 0;
  visitWireFields(message, (number, wireType, from, to) => {
    const raw = message.subarray(begin, to);
    begin = to;
    const field = type.fieldsById[number];
    const resolved = field?.resolve().resolvedType;
    if (wireType !== wireBytes || !(resolved instanceof protobuf.Type)) return parts.push(raw);
    const content = addUnknown(resolved, message.subarray(from, to), random);
    const isOther = field!.partOf && random.chance(0.05);
    return parts.push(...bytesField(isOther ? 900 + random.below(50) : number, content));
  });
  if (random.chance(0.15)) parts.push(...unknownField(random));
  return Buffer.concat(parts);
}

function unknownField(random: SeededRandom): Buffer[] {
  const number = 5_000 + random.below(1_000);
  const tag = (wireType: number) => encodeVarint(BigInt(number * 8 + wireType));
  return random.pick([
    () => intField(number, -1n),
    () => bytesField(number, random.bytes(random.below(20))),
    () => [tag(1), Buffer.alloc(8, 7)],
    () => [tag(5), Buffer.alloc(4, 7)],
  ])();
}
