// `POST /v2/verify/similarity`: contracts of the simulated network by the sources of others with the same code, and
// code that differs in what a deployment changes, or in more than that.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };
import { openNetwork } from '../../packages/test-support/streams/open-network.ts';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { createVerificationArchive } from '../../packages/verification/archive/verification-archive.ts';
import type { CompilerInput } from '../../packages/verification/terms/source-claim.ts';
import { runImport } from '../../src/runtime/import/run-import.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { compileSolidity } from '../support/contracts/compile-solidity.ts';
import { createEvm } from '../support/contracts/evm-deployment.ts';
import { compilerVersion, sourceOf } from '../support/contracts/sample-contracts.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

let stack: VerificationStack;
const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-similar-'));

beforeAll(async () => {
  stack = await startVerificationStack({
    explorers: [],
    chains: [
      {
        chainId: '1',
        name: 'Away',
        bytecode: { kind: 'rpc', urls: ['http://127.0.0.1:9'], timeoutMs: 5000 },
        explorers: [],
      },
    ],
  });
});
afterAll(async () => {
  await stack?.close();
  rmSync(folder, { recursive: true });
});

async function finished({ status, body }: Awaited<ReturnType<VerificationStack['post']>>) {
  expect([status, body.message]).toEqual([202, undefined]);
  const completed = async () => {
    const job = (await stack.get(`/v2/verify/${body.verificationId}`)).body;
    return job.isJobCompleted && job;
  };
  return vi.waitUntil(completed, { timeout: waitMs, interval: 20 });
}

const similar = async (address: string) => finished(await stack.post(`/v2/verify/similarity/298/${address}`, {}));

const verify = async (address: string, stdJsonInput: CompilerInput, contractIdentifier: string) =>
  finished(
    await stack.post(`/v2/verify/298/${address}`, {
      stdJsonInput,
      compilerVersion: compilerVersion.slice(1),
      contractIdentifier,
    }),
  );

/** Every contract takes a compilation; `SIMILAR_BLOCKS=600` looks at many. */
const blocks = Number(process.env.SIMILAR_BLOCKS ?? 30);

describe('contracts of the simulated network', () => {
  type Known = { address: string; name: string | null };

  /** Each by the metadata that its own compilation left in the artifact: nothing of ours decides what it is. */
  async function listContracts(): Promise<Known[]> {
    const names = Object.keys(artifacts.contracts) as (keyof typeof artifacts.contracts)[];
    const rows = await stack.query(`select encode(c.runtime_bytecode, 'hex') as code,
      coalesce(encode(e.evm_address, 'hex'), lpad(to_hex(e.num), 40, '0')) as address
      from contract c join entity e on e.id = c.id where length(c.runtime_bytecode) > 100 order by c.id`);
    return rows.map(({ code, address }) => {
      const tail = String(code).slice(-106);
      const own = names.find((name) => artifacts.contracts[name].initcode.endsWith(tail));
      const isChild = own === undefined && artifacts.contracts.Factory.initcode.includes(tail);
      return { address: `0x${address}`, name: own ?? (isChild ? 'Child' : null) };
    });
  }

  it('all with a verified source are found by one of them, and none without', async () => {
    const network = await openNetwork({ folder });
    for (let block = 0; block < blocks; block++) await network.writeBlock();
    await network.close();
    await runImport({
      connectionString: stack.connectionString,
      settings: loadSettings('import', ['--once', '--source', folder, '--address-book', network.addressBookPath], {}),
      extent: { start: { kind: 'genesis' }, filter: undefined },
      log: pino({ level: 'silent' }),
      signal: new AbortController().signal,
    });
    const contracts = await listContracts();
    const verified = new Set<string>();
    const others: Known[] = [];
    for (const contract of contracts) {
      const { address, name } = contract;
      // Nobody has shown the source of this one.
      if (name === null || name === 'Reverter' || verified.has(name)) {
        others.push(contract);
        continue;
      }
      const file = name === 'Child' ? 'Factory' : name;
      const sources = { [`${file}.sol`]: { content: sourceOf(file as 'Coin') } };
      const input = { language: 'Solidity', sources, settings: artifacts.settings };
      expect(await verify(address, input, `${file}.sol:${name}`)).toMatchObject({ contract: { match: 'exact_match' } });
      verified.add(name);
    }
    const results: { name: string | null; job: Awaited<ReturnType<typeof similar>> }[] = [];
    // A client may have fifty jobs.
    for (let from = 0; from < others.length; from += 20) {
      const some = others.slice(from, from + 20);
      results.push(
        ...(await Promise.all(some.map(async ({ address, name }) => ({ name, job: await similar(address) })))),
      );
    }
    const withSource = results.filter(({ name }) => name !== null && verified.has(name));
    const found = withSource.filter(({ job }) => job.contract.match !== null);
    const withoutSource = results.filter(({ name }) => name === null || !verified.has(name));
    const wrong = withoutSource.filter(({ job }) => job.error?.customCode !== 'no_similar_match_found');
    if (process.env.SIMILAR_BLOCKS) console.log(found.length, withSource.length, wrong.length, withoutSource.length);
    expect(withSource.length).toBeGreaterThanOrEqual(3);
    expect(withoutSource.length).toBeGreaterThanOrEqual(1);
    expect(found.length / withSource.length).toBeGreaterThanOrEqual(0.99);
    expect(wrong).toEqual([]);
  });
});

