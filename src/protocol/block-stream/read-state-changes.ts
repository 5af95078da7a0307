// State changes of a block, read as far as transactions need them: without an object for each message, and accounts, the most
// of them by far, only where one is asked for.
import type protobuf from 'protobufjs/minimal.js';
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto } from '../hapi/hapi.ts';
import { assertEnd, createHapiReader, decodeNested, endOfMessage } from '../hapi/hapi-reader.ts';
import { toTimestamp } from '../hapi/timestamp.ts';
import { isBadData } from '../ledger-value-error.ts';
import { StreamFileError } from '../stream-file-error.ts';
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
  /** Accounts under keys that are no ids, or that are no messages. */
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
  read.consensusTimestamp = visitChanges(content, takeChange, read);
  return read;
}

function takeChange(
  read: StateChanges,
  { key, value, isIdentical, isRemoved }: VisitedChange,
  content: Buffer,
  reader: protobuf.Reader,
): void {
  const kind = stateKeyKinds[key.field];
  const valueKind = stateValueKinds[value.field] ?? null;
  if (key.isPresent && !kind) read.unknownKeys += 1;
  else if (value.isPresent && !valueKind) read.unknownValues += 1;
  if (kind === 'accountId') {
    if (valueKind !== 'account' || value.start === value.end) return;
    read.accounts = content;
    if (!isAccountId(content, key) || !isMessage(reader, value)) read.unreadAccounts += 1;
  } else if (kind && readKinds.has(kind)) {
    read.changes.push({
      kind,
      key: content.subarray(key.start, key.end),
      valueKind,
      value: valueKind ? content.subarray(value.start, value.end) : noBytes,
      isIdentical,
      isRemoved,
    });
  }
}

/** Field 3 of AccountID as a varint. */
const numberTag = 24;
const maxShortVarint = 5;

/** Most are a number alone, without shard and realm; others are decoded. */
function isAccountId(content: Buffer, { start, end }: Member): boolean {
  if (content[start] === numberTag && end - start <= 1 + maxShortVarint) {
    let at = start + 1;
    while (at < end && content[at]! >= 128) at += 1;
    if (at === end - 1) return true;
  }
  try {
    toEntityId(decodeMessage(proto.AccountID, content.subarray(start, end)));
    return true;
  } catch (error) {
    if (isBadData(error)) return false;
    throw error;
  }
}

type VisitAccount = (accountId: Buffer, account: Buffer) => void;

/** Calls with each AccountID and Account of a message that `readStateChanges` has read, in block order. */
export function visitAccounts(content: Buffer, visit: VisitAccount): void {
  visitChanges(content, takeAccount, visit);
}

function takeAccount(visit: VisitAccount, { key, value }: VisitedChange, content: Buffer): void {
  if (stateKeyKinds[key.field] !== 'accountId' || stateValueKinds[value.field] !== 'account') return;
  if (value.end > value.start) visit(content.subarray(key.start, key.end), content.subarray(value.start, value.end));
}

/** The set member of a oneof of messages and bytes; `field` 0: of a kind that is not known. */
type Member = { isPresent: boolean; field: number; start: number; end: number };
type VisitedChange = { key: Member; value: Member; isIdentical: boolean; isRemoved: boolean };
/** Takes a change into `target`. The change is the same object each time. */
type TakeChange<Target> = (target: Target, change: VisitedChange, content: Buffer, reader: protobuf.Reader) => void;

// Tags of the fields of StateChanges, of StateChange, and of MapUpdateChange and MapDeleteChange.
const timestampTag = 10;
const stateChangeTag = 18;
const mapUpdateTag = 42;
const mapDeleteTag = 50;
const keyTag = 10;
const valueTag = 18;
const identicalTag = 24;

/** Returns the consensus timestamp. Throws StreamFileError. */
function visitChanges<Target>(content: Buffer, take: TakeChange<Target>, target: Target): bigint {
  try {
    return visitMessage(content, take, target);
  } catch (error) {
    throw new StreamFileError('malformed', 'message StateChanges', 'a whole protobuf message', String(error));
  }
}

function visitMessage<Target>(content: Buffer, take: TakeChange<Target>, target: Target): bigint {
  const change = { key: createMember(), value: createMember(), isIdentical: false, isRemoved: false };
  const reader = createHapiReader(content);
  let timestamp = 0n;
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === timestampTag) timestamp = toTimestamp(decodeNested(reader, proto.Timestamp));
    else if (tag === stateChangeTag) {
      const end = endOfMessage(reader, reader.len);
      while (reader.pos < end) {
        const kind = reader.uint32();
        if (kind === mapUpdateTag || kind === mapDeleteTag) {
          readChange(reader, endOfMessage(reader, end), change);
          change.isRemoved = kind === mapDeleteTag;
          take(target, change, content, reader);
        } else reader.skipType(kind & 7);
      }
      assertEnd(reader, end);
    } else reader.skipType(tag & 7);
  }
  return timestamp;
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

/** Whether its fields are whole; what is nested in them is not read. The reader stays where it is. */
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
