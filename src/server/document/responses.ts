// What an operation can answer: its body, or one of the shared refusals.
import { type TSchema, Type } from '@sinclair/typebox';
import { reference } from '../../api/values/kind.ts';
import { word } from '../../api/values/kinds.ts';

type AnswerFacts = Record<
  'missing' | 'pages' | 'partial' | 'plainText' | 'sent' | 'lacking' | 'runs' | 'admits',
  boolean
>;

/**
 * `missing`: it may not be found. `pages`: the answer may continue on another page. `partial`: part of it may be
 * unknown. `plainText`: it may be text. `sent`: the request has a body. `lacking`: the exact answer may not be at hand.
 * `runs`: a contract is run for it. `admits`: it needs headers.
 */
export function answers(schema: TSchema, facts: AnswerFacts) {
  const { missing, pages, partial, plainText, sent, lacking, runs, admits } = facts;
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
  const found = (description: string) => ({
    description,
    content: {
      ...json(description, schema).content,
      ...(plainText ? { 'text/plain': { schema: Type.String() } } : {}),
    },
    headers: {
      ETag: header('ETag'),
      'Cache-Control': header('Cache-Control'),
      ...(pages ? { Link: header('Link') } : {}),
    },
  });
  return {
    '200': found('The answer.'),
    ...(partial ? { '206': found('The part of the answer that is known here.') } : {}),
    ...(sent ? {} : { '304': { description: 'Unchanged since the answer with the tag in `If-None-Match`.' } }),
    '400': refusal('BadRequest'),
    '401': refusal('InvalidCredentials'),
    ...(missing ? { '404': refusal('NotFound') } : {}),
    ...(admits ? { '406': refusal('NotAcceptable') } : {}),
    ...(sent ? { '413': refusal('BodyTooLarge'), '415': refusal('UnknownMediaType') } : {}),
    ...(runs ? { '429': refusal('TooManyRuns') } : {}),
    '431': refusal('HeadTooLarge'),
    '500': refusal('InternalError'),
    ...(lacking || runs ? { '501': refusal('NotImplemented') } : {}),
    '503': refusal('Unavailable'),
  };
}

export function json(description: string, schema: TSchema) {
  return { description, content: { 'application/json': { schema } } };
}

const error = reference('Error');
/** Answers of the health operations. */
export const health = reference('Health');

export const sharedSchemas: Readonly<Record<string, TSchema>> = {
  Error: Type.Object({
    _status: Type.Object({
      messages: Type.Array(
        Type.Object({
          message: Type.String(),
          detail: Type.Optional(Type.String()),
          data: Type.Optional(Type.String()),
        }),
        {
          minItems: 1,
        },
      ),
    }),
  }),
  Health: Type.Object({
    status: word(['ok', 'error']).schema,
    reason: Type.Optional(Type.String()),
    warning: Type.Optional(Type.String()),
  }),
};

function refusal(name: keyof typeof refusals) {
  return { $ref: `#/components/responses/${name}` };
}

export const refusals = {
  BadRequest: json('Path or query is invalid; one message for each error.', error),
  InvalidCredentials: json('The Basic credentials are wrong.', error),
  NotFound: json('There is no such thing, or there was none at that time.', error),
  BodyTooLarge: json('The body is larger than anything that is taken here.', error),
  UnknownMediaType: json('The body is of another media type.', error),
  NotImplemented: json('The exact answer to this cannot be given here; the message names what.', error),
  NotAcceptable: json('The client does not take compressed answers.', error),
  TooManyRuns: json('More contracts are to be run than may be in a second.', error),
  HeadTooLarge: json('Path, query and headers together are longer than 16 KiB.', error),
  InternalError: json('Internal error of the server.', error),
  Unavailable: json('The database does not answer.', error),
};

export const headers = {
  ETag: { description: 'Weak tag of the body, for `If-None-Match`.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the answer may be kept.', schema: { type: 'string' } },
  Link: { description: '`links.next`, with `rel="next"`; absent on the last page.', schema: { type: 'string' } },
};
