// How the text of a query becomes parameters, and those become what an endpoint reads.

import type { QueryRule } from './query-parameters.ts';
import { parseQueryString, parseTypedQuery, type Query } from './query-string.ts';

/** How many values a parameter has. */
export type ValueCount = {
  /** Whether several values mean more than the last one. */
  repeatable: boolean;
  /** Where the mirror node answers from Java: the maximum, and the name by which more are refused. */
  most?: { count: number; name: string };
  /** Where the mirror node answers from Java: whether operators are accepted in lower case only. */
  operatorsAsTyped?: boolean;
};

type ValueCounts = Readonly<Record<string, ValueCount>>;

export type QueryForm = {
  /** As typed, for links. Throws RequestError if the text exceeds a limit. */
  parse(text: string, maxRepeated: number): Query;
  /** The parameters that the endpoint reads. */
  toMeant(typed: Query, parameters: ValueCounts): Query;
  /** Instead of the endpoint's own. */
  rule: ((parameters: ValueCounts) => QueryRule) | null;
};

/** Names in any case; an endpoint's own rule does the rest. */
export const plainQuery: QueryForm = { parse: parseQueryString, toMeant: (typed) => typed, rule: null };

/** The same with every value in the case in which it was typed. */
export const typedQuery: QueryForm = { ...plainQuery, parse: parseTypedQuery };
