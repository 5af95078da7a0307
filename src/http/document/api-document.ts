// The OpenAPI 3.1 document of the API as this server answers it: in its dialect and with its settings.
import type { TSchema } from '@sinclair/typebox';
import type { Dialect } from '../dialect/dialect.ts';
import { createAccountSchemas } from './account-schemas.ts';
import { createContractSchemas } from './contract-schemas.ts';
import { createLedgerPaths, type Operation } from './ledger-paths.ts';
import { createParameters, type DocumentSettings } from './parameters.ts';
import { headers, json, refusals } from './responses.ts';
import { createScheduleSchemas } from './schedule-schemas.ts';
import { tokenSchemas } from './token-schemas.ts';
import { namedValues } from './value-schemas.ts';

export type ApiDocument = {
  openapi: string;
  info: object;
  servers: object[];
  tags: object[];
  paths: Record<string, { get: Operation }>;
  components: {
    schemas: Record<string, TSchema>;
    headers: object;
    responses: Record<string, object>;
    securitySchemes?: object;
  };
};

export function createApiDocument({
  dialect,
  settings,
}: {
  dialect: Dialect;
  settings: DocumentSettings;
}): ApiDocument {
  const users = settings.users.length > 0;
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
    tags: ['Tokens', 'Accounts', 'Contracts', 'Schedules', 'Health'].map((name) => ({ name })),
    paths: { ...createLedgerPaths(createParameters(dialect, settings), users), ...healthPaths },
    components: {
      schemas: {
        ...tokenSchemas,
        ...createAccountSchemas(settings),
        ...createContractSchemas(dialect, settings),
        ...createScheduleSchemas(dialect),
        ...namedValues,
      },
      headers,
      responses: refusals,
      ...(users ? { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } } : {}),
    },
  };
}

const introduction = `Integers are exact: int64 values and amounts in weibar may pass 2^53, so read them with a parser that keeps them.
Timestamps are \`seconds.nanoseconds\`. A page's \`links.next\` leads to the page after it until it is null.
No credentials are needed.`;

const healthPaths: ApiDocument['paths'] = {
  '/health/liveness': {
    get: {
      operationId: 'getLiveness',
      tags: ['Health'],
      summary: 'Whether the process runs',
      responses: { '200': json('It runs.', 'Health') },
    },
  },
  '/health/readiness': {
    get: {
      operationId: 'getReadiness',
      tags: ['Health'],
      summary: 'Whether answers can be expected',
      responses: {
        '200': json('The database answers, and the import has begun.', 'Health'),
        '503': json('Not yet, or not any more.', 'Health'),
      },
    },
  },
};
