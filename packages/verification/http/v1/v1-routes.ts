// Sourcify's first API: checks that a request waits for, which contracts are verified, and their files. Its errors are
// one sentence under two names.
import type { FastifyInstance } from 'fastify';
import type { Describe } from '../../../web-server/operation.ts';
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
import * as checks from './check-operations.ts';
import * as files from './file-operations.ts';
import { listAddresses, listAllAddresses } from './list-addresses.ts';
import { readUpload } from './read-upload.ts';
import { addRefusedRoutes } from './refused-routes.ts';
import { listContents, listTree, sendFile } from './repository-routes.ts';
import { addRootRoute } from './root-route.ts';
import { type V1Request, type V1RoutesOptions, v1Statuses } from './v1-context.ts';
import { verifyFiles, verifySolcJson } from './verify-files.ts';

export const v1Routes: readonly Route[] = [
  {
    method: 'POST',
    url: '/verify',
    bodyLimit: sourcesBody,
    run: async (options, request) => verifyFiles(options, await readUpload(request), clientOf(request)),
    describe: checks.checkFiles,
  },
  {
    method: 'POST',
    url: '/verify/solc-json',
    bodyLimit: sourcesBody,
    run: async (options, request) => verifySolcJson(options, await readUpload(request), clientOf(request)),
    describe: checks.checkSolcJson,
  },
  {
    method: 'POST',
    url: '/verify/etherscan',
    bodyLimit: smallBody,
    run: verifyRecord,
    describe: checks.checkRecord,
  },
  get('/check-by-addresses', checkAddresses('perfect'), checks.lookUpPerfect),
  get('/checkByAddresses', checkAddresses('perfect')),
  get('/check-all-by-addresses', checkAddresses('any'), checks.lookUpAny),
  get('/checkAllByAddresses', checkAddresses('any')),
  get('/files/any/:chain/:address', listContents('any'), files.files),
  get('/files/:chain/:address', listContents('full'), files.perfectFiles),
  get('/files/tree/any/:chain/:address', listTree('any'), files.fileTree),
  get('/files/tree/:chain/:address', listTree('full'), files.perfectFileTree),
  get('/files/contracts/:chain', listAllAddresses, files.allContracts),
  get('/files/contracts/any/:chain', listAddresses('any'), files.anyContracts),
  get('/files/contracts/full/:chain', listAddresses('full'), files.fullContracts),
  get('/files/contracts/partial/:chain', listAddresses('partial'), files.partialContracts),
  get('/repository/contracts/:match/:chain/:address/*', sendFile, files.oneFile),
  get('/repo-ui/:chain/:address', ({ showRepoPage }, request) => showRepoPage(request)),
];

type Route = TableRoute<V1RoutesOptions, V1Request, JsonAnswer | { answer: Answer }>;

function get(url: string, run: Route['run'], describe?: Describe): Route {
  return { method: 'GET', url, run, ...(describe && { describe }) };
}

export function addV1Routes(app: FastifyInstance, options: V1RoutesOptions, takeAllowance: BodyAllowance): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => sendVerificationError(reply, error, v1Statuses));
    await addBodyParsers(scope);
    addRouteTable(scope, v1Routes, { options, takeAllowance });
    addRefusedRoutes(scope);
  });
  addRootRoute(app, options, takeAllowance);
}

async function verifyRecord({ verifyExplorer }: V1RoutesOptions, request: V1Request): Promise<JsonAnswer> {
  const asked = await readRecordRequest(request);
  return answerCheck(await verifyExplorer.verify({ ...asked, client: clientOf(request) }));
}
