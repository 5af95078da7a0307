// The OpenAPI 3.1 document of the API as this server answers it: in its dialect and with its settings.
import type { TSchema } from '@sinclair/typebox';
import type { Dialect } from '../dialect.ts';
import { createAccountSchemas } from './account-schemas.ts';
import { createContractSchemas } from './contract-schemas.ts';
import { createParameters, type DocumentSettings, type Parameter } from './parameters.ts';
import { createScheduleSchemas } from './schedule-schemas.ts';
import { tokenSchemas } from './token-schemas.ts';
import { namedValues, reference } from './value-schemas.ts';

type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  security?: Record<string, string[]>[];
  /** By status. */
  responses: Record<string, object>;
};

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

type Parameters = ReturnType<typeof createParameters>;

function createLedgerPaths(parameters: Parameters, users: boolean): ApiDocument['paths'] {
  const { limit, order, timestamps } = parameters;
  const versions = timestamps(
    'The newest version of the contract that was valid then, in place of the current one. Of several, all must hold.',
  );
  const operations: Record<string, Omit<Operation, 'security'>> = {
    '/api/v1/tokens/{tokenId}': {
      operationId: 'getToken',
      tags: ['Tokens'],
      summary: 'A token, now or at a time',
      parameters: [parameters.tokenId, parameters.moment],
      responses: answers('Token', { missing: true }),
    },
    '/api/v1/accounts/{idOrAliasOrEvmAddress}': {
      operationId: 'getAccount',
      tags: ['Accounts'],
      summary: 'An account with its balances and a page of its transactions',
      description:
        '`limit`, `order` and `transactiontype` choose transactions; `timestamp` chooses transactions and the version of the account.',
      parameters: [
        parameters.account,
        limit,
        order('desc', 'consensus timestamp'),
        timestamps('Time or bound. Of several, all must hold.'),
        parameters.transactionType,
        parameters.transactions,
      ],
      responses: answers('Account', { missing: true, pages: true }),
    },
    '/api/v1/contracts/results': {
      operationId: 'listContractResults',
      tags: ['Contracts'],
      summary: 'Results across all contracts',
      parameters: [
        parameters.sender,
        parameters.blockHash,
        parameters.blockNumber,
        parameters.hbar,
        parameters.internal,
        limit,
        order('desc', 'consensus timestamp'),
        timestamps('Time or bound. All bounds must hold; several exact times are alternatives.'),
        parameters.transactionIndex,
      ],
      responses: answers('ContractResults', { missing: true, pages: true }),
    },
    '/api/v1/contracts/{contractIdOrAddress}': {
      operationId: 'getContract',
      tags: ['Contracts'],
      summary: 'A contract with its bytecode, now or at a time',
      parameters: [parameters.contract, versions],
      responses: answers('Contract', { missing: true }),
    },
    '/api/v1/schedules': {
      operationId: 'listSchedules',
      tags: ['Schedules'],
      summary: 'Scheduled transactions with the signatures they have',
      parameters: [parameters.scheduleAccount, limit, order('asc', 'schedule id'), parameters.scheduleIds],
      responses: answers('Schedules', { pages: true }),
    },
    '/api/v1/schedules/{scheduleId}': {
      operationId: 'getSchedule',
      tags: ['Schedules'],
      summary: 'A scheduled transaction with the signatures it has',
      parameters: [parameters.scheduleId],
      responses: answers('Schedule', { missing: true }),
    },
  };
  const security: Pick<Operation, 'security'> = users ? { security: [{}, { basic: [] }] } : {};
  return Object.fromEntries(Object.entries(operations).map(([path, get]) => [path, { get: { ...get, ...security } }]));
}

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

/** `missing`: what is asked for may not be there. `pages`: the answer may go on on another page. */
function answers(schema: string, { missing = false, pages = false }: { missing?: boolean; pages?: boolean }) {
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
  return {
    '200': {
      ...json('The answer.', schema),
      headers: {
        ETag: header('ETag'),
        'Cache-Control': header('Cache-Control'),
        ...(pages ? { Link: header('Link') } : {}),
      },
    },
    '304': { description: 'Still what `If-None-Match` says.' },
    '400': refusal('BadRequest'),
    '401': refusal('InvalidCredentials'),
    ...(missing ? { '404': refusal('NotFound') } : {}),
    '431': refusal('HeadTooLarge'),
    '500': refusal('InternalError'),
    '503': refusal('Unavailable'),
  };
}

function json(description: string, schema: string) {
  return { description, content: { 'application/json': { schema: reference(schema) } } };
}

function refusal(name: keyof typeof refusals) {
  return { $ref: `#/components/responses/${name}` };
}

const refusals = {
  BadRequest: json('Path or query cannot be understood; one message for each complaint.', 'Error'),
  InvalidCredentials: json('Basic credentials were sent that belong to nobody.', 'Error'),
  NotFound: json('There is no such thing, or there was not at that time.', 'Error'),
  HeadTooLarge: json('Path, query and headers together are longer than 16 KiB.', 'Error'),
  InternalError: json('Our fault.', 'Error'),
  Unavailable: json('The database does not answer.', 'Error'),
};

const headers = {
  ETag: { description: 'Weak tag of the body, for `If-None-Match`.', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the answer may be kept.', schema: { type: 'string' } },
  Link: { description: '`links.next`, with `rel="next"`; absent on the last page.', schema: { type: 'string' } },
};
