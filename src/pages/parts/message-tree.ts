// A decoded HAPI message as a tree of values, whatever message it is: ids as links, times and durations as such, bytes
// in hex, texts as foreign ones. Anyone may have written it, so what is shown of it is bounded; the rest is counted.
import Long from 'long';
import { html, joinMarkup, type MarkupValue } from '../../../packages/kit/markup.ts';
import {
  encodeEntityId,
  formatEntityIdParts,
  maxNum,
  maxRealm,
  maxShard,
} from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { formatInstant, toTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { type LinkedKind, type Links, link } from '../page/links.ts';
import { formatCount, formatFraction, hbar } from './amounts.ts';
import { hexBytes } from './bytes.ts';
import { foreignText } from './foreign-text.ts';
import { formatDuration } from './times.ts';
import type { TreeValue } from './value-tree.ts';

/** Values of all kinds, lists and messages included. */
const maxValues = 120;
/** Characters of markup of all values. */
const maxMarkup = 4000;
const maxDepth = 12;
const maxText = 500;
const bytesShown = { folded: 48, max: 512 } as const;

type Walk = { links: Links; left: number; markup: number; omitted: number };

/** The fields of a message, or of nothing. */
export function messageTree(message: object, links: Links): TreeValue[] {
  const walk: Walk = { links, left: maxValues, markup: maxMarkup, omitted: 0 };
  const tree = fieldsOf(message, walk, 0);
  if (walk.omitted === 0) return tree;
  return [...tree, { name: '', value: html`<span class="faint">&hellip; and more, which is left out here</span>` }];
}

function fieldsOf(message: object, walk: Walk, depth: number): TreeValue[] {
  return Object.entries(message).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value) && value.length === 0) return [];
    return toBranch(toWords(name), value, { name, walk, depth });
  });
}

type Place = { name: string; walk: Walk; depth: number };

function toBranch(shownName: string, value: unknown, { name, walk, depth }: Place): TreeValue[] {
  if (walk.left <= 0 || walk.markup <= 0 || depth > maxDepth) {
    walk.omitted += 1;
    return [];
  }
  walk.left -= 1;
  if (Array.isArray(value)) {
    const inside = value.flatMap((item) => toBranch('', item, { name, walk, depth: depth + 1 }));
    return [{ name: shownName, value: html`<span class="faint">${formatCount(value.length)}</span>`, inside }];
  }
  const leaf = toLeaf(name, value, walk.links);
  if (leaf !== undefined) {
    walk.markup -= html`${leaf}`.markup.length;
    return [{ name: shownName, value: leaf }];
  }
  const inside = fieldsOf(value as object, walk, depth + 1);
  const line = shownName === '' ? oneLine(inside) : null;
  if (line !== null) return [{ name: '', value: line }];
  // An item of a list has no name to stand before what is inside.
  return [{ name: shownName, value: shownName === '' ? html`<span class="faint">item</span>` : null, inside }];
}

const maxOnLine = 4;

/** A few plain values side by side, such as account and amount; null = there is more to it. */
function oneLine(values: readonly TreeValue[]): MarkupValue {
  if (values.length === 0 || values.length > maxOnLine || values.some(({ inside }) => inside !== undefined))
    return null;
  return joinMarkup(
    values.map(({ name, value }) => html`<span class="name">${name}</span> ${value}`),
    ', ',
  );
}

/** Whatever the message; others are of hbar or of a token. */
const tinybarFields: ReadonlySet<string> = new Set(['transactionFee', 'initialBalance']);

/** undefined = a message with fields of its own. */
function toLeaf(name: string, value: unknown, links: Links): MarkupValue | undefined {
  if (typeof value === 'string')
    return foreignText(value, { max: maxText, none: html`<span class="faint">empty</span>` });
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return enumNames[name]?.[value] ?? (name === 'port' ? value : formatCount(value));
  if (Long.isLong(value)) {
    const integer = value.unsigned ? BigInt.asUintN(64, toBigInt(value)) : toBigInt(value);
    return tinybarFields.has(name) ? hbar(integer) : formatFraction(integer, 0);
  }
  if (value instanceof Uint8Array && name === 'ipAddressV4' && value.length === 4) return value.join('.');
  if (value instanceof Uint8Array)
    return hexBytes(value, { ...bytesShown, none: html`<span class="faint">no bytes</span>` });
  const message = value as Record<string, unknown>;
  const kind = (value as object).constructor.name;
  if (kind === 'Timestamp' || kind === 'TimestampSeconds') return toMoment(message as proto.ITimestamp);
  if (kind === 'Duration') return formatDuration(toBigInt((message as proto.IDuration).seconds));
  return kind in numberOf ? toEntity(kind as EntityMessage, message, links) : undefined;
}

function toMoment(message: proto.ITimestamp): string {
  const timestamp = toTimestamp(message);
  return `${formatInstant(timestamp).replaceAll('_', ':').replace('T', ' ').slice(0, -1)} UTC`;
}

type EntityMessage = keyof typeof numberOf;
/** The number's field in messages of ids, and the page of what they name. */
const numberOf = {
  AccountID: ['accountNum', 'account'],
  ContractID: ['contractNum', 'contract'],
  FileID: ['fileNum', null],
  ScheduleID: ['scheduleNum', 'schedule'],
  TokenID: ['tokenNum', 'token'],
  TopicID: ['topicNum', 'topic'],
} as const satisfies Record<string, readonly [string, LinkedKind | null]>;

type HapiInteger = Parameters<typeof toBigInt>[0];

function toEntity(kind: EntityMessage, message: Record<string, unknown>, links: Links): MarkupValue {
  const [field, page] = numberOf[kind];
  const address = message.alias ?? message.evmAddress;
  if (address instanceof Uint8Array && address.length > 0) return hexBytes(address, bytesShown);
  const part = (name: string): bigint => toBigInt(message[name] as HapiInteger);
  const id = { shard: part('shardNum'), realm: part('realmNum'), num: part(field) };
  const isStored = within(id.shard, maxShard) && within(id.realm, maxRealm) && within(id.num, maxNum) && id.num > 0n;
  const text = formatEntityIdParts(id);
  return page === null || !isStored ? text : link(links.path(page, encodeEntityId(id.shard, id.realm, id.num)), text);
}

function within(part: bigint, max: bigint): boolean {
  return part >= 0n && part <= max;
}

/** Fields of bodies whose numbers have names. */
const enumNames: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  tokenType: proto.TokenType,
  supplyType: proto.TokenSupplyType,
  freezeType: proto.FreezeType,
  keyVerificationMode: proto.TokenKeyValidation,
};

/** `accountAmounts` → `account amounts`. */
function toWords(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
}
