// How the text of a query becomes parameters, and parameters what an endpoint reads.

import type { QueryRule } from './query-parameters.ts';
import { parseQueryString, parseTypedQuery, type Query } from './query-string.ts';

/** How many values a parameter has. */
export type ValueCount = {
  /** Whether several values mean more than the last one. */
  repeatable: boolean;
  /** Where the mirror node answers from Java: at most, and the name by which more are refused. */
  most?: { count: number; name: string };
  /** Where the mirror node answers from Java: whether operators are taken in lower case only. */
  operatorsAsTyped?: boolean;
};

type ValueCounts = Readonly<Record<string, ValueCount>>;

export type QueryForm = {
  /** As typed: what links repeat. Throws RequestError where the text itself breaks a limit. */
  parse(text: string, maxRepeated: number): Query;
  /** What is read of it. */
  toMeant(typed: Query, parameters: ValueCounts): Query;
  /** In place of the endpoint's own. */
  rule: ((parameters: ValueCounts) => QueryRule) | null;
};

/** Names in any case; an endpoint's own rule says the rest. */
export const plainQuery: QueryForm = { parse: parseQueryString, toMeant: (typed) => typed, rule: null };

/** The same with every value in the case in which it was typed. */
export const typedQuery: QueryForm = { ...plainQuery, parse: parseTypedQuery };
