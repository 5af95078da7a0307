// Contract verification over HTTP: the operation itself, and lookups and jobs in the shape that Sourcify's tools know.
// Its bodies, errors and limits differ from those of other routes; no more of a request is held in memory than its
// route needs.
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Answer as ServerAnswer } from '../../web-server/route.ts';
import type { ContractLookup } from '../contract-lookup.ts';
import { type ChainRegistry, resolveAddress, resolveContract, unknownChain } from '../registry/chain-registry.ts';
import type { SignatureLookup } from '../signature-lookup.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { VerificationJobs } from '../verification-jobs.ts';
import type { VerifyExplorer } from '../verify-explorer.ts';
import { type JsonAnswer as Answer, addRouteTable, type TableRoute } from './add-route-table.ts';
import type { BodyAllowance } from './body-allowance.ts';
import { smallBody, sourcesBody } from './body-limits.ts';
import { addBodyParsers } from './body-parsers.ts';
import { describeExplorerCheck } from './explorer-check-operation.ts';
import { isSelected, parseFieldSelection, selectFields } from './field-selection.ts';
import { formatJob } from './job-body.ts';
import { resolveProxy } from './proxy-body.ts';
import { optionalText, readBody } from './read-body.ts';
import { readCreationHash, readMetadataRequest } from './read-metadata-request.ts';
import { readRecordRequest } from './read-record-request.ts';
import { readSourcesRequest } from './read-sources-request.ts';
import { clientOf, queryOf } from './request-parts.ts';
import { answerSignatures } from './signature-answer.ts';
import { sendVerificationError } from './verification-error-body.ts';
import * as operations from './verification-operations.ts';
import { formatDetails, formatSummary, formatUnverified } from './verified-contract-body.ts';

export type VerificationRoutesOptions = {
  registry: ChainRegistry;
  verifyExplorer: VerifyExplorer;
  jobs: VerificationJobs;
  lookup: ContractLookup;
  signatures: SignatureLookup;
  /** Of the program that serves these. */
  version: string;
};

type Request = FastifyRequest<{ Params: { chainId: string; address: string; verificationId: string } }>;

const maxPageSize = 200;

type Route = TableRoute<VerificationRoutesOptions, Request, Answer>;

export const contractRoutes: readonly Route[] = [
  { method: 'POST', url: '/verify/explorer', bodyLimit: smallBody, run: checkNow, describe: describeExplorerCheck },
  {
    method: 'GET',
    url: '/v2/contract/:chainId/:address',
    run: findContract,
    describe: operations.findContract,
  },
  {
    method: 'GET',
    url: '/v2/contract/all-chains/:address',
    run: findOnAllChains,
    describe: operations.findOnAllChains,
  },
  { method: 'GET', url: '/v2/contracts/:chainId', run: listContracts, describe: operations.listContracts },
  {
    method: 'POST',
    url: '/v2/verify/:chainId/:address',
    bodyLimit: sourcesBody,
    run: startSourcesCheck,
    describe: operations.checkSources,
  },
  {
    method: 'POST',
    url: '/v2/verify/etherscan/:chainId/:address',
    bodyLimit: smallBody,
    run: startExplorerCheck,
    describe: operations.checkRecord,
  },
  {
    method: 'POST',
    url: '/v2/verify/metadata/:chainId/:address',
    bodyLimit: sourcesBody,
    run: startMetadataCheck,
    describe: operations.checkMetadata,
  },
  {
    method: 'POST',
    url: '/v2/verify/similarity/:chainId/:address',
    bodyLimit: smallBody,
    run: startSimilarityCheck,
    describe: operations.checkSimilar,
  },
  { method: 'GET', url: '/v2/verify/:verificationId', run: findJob, describe: operations.findCheck },
  {
    method: 'GET',
    url: '/signature-database/v1/lookup',
    run: ({ signatures }, request) => answerSignatures(signatures, queryOf(request)),
    describe: operations.lookUpSignatures,
  },
];

/** Of a server as a whole; tools ask them before they begin. */
const serverRoutes: readonly (Route | TableRoute<VerificationRoutesOptions, Request, { answer: ServerAnswer }>)[] = [
  {
    method: 'GET',
    url: '/health',
    run: async () => ({
      answer: { status: 200, body: 'Alive and kicking!', contentType: 'text/plain; charset=utf-8' },
    }),
  },
  { method: 'GET', url: '/version', run: async ({ version }) => ({ body: formatVersions(version) }) },
];

export const chainRoutes: readonly Route[] = [
  { method: 'GET', url: '/chains', run: listChains, describe: operations.listChains },
];

export function addVerificationRoutes(
  app: FastifyInstance,
  options: VerificationRoutesOptions,
  takeAllowance: BodyAllowance,
): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => sendVerificationError(reply, error));
    await addBodyParsers(scope);
    addRouteTable(scope, [...contractRoutes, ...chainRoutes, ...serverRoutes], { options, takeAllowance });
    // Before a body is read.
    const onRequest = async ({ method, url }: FastifyRequest) => {
      const message = `There is no ${method} ${url.replace(/[?#].*/s, '').slice(0, 200)}`;
      throw new VerificationError('route_not_found', message);
    };
    scope.route({ method: ['GET', 'POST'], url: '/v2/*', onRequest, handler: () => {} });
  });
}

async function checkNow({ verifyExplorer }: VerificationRoutesOptions, request: Request): Promise<Answer> {
  const asked = await readRecordRequest(request);
  const check = await verifyExplorer.verify({ ...asked, client: clientOf(request) });
  return { body: { result: [check] } };
}

