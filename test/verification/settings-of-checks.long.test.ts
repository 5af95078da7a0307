// Settings of contract checks as flags, from the command line to what the explorer and the source of compilers are asked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StoredRows, storeRows } from '../../packages/test-support/rows/store-rows.ts';
import { blockRow, entityRow, priceRows } from '../../packages/test-support/rpc/chain-rows.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import type { RunningServer } from '../../src/runtime/serve/start-server.ts';
import { flatRecord, runtimeCodeOf } from '../support/contracts/sample-contracts.ts';
import { serveHere } from '../support/program/serve-here.ts';
import { json, record, type StubExplorer, startStubExplorer } from './stub-explorer.ts';

let folder: string;
let stored: StoredRows;
let explorer: StubExplorer;
const servers: RunningServer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'settings-of-checks-'));
  explorer = await startStubExplorer();
  const contracts = [2001n, 2002n, 2003n].flatMap((id) => [
    entityRow(id, { type: 'CONTRACT', created_timestamp: id }),
    { table: 'contract', row: { id, runtime_bytecode: runtimeCodeOf('Reverter') } },
  ]);
  stored = await storeRows([blockRow(0n), ...priceRows(5n, 50), ...contracts]);
  const explorers = [{ kind: 'etherscan', url: explorer.url, ratePerSec: 1000 }];
  const chains = { '298': { name: 'Local', bytecode: 'ledger', explorers } };
  writeFileSync(join(folder, 'chains.json'), JSON.stringify({ chains }));
});
afterAll(async () => {
  await explorer?.close();
  for (const server of servers) await server.close();
  await stored?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(...flags: string[]): Promise<string> {
  const usual = ['--data-dir', folder, '--status-service', 'off', '--verify-chains', join(folder, 'chains.json')];
  const network = { name: 'other', chainId: 298n, system: null };
  const server = await serveHere(stored.connectionString, [...usual, ...flags], { network });
  servers.push(server);
  return server.url;
}

const addressOf = (id: bigint) => `0x${id.toString(16).padStart(40, '0')}`;

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

const check = (url: string, id: bigint) => post(`${url}/verify/explorer`, { address: addressOf(id), chainId: '298' });

it('--verify-wait: how long a request waits for its check', async () => {
  // Never answers.
  explorer.answer(addressOf(2001n), () => {});
  const [short, long] = [await serve('--verify-wait', '1'), await serve('--verify-wait', '3600')];
  const waiting = new AbortController();
  const other = fetch(`${long}/verify/explorer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address: addressOf(2001n), chainId: '298' }),
    signal: waiting.signal,
  }).then(
    ({ status }) => status,
    () => 'still waiting',
  );
  const answer = await check(short, 2001n);
  expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
  waiting.abort();
  expect(await other).toBe('still waiting');
});

it.each([
  { seconds: '3600', asksAgain: false },
  { seconds: '0', asksAgain: true },
])('--verify-recheck $seconds: a result that is not perfect is kept, or fetched again', async (given) => {
  const id = given.asksAgain ? 2002n : 2003n;
  explorer.answer(addressOf(id), json(record(flatRecord('Coin'))));
  const url = await serve('--verify-recheck', given.seconds);
  const first = await check(url, id);
  expect([first.status, (await first.text()).includes('perfect')]).toEqual([200, false]);
  const asked = () => explorer.asked.filter(({ searchParams }) => searchParams.get('address') === addressOf(id)).length;
  const before = asked();
  expect(before).toBeGreaterThan(0);
  expect((await check(url, id)).status).toBe(200);
  expect(asked() > before).toBe(given.asksAgain);
});

it('--verify-download-url: where the list of compilers is', async () => {
  const flags = ['--verify-download', 'list', '--verify-download-url', `${explorer.url}/compilers`];
  const url = await serve(...flags, '--verify-compilers', join(folder, 'compilers'));
  await post(`${url}/v2/verify/298/${addressOf(2001n)}`, {
    stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } }, settings: {} },
    compilerVersion: '0.8.1+commit.df193b15',
    contractIdentifier: 'a.sol:A',
  });
  const asked = () => explorer.asked.map(({ pathname }) => pathname);
  await expect.poll(asked, { timeout: waitMs }).toContain('/compilers/list.json');
});
