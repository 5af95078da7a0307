// The routes of Sourcify's first API that verification dialogs of explorers use: files are collected in a session,
// whose contracts are then checked, first without keeping the result and then for good.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from '../../../kit/is-json-object.ts';
import type { Describe } from '../../../web-server/operation.ts';
import { findSessionOrigin, formatSessionCors, type SessionOrigin } from '../../../web-server/session-origin.ts';
import type { InputFile } from '../../metadata/sort-files.ts';
import { resolveContract } from '../../registry/chain-registry.ts';
import type { CheckSession } from '../../sessions/check-session.ts';
import type { FindMetadata } from '../../sessions/find-metadata.ts';
import type { Session } from '../../sessions/session.ts';
import { withFiles } from '../../sessions/session-contracts.ts';
import type { Sessions } from '../../sessions/session-store.ts';
import { VerificationError } from '../../terms/verification-error.ts';
import type { BodyAllowance } from '../body-allowance.ts';
import { sourcesBody } from '../body-limits.ts';
import { addBodyParsers } from '../body-parsers.ts';
import { readBody, requireChainId, requireText, wrongType } from '../read-body.ts';
import { clientOf, queryOf } from '../request-parts.ts';
import { sendVerificationError } from '../verification-error-body.ts';
import { readContract } from './read-contract.ts';
import { readUpload } from './read-upload.ts';
import { formatSession } from './session-body.ts';
import { formatSessionCookie, readSessionId } from './session-cookie.ts';
import {
  addContractOperation,
  addFilesOperation,
  checkContractsOperation,
  clearOperation,
  findOperation,
} from './session-operations.ts';
import { type V1RoutesOptions, v1Statuses } from './v1-context.ts';

export type SessionRoutesOptions = Pick<V1RoutesOptions, 'registry'> & {
  sessions: Sessions;
  checkSession: CheckSession;
  findMetadata: FindMetadata;
  /** Origins of pages on other sites that may use sessions. */
  sessionOrigins: readonly string[];
};

type Run = (options: SessionRoutesOptions, request: FastifyRequest) => Promise<Session | null>;

type SessionRoute = { method: 'GET' | 'POST'; url: string; run: Run; describe?: Describe };

const routes: readonly SessionRoute[] = [
  { method: 'POST', url: '/session/input-files', run: addFiles, describe: addFilesOperation },
  { method: 'POST', url: '/input-files', run: addFiles },
  { method: 'POST', url: '/session/input-contract', run: addContract, describe: addContractOperation },
  { method: 'POST', url: '/session/verify-checked', run: checkContracts, describe: checkContractsOperation },
  { method: 'POST', url: '/session/verify-validated', run: checkContracts },
  { method: 'POST', url: '/verify-validated', run: checkContracts },
  { method: 'GET', url: '/session/data', run: async (...asked) => find(...asked), describe: findOperation },
  { method: 'GET', url: '/session-data', run: async (...asked) => find(...asked) },
];

const endingRoutes = [
  { method: 'POST', url: '/session/clear', describe: clearOperation },
  { method: 'POST', url: '/restart-session' },
] as const;

export const sessionRoutes = [...routes, ...endingRoutes];

/** Of the cookie, from each answer on. Sessions end half an hour after they were last used. */
const cookieSeconds = 1800;
const maxContracts = 1000;

export function addSessionRoutes(
  app: FastifyInstance,
  options: SessionRoutesOptions,
  takeAllowance: BodyAllowance,
): void {
  const originOf = (request: FastifyRequest) => findSessionOrigin(request, options.sessionOrigins);
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => sendVerificationError(reply, error, v1Statuses));
    // After everything else, which knows no origins.
    scope.addHook('onSend', async (request, reply, payload) => {
      setCors(reply, originOf(request));
      return payload;
    });
    await addBodyParsers(scope);
    for (const { method, url, run } of routes) {
      scope.route({
        method,
        url,
        ...(method === 'POST' && { bodyLimit: sourcesBody, onRequest: takeAllowance }),
        async handler(request, reply) {
          const session = await run(options, request);
          if (session) setCookie(request, reply, { id: session.id, seconds: cookieSeconds, origin: originOf(request) });
          return send(reply, 'application/json', JSON.stringify(formatSession(session)));
        },
      });
    }
    for (const { url } of endingRoutes) {
      scope.post(url, { bodyLimit: 1000 }, async (request, reply) => {
        const id = readSessionId(request);
        if (id !== null) options.sessions.close(id);
        setCookie(request, reply, { id: '', seconds: 0, origin: originOf(request) });
        return send(reply, 'text/plain', 'Session successfully cleared');
      });
    }
  });
}

