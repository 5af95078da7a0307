// The requests of the guide, against the simulated network: on every machine the same addresses, and one of each
// answer.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';

import { afterAll, beforeAll, expect, it } from 'vitest';
import { explorerFolderName } from '../../packages/simulated-network/network.ts';
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { describeExplorer } from '../../packages/verification/registry/describe-explorer.ts';
import { runImport } from '../../src/runtime/import/run-import.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let stack: VerificationStack;
const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-demo-records-'));

beforeAll(async () => {
  const network = await openNetwork({ folder });
  for (let block = 0; block < 12; block++) await network.writeBlock();
  await network.close();
  stack = await startVerificationStack({
    explorers: [describeExplorer({ kind: 'folder', location: join(folder, explorerFolderName) })],
  });
  await runImport({
    connectionString: stack.connectionString,
    settings: loadSettings('import', ['--once', '--source', folder, '--address-book', network.addressBookPath], {}),
    extent: { start: { kind: 'genesis' }, filter: undefined },
    log: pino({ level: 'silent' }),
    signal: new AbortController().signal,
  });
});
afterAll(async () => {
  await stack?.close();
  rmSync(folder, { recursive: true });
});

const guide = readFileSync(new URL('../../docs/guides/verify-contracts.md', import.meta.url), 'utf8');
const requests = [...guide.matchAll(/-d '(\{"address".*?\})'\s+# "(\w+)"/g)].map(
  ([, body, status]) => [status!, body!] as const,
);

it('the guide shows one of each', () => {
  expect(requests.map(([status]) => status)).toEqual(['perfect', 'partial', 'null']);
});

it.each(requests)('%s', async (status, body) => {
  const answer = await stack.check(body);
  expect(answer).toMatchObject({ status: 200, body: { result: [{ status, chainId: '298' }] } });
  const { message, creatorTxHash, blockNumber, deployer } = answer.body.result[0];
  expect(message).toMatch(
    { perfect: /^Runtime code: perfect.*Creation code: perfect/, partial: /partial/, null: /differ|length/ }[status]!,
  );
  expect({ creatorTxHash, blockNumber, deployer }).toEqual({
    creatorTxHash: expect.stringMatching(/^0x[0-9a-f]{64,}$/),
    blockNumber: expect.any(Number),
    deployer: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  });
});

it('contracts that a factory made are verified too', async () => {
  const [child] = await stack.query(`select encode(e.evm_address, 'hex') as address from entity e
    where e.type = 'CONTRACT' and e.evm_address is not null and length(e.evm_address) = 20
      and exists (select from contract c where c.id = e.id and length(c.runtime_bytecode) < 400) limit 1`);
  expect(await stack.check({ address: `0x${child!.address}`, chainId: '298' })).toMatchObject({
    status: 200,
    body: { result: [{ status: 'perfect', contractName: 'Child' }] },
  });
});
