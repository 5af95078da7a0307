// State changes of a block, read as far as transactions need them: without an object for each message, and accounts,
// the most of them by far, only where one is asked for.
import type protobuf from 'protobufjs/minimal.js';
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { assertEnd, createHapiReader, decodeNested, endOfMessage } from '../../protocol/hapi/hapi-reader.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { noBytes, wireBytes } from '../../protocol/wire-fields.ts';
import { type KeyKind, stateKeyKinds, stateValueKinds, type ValueKind } from './block-messages.ts';
import { fieldCounts } from './state-fields.ts';
import { findFault, nothingCleared, type SentValue } from './state-value.ts';

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
  isPartial: boolean;
  /** Numbers of fields. */
  cleared: readonly number[];
  /** It contradicts itself: what it changed is unknown. */
  isRefused: boolean;
};

export type StateChanges = {
  /** ns. */
  consensusTimestamp: bigint;
  /** Among the items of the block. */
  place: number;
  /** In block order, of the kinds below. */
  changes: StateChange[];
  /** The message, for `visitAccounts`; null without accounts. */
  accounts: Buffer | null;
  /** Accounts under keys that are no ids, or that are no messages. */
  unreadAccounts: number;
  /** Changes under keys, and with values, of kinds that this version does not know. */
  unknownKeys: number;
  unknownValues: number;
  /** Why changes are refused, of each. */
  faults: string[];
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
export function readStateChanges(content: Buffer, place = 0): StateChanges {
  const read: StateChanges = {
    consensusTimestamp: 0n,
    place,
    changes: [],
    accounts: null,
    unreadAccounts: 0,
    unknownKeys: 0,
    unknownValues: 0,
    faults: [],
  };
  read.consensusTimestamp = visitChanges(content, takeChange, read);
  return read;
}

function takeChange(read: StateChanges, visited: VisitedChange, content: Buffer, reader: protobuf.Reader): void {
  const { key, value, isIdentical, isRemoved, isPartial, cleared } = visited;
  const kind = stateKeyKinds[key.field];
  const valueKind = stateValueKinds[value.field] ?? null;
  if (key.isPresent && !kind) read.unknownKeys += 1;
  else if (key.isPresent && value.isPresent && !valueKind) read.unknownValues += 1;
  const fault = faultOf(visited, content);
  if (fault !== null) read.faults.push(fault);
  if (kind === 'accountId') {
    if (!isAccountValue(visited)) return;
    read.accounts = content;
    if (!isAccountId(content, key) || (fault === null && !isMessage(reader, value))) read.unreadAccounts += 1;
  } else if (kind && readKinds.has(kind)) {
    read.changes.push({
      kind,
      key: content.subarray(key.start, key.end),
      valueKind,
      value: valueKind ? content.subarray(value.start, value.end) : noBytes,
      isIdentical,
      isRemoved,
      isPartial,
      cleared,
      isRefused: fault !== null,
    });
  }
}

/** Why it must not be taken; null: nothing is wrong with it. */
function faultOf({ key, value, isPartial, cleared }: VisitedChange, content: Buffer): string | null {
  if (!isPartial && cleared.length === 0) return null;
  if (!value.isPresent) return 'it is a part of no value';
  const valueKind = stateValueKinds[value.field];
  // Of a kind that is not known. Single values are of many kinds.
  if (key.isPresent && !valueKind) return null;
  const sent = { value: content.subarray(value.start, value.end), isPartial, cleared };
  try {
    return findFault(sent, (valueKind && fieldCounts[valueKind]) ?? null);
  } catch (error) {
    if (isBadData(error)) return 'it is a part that cannot be decoded';
    throw error;
  }
}

/** Without a value nothing is known of it. An account is never removed: what a removal names is in another map. */
function isAccountValue({ value, cleared }: VisitedChange): boolean {
  return stateValueKinds[value.field] === 'account' && (value.end > value.start || cleared.length > 0);
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

/** `isRefused`: see `StateChange`. */
type VisitAccount = (accountId: Buffer, account: SentValue & { isRefused: boolean }) => void;

/** Calls with each AccountID and Account of a message that `readStateChanges` has read, in block order. */
export function visitAccounts(content: Buffer, visit: VisitAccount): void {
  visitChanges(content, takeAccount, visit);
}

function takeAccount(visit: VisitAccount, visited: VisitedChange, content: Buffer): void {
  const { key, value, isPartial, cleared } = visited;
  if (stateKeyKinds[key.field] !== 'accountId' || !isAccountValue(visited)) return;
  const isRefused = faultOf(visited, content) !== null;
  const account = content.subarray(value.start, value.end);
  visit(content.subarray(key.start, key.end), { value: account, isPartial, cleared, isRefused });
}

/** The set member of a oneof of messages and bytes; `field` 0: of a kind that is not known. */
type Member = { isPresent: boolean; field: number; start: number; end: number };
type VisitedChange = {
  key: Member;
  value: Member;
  isIdentical: boolean;
  isRemoved: boolean;
  isPartial: boolean;
  cleared: readonly number[];
};
/** Takes a change into `target`. The change is the same object each time. */
type TakeChange<Target> = (target: Target, change: VisitedChange, content: Buffer, reader: protobuf.Reader) => void;

// Tags of the fields of StateChanges, of StateChange, and of MapUpdateChange and MapDeleteChange.
const timestampTag = 10;
const stateChangeTag = 18;
const singletonTag = 34;
const mapUpdateTag = 42;
const mapDeleteTag = 50;
const keyTag = 10;
const valueTag = 18;
const identicalTag = 24;
const partialTag = 32;
/** One number, or several packed ones. */
const clearedTag = 40;
const packedClearedTag = 42;
/** Of SingletonUpdateChange, whose values have the other numbers. */
const singletonPartialTag = 192;
const singletonClearedTag = 200;
const singletonPackedClearedTag = 202;

/** Returns the consensus timestamp. Throws StreamFileError. */
function visitChanges<Target>(content: Buffer, take: TakeChange<Target>, target: Target): bigint {
  try {
    return visitMessage(content, take, target);
  } catch (error) {
    throw new StreamFileError('malformed', 'message StateChanges', 'a whole protobuf message', String(error));
  }
}

function visitMessage<Target>(content: Buffer, take: TakeChange<Target>, target: Target): bigint {
  const change: VisitedChange = {
    ...{ key: createMember(), value: createMember() },
    ...{ isIdentical: false, isRemoved: false, isPartial: false, cleared: nothingCleared },
  };
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
        } else if (kind === singletonTag) {
          readSingleton(reader, endOfMessage(reader, end), change);
          take(target, change, content, reader);
        } else reader.skipType(kind & 7);
      }
      assertEnd(reader, end);
    } else reader.skipType(tag & 7);
  }
  return timestamp;
}

