// `POST /`: the oldest name of `POST /verify`, which plugins of tools still use. Ethereum clients send JSON-RPC there;
// they get the same refusal as without verification, and so does everything else.

import type { FastifyInstance } from 'fastify';
import { isJsonObject } from '../../../kit/is-json-object.ts';
import { isJsonType } from '../../../web-server/json-type.ts';
import { refuse } from '../../../web-server/request-error.ts';
import type { Answer } from '../../../web-server/route.ts';
import { writeAnswer } from '../../../web-server/write-answer.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import { toJsonAnswer } from '../add-route-table.ts';
import type { BodyAllowance } from '../body-allowance.ts';
import { sourcesBody } from '../body-limits.ts';
import { addFormParser, parseJsonBody, refuseEncodings } from '../body-parsers.ts';
import { clientOf } from '../request-parts.ts';
import { sendVerificationError } from '../verification-error-body.ts';
import { readUpload, toUpload } from './read-upload.ts';
import { type V1RoutesOptions, v1Statuses } from './v1-context.ts';
import { verifyFiles } from './verify-files.ts';

export function addRootRoute(app: FastifyInstance, options: V1RoutesOptions, takeAllowance: BodyAllowance): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => {
      // Of the frame around: it refuses in its own form.
      if (error === notServed) throw refuse('notFound');
      sendVerificationError(reply, error, v1Statuses);
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    await addFormParser(scope);
    refuseEncodings(scope);
    scope.post('/', { bodyLimit: sourcesBody, onRequest: takeAllowance }, async (request, reply) => {
      const body = request.isMultipart()
        ? null
        : readRootBody(options.otherCalls, request.body, isJsonType(request.headers['content-type'] ?? ''));
      if (body && 'refusal' in body) {
        await writeAnswer(request, reply, body.refusal);
        return reply;
      }
      const upload = body ? toUpload(body.members) : await readUpload(request);
      await writeAnswer(request, reply, toJsonAnswer(await verifyFiles(options, upload, clientOf(request))));
      return reply;
    });
  });
}

const notServed = new Error('nothing is served here');

/** Text that is no JSON is a mistake only where JSON was promised. */
function readRootBody(
  { maxBytes, refuse }: V1RoutesOptions['otherCalls'],
  body: unknown,
  isJson: boolean,
): { refusal: Answer } | { members: unknown } {
  if (!Buffer.isBuffer(body)) throw notServed;
  const refusal = body.length <= maxBytes ? refuse(body) : null;
  if (refusal) return { refusal };
  const members = body.includes('{') ? readJson(body.toString('utf8'), isJson) : null;
  if (!isJsonObject(members) || 'jsonrpc' in members) throw notServed;
  if (!['address', 'chain', 'chainId', 'files'].some((name) => Object.hasOwn(members, name))) throw notServed;
  if (!isJson) throw new VerificationError('unsupported_media_type', 'Send the members as application/json, or a form');
  return { members };
}

function readJson(text: string, isJson: boolean): unknown {
  try {
    return parseJsonBody(text);
  } catch (error) {
    throw isJson ? error : notServed;
  }
}
