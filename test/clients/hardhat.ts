// Hardhat 3 as a program: `hardhat run` of a script that reads by the provider of a network with the address of `/rpc`.
// Hardhat compares the chain's id with the network's before the first request.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChainExamples } from './chain-examples.ts';
import { callDataOfText, readContractExamples } from './example-contracts.ts';
import type { ClientCall, OutsideClient } from './outside-client.ts';
import { runHardhat } from './run-hardhat.ts';

// biome-ignore lint/suspicious/noExplicitAny: what another package answers.
type Found = any;
type Check = { method: string; params: unknown[]; is(result: Found, error: Found): void };

const network = 'mirror';
const script = `
import { readFileSync, writeFileSync } from 'node:fs';
import { network } from 'hardhat';

const { provider } = await network.create('${network}');
const answers = [];
for (const { method, params } of JSON.parse(readFileSync('requests.json', 'utf8'))) {
  try {
    answers.push({ result: await provider.request({ method, params }) });
  } catch ({ name, code, data, message }) {
    answers.push({ error: { name, code, data, message } });
  }
}
writeFileSync('answers.json', JSON.stringify(answers));
`;

export const hardhat: OutsideClient = {
  packageName: 'hardhat',
  version: '3.18.0',
  pointedBy: "networks: { mirror: { type: 'http', url: '<address>/rpc' } }",
  async listCalls(context): Promise<ClientCall[]> {
    const { folder, mirrorUrl } = context;
    const { block, hash, log, account, token, contract } = await readChainExamples(context);
    const number = `0x${block.number.toString(16)}`;
    const ofLog = `0x${log.block.toString(16)}`;
    const symbol = { to: token.address, data: '0x95d89b41' };
    const { reverter } = await readContractExamples(mirrorUrl);
    const reverting = { to: reverter.evm_address, data: callDataOfText('withReason(string)', 'not today') };
    const checks: Record<string, Check> = {
      'chain id': { method: 'eth_chainId', params: [], is: (id) => assert.equal(id, '0x12a') },
      'block number': {
        ...{ method: 'eth_blockNumber', params: [] },
        is: (newest) => assert.ok(BigInt(newest) >= block.number),
      },
      block: {
        ...{ method: 'eth_getBlockByNumber', params: [number, true] },
        is: (found) => assert.deepEqual([found.hash, found.number], [block.hash, number]),
      },
      'block by hash': {
        ...{ method: 'eth_getBlockByHash', params: [block.hash, false] },
        is: (found) => assert.equal(found.number, number),
      },
      call: {
        ...{ method: 'eth_call', params: [symbol, 'latest'] },
        is: (found) => assert.match(found, new RegExp(Buffer.from(token.symbol).toString('hex'))),
      },
      'call that reverts': {
        ...{ method: 'eth_call', params: [reverting, 'latest'] },
        is: (_found, error) => assert.deepEqual([error?.name, error?.code], ['ProviderError', 3]),
      },
      'gas of a call': {
        ...{ method: 'eth_estimateGas', params: [{ ...symbol, from: account.address }] },
        is: (gas) => assert.ok(BigInt(gas) > 21_000n),
      },
      code: {
        ...{ method: 'eth_getCode', params: [contract.address, 'latest'] },
        is: (code) => assert.equal(code, contract.code),
      },
      transaction: {
        ...{ method: 'eth_getTransactionByHash', params: [hash] },
        is: (found) => assert.equal(found.hash, hash),
      },
      receipt: {
        ...{ method: 'eth_getTransactionReceipt', params: [hash] },
        is: ({ transactionHash, status }) => assert.deepEqual([transactionHash, status], [hash, '0x1']),
      },
      logs: {
        ...{ method: 'eth_getLogs', params: [{ address: log.address, fromBlock: ofLog, toBlock: ofLog }] },
        is: (found) => assert.deepEqual(found.find(({ data }: Found) => data === log.data).topics, log.topics),
      },
      trace: {
        ...{ method: 'debug_traceTransaction', params: [hash, { tracer: 'callTracer' }] },
        is: (found) => assert.equal(found.type, 'CALL'),
      },
    };
    let ran: Promise<{ result?: Found; error?: Found }[]> | null = null;
    const all = Object.values(checks);
    const run = () => {
      ran ??= runScript(folder, `${mirrorUrl}/rpc`, all);
      return ran;
    };
    return Object.entries(checks).map(([name, check], at) => ({
      name,
      async run() {
        const { result, error } = (await run())[at]!;
        if (error && check.is.length < 2) assert.fail(JSON.stringify(error));
        check.is(result, error);
      },
    }));
  },
};

async function runScript(folder: string, url: string, requests: readonly Check[]) {
  const config = { networks: { [network]: { type: 'http', url, chainId: 298, chainType: 'generic' } } };
  writeFileSync(join(folder, 'hardhat.config.js'), `export default ${JSON.stringify(config)};\n`);
  writeFileSync(join(folder, 'read.js'), script);
  writeFileSync(
    join(folder, 'requests.json'),
    JSON.stringify(requests.map(({ method, params }) => ({ method, params }))),
  );
  writeFileSync(join(folder, 'answers.json'), '[]');
  const { code, output } = await runHardhat(folder, ['run', '--no-compile', 'read.js']);
  assert.equal(code, 0, output);
  const answers = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')) as { result?: Found; error?: Found }[];
  assert.equal(answers.length, requests.length);
  return answers;
}