function beginChange(change: VisitedChange): void {
  const { key, value } = change;
  key.isPresent = value.isPresent = change.isIdentical = change.isRemoved = change.isPartial = false;
  key.field = value.field = 0;
  change.cleared = nothingCleared;
}

/** No result is made of a single value; whether it is well formed is seen. */
function readSingleton(reader: protobuf.Reader, end: number, change: VisitedChange): void {
  beginChange(change);
  const { value } = change;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === singletonPartialTag) change.isPartial = reader.bool();
    else if (tag === singletonClearedTag) addCleared(change, reader, reader.pos + 1);
    else if (tag === singletonPackedClearedTag) addCleared(change, reader, endOfMessage(reader, end));
    else if ((tag & 7) === wireBytes) {
      value.isPresent = true;
      value.end = endOfMessage(reader, end);
      value.start = reader.pos;
      reader.pos = value.end;
    } else reader.skipType(tag & 7);
  }
  assertEnd(reader, end);
}

function readChange(reader: protobuf.Reader, end: number, change: VisitedChange): void {
  beginChange(change);
  const { key, value } = change;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === keyTag) readMember(reader, endOfMessage(reader, end), stateKeyKinds, key);
    else if (tag === valueTag) readMember(reader, endOfMessage(reader, end), stateValueKinds, value);
    else if (tag === identicalTag) change.isIdentical = reader.bool();
    else if (tag === partialTag) change.isPartial = reader.bool();
    else if (tag === clearedTag) addCleared(change, reader, reader.pos + 1);
    else if (tag === packedClearedTag) addCleared(change, reader, endOfMessage(reader, end));
    else reader.skipType(tag & 7);
  }
  assertEnd(reader, end);
}

/** All numbers that begin before `end`. A list of its own for each change, which keeps it. */
function addCleared(change: { cleared: readonly number[] }, reader: protobuf.Reader, end: number): void {
  const numbers = change.cleared === nothingCleared ? [] : (change.cleared as number[]);
  while (reader.pos < end) numbers.push(readFieldNumber(reader));
  change.cleared = numbers;
}

/** Numbers beyond 53 bits are no longer exact, and are refused all the same. */
function readFieldNumber(reader: protobuf.Reader): number {
  const number = reader.uint64() as unknown as { toNumber(): number };
  return number.toNumber();
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
