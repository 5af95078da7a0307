// The members of a JSON object as a table: name and kind of value, taken from the source's member of that name in camel
// case (`gas_used` from `gasUsed`) or another one (`from`), or made by a getter. The table becomes one function that
// writes the text, and the schema; the order of the table is the order of the answer. The function's text is generated
// from the table, with each member read and written in its own place: it costs the same as handwritten code, where a
// loop over the table costs up to twice as much (`bench/members.ts`).
import { type TSchema, Type } from '@sinclair/typebox';
import { type CamelCase, toCamelCase } from '../../../packages/kit/camel-case.ts';
import { type Definitions, describe, described, type Kind, listOf, named, orNull, toNullable } from './kind.ts';

/** A member whose value is made from the source. */
export type Member<S> = {
  schema: TSchema;
  definitions?: Definitions | undefined;
  presence: 'always' | 'nullable' | 'optional';
  get(source: S): unknown;
  write(value: unknown): string;
};

/** A member of the source that is omitted if undefined. */
export type Optional<T> = {
  schema: TSchema;
  definitions?: Definitions | undefined;
  presence: 'optional';
  write(value: T): string;
};

/** Without `get` it is the source's member of that name. */
export function value<T>(kind: Kind<T>, description?: string): Kind<T>;
export function value<S, T>(kind: Kind<T>, get: (source: S) => T, description?: string): Member<S>;
export function value<S, T>(kind: Kind<T>, get?: ((source: S) => T) | string, description?: string): unknown {
  if (typeof get !== 'function') return get === undefined ? kind : described(kind, get);
  return toMember('always', kind, get, describe(kind.schema, description));
}

/** null is written as null. */
export function nullable<T>(kind: Kind<T>, description?: string): Kind<T | null>;
export function nullable<S, T>(kind: Kind<T>, get: (source: S) => T | null, description?: string): Member<S>;
export function nullable<S, T>(kind: Kind<T>, get?: ((source: S) => T | null) | string, description?: string): unknown {
  if (typeof get !== 'function') return orNull(value(kind, get));
  return toMember('nullable', kind, get, toNullable(describe(kind.schema, description)));
}

/** Omitted if undefined. */
export function optional<T>(kind: Kind<T>, description?: string): Optional<T>;
export function optional<S, T>(kind: Kind<T>, get: (source: S) => T | undefined, description?: string): Member<S>;
export function optional<S, T>(
  kind: Kind<T>,
  get?: ((source: S) => T | undefined) | string,
  description?: string,
): unknown {
  if (typeof get === 'function')
    return toMember('optional', kind, get, Type.Optional(describe(kind.schema, description)));
  return { ...kind, presence: 'optional', schema: Type.Optional(describe(kind.schema, get)) };
}

export function array<T>(kind: Kind<T>, description?: string): Kind<readonly T[]>;
export function array<S, T>(kind: Kind<T>, get: (source: S) => readonly T[], description?: string): Member<S>;
export function array<S, T>(
  kind: Kind<T>,
  get?: ((source: S) => readonly T[]) | string,
  description?: string,
): unknown {
  return typeof get === 'function' ? value(listOf(kind), get, description) : value(listOf(kind), get);
}

/** The source's member of another name. */
export function from<const N extends string, E extends Kind<never> | Optional<never>>(
  source: N,
  kind: E,
): E & { source: N } {
  return { ...kind, source };
}

/** Made from the whole source. */
export function part<S>(kind: Kind<S>): Member<S> {
  return value(kind, (source) => source);
}

function toMember<S, T>(
  presence: Member<S>['presence'],
  { write, definitions }: Kind<T>,
  get: (source: S) => T | null | undefined,
  schema: TSchema,
): Member<S> {
  return { schema, definitions, presence, get, write: write as (value: unknown) => string };
}

type Entry = Member<never> | Optional<never> | Kind<never>;
type Table = Readonly<Record<string, Entry>>;