describe('code that a deployment changes', () => {
  let num = 900_001;
  const settings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' };
  const inputOf = (content: string, more: object = {}): CompilerInput => ({
    language: 'Solidity',
    sources: { 'Kept.sol': { content } },
    settings: { ...settings, ...more },
  });
  const kept = `pragma solidity >=0.8.0;
library Adder { function add(uint256 a, uint256 b) public pure returns (uint256) { return a + b; } }
contract Kept {
    uint256 public immutable size;
    bytes32 public constant mark = 0x1111111111111111111111111111111111111111111111111111111111111111;
    constructor(uint256 value) { size = value; }
    function more(uint256 a) external view returns (uint256) { return Adder.add(a, size); }
}
`;
  const linkedTo = (byte: string) => ({ libraries: { 'Kept.sol': { Adder: `0x${byte.repeat(20)}` } } });

  async function deploy(input: CompilerInput, size: number): Promise<string> {
    const [output] = await compileSolidity('0.8.37', [input]);
    const { evm } = output!.contracts['Kept.sol']!.Kept!;
    const argument = size.toString(16).padStart(64, '0');
    const machine = await createEvm();
    const { code } = await machine.deploy(Buffer.from(`${evm.bytecode.object}${argument}`, 'hex'));
    return stack.addContract(num++, { runtime: code });
  }

  it('immutables, libraries and comments may differ; a constant may not', async () => {
    const original = inputOf(kept, linkedTo('aa'));
    const first = await deploy(original, 7);
    expect(await verify(first, original, 'Kept.sol:Kept')).toMatchObject({ contract: { runtimeMatch: 'exact_match' } });
    const cases = {
      'another immutable': [original, 'exact_match'],
      'another library': [inputOf(kept, linkedTo('bb')), 'match'],
      'another comment': [inputOf(`// changed\n${kept}`, linkedTo('aa')), 'match'],
    } as const;
    for (const [input, runtimeMatch] of Object.values(cases)) {
      expect(await similar(await deploy(input, 9))).toMatchObject({ contract: { runtimeMatch } });
    }
    // The same skeleton, and not the same source.
    const other = inputOf(kept.replaceAll('1111', '2222'), linkedTo('aa'));
    expect(await similar(await deploy(other, 7))).toMatchObject({
      error: {
        customCode: 'no_similar_match_found',
        message: 'No similar verified contracts were found in the database.',
      },
      contract: { match: null },
    });
  });

  it('code that was stored before there were skeletons is found, too', async () => {
    await stack.query('delete from verification_code_skeleton');
    const db = openDatabase({ connectionString: stack.connectionString });
    const errors: Error[] = [];
    const archive = createVerificationArchive({ db, log: (_sentence, error) => errors.push(error) });
    const [row] = await stack.query(`select c.code from verified_contract v
      join verification_code c on c.code_hash = v.onchain_runtime_code_hash order by v.id desc limit 1`);
    const claims = await archive.findSimilar(row!.code as Buffer);
    await db.close();
    // As it was compiled, and without the libraries that the compiler linked.
    expect(claims.map(({ target, input }) => [target.name, 'libraries' in input.settings])).toContainEqual([
      'Kept',
      true,
    ]);
    expect(claims.map(({ target, input }) => [target.name, 'libraries' in input.settings])).toContainEqual([
      'Kept',
      false,
    ]);
    expect(errors).toEqual([]);
  });
});

describe('refusals', () => {
  it.each([
    ['298/0x12', {}, 400, 'invalid_parameter', 'Invalid address: 0x12'],
    [`7/0x${'12'.repeat(20)}`, {}, 400, 'unsupported_chain', 'Chain 7 not supported for verification!'],
    [
      `298/0x${'12'.repeat(20)}`,
      {},
      404,
      'cannot_fetch_bytecode',
      `There is no bytecode at address 0x${'12'.repeat(20)} on chain 298.`,
    ],
    [
      `1/0x${'12'.repeat(20)}`,
      {},
      502,
      'failed_to_get_bytecode',
      `Failed to get bytecode for chain 1 and address 0x${'12'.repeat(20)}.`,
    ],
    [
      `298/0x${'12'.repeat(20)}`,
      { creationTransactionHash: '0x1' },
      400,
      'invalid_parameter',
      'creationTransactionHash must be 0x and 64 hex digits',
    ],
  ])('%s', async (contract, body, status, customCode, message) => {
    const answer = await stack.post(`/v2/verify/similarity/${contract}`, body);
    expect(answer).toMatchObject({ status, body: { customCode, message, errorId: expect.any(String) } });
  });

  it('a contract that is verified already', async () => {
    const [row] = await stack.query(
      `select encode(address, 'hex') as address from verified_contract
       where creation_match = 'perfect' and runtime_match = 'perfect' limit 1`,
    );
    expect(await stack.post(`/v2/verify/similarity/298/0x${row!.address}`, {})).toMatchObject({
      status: 409,
      body: { customCode: 'already_verified' },
    });
  });
});
