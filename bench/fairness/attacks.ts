// What one address asks for, as much as it can get: requests of kinds that took, or might take, single doors from everyone.

import type { AttackLoad } from '../support/attacker.ts';
import { listPaths } from '../support/list-paths.ts';

export type Attack = { name: string; load: Pick<AttackLoad, 'paths' | 'bodies' | 'connections'> };

export async function listAttacks(url: string): Promise<Attack[]> {
  const points = await listPaths(url);
  const { blocks } = (await (await fetch(`${url}/api/v1/blocks?limit=1`)).json()) as { blocks: { number: number }[] };
  const newest = blocks[0]!.number;
  const hex = (number: number): string => `0x${number.toString(16)}`;
  const rpc = (bodies: readonly unknown[]): Pick<AttackLoad, 'paths' | 'bodies'> => ({
    paths: bodies.map(() => '/rpc'),
    bodies: bodies.map((body) => JSON.stringify(body)),
  });
  const one = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params });
  const logs = one('eth_getLogs', { fromBlock: hex(Math.max(0, newest - 900)), toBlock: hex(newest) });
  const block = one('eth_getBlockByNumber', hex(newest), true);
  return [
    { name: 'REST: points and lists, 64 connections', load: { paths: points, connections: 64 } },
    {
      name: 'REST: pages of 100, 64 connections',
      load: {
        paths: ['transactions', 'accounts', 'contracts/results', 'blocks', 'tokens', 'balances'].map(
          (list) => `/api/v1/${list}?limit=100`,
        ),
        connections: 64,
      },
    },
    {
      name: 'pages for people, 32 connections',
      load: { paths: ['/', '/demo/transactions', '/demo/accounts', '/demo/blocks'], connections: 32 },
    },
    { name: 'JSON-RPC: logs of 900 blocks, 16 connections', load: { ...rpc([logs]), connections: 16 } },
    {
      name: 'JSON-RPC: batches of 100 blocks, 8 connections',
      load: { ...rpc([Array(100).fill(block)]), connections: 8 },
    },
    {
      name: 'JSON-RPC: a digest of 500 kB, 8 connections',
      load: { ...rpc([one('web3_sha3', `0x${'5a'.repeat(250_000)}`)]), connections: 8 },
    },
    {
      name: 'API document without gzip, 64 connections',
      load: { paths: ['/api/v1/docs/openapi.yml', '/api/v1/docs/openapi.json'], connections: 64 },
    },
    { name: 'metrics, 16 connections', load: { paths: ['/metrics'], connections: 16 } },
    {
      name: 'what is not there, 64 connections',
      load: { paths: ['/api/v1/nothing', '/api/v1/accounts/0.0.999999999'], connections: 64 },
    },
  ];
}
