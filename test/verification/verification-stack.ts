// Contract verification as it runs in the program, over a database of a test: the routes on a free port of loopback,
// real compilers, real PostgreSQL, and explorers that the test answers for.

import type { AddressInfo } from 'node:net';
import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import pg from 'pg';
import { expect } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { unlimited } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { checkWithKept } from '../../packages/test-support/verification/kept-compilers.ts';
import { createVerificationArchive } from '../../packages/verification/archive/verification-archive.ts';
import { createContractLookup } from '../../packages/verification/contract-lookup.ts';
import { createVerifier, type Verifier } from '../../packages/verification/create-verifier.ts';
import { createExplorers } from '../../packages/verification/explorers/explorers.ts';
import { createRpcChain } from '../../packages/verification/onchain/rpc-chain.ts';
import { type Chain, createChainRegistry, type Explorer } from '../../packages/verification/registry/chain-registry.ts';
import { createCheckSession } from '../../packages/verification/sessions/check-session.ts';
import { createFindMetadata } from '../../packages/verification/sessions/find-metadata.ts';
import {
  createSessions,
  type SessionLimits,
  type Sessions,
} from '../../packages/verification/sessions/session-store.ts';
import { createSignatureLookup } from '../../packages/verification/signature-lookup.ts';
import type { OnchainSource } from '../../packages/verification/terms/onchain-contract.ts';
import { createVerificationJobs } from '../../packages/verification/verification-jobs.ts';
import { createVerifyExplorer } from '../../packages/verification/verify-explorer.ts';
import { createVerifySources } from '../../packages/verification/verify-sources.ts';
import { createClientOf } from '../../packages/web-server/client-of.ts';
import { createCalls } from '../../src/calls/create-calls.ts';
import { type AskContract, createLedgerChain } from '../../src/contracts/onchain/ledger-chain.ts';
import { createNetworkPaths, networkConstraint } from '../../src/pages/frame/network-slug.ts';
import { askContracts } from '../../src/runtime/serve/ask-contracts.ts';
import { addEtherscan, addVerification, type VerificationOptions } from '../../src/server/add-verification.ts';
import { deviations } from './documented-answer.ts';

export type VerificationStack = {
  url: string;
  connectionString: string;
  /** Every line that was logged, requests included. */
  logged: string[];
  /** Whose limit each refused check met. */
  refused: string[];
  load: Verifier['load'];
  sessionLoad: Sessions['load'];
  /** For another server over the same parts. */
  routes: VerificationOptions;
  /** Contracts of chain 298, by the machine. */
  askContract: AskContract;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  get(path: string): Promise<HttpAnswer>;
  /** The operation; its answers are validated by the API document. */
  check(body: unknown): Promise<HttpAnswer>;
  query(statement: string): Promise<Record<string, unknown>[]>;
  /** A contract 0.0.N of chain 298. */
  addContract(num: number, code: { runtime: Buffer | null; initcode?: Buffer }): Promise<string>;
  close(): Promise<void>;
};

type HttpAnswer = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests say
  body: any;
};

export type StackOptions = {
  /** Of chain 298, whose contracts lie in the database. */
  explorers: Explorer[];
  /** Further chains, with their own explorers. */
  chains?: Chain[];
  compilers?: string;
  recheckMs?: number;
  notVerifiedMs?: number;
  /** Checks of one client that run or wait. */
  perClient?: number;
  concurrent?: number;
  compileMs?: number;
  maxWaitMs?: number;
  /** A process for each check, as in the program. Default: what compilers answered before is kept. */
  inProcesses?: boolean;
  sessionLimits?: SessionLimits;
  askedAgainMs?: number;
  /** Fills the new database. */
  fill?: (connectionString: string) => Promise<void>;
};

