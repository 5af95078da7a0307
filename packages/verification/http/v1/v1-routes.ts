// Sourcify's first API: checks that a request waits for, which contracts are verified, and their files. Its errors are one
// sentence under two names.
import type { FastifyInstance } from 'fastify';
import type { Answer } from '../../../web-server/route.ts';
import { addRouteTable, type JsonAnswer, type TableRoute } from '../add-route-table.ts';
import type { BodyAllowance } from '../body-allowance.ts';
import { smallBody, sourcesBody } from '../body-limits.ts';
import { addBodyParsers } from '../body-parsers.ts';
import { readRecordRequest } from '../read-record-request.ts';
import { clientOf } from '../request-parts.ts';
import { sendVerificationError } from '../verification-error-body.ts';
import { answerCheck } from './answer-checked.ts';
import { checkAddresses } from './check-addresses.ts';
import { listAddresses, listAllAddresses } from './list-addresses.ts';
import { readUpload } from './read-upload.ts';
import { listContents, listTree, sendFile } from './repository-routes.ts';
import { addRootRoute } from './root-route.ts';
import { type V1Request, type V1RoutesOptions, v1Statuses } from './v1-context.ts';
import { verifyFiles, verifySolcJson } from './verify-files.ts';

const routes: TableRoute<V1RoutesOptions, V1Request, JsonAnswer | { answer: Answer }>[] = [
  {
    method: 'POST',
    url: '/verify',
    bodyLimit: sourcesBody,
    run: async (options, request) => verifyFiles(options, await readUpload(request), clientOf(request)),
  },
  {
    method: 'POST',
    url: '/verify/solc-json',
    bodyLimit: sourcesBody,
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
  { method: 'GET', url: '/repo-ui/:chain/:address', run: ({ showRepoPage }, request) => showRepoPage(request) },
];

export function addV1Routes(app: FastifyInstance, options: V1RoutesOptions, takeAllowance: BodyAllowance): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => sendVerificationError(reply, error, v1Statuses));
    await addBodyParsers(scope);
    addRouteTable(scope, routes, { options, takeAllowance });
  });
  addRootRoute(app, options, takeAllowance);
}

async function verifyRecord({ verifyExplorer }: V1RoutesOptions, request: V1Request): Promise<JsonAnswer> {
  const asked = await readRecordRequest(request);
  return answerCheck(await verifyExplorer.verify({ ...asked, client: clientOf(request) }));
}
