// One client floods the queue with claims that compile for as long as they may: the others get their turn, nobody
// hangs, and what no compiler here could take is refused before it takes a place.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { describeExplorer } from '../../packages/verification/registry/describe-explorer.ts';
import { compilerVersion, flatRecord, runtimeCodeOf, standardInput } from '../support/contracts/sample-contracts.ts';
import { json, record, type StubExplorer, startStubExplorer } from './stub-explorer.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'fair-queue-'));
const endlessVersion = '0.4.99+commit.00000001';
const endlessCompiler = `const functions = {
  version: () => ${JSON.stringify(`${endlessVersion}.Emscripten.clang`)},
  compileJSONMulti: () => { for (;;); },
};
module.exports = { _version: 1, _compileJSONMulti: 1, cwrap: (name) => functions[name] };`;

let explorer: StubExplorer;
let stack: VerificationStack;
let contracts = 6100;

beforeAll(async () => {
  writeFileSync(join(folder, 'soljson-v0.4.99.js'), endlessCompiler);
  explorer = await startStubExplorer();
  stack = await startVerificationStack({
    explorers: [describeExplorer({ kind: 'blockscout', location: explorer.url, ratePerSecond: 1000 })],
    compilers: folder,
    // An honest compilation takes less than one of these seconds of a processor, or three on a busy machine.
    ...{ perClient: 2, concurrent: 1, compileMs: 6000, maxWaitMs: 100 },
    inProcesses: true,
  });
});
afterAll(async () => {
  await stack?.close();
  await explorer?.close();
  rmSync(folder, { recursive: true, force: true });
});

const bomb = {
  stdJsonInput: { language: 'Solidity', sources: { 'a.sol': { content: 'contract A {}' } }, settings: {} },
  compilerVersion: endlessVersion,
  contractIdentifier: 'a.sol:A',
};
const honest = {
  stdJsonInput: standardInput('Vault'),
  compilerVersion: compilerVersion.slice(1),
  contractIdentifier: 'Vault.sol:Vault',
};

const newContract = () => stack.addContract(contracts++, { runtime: runtimeCodeOf('Vault') });

/** @param client its address, as a proxy in front says it */
const submit = async (client: string, claim: object) =>
  stack.post(`/v2/verify/298/${await newContract()}`, claim, { 'x-forwarded-for': client });

async function finished(verificationId: string) {
  const completed = async () => {
    const { body } = await stack.get(`/v2/verify/${verificationId}`);
    return body.isJobCompleted && body;
  };
  return vi.waitUntil(completed, { timeout: waitMs, interval: 100 });
}

it('a client has a share of the queue, and the next one does not wait behind it', async () => {
  const bombs = [];
  for (const last of [1, 2]) bombs.push(await submit(`2001:db8::${last}`, bomb));
  expect(bombs.map(({ status }) => status)).toEqual([202, 202]);
  const refused = await submit('2001:db8::3', bomb);
  expect(refused).toMatchObject({ status: 429, body: { customCode: 'too_many_jobs' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(stack.refused).toEqual(['client']);
  const other = await submit('2001:db8:0:1::1', honest);
  expect(other.status).toBe(202);
  const ids = [...bombs, other].map(({ body }) => body.verificationId as string);
  const jobs = await Promise.all(ids.map(finished));
  expect(jobs.at(-1).contract).toMatchObject({ runtimeMatch: 'exact_match' });
  for (const job of jobs.slice(0, 2)) expect(job.error).toMatchObject({ customCode: 'compiler_limit' });
  const order = await stack.query('select id from verification_job order by finished_at');
  const places = order.map(({ id }) => ids.indexOf(id as string));
  expect(places.at(-1)).toBe(1);
  expect(stack.load()).toEqual({ running: 0, waiting: 0, waitMs: 0 });
});

it.each([
  ['that is checked', 'v0.8.37+commit.f401782d', { status: 200, body: { result: [{ status: 'perfect' }] } }],
  ['that meets a limit', endlessVersion, { status: 400, body: { customCode: 'compiler_limit' } }],
])(
  'a request whose check %s is not done in time comes again, and hears how it ended',
  async (_case, version, outcome) => {
    const address = await newContract();
    explorer.answer(address, json(record({ ...flatRecord('Vault'), CompilerVersion: version })));
    const ask = () => stack.post('/verify/explorer', { address, chainId: '298' });
    const early = await ask();
    expect(early).toMatchObject({ status: 429, body: { customCode: 'too_many_jobs' } });
    expect(early.headers.get('retry-after')).toBe('5');
    for (;;) {
      const answer = await ask();
      if (answer.status === 429) continue;
      expect(answer).toMatchObject(outcome);
      break;
    }
    // It was not started again.
    expect(explorer.asked.filter(({ search }) => search.includes(address.slice(2)))).toHaveLength(1);
  },
);

it.each([
  ['latest', 400, 'invalid_compiler_version'],
  ['0.8.37 && rm', 400, 'invalid_compiler_version'],
  ['v0.9.12+commit.0badc0de', 503, 'compiler_not_available'],
])('the compiler %s is refused when it comes', async (name, status, customCode) => {
  const before = await stack.query('select count(*)::int from verification_job');
  const answer = await submit('203.0.113.3', { ...honest, compilerVersion: name });
  expect(answer).toMatchObject({ status, body: { customCode } });
  expect(await stack.query('select count(*)::int from verification_job')).toEqual(before);
});

it('Vyper is refused when it comes', async () => {
  const stdJsonInput = { ...bomb.stdJsonInput, language: 'Vyper' };
  const answer = await submit('203.0.113.3', { ...bomb, stdJsonInput, compilerVersion: '0.3.10' });
  expect(answer).toMatchObject({ status: 503, body: { customCode: 'compiler_not_available' } });
});