/** As Sourcify; its clients wait for the job that they have. Requests for an explorer's record share one check. */
const refusesTwins = true;

async function startExplorerCheck({ jobs }: VerificationRoutesOptions, request: Request): Promise<Answer> {
  // A body is needed only for a key.
  const apiKey = request.body === undefined ? undefined : optionalText(await readBody(request), 'apiKey');
  const asked = { ...request.params, apiKey: apiKey || undefined, client: clientOf(request) };
  return { status: 202, body: { verificationId: await jobs.checkExplorerRecord(asked) } };
}

async function startSourcesCheck({ jobs }: VerificationRoutesOptions, request: Request): Promise<Answer> {
  const sources = readSourcesRequest(await readBody(request));
  const verificationId = await jobs.checkSources({
    ...request.params,
    ...sources,
    client: clientOf(request),
    refusesTwins,
  });
  return { status: 202, body: { verificationId } };
}

async function startMetadataCheck({ jobs }: VerificationRoutesOptions, request: Request): Promise<Answer> {
  const read = readMetadataRequest(await readBody(request));
  const verificationId = await jobs.checkMetadata({
    ...request.params,
    ...read,
    client: clientOf(request),
    refusesTwins,
  });
  return { status: 202, body: { verificationId } };
}

async function startSimilarityCheck({ jobs }: VerificationRoutesOptions, request: Request): Promise<Answer> {
  // A body is needed only for a transaction.
  const creationTransactionHash = request.body === undefined ? undefined : readCreationHash(await readBody(request));
  const asked = { ...request.params, creationTransactionHash, client: clientOf(request) };
  return { status: 202, body: { verificationId: await jobs.checkSimilar({ ...asked, refusesTwins }) } };
}

async function findJob({ jobs }: VerificationRoutesOptions, { params }: Request): Promise<Answer> {
  const { verificationId } = params;
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(verificationId)) {
    throw invalid(`The verificationId ${verificationId.slice(0, 100)} is not a UUID.`);
  }
  const job = await jobs.find(verificationId.toLowerCase());
  if (job) return { body: formatJob(job) };
  throw new VerificationError('job_not_found', `No verification job has the id ${verificationId}.`);
}

async function findContract({ registry, lookup }: VerificationRoutesOptions, request: Request): Promise<Answer> {
  const { chain, address } = resolveContract(registry, request.params.chainId, request.params.address);
  const selection = parseFieldSelection(queryOf(request));
  const found = await lookup.find(chain, address);
  if (!found) return { status: 404, body: formatUnverified(chain.chainId, address) };
  const { contract, similarTo } = found;
  const summary = { ...formatSummary(contract), ...(similarTo && { similarTo: formatSummary(similarTo) }) };
  if (selection.kind === 'short') return { body: summary };
  const details = await lookup.details(found);
  const wantsProxy = isSelected(selection, 'proxyResolution');
  const proxy = wantsProxy ? await resolveProxy(lookup, chain, address) : undefined;
  const whole = {
    ...summary,
    ...(details && formatDetails(details, proxy)),
    ...(similarTo && { deployment: null }),
  };
  return { body: selectFields(whole, selection) };
}

async function findOnAllChains({ lookup }: VerificationRoutesOptions, { params }: Request): Promise<Answer> {
  const results = (await lookup.onAllChains(resolveAddress(params.address))).map(formatSummary);
  return { status: results.length > 0 ? 200 : 404, body: { results } };
}

async function listContracts({ registry, lookup }: VerificationRoutesOptions, request: Request): Promise<Answer> {
  const { chainId } = request.params;
  const chain = registry.find(chainId);
  if (!chain) throw unknownChain(chainId);
  const page = readPage(queryOf(request));
  return { body: { results: (await lookup.page(chain, page)).map(formatSummary) } };
}

/** Of Sourcify's library, as it is installed; null = it does not say. A packed program has no manifests of its own parts. */
function readLibraryVersion(): string | null {
  const path = findPackageJSON('@ethereum-sourcify/lib-sourcify', import.meta.url);
  return path === undefined ? null : (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

/** In Sourcify's members; null: what is not its own here. */
function formatVersions(version: string) {
  return {
    sourcifyServerVersion: version,
    libSourcifyVersion: readLibraryVersion(),
    sourcifyCompilersVersion: null,
    bytecodeUtilsVersion: null,
    gitCommitHash: null,
  };
}

async function listChains({ registry }: VerificationRoutesOptions): Promise<Answer> {
  const chains = registry.list().map(({ chainId, name, bytecode, explorers }) => ({
    name,
    chainId: Number(chainId),
    supported: true,
    etherscanAPI: explorers.length > 0,
    bytecode: bytecode.kind,
    explorers: explorers.map((explorer) => ({ kind: explorer.kind, name: explorer.name })),
  }));
  return { body: chains };
}

function readPage(query: URLSearchParams) {
  const order = query.get('sort') ?? 'desc';
  const limit = query.get('limit') ?? String(maxPageSize);
  const after = query.get('afterMatchId');
  if (order !== 'asc' && order !== 'desc') throw invalid('sort must be asc or desc');
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > maxPageSize) {
    throw invalid(`limit must be a whole number from 1 to ${maxPageSize}`);
  }
  if (after !== null && !/^\d{1,18}$/.test(after)) throw invalid('afterMatchId must be the matchId of a contract');
  return { order, limit: Number(limit), afterId: after === null ? null : BigInt(after) } as const;
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
