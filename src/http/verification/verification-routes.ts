// Contract verification over HTTP: the operation itself, and lookups and jobs in the shape that tools made for Sourcify
// know. Its bodies, errors and limits are its own; nothing a caller sends is held in memory beyond what its route needs.
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ContractLookup } from '../../verification/contract-lookup.ts';
import type { ChainRegistry } from '../../verification/registry/chain-registry.ts';
import { resolveAddress, resolveContract, unknownChain } from '../../verification/registry/resolve-contract.ts';
import { parseModestJson } from '../../verification/terms/modest-json.ts';
import { VerificationError } from '../../verification/terms/verification-error.ts';
import type { VerificationJobs } from '../../verification/verification-jobs.ts';
import type { VerifyExplorer } from '../../verification/verify-explorer.ts';
import { toClientNetwork } from '../frame/client-network.ts';
import { writeAnswer } from '../frame/write-answer.ts';
import { createBodyAllowance } from './body-allowance.ts';
import { parseFieldSelection, selectFields } from './field-selection.ts';
import { formatJob } from './job-body.ts';
import { optionalText, readBody, requireChainId, requireText } from './read-body.ts';
import { readSourcesRequest } from './read-sources-request.ts';
import { sendVerificationError } from './verification-error-body.ts';
import { formatDetails, formatSummary, formatUnverified } from './verified-contract-body.ts';

export type VerificationRoutesOptions = {
  registry: ChainRegistry;
  verifyExplorer: VerifyExplorer;
  jobs: VerificationJobs;
  lookup: ContractLookup;
};

/** Longest bodies, in bytes. Standard JSON of the largest projects stays below 5 MB. */
const smallBody = 65_536;
const sourcesBody = 10_000_000;
const maxPageSize = 200;

export function addVerificationRoutes(app: FastifyInstance, options: VerificationRoutesOptions): void {
  const { registry, verifyExplorer, jobs, lookup } = options;
  app.register(async (scope) => {
    scope.setErrorHandler((error, _request, reply) => sendVerificationError(reply, error));
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
      throw new VerificationError(
        'unsupported_media_type',
        `unsupported content encoding ${encoding.slice(0, 50)}: send the body as it is`,
      );
    });

    scope.post('/verify/explorer', { bodyLimit: smallBody }, async (request, reply) => {
      const members = await readBody(request);
      const address = requireText(members, 'address');
      const chainId = requireChainId(members, request.isMultipart());
      const apiKey = optionalText(members, 'apiKey') || undefined;
      return send(request, reply, 200, {
        result: [await verifyExplorer.verify({ chainId, address, apiKey, client: clientOf(request) })],
      });
    });

    scope.post<ContractPath>(
      '/v2/verify/etherscan/:chainId/:address',
      { bodyLimit: smallBody },
      async (request, reply) => {
        // A body is not needed where no key is.
        const apiKey = request.body === undefined ? undefined : optionalText(await readBody(request), 'apiKey');
        const asked = { ...request.params, apiKey: apiKey || undefined, client: clientOf(request) };
        const verificationId = await jobs.checkExplorerRecord(asked);
        return send(request, reply, 202, { verificationId });
      },
    );

    const takeAllowance = createBodyAllowance({ bytes: 4 * sourcesBody, bodyLimit: sourcesBody, timeoutMs: 60_000 });
    scope.post<ContractPath>(
      '/v2/verify/:chainId/:address',
      { bodyLimit: sourcesBody, onRequest: takeAllowance },
      async (request, reply) => {
        const sources = readSourcesRequest(await readBody(request));
        const verificationId = await jobs.checkSources({ ...request.params, ...sources, client: clientOf(request) });
        return send(request, reply, 202, { verificationId });
      },
    );

    scope.get<{ Params: { verificationId: string } }>('/v2/verify/:verificationId', async (request, reply) => {
      const { verificationId } = request.params;
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(verificationId)) {
        throw new VerificationError(
          'invalid_parameter',
          `The verificationId ${verificationId.slice(0, 100)} is not a UUID.`,
        );
      }
      const job = await jobs.find(verificationId.toLowerCase());
      if (!job) throw new VerificationError('job_not_found', `No verification job has the id ${verificationId}.`);
      return send(request, reply, 200, formatJob(job));
    });

    scope.get<ContractPath>('/v2/contract/:chainId/:address', async (request, reply) => {
      const { chain, address } = resolveContract(registry, request.params.chainId, request.params.address);
      const selection = parseFieldSelection(queryOf(request));
      const found = await lookup.find(chain, address);
      if (!found) return send(request, reply, 404, formatUnverified(chain.chainId, address));
      const summary = {
        ...formatSummary(found.contract),
        ...(found.similarTo && { similarTo: formatSummary(found.similarTo) }),
      };
      if (selection.kind === 'short') return send(request, reply, 200, summary);
      const details = await lookup.details(found);
      const whole = {
        ...summary,
        ...(details && formatDetails(details)),
        ...(found.similarTo && { deployment: null }),
      };
      return send(request, reply, 200, selectFields(whole, selection));
    });

    scope.get<{ Params: { address: string } }>('/v2/contract/all-chains/:address', async (request, reply) => {
      const address = resolveAddress(request.params.address);
      const results = (await lookup.onAllChains(address)).map(formatSummary);
      return send(request, reply, results.length > 0 ? 200 : 404, { results });
    });

    scope.get<{ Params: { chainId: string } }>('/v2/contracts/:chainId', async (request, reply) => {
      const chain = registry.find(request.params.chainId);
      if (!chain) throw unknownChain(request.params.chainId);
      const page = readPage(queryOf(request));
      return send(request, reply, 200, { results: (await lookup.page(chain, page)).map(formatSummary) });
    });

    scope.get('/chains', async (request, reply) => {
      const chains = registry.list().map(({ chainId, name, bytecode, explorers }) => ({
        name,
        chainId: Number(chainId),
        supported: true,
        etherscanAPI: explorers.length > 0,
        bytecode: bytecode.kind,
        explorers: explorers.map((explorer) => ({ kind: explorer.kind, name: explorer.name })),
      }));
      return send(request, reply, 200, chains);
    });
  });
}

/** Whose share of the queue a check takes. */
function clientOf({ ip }: FastifyRequest): string {
  return toClientNetwork(ip);
}

type ContractPath = { Params: { chainId: string; address: string } };

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: unknown,
): Promise<FastifyReply> {
  await writeAnswer(request, reply, { status, body: JSON.stringify(body) });
  return reply;
}

function queryOf({ raw }: FastifyRequest): URLSearchParams {
  return new URL(raw.url ?? '/', 'http://localhost').searchParams;
}

function readPage(query: URLSearchParams) {
  const order = query.get('sort') ?? 'desc';
  const limit = query.get('limit') ?? String(maxPageSize);
  const after = query.get('afterMatchId');
  if (order !== 'asc' && order !== 'desc') throw new VerificationError('invalid_parameter', 'sort must be asc or desc');
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > maxPageSize) {
    throw new VerificationError('invalid_parameter', `limit must be a whole number from 1 to ${maxPageSize}`);
  }
  if (after !== null && !/^\d{1,18}$/.test(after)) {
    throw new VerificationError('invalid_parameter', 'afterMatchId must be the matchId of a contract');
  }
  return { order, limit: Number(limit), afterId: after === null ? null : BigInt(after) } as const;
}
