// Etherscan's API, for tools that know no other: `/api` as each explorer has it, and `/v2/api`, one for all chains. The
// calls of the module `contract` only.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { writeAnswer } from '../../web-server/write-answer.ts';
import { createBodyAllowance } from '../http/body-allowance.ts';
import { addBodyParsers } from '../http/body-parsers.ts';
import { askInTurn, clientOf } from '../http/request-parts.ts';
import { logFault, toVerificationError } from '../http/verification-error-body.ts';
import { runAction } from './etherscan-actions.ts';
import { type EtherscanAnswer, refusedFor } from './etherscan-envelope.ts';
import { describeCall, describeSubmission } from './etherscan-operations.ts';
import type { EtherscanOptions } from './find-place.ts';
import { hasCall, readCall } from './read-call.ts';

export type EtherscanRoutesOptions = EtherscanOptions & {
  /** Answers a GET of `/api` that is no call: a person looks at it. */
  showPage(request: FastifyRequest, reply: FastifyReply): unknown;
};

/** Standard JSON in bytes; a form of it is longer, because it escapes every quote. */
const maxBodyBytes = 15_000_000;

/** `/v2/api` takes and gives the same. */
export const etherscanRoutes = [
  { method: 'GET', url: '/api', describe: describeCall },
  { method: 'POST', url: '/api', describe: describeSubmission },
  { method: 'GET', url: '/v2/api' },
  { method: 'POST', url: '/v2/api' },
] as const;

export function addEtherscanRoutes(app: FastifyInstance, { showPage, ...options }: EtherscanRoutesOptions): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => write(request, reply, refuseFor(request, error)));
    await addBodyParsers(scope);
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    const onRequest = createBodyAllowance({ bytes: 2 * maxBodyBytes, bodyLimit: maxBodyBytes, timeoutMs: 60_000 });
    for (const { method, url } of etherscanRoutes) {
      if (method === 'POST') scope.post(url, { bodyLimit: maxBodyBytes, onRequest }, answer);
      else scope.get(url, (request, reply) => (hasCall(request) ? answer(request, reply) : showPage(request, reply)));
    }
  });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return write(request, reply, await answerEtherscanCall(options, request));
  }
}

/** Never throws: every failure is an answer. */
async function answerEtherscanCall(options: EtherscanOptions, request: FastifyRequest): Promise<EtherscanAnswer> {
  try {
    const members = await readCall(request);
    const isSent = request.method === 'POST';
    const work = () => runAction({ members, isSent, client: clientOf(request), options });
    return await (isSent ? work() : askInTurn(request, work));
  } catch (error) {
    return refuseFor(request, error);
  }
}

function refuseFor(request: FastifyRequest, error: unknown): EtherscanAnswer {
  const known = toVerificationError(error);
  if (known.status >= 500 && known.code !== 'compiler_not_available') logFault(request.log, known, error);
  return refusedFor(known);
}

async function write(request: FastifyRequest, reply: FastifyReply, answer: EtherscanAnswer): Promise<FastifyReply> {
  const { status, retryAfterSeconds, body } = answer;
  await writeAnswer(request, reply, { status, retryAfterSeconds, body: JSON.stringify(body) });
  return reply;
}
