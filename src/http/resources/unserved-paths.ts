// Paths of the Hiero mirror node that this mirror does not serve yet. They are answered with 501: clients take 404 for "it
// does not exist", and show a balance of 0 or a receipt of null.
import { endpoints } from './endpoints.ts';

export type UnservedPath = { method: 'GET' | 'POST'; path: string };

const known: readonly string[] = [
  'accounts',
  'accounts/{id}/airdrops/outstanding',
  'accounts/{id}/airdrops/pending',
  'accounts/{id}/allowances/crypto',
  'accounts/{id}/allowances/nfts',
  'accounts/{id}/allowances/tokens',
  'accounts/{ownerId}/hooks',
  'accounts/{ownerId}/hooks/{hookId}/storage',
  'accounts/{id}/nfts',
  'accounts/{id}/rewards',
  'accounts/{id}/tokens',
  'balances',
  'blocks',
  'blocks/{hashOrNumber}',
  'contracts',
  'contracts/results/logs',
  'contracts/results/{transactionIdOrHash}',
  'contracts/results/{transactionIdOrHash}/actions',
  'contracts/results/{transactionIdOrHash}/opcodes',
  'contracts/{id}/results',
  'contracts/{id}/results/logs',
  'contracts/{id}/results/{timestamp}',
  'contracts/{id}/state',
  'network/exchangerate',
  'network/fees',
  'network/nodes',
  'network/registered-nodes',
  'network/stake',
  'network/supply',
  'tokens',
  'tokens/{id}/balances',
  'tokens/{id}/nfts',
  'tokens/{id}/nfts/{serialNumber}',
  'tokens/{id}/nfts/{serialNumber}/transactions',
  'topics/messages/{timestamp}',
  'topics/{id}',
  'topics/{id}/messages',
  'topics/{id}/messages/{sequenceNumber}',
  'transactions',
  'transactions/{id}',
];

/** The beginning of another path, and no path itself, though it has the form of an entity's. */
export const unknownPaths: readonly string[] = ['/api/v1/topics/messages'];

const toShape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
const served = new Set(endpoints.flatMap(({ method, path }) => (method === 'GET' ? [toShape(path)] : [])));

export const unservedPaths: readonly UnservedPath[] = [
  ...known
    .map((path): UnservedPath => ({ method: 'GET', path: `/api/v1/${path}` }))
    .filter(({ path }) => !served.has(toShape(path))),
];
