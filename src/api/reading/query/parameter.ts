// What an endpoint takes, as values: for each parameter how its text is read, what it means, and how the API document
// shows it.
import type { TSchema } from '@sinclair/typebox';
import type { RequestError } from '../../../../packages/web-server/request-error.ts';
import type { ReadingContext, RouteContext } from './context.ts';
import type { ValueCount } from './query-form.ts';
import type { RawValue } from './query-parameters.ts';
import type { QueryParameter as GivenParameter } from './query-string.ts';

/** A kind of text: how one value is read, without an operator. */
export type TextKind<T> = {
  /** Tests use it to make such texts. */
  name: string;
  /** Enclosed in `^` and `$`. */
  form(context: ReadingContext): RegExp;
  /** undefined = invalid. `text` may be anything. */
  read(text: string, context: ReadingContext): T | undefined;
};

/** A kind by which pages are ordered. */
export type KeyKind = TextKind<bigint> & { format(value: bigint): string };

/** Reads the raw values of one parameter; made once per server. */
export type QueryReading<V, T> = {
  /** undefined = invalid. `limitMax`: largest page size for this client. */
  read(value: RawValue, limitMax: number): V | undefined;
  /** All values together, after none was invalid; empty if the parameter is absent. Throws RequestError. */
  collect(values: V[], given: GivenParameter | undefined): T;
};

export type QueryParameter<T> = ValueCount & {
  /** See TextKind. */
  kind: string;
  description: string | ((context: ReadingContext) => string);
  schema(context: ReadingContext): TSchema;
  /** Whether values outside the schema reach `read`, because it has specific sentences for them. */
  refusesItself?: boolean;
  open(context: ReadingContext): QueryReading<unknown, T>;
  /** Whether the mirror node does not have it: to the dialect that is as it, the name is unknown. */
  own?: boolean;
  /** Set if pages can be ordered by it: how a next link writes it. Its values are then ranges. */
  formatKey?: (value: bigint) => string;
};

export type PathParameter<T> = {
  /** See TextKind. */
  kind: string;
  description: string;
  example: string;
  form(context: ReadingContext): RegExp;
  /** undefined = invalid; then `refuse` makes the error. May query, and throw RequestError itself. */
  read(text: string, context: RouteContext): T | undefined | Promise<T | undefined>;
  /** Whether `read` queries for this text. */
  looksUp?(text: string, context: ReadingContext): boolean;
  /**
   * Whether nothing of this text is there, where only the answer to a valid query says so: another query is refused
   * after it.
   */
  isMissing?(text: string, context: RouteContext): Promise<boolean>;
  refuse(): RequestError;
};

/** The body of a request, as bytes. */
export type BodyParameter<T> = {
  /** See TextKind. */
  kind: string;
  description: string;
  /** Without parameters, in lower case. */
  mediaTypes: readonly string[];
  /** For the API document: of a body that is JSON, and bodies by what they do. */
  schema?: TSchema;
  examples?: Readonly<Record<string, object>>;
  maxBytes: number;
  /** Not empty. Throws RequestError. */
  read(bytes: Buffer, context: ReadingContext): T;
};

export function queryParameter<V, T>(
  parameter: Omit<QueryParameter<T>, 'open'> & { open(context: ReadingContext): QueryReading<V, T> },
): QueryParameter<T> {
  return parameter as QueryParameter<T>;
}
