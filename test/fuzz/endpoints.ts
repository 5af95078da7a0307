// The six endpoints as the fuzz knows them: what stands in their paths, and which parameters they take.
import type { EntityKind, ValueKind } from './make-value.ts';

export type Endpoint = { path: string; id?: EntityKind; parameters: Record<string, ValueKind> };

export const endpoints: readonly Endpoint[] = [
  { path: '/api/v1/tokens/', id: 'token', parameters: { timestamp: 'timestamp' } },
  {
    path: '/api/v1/accounts/',
    id: 'account',
    parameters: {
      limit: 'limit',
      order: 'order',
      timestamp: 'timestamp',
      transactiontype: 'type',
      transactions: 'flag',
    },
  },
  { path: '/api/v1/contracts/', id: 'contract', parameters: { timestamp: 'timestamp' } },
  {
    path: '/api/v1/contracts/results',
    parameters: {
      from: 'account',
      'block.hash': 'hash',
      'block.number': 'block',
      hbar: 'flag',
      internal: 'flag',
      limit: 'limit',
      order: 'order',
      timestamp: 'timestamp',
      'transaction.index': 'index',
    },
  },
  {
    path: '/api/v1/schedules',
    parameters: { 'account.id': 'account', 'schedule.id': 'schedule', limit: 'limit', order: 'order' },
  },
  { path: '/api/v1/schedules/', id: 'schedule', parameters: {} },
];
