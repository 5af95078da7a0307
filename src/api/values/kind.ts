// A kind of value: how it is written as JSON text, and how the API document describes it. Here are combinations of
// kinds; the kinds in answers are in `kinds.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { toJsonArray } from './json-text.ts';

/** Schemas that the document shows by name. */
export type Definitions = Readonly<Record<string, TSchema>>;

export type Kind<T> = {
  schema: TSchema;
  write(value: T): string;
  /** What `schema` refers to. */
  definitions?: Definitions;
};

/** A schema of the document by its name. */
export function reference(name: string): TSchema {
  return Type.Unsafe({ $ref: `#/components/schemas/${name}` });
}

/** The kind with a name in the document. */
export function named<T>(name: string, kind: Kind<T>): Kind<T> {
  return { ...kind, schema: reference(name), definitions: { ...kind.definitions, [name]: kind.schema } };
}

export function described<T>(kind: Kind<T>, description: string): Kind<T> {
  return { ...kind, schema: describe(kind.schema, description) };
}

export function orNull<T>(kind: Kind<T>): Kind<T | null> {
  return {
    ...kind,
    schema: toNullable(kind.schema),
    write: (value) => (value === null ? 'null' : kind.write(value)),
  };
}

export function listOf<T>(kind: Kind<T>): Kind<readonly T[]> {
  const { write } = kind;
  return { ...kind, schema: Type.Array(kind.schema), write: (items) => toJsonArray(items, write) };
}

export function describe(schema: TSchema, description: string | undefined): TSchema {
  return description === undefined ? schema : Type.Unsafe({ ...schema, description });
}

export function toNullable(schema: TSchema): TSchema {
  if ('$ref' in schema) {
    const { description, ...rest } = schema;
    return Type.Unsafe({ anyOf: [rest, Type.Null()], ...(description === undefined ? {} : { description }) });
  }
  if ('anyOf' in schema) return schema;
  const listed = Array.isArray(schema.enum) ? { enum: [...(schema.enum as unknown[]), null] } : {};
  return Type.Unsafe({ ...schema, ...listed, type: [schema.type, 'null'].flat() });
}

/** Kinds that differ only in how they are written: each source says which one applies. */
export function chosen<Name extends string, S>(
  kinds: Readonly<Record<Name, Kind<S>>>,
  toName: (source: S) => Name,
): Kind<S> {
  const [first] = Object.values<Kind<S>>(kinds);
  return { ...first!, write: (source) => kinds[toName(source)].write(source) };
}

/** Values that are written as one of several kinds. */
export function oneOfKinds<T>(kinds: readonly Kind<never>[], write: (value: T) => string): Kind<T> {
  return {
    schema: Type.Union(kinds.map(({ schema }) => schema)),
    definitions: Object.assign({}, ...kinds.map(({ definitions }) => definitions)),
    write,
  };
}