function find({ sessions }: SessionRoutesOptions, request: FastifyRequest): Session | null {
  const id = readSessionId(request);
  return id === null ? null : sessions.find(id);
}

async function addFiles(options: SessionRoutesOptions, request: FastifyRequest): Promise<Session> {
  if (queryOf(request).has('url')) throw invalid('Nothing is fetched from addresses: send the content of the files');
  const { files } = await readUpload(request);
  if (files === null) throw invalid('There should be files in the <files> field');
  if (files.length === 0) throw invalid('No files found');
  return keepFiles(options, request, files);
}

/** The files of a contract that is on the chain, as far as they are here. */
async function addContract(options: SessionRoutesOptions, request: FastifyRequest): Promise<Session> {
  const members = await readBody(request);
  const address = requireText(members, 'address');
  const files = await options.findMetadata(requireChainId(members, request.isMultipart()), address);
  return keepFiles(options, request, files);
}

async function keepFiles(
  options: SessionRoutesOptions,
  request: FastifyRequest,
  files: readonly InputFile[],
): Promise<Session> {
  const client = clientOf(request);
  const session = await withFiles(find(options, request) ?? options.sessions.open(client), files);
  options.sessions.keep(session);
  await options.checkSession(session, { client, keep: !isDryRun(request) });
  return session;
}

async function checkContracts(options: SessionRoutesOptions, request: FastifyRequest): Promise<Session> {
  const { body } = request;
  if (!isJsonObject(body)) throw wrongType('/body', 'object');
  const { contracts = [] } = body;
  if (!Array.isArray(contracts) || contracts.length > maxContracts) {
    throw invalid(`request/body/contracts must be a list of at most ${maxContracts} contracts`);
  }
  const named = contracts.map((contract, index) => readNamed(options, contract, index));
  const session = find(options, request);
  if (session === null || session.contracts.size === 0) throw invalid('There are currently no pending contracts.');
  for (const { verificationId, address, chainId, creationTransactionHash } of named) {
    const contract = session.contracts.get(verificationId);
    if (contract) Object.assign(contract, { address, chainId, creationTransactionHash });
  }
  await options.checkSession(session, { client: clientOf(request), keep: !isDryRun(request) });
  return session;
}

function readNamed({ registry }: SessionRoutesOptions, contract: unknown, index: number) {
  if (!isJsonObject(contract)) throw wrongType(`/body/contracts/${index}`, 'object');
  const named = readContract(contract);
  resolveContract(registry, named.chainId, named.address);
  return { ...named, verificationId: requireText(contract, 'verificationId') };
}

function isDryRun(request: FastifyRequest): boolean {
  const said = queryOf(request).get('dryrun');
  return said !== null && said !== '' && said !== 'false';
}

function setCors(reply: FastifyReply, origin: SessionOrigin | null): void {
  reply.header('Access-Control-Allow-Origin', '*').header('Vary', 'Origin');
  if (origin) reply.headers(formatSessionCors(origin));
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: { id: string; seconds: number; origin: SessionOrigin | null },
): void {
  reply.header('Set-Cookie', formatSessionCookie(request, cookie));
}

function send(reply: FastifyReply, type: string, body: string): FastifyReply {
  return reply
    .header('Content-Type', `${type}; charset=utf-8`)
    .header('Cache-Control', 'no-store')
    .header('X-Content-Type-Options', 'nosniff')
    .send(body);
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
