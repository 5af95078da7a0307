// Schemas of the values that every body is made of, as they go out: an integer is exact and may pass 2^53, bytes are hex
// after `0x` or base64. What can be null says so where it is used.
import { type TSchema, Type } from '@sinclair/typebox';

/** A schema of the document by its name. */
export function reference(name: string): TSchema {
  return Type.Unsafe({ $ref: `#/components/schemas/${name}` });
}

export function nullable(schema: TSchema): TSchema {
  if ('$ref' in schema) return Type.Unsafe({ anyOf: [schema, Type.Null()] });
  return Type.Unsafe({ ...schema, type: [schema.type, 'null'] });
}

export function oneOf(values: readonly string[]): TSchema {
  return Type.Unsafe({ type: 'string', enum: [...values] });
}

export const int64 = Type.Integer({ format: 'int64' });
export const int32 = Type.Integer({ format: 'int32' });
export const seconds = Type.Integer({ format: 'int64', description: 'Seconds.' });
/** For amounts in weibar and Ethereum's unsigned integers, which may be longer than 64 bits. */
export const bigInteger = Type.Integer();
/** int64 as text. */
export const integerText = Type.String({ pattern: '^-?\\d{1,19}$', examples: ['9223372036854775807'] });

export const hex = Type.String({ pattern: '^0x[0-9a-f]*$', description: 'Bytes in hex; `0x` for none.' });
export const hexQuantity = Type.String({ pattern: '^0x[0-9a-f]*$', description: 'Integer in hex; `0x` for none.' });
export const evmAddress = Type.String({ pattern: '^0x[0-9a-f]{40}$' });
export const base64 = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', contentEncoding: 'base64' });
/** By the field's own name, as `SUCCESS`. */
export const responseCode = Type.String({ pattern: '^[A-Z0-9_]+$', description: 'Response code by name.' });

export const entityId = reference('EntityId');
export const timestamp = reference('Timestamp');
export const key = reference('Key');
export const links = reference('Links');

/** Schemas with a name of their own in the document. */
export const namedValues = {
  EntityId: Type.String({
    description: '`shard.realm.num`',
    pattern: '^\\d{1,4}\\.\\d{1,5}\\.\\d{1,12}$',
    examples: ['0.0.1001'],
  }),
  Timestamp: Type.String({
    description: '`seconds.nanoseconds` since 1970, nine digits after the dot',
    pattern: '^\\d+\\.\\d{9}$',
    examples: ['1586567700.453054000'],
  }),
  Key: Type.Object(
    {
      _type: oneOf(['ED25519', 'ECDSA_SECP256K1', 'ProtobufEncoded']),
      key: Type.String({ pattern: '^(?:[0-9a-f]{2})*$' }),
    },
    { description: 'A public key in hex, or any other key as the hex of its protobuf message.' },
  ),
  Links: Type.Object({
    next: nullable(Type.String({ description: 'Path and query of the next page; null when nothing follows.' })),
  }),
  Error: Type.Object({
    _status: Type.Object({
      messages: Type.Array(Type.Object({ message: Type.String() }), { minItems: 1 }),
    }),
  }),
  Health: Type.Object({ status: oneOf(['ok', 'error']) }),
};
