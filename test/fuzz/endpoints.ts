// The endpoints for the fuzz: kinds of text in their paths and parameters, from the endpoints themselves. A kind of
// text without a maker is an error.
import type { Endpoint as Served } from '../../src/api/endpoint/endpoint.ts';
import { endpoints as served } from '../../src/resources/endpoints.ts';
import { type BodyKind, isBodyKind } from './make-body.ts';
import { isPathKind, isValueKind, type PathKind, type ValueKind } from './make-value.ts';

export type Endpoint = {
  /** With `{name}` for a parameter. */
  path: string;
  method: 'GET' | 'POST';
  /** null = without a body. */
  body: { kind: BodyKind; mediaTypes: readonly string[] } | null;
  /** By name. */
  in: Record<string, PathKind>;
  parameters: Record<string, { kind: ValueKind; repeatable: boolean }>;
};

export const endpoints: readonly Endpoint[] = served.map(({ path, method, body, in: parameters, query }) => ({
  path,
  method,
  body: body && toBody(path, body),
  in: mapValues(parameters, ({ kind }) => {
    if (!isPathKind(kind)) throw new Error(`${path}: no text of the kind "${kind}" can be made for a path`);
    return kind;
  }),
  parameters: mapValues(query, ({ kind, repeatable }) => {
    if (!isValueKind(kind)) throw new Error(`${path}: no text of the kind "${kind}" can be made`);
    return { kind, repeatable };
  }),
}));

function toBody(path: string, { kind, mediaTypes }: NonNullable<Served['body']>): Endpoint['body'] {
  if (!isBodyKind(kind)) throw new Error(`${path}: no body of the kind "${kind}" can be made`);
  return { kind, mediaTypes };
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
