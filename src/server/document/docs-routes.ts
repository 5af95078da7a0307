// The API document in JSON and YAML, and a page that shows it. The page needs only this server, so it works offline.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { statusPaths } from '../../../packages/status/http/status-operations.ts';
import type { ReadyAnswer } from '../../../packages/web-server/ready-answer.ts';
import type { Responder } from '../../../packages/web-server/responder.ts';
import type { Answer } from '../../../packages/web-server/route.ts';
import { dialectAskedFor } from '../../api/dialect/find-dialect.ts';
import { typedPrefix } from '../../api/frame/asked-dialect.ts';
import type { HttpSettings } from '../../api/frame/http-settings.ts';
import type { SharedPages } from '../../api/frame/shared-pages.ts';
import type { Dialect } from '../../api/reading/query/dialect.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { type LedgerExamples, noExamples } from '../../ledger/ledger-examples.ts';
import { type ApiDocument, createApiDocument } from './api-document.ts';
import { docsPage, docsPolicy, documentPaths, startScript, startScriptPath, uiFiles } from './docs-page.ts';
import { operatorPaths, rpcPaths } from './further-operations.ts';
import { withLiveExamples } from './with-live-examples.ts';
import { withVerification } from './with-verification.ts';
import { writeYaml } from './write-yaml.ts';

type Context = {
  dialect: Dialect;
  settings: HttpSettings;
  ledger: Ledger;
  /** Whether this port shows metrics. */
  hasMetrics: boolean;
};

const maxAgeSeconds = 300;
const cacheControl = `public, max-age=${maxAgeSeconds}`;

export function addDocsRoutes(
  app: FastifyInstance,
  context: Context,
  { responder, pages }: { responder: Responder; pages: SharedPages },
): void {
  const { ledger, settings, hasMetrics } = context;
  // By requested dialect.
  const documents = new Map<Dialect, ApiDocument>();
  const documentOf = (dialect: Dialect): ApiDocument => {
    const document = documents.get(dialect) ?? createApiDocument({ ...context, dialect });
    documents.set(dialect, document);
    return document;
  };
  const has = (method: 'GET' | 'POST', url: string): boolean => app.hasRoute({ method, url });

  function makeDocument(queries: ApiDocument, prefix: string, examples: LedgerExamples): object {
    const contract = { chainId: settings.network.chainId.toString(), contractAddress: addressOf(examples.contractId) };
    const checks = has('POST', '/verify/explorer');
    const document = checks ? withVerification(queries, contract) : queries;
    const paths = {
      ...document.paths,
      ...(has('GET', '/status') ? statusPaths() : {}),
      ...(has('POST', '/rpc') ? rpcPaths() : {}),
      ...operatorPaths(hasMetrics),
    };
    const further = [has('GET', '/status') && 'Status', has('POST', '/rpc') && 'JSON-RPC'].filter(
      (tag) => tag !== false,
    );
    const tags = [...document.tags, ...further.map((name) => ({ name }))];
    const living = withLiveExamples({ ...document, tags, paths }, examples);
    return withPrefix(living, prefix);
  }

  /** The document is available even if the database is not. */
  async function findExamples(): Promise<LedgerExamples> {
    try {
      return await ledger.examples();
    } catch (error) {
      app.log.warn({ err: error }, 'the API document has no examples: the database does not answer');
      return noExamples;
    }
  }

  const page = async (): Promise<Answer> => ({
    status: 200,
    body: docsPage,
    contentType: 'text/html; charset=utf-8',
    cacheControl,
    contentSecurityPolicy: docsPolicy,
  });
  pages.add('/docs', 'program', page);
  // Where the mirror node has its page.
  pages.add('/api/v1/docs', 'program', page);
  addDocument(documentPaths.json, async (document) => ({ body: JSON.stringify(document, null, 2) }));
  addDocument(documentPaths.yaml, async (document) => ({
    body: await writeYaml(JSON.parse(JSON.stringify(document))),
    contentType: 'application/yaml; charset=utf-8',
  }));
  pages.add(startScriptPath, 'program', async () => ({
    status: 200,
    body: startScript,
    contentType: 'text/javascript; charset=utf-8',
    cacheControl,
  }));
  for (const [name, { from, contentType }] of Object.entries(uiFiles)) {
    pages.add(`/docs/${name}`, 'program', async () => ({
      status: 200,
      body: await readFile(join(uiFolders[from], name), 'utf8'),
      contentType,
      cacheControl,
    }));
  }

  /** One for each dialect and each URL, all of a closed set. */
  function addDocument(url: string, write: (document: object) => Promise<Pick<Answer, 'body' | 'contentType'>>): void {
    const made = new Map<string, () => Promise<ReadyAnswer>>();
    app.get(url, (request, reply) => {
      const prefix = typedPrefix(request.raw).toLowerCase();
      const key = `${request.raw.askedDialect ?? ''} ${prefix}`;
      let ask = made.get(key);
      if (!ask) {
        const queries = documentOf(dialectAskedFor(request.raw, context.dialect));
        const name = request.raw.askedDialect ? `/${request.raw.askedDialect}${url}` : url;
        ask = pages.share(
          name,
          'block',
          whileSame({ findExamples, chainId: () => settings.network.chainId }, async (examples) => {
            const written = await write(makeDocument(queries, prefix, examples));
            return { status: 200, ...written, cacheControl };
          }),
        );
        made.set(key, ask);
      }
      void responder.respondReady(request, reply, ask);
    });
  }
}

/** One is made as often as its readers may keep it, or when the ledger has something that it had not, or a name. */
function whileSame(
  { findExamples, chainId }: { findExamples(): Promise<LedgerExamples>; chainId(): bigint },
  make: (examples: LedgerExamples) => Promise<Answer>,
): () => Promise<Answer> {
  let kept: { missing: string; atMs: number; answer: Answer } | null = null;
  return async () => {
    const examples = await findExamples();
    const missing = [
      chainId(),
      ...Object.entries(examples).flatMap(([name, example]) => (example === null ? [name] : [])),
    ].join();
    const isOld = kept !== null && performance.now() - kept.atMs > maxAgeSeconds * 1000;
    if (kept === null || isOld || kept.missing !== missing) {
      kept = { missing, atMs: performance.now(), answer: await make(examples) };
    }
    return kept.answer;
  };
}

/** If the dialect is part of the path: for the API only, not for the port's other paths. */
function withPrefix<D extends { servers: object[]; paths: object }>(document: D, prefix: string): D {
  if (prefix === '') return document;
  const root = [{ url: '/' }];
  const paths = Object.entries(document.paths).map(([path, operations]) => [
    path,
    path.startsWith('/api/v1/') ? operations : { servers: root, ...operations },
  ]);
  return { ...document, servers: [{ url: prefix }], paths: Object.fromEntries(paths) };
}

function addressOf(contractId: bigint | null): string {
  return `0x${(contractId ?? 1001n).toString(16).padStart(40, '0')}`;
}

const require = createRequire(import.meta.url);
const uiFolders = {
  swagger: dirname(require.resolve('@fastify/swagger-ui/static/swagger-ui.css')),
  here: join(import.meta.dirname, 'browser'),
};
