// Which bodies the verification routes take: JSON within limits, and forms; nothing that is packed.
import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { parseModestJson } from '../../verification/terms/modest-json.ts';
import { VerificationError } from '../../verification/terms/verification-error.ts';

export async function addBodyParsers(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseModestJson(body as string));
    } catch (error) {
      done(new VerificationError('invalid_json', (error as Error).message), undefined);
    }
  });
  await scope.register(multipart, {
    limits: { fields: 20, files: 10, parts: 30, fieldSize: 4096, fieldNameSize: 100, fileSize: 1_000_000 },
  });
  scope.addHook('onRequest', async ({ headers }) => {
    const encoding = headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') return;
    const message = `unsupported content encoding ${encoding.slice(0, 50)}: send the body as it is`;
    throw new VerificationError('unsupported_media_type', message);
  });
}
