// What one address asks for, as much as it can get: requests of kinds that took, or might take, single doors from
// everyone.

import { assemble } from '../../packages/test-support/evm/assemble.ts';
import type { AttackLoad } from '../support/attacker.ts';
import { listPaths } from '../support/list-paths.ts';

type Asked = Pick<AttackLoad, 'paths' | 'bodies'>;
/** `honest`: what others ask meanwhile; default: points and lists of REST. */
export type Attack = { name: string; load: Asked & Pick<AttackLoad, 'connections'>; honest?: Asked };

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
  const callsOf = (codes: readonly string[]): Asked => ({
    paths: codes.map(() => '/api/v1/contracts/call'),
    bodies: codes.map((code) => JSON.stringify({ data: `0x${Buffer.from(assemble(code)).toString('hex')}` })),
  });
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
    {
      name: 'calls: 15 million gas of signatures, products, powers and opcodes, 8 connections; honest calls',
      load: { ...callsOf(longCalls), connections: 8 },
      honest: callsOf([shortCall]),
    },
    { name: 'metrics, 16 connections', load: { paths: ['/metrics'], connections: 16 } },
    {
      name: 'what is not there, 64 connections',
      load: { paths: ['/api/v1/nothing', '/api/v1/accounts/0.0.999999999'], connections: 64 },
    },
  ];
}

/** Of a creation, which only a thread runs, until its gas is used up. */
const endlessly = (body: string): string => `:again JUMPDEST ${body} PUSH @again JUMP`;
const callOf = (address: number, size: number): string =>
  `PUSH 128 PUSH 0 PUSH ${size} PUSH 0 PUSH ${address} GAS STATICCALL POP`;
const longCalls = [
  // A signature that is one: hash, v, r and s, each small.
  `PUSH 1 PUSH 0 MSTORE PUSH 27 PUSH 32 MSTORE PUSH 1 PUSH 64 MSTORE PUSH 1 PUSH 96 MSTORE ${endlessly(callOf(1, 128))}`,
  // The generator of BN254 times a number of 256 bits.
  `PUSH 1 PUSH 0 MSTORE PUSH 2 PUSH 32 MSTORE PUSH 0 NOT PUSH 64 MSTORE ${endlessly(callOf(7, 96))}`,
  // 8 bytes to the power of 75 bytes.
  `PUSH 8 PUSH 0 MSTORE PUSH 75 PUSH 32 MSTORE PUSH 8 PUSH 64 MSTORE PUSH 0 NOT DUP1 PUSH 96 MSTORE DUP1 PUSH 128 MSTORE DUP1 PUSH 160 MSTORE DUP1 PUSH 192 MSTORE ${endlessly(callOf(5, 187))}`,
  endlessly(''),
];
const shortCall = 'PUSH 1 PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN';
