// An endpoint as an operation of the API document: from the same forms, lists and limits that its route uses.
// Everything documented is accepted; the dialect `hiero` accepts a few undocumented spellings, such as `limit=eq:5` and
// words in other cases.
import { type TSchema, Type } from '@sinclair/typebox';
import { dialectOf, type Endpoint, toServed } from '../../api/endpoint/endpoint.ts';
import type { ReadingContext } from '../../api/reading/query/context.ts';
import type { BodyParameter, PathParameter, QueryParameter } from '../../api/reading/query/parameter.ts';
import { withExample } from './query-examples.ts';
import { answers } from './responses.ts';

export type Parameter = {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  description: string;
  schema: TSchema;
};

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: object;
  security?: Record<string, string[]>[];
  /** By status. */
  responses: Record<string, object>;
};

export function toOperation(given: Endpoint, shared: ReadingContext): Operation {
  const context = { ...shared, dialect: dialectOf(given, shared.dialect) };
  const endpoint = toServed(given, context.dialect);
  const { id, tag, summary, description } = endpoint;
  const parameters = [
    ...Object.entries(endpoint.in).map(([name, parameter]) => toPathParameter(name, parameter, context)),
    ...Object.entries(endpoint.query).map(([name, parameter]) => toQueryParameter(name, parameter, context)),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: toRequestBody(endpoint.body) } : {}),
    responses: answers(endpoint.answer(context).schema, {
      missing: endpoint.missing,
      pages: endpoint.next.length > 0,
      partial: endpoint.status !== undefined,
      plainText: endpoint.plainText !== undefined,
      sent: endpoint.body !== null,
      runs: endpoint.shapes !== undefined,
      admits: endpoint.admits !== undefined,
      lacking: endpoint.mayLack,
    }),
    ...(context.settings.users.length > 0 ? { security: [{}, { basic: [] }] } : {}),
  };
}

function toRequestBody({ description, mediaTypes, schema, examples = {} }: BodyParameter<unknown>): object {
  const named = Object.entries(examples).map(([summary, value], index) => [`example${index + 1}`, { summary, value }]);
  const media = {
    ...(schema === undefined ? {} : { schema }),
    ...(named.length === 0 ? {} : { examples: Object.fromEntries(named) as object }),
  };
  return { required: true, description, content: Object.fromEntries(mediaTypes.map((type) => [type, media])) };
}

function toPathParameter(name: string, parameter: PathParameter<unknown>, context: ReadingContext): Parameter {
  const { description, example } = parameter;
  const schema = Type.String({ pattern: parameter.form(context).source, examples: [example] });
  return { name, in: 'path', required: true, description, schema };
}

function toQueryParameter(name: string, parameter: QueryParameter<unknown>, context: ReadingContext): Parameter {
  const { description } = parameter;
  return {
    name,
    in: 'query',
    description: typeof description === 'function' ? description(context) : description,
    schema: withExample(parameter.schema(context), parameter.kind),
  };
}
