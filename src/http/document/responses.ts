// What an operation can answer: its body, or one of the refusals that all of them share.
import { reference } from './value-schemas.ts';

/** `missing`: what is asked for may not be there. `pages`: the answer may go on on another page. */
export function answers(schema: string, { missing = false, pages = false }: { missing?: boolean; pages?: boolean }) {
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
  return {
    '200': {
      ...json('The answer.', schema),
      headers: {
        ETag: header('ETag'),
        'Cache-Control': header('Cache-Control'),
        ...(pages ? { Link: header('Link') } : {}),
      },
    },
    '304': { description: 'Still what `If-None-Match` says.' },
    '400': refusal('BadRequest'),
    '401': refusal('InvalidCredentials'),
    ...(missing ? { '404': refusal('NotFound') } : {}),
    '431': refusal('HeadTooLarge'),
    '500': refusal('InternalError'),
    '503': refusal('Unavailable'),
  };
}

export function json(description: string, schema: string) {
  return { description, content: { 'application/json': { schema: reference(schema) } } };
}

function refusal(name: keyof typeof refusals) {
  return { $ref: `#/components/responses/${name}` };
}

export const refusals = {
  BadRequest: json('Path or query cannot be understood; one message for each complaint.', 'Error'),
  InvalidCredentials: json('Basic credentials were sent that belong to nobody.', 'Error'),
  NotFound: json('There is no such thing, or there was not at that time.', 'Error'),
  HeadTooLarge: json('Path, query and headers together are longer than 16 KiB.', 'Error'),
  InternalError: json('Our fault.', 'Error'),
  Unavailable: json('The database does not answer.', 'Error'),
};

export const headers = {
  ETag: { description: 'Weak tag of the body, for `If-None-Match`.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the answer may be kept.', schema: { type: 'string' } },
  Link: { description: '`links.next`, with `rel="next"`; absent on the last page.', schema: { type: 'string' } },
};
