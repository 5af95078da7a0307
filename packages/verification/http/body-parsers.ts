// What the verification routes accept as a body: JSON of modest depth and size, and forms; nothing that has to be
// unpacked.
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { parseModestJson } from '../terms/modest-json.ts';
import { VerificationError } from '../terms/verification-error.ts';

export async function addBodyParsers(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    // Clients name the type of a body that they do not send.
    if (body === '') return done(null, undefined);
    try {
      done(null, parseJsonBody(body as string));
    } catch (error) {
      done(error as VerificationError, undefined);
    }
  });
  await addFormParser(scope);
  refuseEncodings(scope);
}

export async function addFormParser(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, {
    limits: { fields: 20, files: 10, parts: 30, fieldSize: 4096, fieldNameSize: 100, fileSize: 1_000_000 },
  });
}

/** Throws the VerificationError of text that is no JSON, or too deep, or too much of it. */
export function parseJsonBody(body: string): unknown {
  try {
    return parseModestJson(body);
  } catch (error) {
    throw new VerificationError('invalid_json', (error as Error).message);
  }
}

export function refuseEncodings(scope: FastifyInstance): void {
  scope.addHook('onRequest', async ({ headers }) => {
    const encoding = headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') return;
    const message = `unsupported content encoding ${encoding.slice(0, 50)}: send the body as it is`;
    throw new VerificationError('unsupported_media_type', message);
  });
}
