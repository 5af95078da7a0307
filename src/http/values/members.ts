// The members of a JSON object as a table: name, kind of value, where it comes from. The table becomes one function that
// writes the text, and the schema; the order of the table is the order of the answer. The function's text is put together
// from the table, so that every member is read and written from a place of its own: it costs what a line written by hand
// costs, where a loop over the table costs up to twice as much (`bench/members.ts`).
import { type TSchema, Type } from '@sinclair/typebox';
import { type Definitions, describe, type Kind, listOf, named, toNullable } from './kind.ts';

export type Member<S> = {
  schema: TSchema;
  definitions?: Definitions;
  presence: 'always' | 'nullable' | 'optional';
  get(source: S): unknown;
  write(value: unknown): string;
};

export function value<S, T>(kind: Kind<T>, get: (source: S) => T, description?: string): Member<S> {
  return toMember('always', kind, get, { schema: describe(kind.schema, description) });
}

/** null is written as null. */
export function nullable<S, T>(kind: Kind<T>, get: (source: S) => T | null, description?: string): Member<S> {
  return toMember('nullable', kind, get, { schema: toNullable(describe(kind.schema, description)) });
}

/** Left out where it is undefined. */
export function optional<S, T>(kind: Kind<T>, get: (source: S) => T | undefined, description?: string): Member<S> {
  return toMember('optional', kind, get, { schema: Type.Optional(describe(kind.schema, description)) });
}

export function array<S, T>(kind: Kind<T>, get: (source: S) => readonly T[], description?: string): Member<S> {
  return value(listOf(kind), get, description);
}

function toMember<S, T>(
  presence: Member<S>['presence'],
  { write, definitions }: Kind<T>,
  get: (source: S) => T | null | undefined,
  { schema }: { schema: TSchema },
): Member<S> {
  return { schema, definitions, presence, get, write: write as (value: unknown) => string };
}

export type Members<S> = Kind<S> & { table: Readonly<Record<string, Member<S>>> };

/** `name`: the schema's own in the document; without one it stands where it is used. */
export function members<S>(table: Readonly<Record<string, Member<S>>>, options: MemberOptions = {}): Members<S> {
  const { name, description } = options;
  const list = Object.values(table);
  const kind: Kind<S> = {
    schema: Type.Object(
      Object.fromEntries(Object.entries(table).map(([member, { schema }]) => [member, schema])),
      description === undefined ? {} : { description },
    ),
    definitions: Object.assign({}, ...list.map(({ definitions }) => definitions)),
    write: compileWriter(table),
  };
  return { ...(name === undefined ? kind : named(name, kind)), table };
}

export type MemberOptions = { name?: string; description?: string };

function compileWriter<S>(table: Readonly<Record<string, Member<S>>>): (source: S) => string {
  const entries = Object.entries(table);
  const firstFixed = entries.findIndex(([, { presence }]) => presence !== 'optional');
  if (firstFixed < 0) throw new Error('An object needs one member that is always there');
  const pieces: string[] = [];
  // Pieces of text between the values are joined at once.
  let pending = '{';
  const addValue = (text: string): void => {
    pieces.push(JSON.stringify(pending), text);
    pending = '';
  };
  entries.forEach(([name, { presence }], index) => {
    const got = `get${index}(source)`;
    const label = `${JSON.stringify(name)}:`;
    if (presence === 'optional') {
      // Before the first member that is always there the comma follows, after it the comma leads.
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
  const parts = entries.flatMap(([, { get, write }]) => [get, write]);
  return new Function('parts', text)(parts) as (source: S) => string;
}
