// What tools open after a check, and what they ask a server of Sourcify before: every link leads to a page that is
// there.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toChecksumAddress } from '../../packages/abi/checksum-address.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { openChecked } from '../../packages/test-support/verification/open-checked.ts';
import { addVerification } from '../../src/server/add-verification.ts';
import type { MirrorServer } from '../../src/server/server.ts';
import { compilerVersion, runtimeCodeOf, standardInput } from '../support/contracts/sample-contracts.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let stack: VerificationStack;
let db: Database;
let app: MirrorServer;
let url: string;
let address: string;
let jobs: { own: string; failed: string; other: string };

beforeAll(async () => {
  stack = await startVerificationStack({ explorers: [] });
  db = openDatabase({ connectionString: stack.connectionString });
  const { abis, sources } = openChecked(db, stack.routes.jobs);
  app = openServer(db, 'spec', { abis, sources });
  addVerification(app, stack.routes);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  address = toChecksumAddress(await stack.addContract(2001, { runtime: runtimeCodeOf('Vault') }));
  jobs = {
    own: await check('298', 'Vault'),
    failed: await check('296', 'Coin'),
    other: await check('296', 'Vault'),
  };
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await stack?.close();
});

async function check(chainId: string, name: 'Vault' | 'Coin'): Promise<string> {
  const body = { stdJsonInput: standardInput(name), compilerVersion, contractIdentifier: `${name}.sol:${name}` };
  const { verificationId } = (await stack.post(`/v2/verify/${chainId}/${address}`, body)).body;
  for (const until = Date.now() + waitMs; Date.now() < until; ) {
    if ((await stack.get(`/v2/verify/${verificationId}`)).body.isJobCompleted) return verificationId;
  }
  throw new Error('The check does not end');
}

const ask = (path: string) => fetch(`${url}${path}`, { redirect: 'manual' });

it.each<[string, () => string, () => string]>([
  ['Etherscan: a contract', () => `/address/${address}`, () => `/demo/contract/${address}/source`],
  ['Etherscan: in lower case', () => `/address/${address.toLowerCase()}`, () => `/demo/contract/${address}/source`],
  ['Etherscan: no contract', () => `/address/0x${'ab'.repeat(20)}`, () => `/search?q=0x${'ab'.repeat(20)}`],
  ['Etherscan: no address', () => '/address/%3Cb%3E', () => '/search?q=%3Cb%3E'],
  ['Hardhat 2: perfect', () => `/contracts/full_match/298/${address}/`, () => `/repo-ui/298/${address}`],
  ['Hardhat 2: partial', () => `/contracts/partial_match/298/${address}`, () => `/repo-ui/298/${address}`],
  [
    'a file of the repository',
    () => `/contracts/full_match/298/${address}/metadata.json`,
    () => `/repository/contracts/full_match/298/${address}/metadata.json`,
  ],
  [
    'Foundry: a check',
    () => `/verify-ui/jobs/${jobs.own}`,
    () => `/demo/contract/${address}/source?job=${jobs.own}#job`,
  ],
  ['Foundry: of another chain', () => `/verify-ui/jobs/${jobs.other}`, () => `/repo-ui/296/${address}`],
  ['Foundry: that failed there', () => `/verify-ui/jobs/${jobs.failed}`, () => `/v2/verify/${jobs.failed}`],
  ['Sourcify: the page for checks', () => '/verify-ui', () => '/demo/contracts'],
  ['Sourcify: the repository', () => '/repo-ui/', () => '/demo/contracts'],
])('%s', async (_case, path, expected) => {
  const { status, headers } = await ask(path());
  expect([status, headers.get('location')]).toEqual([302, expected()]);
});

it('whatever is opened is there', async () => {
  for (const path of [
    `/address/${address}`,
    `/contracts/full_match/298/${address}/`,
    `/contracts/full_match/298/${address}/metadata.json`,
    `/verify-ui/jobs/${jobs.own}`,
    `/verify-ui/jobs/${jobs.other}`,
    `/verify-ui/jobs/${jobs.failed}`,
    '/verify-ui',
  ]) {
    const response = await fetch(`${url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
  }
});

it.each<[string, number, object]>([
  ['/verify-ui/jobs/00000000-0000-0000-0000-000000000000', 404, { customCode: 'job_not_found' }],
  ['/verify-ui/jobs/x', 404, { customCode: 'job_not_found' }],
  ['/contracts/full_match/298/0x1/a%2F..%2Fb', 404, { customCode: 'not_found' }],
  ['/v2/unknown', 404, { customCode: 'route_not_found', message: 'There is no GET /v2/unknown' }],
  ['/v2/verify/1/2/3?a=b', 404, { customCode: 'route_not_found', message: 'There is no GET /v2/verify/1/2/3' }],
  ['/version', 200, { sourcifyServerVersion: '1.2.3', libSourcifyVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/) }],
])('%s', async (path, expected, members) => {
  const response = await ask(path);
  expect(response.status).toBe(expected);
  const body = (await response.json()) as { errorId: string };
  expect(body).toMatchObject(members);
  if (expected === 404) expect(body.errorId).toMatch(/^[0-9a-f-]{36}$/);
});

it('a server that is asked whether it lives', async () => {
  const response = await ask('/health');
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'Alive and kicking!',
  ]);
  // The mirror's own probes are beside it.
  expect((await ask('/health/liveness')).status).toBe(200);
});

it('POST to an unknown path of the second API', async () => {
  const response = await fetch(`${url}/v2/verify/unknown/1/2/3/4`, { method: 'POST', body: '{}' });
  expect([response.status, ((await response.json()) as { customCode: string }).customCode]).toEqual([
    404,
    'route_not_found',
  ]);
});
