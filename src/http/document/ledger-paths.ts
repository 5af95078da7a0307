// The six endpoints as operations of the API document.
import type { createParameters, Parameter } from './parameters.ts';
import { answers } from './responses.ts';

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  security?: Record<string, string[]>[];
  /** By status. */
  responses: Record<string, object>;
};

type Parameters = ReturnType<typeof createParameters>;

export function createLedgerPaths(parameters: Parameters, users: boolean): Record<string, { get: Operation }> {
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
