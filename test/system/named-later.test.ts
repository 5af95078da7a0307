// A `serve` that begins before the first import: the import brings the network's name and chain id, and everything that
// shows one of them shows the new one, on connections that are open already, too.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { settleNetwork } from '../../src/runtime/database/settle-network.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { serveHere } from '../support/program/serve-here.ts';

const log = pino({ level: 'silent' });
/** The chain id that this code sees: CHAINID, as the answer of a call. */
const readsChainId = '0x465f5260205ff3';

let folder: string;
let ledger: Awaited<ReturnType<typeof openLedger>>;
let database: Awaited<ReturnType<typeof createScratchDatabase>>;
let server: RunningServer;
let socket: WebSocket;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'named-later-'));
  ledger = await openLedger('small');
  database = await createScratchDatabase();
  const { connectionString } = database;
  const flags = ['--data-dir', folder, '--rpc-port', '0', '--status-service', 'off'];
  const network = await settleNetwork({
    ...{ connectionString, log, imports: false },
    settings: loadSettings('serve', flags, {}),
  });
  expect(network).toEqual({ name: 'other', chainId: 296n, system: null, isOpen: true });
  server = await serveHere(connectionString, flags, { network });
  const [rpcUrl] = server.places.flatMap((place) => /^JSON-RPC and web sockets: http(\S+)\/$/.exec(place)?.[1] ?? []);
  socket = new WebSocket(`ws${rpcUrl}`);
  await once(socket, 'open');
});
afterAll(async () => {
  socket?.close();
  await server?.close();
  await database?.close();
  await ledger?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function read(path: string, accept = 'text/html'): Promise<string> {
  const response = await fetch(`${server.url}${path}`, { headers: { accept }, redirect: 'manual' });
  return `${response.status} ${response.headers.get('location') ?? ''} ${await response.text()}`;
}

async function ask(method: string, ...params: unknown[]): Promise<string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = (await (await fetch(`${server.url}/rpc`, { method: 'POST', headers, body })).json()) as object;
  return JSON.stringify(answer);
}

async function askSocket(method: string): Promise<string> {
  const answered = once(socket, 'message') as Promise<[MessageEvent]>;
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }));
  const [{ data }] = await answered;
  return String(data);
}

const address = `0x${'12'.repeat(20)}`;

/** Whatever says which network it is: what asks, and what it says of an unnamed one and of previewnet. */
const readers: [name: string, ask: () => Promise<string>, before: RegExp, after: RegExp][] = [
  ['eth_chainId', () => ask('eth_chainId'), /"0x128"/, /"0x129"/],
  ['net_version', () => ask('net_version'), /"296"/, /"297"/],
  ['eth_chainId of an open socket', () => askSocket('eth_chainId'), /"0x128"/, /"0x129"/],
  ['the home page', () => read('/'), /The ledger of other/, /The ledger of previewnet/],
  ['its links', () => read('/'), /href="\/other\/blocks"/, /href="\/previewnet\/blocks"/],
  ['the index', () => read('/', 'application/json'), /"network":"other"/, /"network":"previewnet"/],
  ['the page of the API', () => read('/api'), /<strong>other</, /<strong>previewnet</],
  ['a page of the name', () => read('/previewnet/blocks'), /^404 .*This is not previewnet/s, /^200 .*<h1>Blocks/s],
  ['a file of the name', () => read('/previewnet/blocks.csv'), /^404/, /^200/],
  ['a page of the former name', () => read('/OTHER/blocks?limit=5'), /^200/, /^302 \/previewnet\/blocks\?limit=5/],
  ['another public network', () => read('/mainnet/blocks'), /^404 .*holds.*other</s, /^404 .*holds.*previewnet</s],
  ['a page that is not there', () => read('/testnet2/blocks'), /^404 /, /^404 /],
  ['links of tools', () => read('/verify-ui'), /^302 \/other\/contracts/, /^302 \/previewnet\/contracts/],
  ['the API document', () => read('/api/v1/docs/openapi.json'), /"296"/, /"297"/],
  ['the chains of verification', () => read('/chains'), /"other","chainId":296/, /"previewnet","chainId":297/],
  ['its contracts', () => read(`/v2/contract/297/${address}`), /unsupported_chain/, /"match":null/],
  ['its contracts by the old id', () => read(`/v2/contract/296/${address}`), /"match":null/, /unsupported_chain/],
  [
    'the API of Etherscan without a chain',
    () => read(`/api?module=contract&action=getabi&address=${address}`),
    /Contract source code not verified/,
    /Contract source code not verified/,
  ],
];

const unlike = async (wanted: 'before' | 'after'): Promise<string[]> => {
  const found: string[] = [];
  for (const [name, asks, before, after] of readers) {
    const said = await asks();
    if (!(wanted === 'before' ? before : after).test(said)) found.push(`${name}: ${said.slice(0, 300)}`);
  }
  return found;
};

it('is unnamed in everything', async () => {
  expect(await unlike('before')).toEqual([]);
});

it('takes over what the import says, in everything', async () => {
  const { connectionString } = database;
  const settings = loadSettings('import', ['--source', folder, '--network', 'previewnet'], {});
  // An import begins so.
  await settleNetwork({ connectionString, settings, log, imports: true });
  await vi.waitFor(async () => expect(await askSocket('eth_chainId')).toContain('0x129'));
  await ledger.stream.importInto(connectionString);
  expect(await unlike('after')).toEqual([]);
});

it('shows the chain id in contract results, to contracts, and on their pages', async () => {
  const results = await read('/api/v1/contracts/results?limit=100', 'application/json');
  const { results: listed } = JSON.parse(results.slice(results.indexOf('{'))) as {
    results: { chain_id: string; r: string | null; contract_id: string }[];
  };
  const internal = listed.filter(({ r }) => r === null);
  expect(internal.length).toBeGreaterThan(0);
  expect(new Set(internal.map(({ chain_id }) => chain_id))).toEqual(new Set(['0x129']));
  const called = await ask('eth_call', { to: address, data: '0x' }, 'latest', { [address]: { code: readsChainId } });
  expect(called).toContain(`${'0'.repeat(61)}129`);
  const { contract_id } = listed.find((one) => one.contract_id !== null)!;
  expect(await read(`/previewnet/contract/${contract_id}/source`)).toContain('--chain 297');
});
