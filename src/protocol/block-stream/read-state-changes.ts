// State changes of a block, read as far as transactions need them: without an object for each message, and accounts, the most
// of them by far, only where one is asked for.
import type protobuf from 'protobufjs/minimal.js';
import { decodeMessage } from '../hapi/decode-message.ts';
import { proto } from '../hapi/hapi.ts';
import { createHapiReader } from '../hapi/hapi-reader.ts';
import { toTimestamp } from '../hapi/timestamp.ts';
import { noBytes, wireBytes } from '../wire-fields.ts';
import { type KeyKind, stateKeyKinds, stateValueKinds, type ValueKind } from './block-messages.ts';

export type StateChange = {
  kind: KeyKind;
  /** Of the message that `kind` names. */
  key: Buffer;
  /** null: none, or of an unknown kind. */
  valueKind: ValueKind | null;
  value: Buffer;
  /** Only links of a list changed; the value is the same. */
  isIdentical: boolean;
  isRemoved: boolean;
};

export type StateChanges = {
  /** ns. */
  consensusTimestamp: bigint;
  /** In block order, of the kinds below. */
  changes: StateChange[];
  /** The message, for `visitAccounts`; null without accounts. */
  accounts: Buffer | null;
  /** Accounts that are no messages. */
  unreadAccounts: number;
  /** Changes under keys, and with values, of kinds that this version does not know. */
  unknownKeys: number;
  unknownValues: number;
};

/** Kinds of keys that a transaction's result may be found under, beside accounts. */
const readKinds: ReadonlySet<KeyKind> = new Set([
  'entityNumber',
  'fileId',
  'scheduleId',
  'slotKey',
  'tokenId',
  'topicId',
  'contractId',
  'pendingAirdropId',
  'evmHookSlot',
]);

/** Serialized StateChanges → its changes. Throws StreamFileError. */
export function readStateChanges(content: Buffer): StateChanges {
  const read: StateChanges = {
    consensusTimestamp: 0n,
    changes: [],
    accounts: null,
    unreadAccounts: 0,
    unknownKeys: 0,
    unknownValues: 0,
  };
  read.consensusTimestamp = visitChanges(content, (change, reader) => {
    const kind = stateKeyKinds[change.key.field];
    const valueKind = stateValueKinds[change.value.field] ?? null;
    if (change.key.isPresent && !kind) read.unknownKeys += 1;
    else if (change.value.isPresent && !valueKind) read.unknownValues += 1;
    if (kind === 'accountId') {
      if (valueKind !== 'account' || change.value.start === change.value.end) return;
      read.accounts = content;
      if (!isMessage(reader, change.key) || !isMessage(reader, change.value)) read.unreadAccounts += 1;
    } else if (kind && readKinds.has(kind)) {
      const { isIdentical, isRemoved } = change;
      read.changes.push({
        kind,
        key: content.subarray(change.key.start, change.key.end),
        valueKind,
        value: valueKind ? content.subarray(change.value.start, change.value.end) : noBytes,
        isIdentical,
        isRemoved,
      });
    }
  });
  return read;
}

/** Calls with each AccountID and Account of a message that `readStateChanges` has read, in block order. */
export function visitAccounts(content: Buffer, visit: (accountId: Buffer, account: Buffer) => void): void {
  visitChanges(content, ({ key, value }) => {
    if (stateKeyKinds[key.field] !== 'accountId' || stateValueKinds[value.field] !== 'account') return;
    if (value.end > value.start) visit(content.subarray(key.start, key.end), content.subarray(value.start, value.end));
  });
}

/** The set member of a oneof of messages and bytes; `field` 0: of a kind that is not known. */
type Member = { isPresent: boolean; field: number; start: number; end: number };
type VisitedChange = { key: Member; value: Member; isIdentical: boolean; isRemoved: boolean };
type VisitChange = (change: VisitedChange, reader: protobuf.Reader) => void;

// Tags of the fields of StateChanges, of StateChange, and of MapUpdateChange and MapDeleteChange.
const timestampTag = 10;
const stateChangeTag = 18;
const mapUpdateTag = 42;
const mapDeleteTag = 50;
const keyTag = 10;
const valueTag = 18;
const identicalTag = 24;

/** Returns the consensus timestamp. Throws StreamFileError. The visited change is the same object each time. */
function visitChanges(content: Buffer, visit: VisitChange): bigint {
  return decodeMessage({ name: 'StateChanges', decode: (bytes) => visitMessage(bytes, visit) }, content);
}

function visitMessage(bytes: Uint8Array, visit: VisitChange): bigint {
  const change = { key: createMember(), value: createMember(), isIdentical: false, isRemoved: false };
  const reader = createHapiReader(bytes);
  let timestamp = 0n;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === timestampTag) {
      const end = endOfMessage(reader, reader.len);
      timestamp = toTimestamp(proto.Timestamp.decode(reader, end - reader.pos));
      assertEnd(reader, end);
    } else if (tag === stateChangeTag) visitChange(reader, change, visit);
    else reader.skipType(tag & 7);
  }
  return timestamp;
}

function visitChange(reader: protobuf.Reader, change: VisitedChange, visit: VisitChange): void {
  const end = endOfMessage(reader, reader.len);
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === mapUpdateTag || tag === mapDeleteTag) {
      readChange(reader, endOfMessage(reader, end), change);
      change.isRemoved = tag === mapDeleteTag;
      visit(change, reader);
    } else reader.skipType(tag & 7);
  }
  assertEnd(reader, end);
}

function readChange(reader: protobuf.Reader, end: number, change: VisitedChange): void {
  const { key, value } = change;
  key.isPresent = value.isPresent = change.isIdentical = false;
  key.field = value.field = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === keyTag) readMember(reader, endOfMessage(reader, end), stateKeyKinds, key);
    else if (tag === valueTag) readMember(reader, endOfMessage(reader, end), stateValueKinds, value);
    else if (tag === identicalTag) change.isIdentical = reader.bool();
    else reader.skipType(tag & 7);
  }
  assertEnd(reader, end);
}

function readMember(
  reader: protobuf.Reader,
  end: number,
  kinds: readonly (string | undefined)[],
  member: Member,
): void {
  member.isPresent = true;
  while (reader.pos < end) {
    const tag = reader.uint32();
    const field = tag >>> 3;
    if ((tag & 7) === wireBytes && kinds[field] !== undefined) {
      const memberEnd = endOfMessage(reader, end);
      member.field = field;
      member.start = reader.pos;
      member.end = memberEnd;
      reader.pos = memberEnd;
    } else reader.skipType(tag & 7);
  }
  assertEnd(reader, end);
}

function createMember(): Member {
  return { isPresent: false, field: 0, start: 0, end: 0 };
}

/** Reads the length of the message that begins here. */
function endOfMessage(reader: protobuf.Reader, limit: number): number {
  const length = reader.uint32();
  if (length > limit - reader.pos) throw new RangeError(`index out of range: ${reader.pos} + ${length} > ${limit}`);
  return reader.pos + length;
}

function assertEnd({ pos }: protobuf.Reader, end: number): void {
  if (pos !== end) throw new RangeError(`index out of range: ${pos} > ${end}`);
}

/** Whether its fields are whole; what is nested in them is not read. */
function isMessage(reader: protobuf.Reader, { start, end }: Member): boolean {
  const { pos } = reader;
  try {
    reader.pos = start;
    while (reader.pos < end) reader.skipType(reader.uint32() & 7);
    return reader.pos === end;
  } catch {
    return false;
  } finally {
    reader.pos = pos;
  }
}
