// Answers of the operation validated by the API document, which may not leave out any member.

import { Ajv2020 } from 'ajv/dist/2020.js';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { findDialect } from '../../src/api/dialect/find-dialect.ts';
import { createApiDocument } from '../../src/server/document/api-document.ts';
import { withVerification } from '../../src/server/document/with-verification.ts';

type Document = {
  paths: Record<
    string,
    { post: { responses: Record<string, { content: { 'application/json': { schema: object } } }> } }
  >;
  components: object;
};

const document = createDocument();
const ajv = new Ajv2020({ strict: false, validateFormats: false });
const { responses } = document.paths['/verify/explorer']!.post;

/** One sentence for each; empty = as documented. */
export function deviations({ status, body }: { status: number; body: unknown }): string[] {
  const response = responses[String(status)];
  if (!response) return [`status ${status} is not documented`];
  const validate = ajv.compile({
    ...response.content['application/json'].schema,
    components: withoutOthers(document.components),
  });
  if (validate(body)) return [];
  return validate.errors!.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Objects may have no members but those that are named, unless they say so. */
function withoutOthers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutOthers);
  if (schema === null || typeof schema !== 'object') return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, withoutOthers(member)]));
  return 'properties' in members && !('additionalProperties' in members)
    ? { ...members, additionalProperties: false }
    : members;
}

function createDocument(): Document {
  const queries = createApiDocument({ dialect: findDialect('spec'), settings: defaultHttpSettings });
  const examples = { chainId: '298', contractAddress: `0x${'0'.repeat(40)}` };
  return JSON.parse(JSON.stringify(withVerification(queries, examples))) as Document;
}