export async function startVerificationStack(options: StackOptions): Promise<VerificationStack> {
  const { explorers, chains = [], recheckMs, notVerifiedMs, perClient = 50, maxWaitMs = 600_000 } = options;
  const scratch = await createScratchDatabase();
  await options.fill?.(scratch.connectionString);
  const db = openDatabase({ connectionString: scratch.connectionString });
  const calls = createCalls({ db, system: usualRealm, network: { chainId: 298n }, limits: unlimited });
  const askContract = askContracts(calls);
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  const logged: string[] = [];
  const refused: string[] = [];
  const app = fastify({
    trustProxy: true,
    routerOptions: { constraints: { network: networkConstraint(createNetworkPaths({ name: 'demo' })) } },
    logger: { level: 'trace', stream: { write: (line: string) => void logged.push(line) } },
  });
  app.decorate('clientOf', createClientOf({ trustProxy: ['127.0.0.1'] }));
  const registry = createChainRegistry([
    { chainId: '298', name: 'Local', bytecode: { kind: 'ledger' }, explorers },
    { chainId: '296', name: 'Without explorer', bytecode: { kind: 'ledger' }, explorers: [] },
    ...chains,
  ]);
  const sources = new Map<string, OnchainSource>(
    registry
      .list()
      .map(({ chainId, bytecode }) => [
        chainId,
        bytecode.kind === 'ledger'
          ? createLedgerChain({ chain: { chainId }, db, system: usualRealm, ask: askContract })
          : createRpcChain({ chainId, urls: [...bytecode.urls], timeoutMs: bytecode.timeoutMs }),
      ]),
  );
  const onchainSource = ({ chainId }: Chain): OnchainSource => sources.get(chainId)!;
  const log = (sentence: string, error: Error): void => app.log.warn({ err: error }, sentence);
  const verifier = createVerifier({
    niceness: 0,
    compilers: { folder: options.compilers ?? null, download: 'off', downloadUrl: '' },
    limits: {
      compileMs: options.compileMs ?? 240_000,
      memoryBytes: 1_000_000_000,
      concurrent: options.concurrent ?? 2,
      queue: 50,
      perClient,
      inputBytes: 10_000_000,
    },
    onRefused: (limit) => refused.push(limit),
    log: (line) => app.log.info(line),
    ...(!options.inProcesses && { runCheck: checkWithKept }),
  });
  const archive = createVerificationArchive({ db, log });
  const verifyExplorer = createVerifyExplorer({
    registry,
    onchainSource,
    explorers: createExplorers({ notVerifiedMs }),
    verifier,
    archive,
    recheckMs,
    maxWaitMs,
    log,
  });
  const jobs = createVerificationJobs({
    db,
    registry,
    onchainSource,
    verifier,
    archive,
    verifyExplorer,
    log,
    maxRunning: 50,
    maxPerClient: perClient,
    askedAgainMs: options.askedAgainMs,
    onRefused: (limit) => refused.push(limit),
  });
  const lookup = createContractLookup({ db, archive, onchainSource, system: usualRealm });
  const verifySources = createVerifySources({ registry, onchainSource, verifier, archive, maxWaitMs, log });
  const sessions = createSessions(options.sessionLimits);
  const checkSession = createCheckSession({ registry, onchainSource, verifySources });
  const sessionOrigins = ['https://explorer.example.org'];
  const findMetadata = createFindMetadata({ registry, onchainSource, archive });
  const checks = { verifyExplorer, verifySources, jobs, signatures: createSignatureLookup(db), version: '1.2.3' };
  const site = { networkName: 'demo', slug: 'demo', apiPrefix: '' as const, hasStatus: () => false };
  const routes = {
    site,
    ownChain: () => registry.find('298') ?? null,
    registry,
    ...checks,
    lookup,
    sessions,
    checkSession,
    findMetadata,
    sessionOrigins,
  };
  addVerification(app, routes);
  const showPage = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => reply.redirect('/');
  addEtherscan(app, { registry, jobs, lookup, chain: { chainId: '298' }, showPage });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  async function ask(path: string, init?: RequestInit): Promise<HttpAnswer> {
    const response = await fetch(`${url}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  const post: VerificationStack['post'] = (path, body, headers) =>
    ask(path, {
      method: 'POST',
      headers: body instanceof FormData ? headers : { 'content-type': 'application/json', ...headers },
      body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body),
    });

  return {
    url,
    connectionString: scratch.connectionString,
    logged,
    refused,
    load: verifier.load,
    sessionLoad: sessions.load,
    routes,
    askContract,
    post,
    get: (path) => ask(path),
    async check(body) {
      const answer = await post('/verify/explorer', body);
      expect(deviations(answer)).toEqual([]);
      return answer;
    },
    query: async (statement) => (await client.query(statement)).rows,
    async addContract(num, { runtime, initcode }) {
      await client.query(
        `insert into entity (id, num, realm, shard, type, created_timestamp, timestamp_range, deleted, memo)
         values ($1, $1, 0, 0, 'CONTRACT', $1, int8range($1, null), false, '')`,
        [num],
      );
      await client.query('insert into contract (id, initcode, runtime_bytecode) values ($1, $2, $3)', [
        num,
        initcode ?? null,
        runtime,
      ]);
      return `0x${num.toString(16).padStart(40, '0')}`;
    },
    async close() {
      await verifier.close();
      await jobs.settled();
      await app.close();
      await calls.close();
      await db.close();
      await client.end();
      await scratch.close();
    },
  };
}
