// Sourcify's first API: checks that a request waits for, which contracts are verified, and their files. Its errors are one
// sentence under two names.
import type { FastifyInstance } from 'fastify';
import type { Answer } from '../../frame/route.ts';
import { writeAnswer } from '../../frame/write-answer.ts';
import type { BodyAllowance } from '../body-allowance.ts';
import { addBodyParsers } from '../body-parsers.ts';
import { readRecordRequest } from '../read-record-request.ts';
import { sendVerificationError } from '../verification-error-body.ts';
import { answerCheck } from './answer-checked.ts';
import { checkAddresses } from './check-addresses.ts';
import { listAddresses, listAllAddresses } from './list-addresses.ts';
import { readUpload, uploadLimit } from './read-upload.ts';
import { showRepoPage } from './repo-page.ts';
import { listContents, listTree, sendFile } from './repository-routes.ts';
import { addRootRoute } from './root-route.ts';
import { clientOf, toAnswer, type V1Answer, type V1Request, type V1RoutesOptions, v1Statuses } from './v1-context.ts';
import { verifyFiles, verifySolcJson } from './verify-files.ts';

type V1Route = {
  method: 'GET' | 'POST';
  url: string;
  bodyLimit?: number;
  run(options: V1RoutesOptions, request: V1Request): Promise<V1Answer | { answer: Answer }>;
};

const smallBody = 65_536;

const routes: V1Route[] = [
  {
    method: 'POST',
    url: '/verify',
    bodyLimit: uploadLimit,
    run: async (options, request) => verifyFiles(options, await readUpload(request), clientOf(request)),
  },
  {
    method: 'POST',
    url: '/verify/solc-json',
    bodyLimit: uploadLimit,
    run: async (options, request) => verifySolcJson(options, await readUpload(request), clientOf(request)),
  },
  { method: 'POST', url: '/verify/etherscan', bodyLimit: smallBody, run: verifyRecord },
  { method: 'GET', url: '/check-by-addresses', run: checkAddresses('perfect') },
  { method: 'GET', url: '/checkByAddresses', run: checkAddresses('perfect') },
  { method: 'GET', url: '/check-all-by-addresses', run: checkAddresses('any') },
  { method: 'GET', url: '/checkAllByAddresses', run: checkAddresses('any') },
  { method: 'GET', url: '/files/contracts/:chain', run: listAllAddresses },
  { method: 'GET', url: '/files/contracts/any/:chain', run: listAddresses('any') },
  { method: 'GET', url: '/files/contracts/full/:chain', run: listAddresses('full') },
  { method: 'GET', url: '/files/contracts/partial/:chain', run: listAddresses('partial') },
  { method: 'GET', url: '/files/tree/any/:chain/:address', run: listTree('any') },
  { method: 'GET', url: '/files/tree/:chain/:address', run: listTree('full') },
  { method: 'GET', url: '/files/any/:chain/:address', run: listContents('any') },
  { method: 'GET', url: '/files/:chain/:address', run: listContents('full') },
  { method: 'GET', url: '/repository/contracts/:match/:chain/:address/*', run: sendFile },
  { method: 'GET', url: '/repo-ui/:chain/:address', run: showRepoPage },
];

export function addV1Routes(app: FastifyInstance, options: V1RoutesOptions, takeAllowance: BodyAllowance): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => sendVerificationError(reply, error, v1Statuses));
    await addBodyParsers(scope);
    for (const { method, url, bodyLimit, run } of routes) {
      scope.route({
        method,
        url,
        ...(bodyLimit !== undefined && { bodyLimit }),
        ...(bodyLimit === uploadLimit && { onRequest: takeAllowance }),
        async handler(request: V1Request, reply) {
          const answered = await run(options, request);
          await writeAnswer(request, reply, 'answer' in answered ? answered.answer : toAnswer(answered));
          return reply;
        },
      });
    }
  });
  addRootRoute(app, options, takeAllowance);
}

async function verifyRecord({ verifyExplorer }: V1RoutesOptions, request: V1Request): Promise<V1Answer> {
  const asked = await readRecordRequest(request);
  return answerCheck(await verifyExplorer.verify({ ...asked, client: clientOf(request) }));
}
