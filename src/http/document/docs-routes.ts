// The API document in JSON and YAML, and a page that shows it. Everything the page needs comes from here, so it works
// without the internet.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { stringify } from 'yaml';
import type { Dialect } from '../dialect/dialect.ts';
import type { Responder } from '../frame/responder.ts';
import type { HttpSettings } from '../http-settings.ts';
import type { Answer } from '../route.ts';
import { createApiDocument } from './api-document.ts';
import { docsPage, docsPolicy, documentPaths, startScript, startScriptPath, uiFiles } from './docs-page.ts';
import { withVerification } from './verification-operation.ts';

type Context = { dialect: Dialect; settings: HttpSettings };

export function addDocsRoutes(app: FastifyInstance, context: Context, responder: Responder): void {
  const json = JSON.stringify(withVerification(createApiDocument(context)), null, 2);
  const cacheControl = 'public, max-age=300';
  const page = async (): Promise<Answer> => ({
    status: 200,
    body: docsPage,
    contentType: 'text/html; charset=utf-8',
    cacheControl,
    contentSecurityPolicy: docsPolicy,
  });
  const answers: Record<string, () => Promise<Answer>> = {
    '/docs': page,
    // Where the mirror node has its page.
    '/api/v1/docs': page,
    [documentPaths.json]: async () => ({ status: 200, body: json, cacheControl }),
    [documentPaths.yaml]: async () => ({
      status: 200,
      body: stringify(JSON.parse(json)),
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
      void responder.respond(request, reply, answer);
    });
  }
}

const require = createRequire(import.meta.url);
const uiFolder = dirname(require.resolve('@fastify/swagger-ui/static/swagger-ui.css'));

function readUiFile(name: string): Promise<string> {
  return readFile(join(uiFolder, name), 'utf8');
}
