// The OpenAPI 3.1 document of the API as this server answers it: in its dialect and with its settings.
import type { TSchema } from '@sinclair/typebox';
import { type Endpoint, isServed } from '../../api/endpoint/endpoint.ts';
import type { ReadingContext } from '../../api/reading/query/context.ts';
import { endpoints as everyEndpoint } from '../../resources/endpoints.ts';
import { type Operation, toOperation } from './endpoint-operation.ts';
import { headers, health, json, refusals, sharedSchemas } from './responses.ts';

export type ApiDocument = {
  openapi: string;
  info: object;
  servers: object[];
  tags: object[];
  paths: Record<string, { get?: Operation; post?: Operation }>;
  components: {
    schemas: Record<string, TSchema>;
    headers: object;
    responses: Record<string, object>;
    securitySchemes?: object;
  };
};

export function createApiDocument(context: ReadingContext): ApiDocument {
  const users = context.settings.users.length > 0;
  const endpoints = everyEndpoint.filter((endpoint) => isServed(endpoint, context.dialect));
  const tags = [...new Set(endpoints.map(({ tag }) => tag)), 'Health'];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ledger Mirror',
      version: 'v1',
      summary: 'Read-only queries about a Hedera/Hiero ledger.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name })),
    paths: {
      ...toPaths(endpoints, context),
      ...healthPaths,
    },
    components: {
      schemas: Object.assign({}, ...endpoints.map(({ answer }) => answer(context).definitions), sharedSchemas),
      headers,
      responses: refusals,
      ...(users ? { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } } : {}),
    },
  };
}

function toPaths(endpoints: readonly Endpoint[], context: ReadingContext): ApiDocument['paths'] {
  const paths: ApiDocument['paths'] = {};
  for (const endpoint of endpoints) {
    const operation = toOperation(endpoint, context);
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method === 'GET' ? 'get' : 'post']: operation };
  }
  return paths;
}

const introduction = `Integers are exact: int64 values and amounts in weibar can exceed 2^53: use a parser that keeps them exact.
Timestamps are \`seconds.nanoseconds\`. \`links.next\` of a page leads to the next page; it is null on the last one.
No credentials are needed.`;

/** For invalid HTTP requests. */
const badRequest = { $ref: '#/components/responses/BadRequest' };

const healthPaths: ApiDocument['paths'] = {
  '/health/liveness': {
    get: {
      operationId: 'getLiveness',
      tags: ['Health'],
      summary: 'Whether the process runs',
      responses: { '200': json('It runs.', health), '400': badRequest },
    },
  },
  '/health/readiness': {
    get: {
      operationId: 'getReadiness',
      tags: ['Health'],
      summary: 'Whether the service is ready',
      responses: {
        '200': json('The database answers, and the import has begun.', health),
        '400': badRequest,
        '503': json('The service is not ready, or a machine of a distributed database does not answer.', health),
      },
    },
  },
};
