// The changes of each value of the network's state in a block, in the order of the stream: the one place where values
// that are sent in part are laid over those before them.
import { decodeMessage, tryDecode } from '../../protocol/hapi/decode-message.ts';
import { toEntityId, toEntityIdOrNone } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { noBytes, readVarint64, wireVarint } from '../../protocol/wire-fields.ts';
import { nameOfQuestion, type StateAnswer, type StateQuestion } from '../stream/state-question.ts';
import { type StateChange, type StateChanges, visitAccounts } from './read-state-changes.ts';
import type { StateField } from './state-fields.ts';
import { findField, type SentValue } from './state-value.ts';
import { findSlot } from './written-slots.ts';

/**
 * 'unchanged': the value before has it. 'unknown': a change of the value cannot be read. Absent numbers are 0n, absent
 * bytes empty.
 */
export type FieldValue = NonNullable<StateAnswer> | 'unchanged' | 'unknown';

export type ValueOfState = SentValue & Pick<StateChange, 'isRemoved' | 'isRefused'>;

export type StateHistory = {
  /** The field as the last change up to this item of the block, and those before it, leave it. */
  find(name: string, field: StateField, place: number): FieldValue;
  /** Why changes are refused, of each: what was removed has no value that a part could be of. */
  faults: readonly string[];
};

type Link = ValueOfState & { place: number };

export function createStateHistory(all: readonly StateChanges[]): StateHistory {
  const hasParts = all.some(({ changes }) => changes.some(({ isPartial }) => isPartial));
  // Their faults are counted, whether or not a field of them is asked for.
  const indexed = hasParts ? indexChanges(all) : null;
  let values: ReadonlyMap<string, Link[]> | null = indexed?.links ?? null;
  let accounts: ReadonlyMap<string, Link[]> | null = null;
  const resolved = new Map<string, readonly FieldValue[]>();
  function linksOf(name: string): readonly Link[] {
    if (isNameOfAccount(name)) accounts ??= indexAccounts(all);
    else values ??= indexChanges(all).links;
    return (isNameOfAccount(name) ? accounts : values)!.get(name) ?? [];
  }
  return {
    faults: indexed?.faults ?? [],
    find(name, field, place) {
      const links = linksOf(name);
      const last = countUntil(links, place) - 1;
      if (last < 0) return 'unchanged';
      const key = `${name}/${field.number}`;
      const known = resolved.get(key) ?? resolve(links, field);
      resolved.set(key, known);
      return known[last]!;
    },
  };
}

/** The field after each of the changes. */
function resolve(links: readonly Link[], field: StateField): FieldValue[] {
  const values: FieldValue[] = [];
  for (const link of links) {
    const found = readField(link, field);
    values.push(found === 'unchanged' ? (values.at(-1) ?? found) : found);
  }
  return values;
}

/** How many of the changes are up to this item of the block. */
function countUntil(links: readonly Link[], place: number): number {
  let [low, high] = [0, links.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (links[middle]!.place <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What one change says of a field. */
export function readField(
  { value, isPartial, cleared, isRemoved, isRefused }: ValueOfState,
  field: StateField,
): FieldValue {
  if (isRefused) return 'unknown';
  if (isRemoved || cleared.includes(field.number)) return defaultOf(field);
  try {
    const found = findField(value, field);
    if (!found) return isPartial ? 'unchanged' : defaultOf(field);
    return field.wireType === wireVarint ? readVarint64(value, found.start) : value.subarray(found.start, found.end);
  } catch (error) {
    if (isBadData(error)) return 'unknown';
    throw error;
  }
}

function defaultOf({ wireType }: StateField): bigint | Uint8Array {
  return wireType === wireVarint ? 0n : noBytes;
}

const accountPrefix = 'account ';

export function nameOfAccount(id: bigint): string {
  return `${accountPrefix}${id}`;
}

export function isNameOfAccount(name: string): boolean {
  return name.startsWith(accountPrefix);
}

export function nameOfToken(id: bigint): string {
  return `token ${id}`;
}

export function nameOfTopic(id: bigint): string {
  return `topic ${id}`;
}

export function nameOfBytecode(contractId: bigint): string {
  return `bytecode ${contractId}`;
}

/**
 * The value of a kind that results are made of; null for others. Throws StreamFileError for a key that cannot be read.
 */
export function nameOfChange(change: StateChange): string | null {
  const { kind, key, valueKind, isRemoved } = change;
  const is = (wanted: StateChange['valueKind']): boolean => isRemoved || valueKind === wanted;
  if (kind === 'tokenId') return is('token') ? nameOfToken(toEntityId(decodeMessage(proto.TokenID, key))) : null;
  if (kind === 'topicId') return is('topic') ? nameOfTopic(toEntityId(decodeMessage(proto.TopicID, key))) : null;
  if (kind === 'contractId')
    return is('bytecode') ? nameOfBytecode(toEntityId(decodeMessage(proto.ContractID, key))) : null;
  if (kind === 'pendingAirdropId') return nameOfQuestion(toAirdropQuestion(decodeMessage(proto.PendingAirdropId, key)));
  return is('slotValue') ? (findSlot(change)?.name ?? null) : null;
}

/** Parties without a number are 0n. */
export function toAirdropQuestion(id: proto.IPendingAirdropId): Extract<StateQuestion, { kind: 'airdrop' }> {
  const { senderId, receiverId, fungibleTokenType, nonFungibleToken: nft } = id;
  return {
    kind: 'airdrop',
    senderId: toEntityIdOrNone(senderId),
    receiverId: toEntityIdOrNone(receiverId),
    tokenId: toEntityId(fungibleTokenType ?? nft?.token_ID),
    serialNumber: toBigInt(nft?.serialNumber),
  };
}

function indexChanges(all: readonly StateChanges[]): { links: Map<string, Link[]>; faults: string[] } {
  const links = new Map<string, Link[]>();
  const faults: string[] = [];
  for (const { place, changes } of all) {
    for (const change of changes) {
      const name = tryName(change);
      if (name === null) continue;
      const { value, isPartial, cleared, isRemoved } = change;
      const isOfRemoved = isPartial && links.get(name)?.at(-1)?.isRemoved === true;
      if (isOfRemoved) faults.push('it is a part of a value that was removed');
      const isRefused = change.isRefused || isOfRemoved;
      addLink(links, name, { place, value, isPartial, cleared, isRemoved, isRefused });
    }
  }
  return { links, faults };
}

/** null also for a key that cannot be read: that is reported where its unit is. */
function tryName(change: StateChange): string | null {
  try {
    return nameOfChange(change);
  } catch (error) {
    if (isBadData(error)) return null;
    throw error;
  }
}

function indexAccounts(all: readonly StateChanges[]): Map<string, Link[]> {
  const links = new Map<string, Link[]>();
  for (const { place, accounts } of all) {
    if (!accounts) continue;
    visitAccounts(accounts, (accountId, account) => {
      const id = toEntityIdOrNone(tryDecode(proto.AccountID, accountId));
      if (id !== 0n) addLink(links, nameOfAccount(id), { ...account, place, isRemoved: false });
    });
  }
  return links;
}

function addLink(links: Map<string, Link[]>, name: string, link: Link): void {
  const before = links.get(name);
  if (before) before.push(link);
  else links.set(name, [link]);
}
