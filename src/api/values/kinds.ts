// The kinds of values in answers: an integer is exact and may exceed 2^53, bytes are hex after `0x` or base64.
import { Type } from '@sinclair/typebox';
import { encodeBase32 } from '../../../packages/kit/base32.ts';
import { formatHex, formatHexQuantity } from './hex-text.ts';
import {
  asBuffer,
  toJsonArray,
  toJsonBase64,
  toJsonBoolean,
  toJsonEntityId,
  toJsonInteger,
  toJsonLongZeroAddress,
  toJsonString,
  toJsonTimestamp,
} from './json-text.ts';
import { toJsonKey } from './key-text.ts';
import { described, type Kind, listOf, named, toNullable } from './kind.ts';

export const int64: Kind<bigint> = { schema: Type.Integer({ format: 'int64' }), write: toJsonInteger };
export const int32: Kind<number> = { schema: Type.Integer({ format: 'int32' }), write: toJsonInteger };
/** For amounts in weibar and Ethereum's unsigned integers, which may be longer than 64 bits. */
export const bigInteger: Kind<bigint> = { schema: Type.Integer(), write: toJsonInteger };
export const seconds = described(int64, 'Seconds.');
/** int64 as text. */
export const integerText: Kind<bigint> = {
  schema: Type.String({ pattern: '^-?\\d{1,19}$', examples: ['9223372036854775807'] }),
  write: (value) => `"${value}"`,
};
export const boolean: Kind<boolean> = { schema: Type.Boolean(), write: toJsonBoolean };
export const text: Kind<string> = { schema: Type.String(), write: toJsonString };

/** One of a few words, which need no escaping. */
export function word(words: readonly string[]): Kind<string> {
  return {
    schema: Type.Unsafe({ type: 'string', enum: [...words] }),
    write: (value) => `"${value}"`,
  };
}

/** One of a few words, by the number that stands for each; `other` where none does, null = null. */
export function numbered(words: Readonly<Record<number, string>>, other: string | null = null): Kind<number | null> {
  const otherText = other === null ? 'null' : `"${other}"`;
  return {
    schema: word([...new Set([...Object.values(words), ...(other === null ? [] : [other])])]).schema,
    write: (number) => (number === null || words[number] === undefined ? otherText : `"${words[number]}"`),
  };
}

/** Absent bytes are `0x`, as empty ones are. */
export const hex: Kind<Uint8Array | null> = {
  schema: Type.String({ pattern: '^0x[0-9a-f]*$', description: 'Bytes in hex; `0x` for none.' }),
  write: (bytes) => (bytes === null ? '"0x"' : `"0x${asBuffer(bytes).toString('hex')}"`),
};
/** From hex without `0x`, as blocks store it. */
export const blockHash: Kind<string | null> = {
  schema: Type.String({
    pattern: '^0x[0-9a-f]*$',
    description: 'Hash of the record file; `0x` where it is not known.',
  }),
  write: (digits) => `"0x${digits ?? ''}"`,
};
/** An EVM word: 32 bytes, with the leading zeros that are not stored. */
export const evmWord: Kind<Uint8Array> = {
  schema: Type.String({ pattern: '^0x[0-9a-f]{64,}$', description: '32 bytes in hex.' }),
  write: (bytes) => `"0x${asBuffer(bytes).toString('hex').padStart(64, '0')}"`,
};
/** Big-endian bytes as a number in hex. */
export const hexQuantity: Kind<Uint8Array | null> = {
  schema: Type.String({ pattern: '^0x[0-9a-f]*$', description: 'Integer in hex; `0x` for none.' }),
  write: (bytes) => `"${formatHexQuantity(bytes)}"`,
};
export const base64: Kind<Uint8Array> = {
  schema: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', contentEncoding: 'base64' }),
  write: toJsonBase64,
};
export const base32: Kind<Uint8Array> = {
  schema: Type.String({
    pattern: '^[A-Z2-7]*$',
    description: 'Base32 without padding (RFC 4648).',
    examples: ['AEBA'],
  }),
  write: (bytes) => `"${encodeBase32(bytes)}"`,
};

/** null for no entity, also for id 0. */
export const entityId: Kind<bigint | null> = orNullInSchema(
  named('EntityId', {
    schema: Type.String({
      description: '`shard.realm.num`',
      pattern: '^\\d{1,4}\\.\\d{1,5}\\.\\d{1,12}$',
      examples: ['0.0.1001'],
    }),
    write: toJsonEntityId,
  }),
);

/** null for none. */
export const entityIds: Kind<readonly bigint[] | null> = {
  ...listOf(entityId),
  write: (ids) => toJsonArray(ids ?? [], entityId.write),
};

export const timestamp: Kind<bigint> = named('Timestamp', {
  schema: Type.String({
    description: '`seconds.nanoseconds` since 1970, nine digits after the dot',
    pattern: '^\\d+\\.\\d{9}$',
    examples: ['1586567700.453054000'],
  }),
  write: toJsonTimestamp,
});

/** null for no key, also for an empty key list. */
export const key: Kind<Uint8Array | null> = orNullInSchema(
  named('Key', {
    schema: Type.Object(
      {
        _type: word(['ED25519', 'ECDSA_SECP256K1', 'ProtobufEncoded']).schema,
        key: Type.String({ pattern: '^(?:[0-9a-f]{2})*$' }),
      },
      { description: 'A public key in hex, or any other key as the hex of its protobuf message.' },
    ),
    write: toJsonKey,
  }),
);

/** The EVM address of an entity: its own, or the long-zero address; null without an entity. */
export const evmAddress: Kind<{ evmAddress: Uint8Array | null; id: bigint | null }> = {
  schema: Type.Unsafe({ type: ['string', 'null'], pattern: '^0x[0-9a-f]*$', description: 'EVM address.' }),
  write: ({ evmAddress: address, id }) => (address ? `"${formatHex(address)}"` : toJsonLongZeroAddress(id)),
};

/** The member `links` of a list: path and query of the next page. */
export const links: Kind<string | null> = named('Links', {
  schema: Type.Object({
    next: toNullable(Type.String({ description: 'Path and query of the next page; null when nothing follows.' })),
  }),
  write: (next) => `{"next":${next === null ? 'null' : toJsonString(next)}}`,
});

function orNullInSchema<T>(kind: Kind<T>): Kind<T> {
  return { ...kind, schema: toNullable(kind.schema) };
}
