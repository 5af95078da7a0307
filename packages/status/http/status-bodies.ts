// What the status service takes as a body: JSON, or none. Clients name a type of bodies that they do not send, with
// DELETE above
// all: an empty body is none, of whatever type.
import type { FastifyInstance } from 'fastify';

/** The body is undefined where there is none. */
export function addStatusBodyParsers(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, body, done);
  });
  app.addContentTypeParser<string>('*', { parseAs: 'string' }, (_request, body, done) => {
    done(body === '' ? null : notJson(), undefined);
  });
}

function notJson(): Error {
  return Object.assign(new Error('The body must be JSON, sent as application/json.'), { statusCode: 415 });
}
