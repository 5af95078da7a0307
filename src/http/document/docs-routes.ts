// The API document in JSON and YAML, and a page that shows it. Everything the page needs comes from here, so it works
// without the internet.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { stringify } from 'yaml';
import type { Ledger } from '../../ledger/ledger.ts';
import { type LedgerExamples, noExamples } from '../../ledger/ledger-examples.ts';
import { dialectAskedFor, typedPrefix } from '../dialect/asked-dialect.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Responder } from '../frame/responder.ts';
import type { HttpSettings } from '../http-settings.ts';
import type { Answer } from '../route.ts';
import { type ApiDocument, createApiDocument } from './api-document.ts';
import { docsPage, docsPolicy, documentPaths, startScript, startScriptPath, uiFiles } from './docs-page.ts';
import { operatorPaths, statusPaths, verifiedContractPaths } from './further-operations.ts';
import { withVerification } from './verification-operation.ts';
import { withLiveExamples } from './with-live-examples.ts';

type Context = { dialect: Dialect; settings: HttpSettings; ledger: Ledger };

export function addDocsRoutes(app: FastifyInstance, context: Context, responder: Responder): void {
  const { ledger, settings } = context;
  // By the dialects that were asked for.
  const documents = new Map<Dialect, ApiDocument>();
  const documentOf = (dialect: Dialect): ApiDocument => {
    const document = documents.get(dialect) ?? createApiDocument({ ...context, dialect });
    documents.set(dialect, document);
    return document;
  };
  const has = (method: 'GET' | 'POST', url: string): boolean => app.hasRoute({ method, url });

  async function writeDocument({ raw }: FastifyRequest): Promise<string> {
    const queries = documentOf(dialectAskedFor(raw, context.dialect));
    const examples = await findExamples();
    const contract = { chainId: settings.chainId.toString(), contractAddress: addressOf(examples.contractId) };
    const checks = has('POST', '/verify/explorer');
    const document = checks ? withVerification(queries, contract) : queries;
    const paths = {
      ...document.paths,
      ...(checks ? verifiedContractPaths(contract) : {}),
      ...(has('GET', '/status') ? statusPaths() : {}),
      ...operatorPaths(),
    };
    const tags = [...document.tags, ...(has('GET', '/status') ? [{ name: 'Status' }] : [])];
    const living = withLiveExamples({ ...document, tags, paths }, examples);
    return JSON.stringify(withPrefix(living, typedPrefix(raw)), null, 2);
  }

  /** The document is there when the database is not. */
  async function findExamples(): Promise<LedgerExamples> {
    try {
      return await ledger.examples();
    } catch (error) {
      app.log.warn({ err: error }, 'the API document has no examples: the database does not answer');
      return noExamples;
    }
  }

  const cacheControl = 'public, max-age=300';
  const page = async (): Promise<Answer> => ({
    status: 200,
    body: docsPage,
    contentType: 'text/html; charset=utf-8',
    cacheControl,
    contentSecurityPolicy: docsPolicy,
  });
  const answers: Record<string, (request: FastifyRequest) => Promise<Answer>> = {
    '/docs': page,
    // Where the mirror node has its page.
    '/api/v1/docs': page,
    [documentPaths.json]: async (request) => ({ status: 200, body: await writeDocument(request), cacheControl }),
    [documentPaths.yaml]: async (request) => ({
      status: 200,
      body: stringify(JSON.parse(await writeDocument(request))),
      contentType: 'application/yaml; charset=utf-8',
      cacheControl,
    }),
    [startScriptPath]: async () => ({
      status: 200,
      body: startScript,
      contentType: 'text/javascript; charset=utf-8',
      cacheControl,
    }),
  };
  for (const [name, contentType] of Object.entries(uiFiles)) {
    answers[`/docs/${name}`] = async () => ({ status: 200, body: await readUiFile(name), contentType, cacheControl });
  }
  for (const [url, answer] of Object.entries(answers)) {
    app.get(url, (request, reply) => {
      void responder.respond(request, reply, () => answer(request));
    });
  }
}

/** Where the dialect stands in the path: of the API alone, not of what else the port answers. */
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
const uiFolder = dirname(require.resolve('@fastify/swagger-ui/static/swagger-ui.css'));

function readUiFile(name: string): Promise<string> {
  return readFile(join(uiFolder, name), 'utf8');
}
