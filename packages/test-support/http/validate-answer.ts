// Validates answers by the API document: status, and every member of the body. Stricter than the document in one point:
// objects have no members that it does not name. Integers are exact.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { HttpSettings } from '../../../src/api/frame/http-settings.ts';
import type { Dialect } from '../../../src/api/reading/query/dialect.ts';
import { type ApiDocument, createApiDocument } from '../../../src/server/document/api-document.ts';
import type { Operation } from '../../../src/server/document/endpoint-operation.ts';
import { parseExactJson } from '../../store/read/parse-exact-json.ts';

export type AnswerValidator = {
  /** One sentence for each deviation; empty = as documented. `url` with or without a query; GET by default. */
  validate(url: string, answer: { status: number; text: string }, method?: 'GET' | 'POST'): string[];
};

export function createAnswerValidator(options: { dialect: Dialect; settings: HttpSettings }): AnswerValidator {
  const document = JSON.parse(JSON.stringify(createApiDocument(options))) as ApiDocument;
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  ajv.addKeyword('components');
  ajv.addKeyword({ keyword: 'exactInteger', schemaType: 'object', validate: isExactInteger, errors: true });
  ajv.addSchema({ $id: documentId, components: { schemas: toStrictSchema(document.components.schemas) } });
  const validators = new Map<string, ValidateFunction>();

  return {
    validate(url, { status, text }, method = 'GET') {
      const [path = ''] = url.split('?');
      let body: unknown;
      try {
        body = parseExactJson(text);
      } catch (error) {
        return [`${status} ${path}: the body is no JSON: ${(error as Error).message}`];
      }
      const schema = schemaName(findOperation(document, path, method), document, status);
      if (schema === null) return [`${path}: status ${status} is not documented`];
      const validate = validators.get(schema) ?? ajv.compile({ $ref: `${documentId}${schema}` });
      validators.set(schema, validate);
      if (validate(body)) return [];
      return validate.errors!.map(
        ({ instancePath, message, params }) => `${path}${instancePath}: ${message} ${JSON.stringify(params)}`,
      );
    },
  };
}

const documentId = 'urn:mirror:api';

/** Reference to the schema of an answer; null if the document has no such answer. */
function schemaName(operation: Operation | undefined, document: ApiDocument, status: number): string | null {
  if (!operation) return (status >= 400 && status < 500) || status === 501 ? '#/components/schemas/Error' : null;
  const response = operation.responses[status] as DocumentedResponse | undefined;
  if (!response) return null;
  const shared = document.components.responses as Record<string, DocumentedBody>;
  const { content } = '$ref' in response ? shared[response.$ref.split('/').at(-1)!]! : response;
  return content['application/json'].schema.$ref;
}

type DocumentedBody = { content: { 'application/json': { schema: { $ref: string } } } };
type DocumentedResponse = DocumentedBody | { $ref: string };

/** Paths match as in the server: case-insensitive, except a last word that could be a parameter. */
function findOperation({ paths }: ApiDocument, path: string, method: 'GET' | 'POST'): Operation | undefined {
  const steps = (path.endsWith('/') ? path.slice(0, -1) : path).split('/').map(decode);
  const found = Object.entries(paths).filter(([template]) => {
    const expected = template.split('/');
    const matches = expected.every((step, i) =>
      step.startsWith('{') ? steps[i] !== '' : steps[i]?.toLowerCase() === step,
    );
    return matches && expected.length === steps.length;
  });
  const chosen =
    found.length > 1
      ? (found.find(([template]) => template.endsWith(`/${steps.at(-1)}`)) ??
        found.find(([template]) => template.endsWith('}')))
      : found[0];
  return chosen?.[1][method === 'GET' ? 'get' : 'post'];
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

type Schema = { [keyword: string]: unknown };

/** Objects are closed, and integers stay bigint: `{ type: 'integer' }` becomes a separate keyword. */
function toStrictSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toStrictSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, format, enum: values, ...rest } = schema as Schema;
  const types = [type].flat();
  if (types.includes('integer')) return { exactInteger: { format, values, nullable: types.includes('null') } };
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, toStrictSchema(value)]));
  return type === 'object' && rest.properties ? { ...members, additionalProperties: false } : members;
}

type ExactInteger = { format?: string; values?: number[]; nullable: boolean };

const bounds: Readonly<Record<string, bigint>> = { int32: 2n ** 31n, int64: 2n ** 63n };

function isExactInteger({ format, values, nullable }: ExactInteger, value: unknown): boolean {
  if (value === null) return nullable;
  if (typeof value !== 'bigint') return false;
  if (values && !values.includes(Number(value))) return false;
  const bound = format === undefined ? undefined : bounds[format];
  return bound === undefined || (value >= -bound && value < bound);
}