/** The source type of a table of members. */
type SourceOf<T> = { [N in keyof T as OwnName<T, N>]: ValueOf<T[N]> } & MadeFrom<T[keyof T]>;
type OwnName<T, N extends keyof T> = T[N] extends { get: unknown }
  ? never
  : T[N] extends { source: infer Source extends string }
    ? Source
    : CamelCase<N & string>;
type ValueOf<E> = E extends Optional<infer V> ? V | undefined : E extends Kind<infer V> ? V : never;
/** The sources of all getters combined. */
type MadeFrom<E> = (E extends Member<infer S> ? (source: S) => void : never) extends (source: infer All) => void
  ? All
  : unknown;

/** `members`: those taken unchanged from the source: the select list of a plain list. */
type MembersKind<T extends Table> = Kind<SourceOf<T>> & {
  members: readonly { [N in keyof T]: OwnName<T, N> }[keyof T][];
};

/** `name`: of the schema in the document; without one it is inlined. */
export function members<const T extends Table>(table: T, options?: MemberOptions): MembersKind<T>;
/** The same with a named source type. */
export function members<S>(table: Readonly<Record<string, Member<S>>>, options?: MemberOptions): Kind<S>;
export function members(table: Table, { name, description }: MemberOptions = {}): Kind<never> {
  const list = Object.values(table);
  const own = Object.entries(table).filter(([, entry]) => !('get' in entry));
  const kind = {
    members: own.map(([member, entry]) => toSourceName(member, entry)),
    schema: Type.Object(
      Object.fromEntries(Object.entries(table).map(([member, { schema }]) => [member, schema])),
      description === undefined ? {} : { description },
    ),
    definitions: Object.assign({}, ...list.map(({ definitions }) => definitions)),
    write: compileWriter(table),
  };
  return name === undefined ? kind : named(name, kind);
}

export type MemberOptions = { name?: string; description?: string };

function toSourceName(name: string, entry: Entry): string {
  return 'source' in entry ? String(entry.source) : toCamelCase(name);
}

function compileWriter(table: Table): (source: never) => string {
  const entries = Object.entries(table);
  const presenceOf = (entry: Entry): Member<never>['presence'] => ('presence' in entry ? entry.presence : 'always');
  const firstFixed = entries.findIndex(([, entry]) => presenceOf(entry) !== 'optional');
  if (firstFixed < 0) throw new Error('An object needs one member that is always present');
  const pieces: string[] = [];
  // Adjacent pieces of constant text are joined.
  let pending = '{';
  const addValue = (text: string): void => {
    pieces.push(JSON.stringify(pending), text);
    pending = '';
  };
  entries.forEach(([name, entry], index) => {
    const presence = presenceOf(entry);
    const got = 'get' in entry ? `get${index}(source)` : `source[${JSON.stringify(toSourceName(name, entry))}]`;
    const label = `${JSON.stringify(name)}:`;
    if (presence === 'optional') {
      // Members before the first one that is always present end with the comma, members after it begin with it.
      const leads = index > firstFixed;
      const before = JSON.stringify(`${leads ? ',' : ''}${label}`);
      addValue(`((value = ${got}) === undefined ? '' : ${before} + write${index}(value)${leads ? '' : " + ','"})`);
      return;
    }
    pending += `${index > firstFixed ? ',' : ''}${label}`;
    addValue(
      presence === 'nullable' ? `((value = ${got}) === null ? 'null' : write${index}(value))` : `write${index}(${got})`,
    );
  });
  pending += '}';
  pieces.push(JSON.stringify(pending));
  const text = `
  const [${entries.map((_, index) => `get${index}, write${index}`).join(', ')}] = parts;
  return (source) => {
    let value;
    return ${pieces.join('\n      + ')};
  };`;
  const parts = entries.flatMap(([, entry]) => ['get' in entry ? entry.get : null, entry.write]);
  return new Function('parts', text)(parts) as (source: never) => string;
}
