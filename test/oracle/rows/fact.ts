// One transaction as the oracle reads it, and the ledger that it knows at that moment.

import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { toPublicKeyHex } from '../../../packages/protocol/hapi/key.ts';
import type { TransactionBody } from '../../../packages/protocol/hapi/transaction-body.ts';
import type { BodyField } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import type { ReadBlock } from '../read/read-stream.ts';
import type { ExpectedRow, ExpectedTables } from './expected-tables.ts';

export type Fact = TransactionItem & {
  block: ReadBlock;
  at: bigint;
  parent: Fact | null;
  /** It and its cause succeeded. */
  successful: boolean;
  payer: bigint;
  /** 0n for none. */
  subject: bigint;
};

export type Known = {
  tables: ExpectedTables;
  account(id: proto.IAccountID | null | undefined): bigint;
  contract(id: proto.IContractID | null | undefined): bigint;
  /** By EVM address or alias; 0n if unknown. */
  byName(name: Buffer): bigint;
  remember(id: bigint, ...names: (Uint8Array | null | undefined)[]): void;
  /** A version of an entity; its id is made of its parts. */
  entity(fact: Fact, id: bigint, type: string, members: ExpectedRow): void;
  /** Slots of hooks before the block, if it changed them. */
  slotsBefore: Map<string, ExpectedRow | undefined>;
};

/** Effects of a successful transaction of a type besides transfers. */
export type Effect<Field extends BodyField> = (
  fact: Fact,
  data: NonNullable<TransactionBody[Field]>,
  known: Known,
) => void;

export const nanosPerDay = 86_400_000_000_000n;
export const noBytes = Buffer.alloc(0);

export function bytes(value: Uint8Array | null | undefined): Buffer | null {
  return value?.length ? Buffer.from(value) : null;
}

export function keyMembers(key: proto.IKey | null | undefined): ExpectedRow {
  if (!key) return {};
  const serialized = encodeKey(key)!;
  return { key: serialized, public_key: toPublicKeyHex(serialized) || null };
}

export function encodeKey(key: proto.IKey | null | undefined): Buffer | undefined {
  return key ? Buffer.from(proto.Key.encode(key).finish()) : undefined;
}

export function orNull(id: bigint): bigint | null {
  return id === 0n ? null : id;
}

/** Of a message with one integer; undefined without the message. */
export function seconds(message: { seconds?: Parameters<typeof toBigInt>[0] } | null | undefined): bigint | undefined {
  return message ? toBigInt(message.seconds) : undefined;
}

export function nanoseconds(
  message: { seconds?: Parameters<typeof toBigInt>[0]; nanos?: number | null } | null | undefined,
): bigint | undefined {
  return message ? toBigInt(message.seconds) * 1_000_000_000n + BigInt(message.nanos ?? 0) : undefined;
}

/** The value of a wrapper; undefined without it. */
export function wrapped<T>(wrapper: { value?: T | null } | null | undefined, blank: T): T | undefined {
  return wrapper ? (wrapper.value ?? blank) : undefined;
}

export function tokenOf(id: proto.ITokenID | null | undefined): bigint {
  return toEntityId(id);
}

export function withoutLeadingZeros(value: Uint8Array): Buffer {
  const text = Buffer.from(value)
    .toString('hex')
    .replace(/^(00)+/, '');
  return Buffer.from(text, 'hex');
}

export function longZero(id: bigint): Buffer {
  return Buffer.from((id & ((1n << 38n) - 1n)).toString(16).padStart(40, '0'), 'hex');
}
