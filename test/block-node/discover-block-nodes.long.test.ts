// `import --discover-block-nodes`: what the named node does not have comes from a node that the ledger registers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import {
  type BlockNodeServer,
  type BlockNodeServerOptions,
  startBlockNodeServer,
} from '../support/servers/block-node-server.ts';
import { countBlocks } from '../support/tables/import-folder.ts';

let folder: string;
let blocks: Buffer[];
const servers: BlockNodeServer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'discover-block-nodes-'));
  await writeNetwork({ folder, seed: 'discover', format: 'blocks', blocks: 6, transactions: 2 });
  blocks = readBlocks(join(folder, 'blocks'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(last: bigint, options: Partial<BlockNodeServerOptions> = {}): Promise<BlockNodeServer> {
  const server = await startBlockNodeServer({
    block: (number) => blocks[Number(number)]!,
    available: () => ({ first: 0n, last }),
    ...options,
  });
  servers.push(server);
  return server;
}

type StoredEndpoint = { api: string; port: number; domain?: string; ip?: string; tls?: boolean };

/** As the importer stores a registration. */
const stored = ({ api, port, domain, ip, tls = false }: StoredEndpoint) => ({
  block_node: { endpoint_apis: [api] },
  domain_name: domain ?? null,
  general_service: null,
  ip_address: ip ?? null,
  mirror_node: null,
  port,
  requires_tls: tls,
  rpc_relay: null,
});

type Run = (words: string[], env: Record<string, string>) => Promise<{ code: number | null; output: string }>;

const inThisProcess: Run = (words, env) => runHere(words, { env });
const asProcess: Run = async (words, env) => {
  const mirror = runMirror(words, { env });
  return { code: await mirror.ended, output: mirror.output() };
};

/** Exit code, output, and how many blocks are stored. */
async function importWith(
  source: string,
  registered: StoredEndpoint[],
  flags: string[],
  env: Record<string, string> = {},
  run: Run = inThisProcess,
) {
  const database = await createScratchDatabase();
  const db = openDatabase({ connectionString: database.connectionString });
  try {
    await db.query({
      name: 'test-register-node',
      text: `insert into registered_node (registered_node_id, deleted, timestamp_range, type, service_endpoints)
values (900, false, '[1,)', '{1}', $1)`,
      values: [JSON.stringify(registered.map(stored))],
    });
    const book = join(folder, 'addressbook.bin');
    const common = ['--once', '--source', source, '--source-timeout', '5', '--address-book', book];
    const words = ['import', ...common, ...flags];
    const { code, output } = await run(words, { DATABASE_URL: database.connectionString, ...env });
    return { exitCode: code, output, count: await countBlocks(db) };
  } finally {
    await db.close();
    await database.close();
  }
}

const split = ({ port, statusPort }: BlockNodeServer, host: Partial<StoredEndpoint>): StoredEndpoint[] => [
  { api: 'SUBSCRIBE_STREAM', port, ...host },
  { api: 'STATUS', port: statusPort, ...host },
];

it('the rest comes from the registered node, at the ports that it registered', async () => {
  const named = await serve(2n);
  const registered = await serve(5n, { hasStatusPort: true });
  const endpoints = split(registered, { ip: '127.0.0.1' });
  const without = await importWith(named.address, endpoints, []);
  expect(without).toMatchObject({ exitCode: 0, count: 3 });
  expect(registered.requests).toEqual([]);
  const found = await importWith(named.address, endpoints, ['--discover-block-nodes'], {}, asProcess);
  expect([found.exitCode, found.output]).toEqual([0, expect.stringContaining(`source=${registered.address}`)]);
  expect(found.count).toBe(6);
}, 300_000);

it('an address that is not public is not connected to where the named source is elsewhere', async () => {
  const registered = await serve(5n);
  const endpoints = split(registered, { ip: '127.0.0.1' });
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const { output } = await importWith(empty, endpoints, ['--discover-block-nodes']);
  expect(output).toMatch(/A registered block node is not used: 127\.0\.0\.1 is not a public address/);
  expect(registered.requests).toEqual([]);
}, 300_000);

it('what a registered node claims and does not give is not missing', async () => {
  const named = await serve(2n);
  const liar = await serve(5n, { nextFault: () => ({ fault: 'endNotAvailable', after: 0 }) });
  const { exitCode, count } = await importWith(named.address, split(liar, { ip: '127.0.0.1' }), [
    '--discover-block-nodes',
  ]);
  expect(liar.requests.length).toBeGreaterThan(0);
  expect({ exitCode, count }).toEqual({ exitCode: 0, count: 3 });
}, 300_000);

const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version']).length > 0;
  } catch {
    return false;
  }
})();

it.skipIf(!hasOpenssl)(
  `over TLS where it is registered so, for the name${hasOpenssl ? '' : ' (skipped: no openssl to make a certificate)'}`,
  async () => {
    const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...name, '-keyout', keyPath, '-out', certPath], {
      stdio: 'pipe',
    });
    const named = await serve(2n);
    const registered = await serve(5n, { tls: { key: readFileSync(keyPath), cert: readFileSync(certPath) } });
    const byName = await importWith(
      named.address,
      split(registered, { domain: 'localhost', tls: true }),
      ['--discover-block-nodes'],
      { NODE_EXTRA_CA_CERTS: certPath },
      asProcess,
    );
    expect([byName.exitCode, byName.output]).toEqual([0, expect.stringContaining('source=grpcs://localhost:')]);
    expect(byName.count).toBe(6);
    // The certificate is not one of the address.
    const byAddress = await importWith(
      named.address,
      split(registered, { ip: '127.0.0.1', tls: true }),
      ['--discover-block-nodes'],
      { NODE_EXTRA_CA_CERTS: certPath },
      asProcess,
    );
    expect(byAddress.count).toBe(3);
  },
  300_000,
);
