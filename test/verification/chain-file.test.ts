// A chain file that names the mirror's own chain: as long as its code is the ledger's, everything works as without the
// file. With another source of code there is nothing that the form could check.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { blockRow, entityRow, priceRows } from '../../packages/test-support/rpc/chain-rows.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { compilerVersion, initcodeOf, runtimeCodeOf, standardInput } from '../support/contracts/sample-contracts.ts';
import { serveHere } from '../support/program/serve-here.ts';

const chains = {
  none: undefined,
  'the ledger': { '298': { name: 'Local', bytecode: 'ledger', explorers: [] } },
  // Nothing answers there.
  'an RPC endpoint': { '298': { name: 'Local', bytecode: { rpc: ['http://127.0.0.1:1'] }, explorers: [] } },
};
type Named = keyof typeof chains;
type Source = Parameters<typeof standardInput>[0];

let folder: string;
let stored: StoredRows;
const servers = new Map<Named, RunningServer>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chain-file-'));
  const contract = (id: bigint, name: Source) => [
    entityRow(id, { type: 'CONTRACT', created_timestamp: id }),
    { table: 'contract', row: { id, runtime_bytecode: runtimeCodeOf(name), initcode: initcodeOf(name) } },
  ];
  const contracts = [...contract(2001n, 'Reverter'), ...contract(2002n, 'Coin'), ...contract(2003n, 'Vault')];
  stored = await storeRows([blockRow(0n), ...priceRows(5n, 50), ...contracts]);
  for (const [name, named] of Object.entries(chains)) {
    const file = join(folder, `${name}.json`);
    if (named) writeFileSync(file, JSON.stringify({ chains: named }));
    const flags = ['--data-dir', folder, '--status-service', 'off', ...(named ? ['--verify-chains', file] : [])];
    const network = { name: 'other', chainId: 298n, system: null };
    servers.set(name as Named, await serveHere(stored.connectionString, flags, { network }));
  }
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
  await stored?.close();
  rmSync(folder, { recursive: true, force: true });
});

const urlOf = (name: Named, id: bigint): string => `${servers.get(name)!.url}/other/contract/0.0.${id}/source`;
const read = async (url: string): Promise<string> => (await fetch(url)).text();

function send(name: Named, id: bigint, source: Source): Promise<Response> {
  const form = new FormData();
  form.append('files', new Blob([JSON.stringify(standardInput(source))]), 'input.json');
  form.append('contractName', source);
  form.append('compilerVersion', compilerVersion);
  return fetch(urlOf(name, id), { method: 'POST', body: form, redirect: 'manual' });
}

it.each<[Named, bigint, Source]>([
  ['none', 2001n, 'Reverter'],
  ['the ledger', 2002n, 'Coin'],
])('%s: the page has the form and the commands, and a form that is sent becomes a check', async (name, id, source) => {
  const before = await read(urlOf(name, id));
  expect(before).toContain('enctype="multipart/form-data"');
  expect(before).toContain('--chain 298');
  expect(before).toContain('ledger-mirror contract verify');
  const { status, headers } = await send(name, id, source);
  expect(status).toBe(303);
  // How checks end is the subject of other tests: here they may wait for a processor.
  const job = new URL(headers.get('location')!, urlOf(name, id));
  expect(await read(job.href)).toMatch(/id="job"/);
  const found = await fetch(new URL(`/v2/verify/${job.searchParams.get('job')}`, job));
  expect(await found.json()).toMatchObject({ contract: { chainId: '298' } });
});

it('an RPC endpoint: neither form nor commands, and nothing takes sources', async () => {
  const page = await read(urlOf('an RPC endpoint', 2003n));
  expect(page).not.toContain('enctype="multipart/form-data"');
  expect(page).not.toContain('ledger-mirror contract verify');
  expect((await send('an RPC endpoint', 2003n, 'Vault')).status).toBe(404);
});
