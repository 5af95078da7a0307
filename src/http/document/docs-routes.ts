// The API document in JSON and YAML, and a page that shows it. Everything the page needs comes from here, so it works
// without the internet.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import type { Ledger } from '../../ledger/ledger.ts';
import { type LedgerExamples, noExamples } from '../../ledger/ledger-examples.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { AddPage } from '../frame/shared-pages.ts';
import type { HttpSettings } from '../http-settings.ts';
import type { Answer } from '../route.ts';
import { createApiDocument } from './api-document.ts';
import { docsPage, docsPolicy, documentPaths, startScript, startScriptPath, uiFiles } from './docs-page.ts';
import { operatorPaths, statusPaths, verifiedContractPaths } from './further-operations.ts';
import { withVerification } from './verification-operation.ts';
import { withLiveExamples } from './with-live-examples.ts';

type Context = {
  dialect: Dialect;
  settings: HttpSettings;
  ledger: Ledger;
  /** Whether this port shows metrics. */
  hasMetrics: boolean;
};

export function addDocsRoutes(app: FastifyInstance, context: Context, addPage: AddPage): void {
  const { ledger, settings, hasMetrics } = context;
  const queries = createApiDocument(context);
  const has = (method: 'GET' | 'POST', url: string): boolean => app.hasRoute({ method, url });

  async function writeDocument(): Promise<string> {
    const examples = await findExamples();
    const contract = { chainId: settings.chainId.toString(), contractAddress: addressOf(examples.contractId) };
    const checks = has('POST', '/verify/explorer');
    const document = checks ? withVerification(queries, contract) : queries;
    const paths = {
      ...document.paths,
      ...(checks ? verifiedContractPaths(contract) : {}),
      ...(has('GET', '/status') ? statusPaths() : {}),
      ...operatorPaths(hasMetrics),
    };
    const tags = [...document.tags, ...(has('GET', '/status') ? [{ name: 'Status' }] : [])];
    return JSON.stringify(withLiveExamples({ ...document, tags, paths }, examples), null, 2);
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
  addPage('/docs', 'program', page);
  // Where the mirror node has its page.
  addPage('/api/v1/docs', 'program', page);
  addPage(documentPaths.json, 'block', async () => ({ status: 200, body: await writeDocument(), cacheControl }));
  addPage(documentPaths.yaml, 'block', async () => ({
    status: 200,
    body: stringify(JSON.parse(await writeDocument())),
    contentType: 'application/yaml; charset=utf-8',
    cacheControl,
  }));
  addPage(startScriptPath, 'program', async () => ({
    status: 200,
    body: startScript,
    contentType: 'text/javascript; charset=utf-8',
    cacheControl,
  }));
  for (const [name, contentType] of Object.entries(uiFiles)) {
    addPage(`/docs/${name}`, 'program', async () => ({
      status: 200,
      body: await readUiFile(name),
      contentType,
      cacheControl,
    }));
  }
}

function addressOf(contractId: bigint | null): string {
  return `0x${(contractId ?? 1001n).toString(16).padStart(40, '0')}`;
}

const require = createRequire(import.meta.url);
const uiFolder = dirname(require.resolve('@fastify/swagger-ui/static/swagger-ui.css'));

function readUiFile(name: string): Promise<string> {
  return readFile(join(uiFolder, name), 'utf8');
}
