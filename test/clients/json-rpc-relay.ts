// The Hiero JSON-RPC relay: `eth_call`, `eth_estimateGas` and what tools ask beside them. It is in no registry:
// `run-relay.ts` takes a built checkout.
import assert from 'node:assert/strict';
import { readMirror } from './client-examples.ts';
import { askDirectly, type ContractExamples, callData, callDataOfText } from './example-contracts.ts';
import type { ClientCall } from './outside-client.ts';

type RpcError = { code: number; message: string; data?: string };
type RpcAnswer = { result?: unknown; error?: RpcError };

export type RelayContext = { relayUrl: string; mirrorUrl: string; contracts: ContractExamples; payer: string };

/** Code that returns one byte, 0x00, as a contract. */
const smallCreation = '0x6001600c60003960016000f300';

export async function listRelayCalls({ relayUrl, mirrorUrl, contracts, payer }: RelayContext): Promise<ClientCall[]> {
  const rpc = async (method: string, ...params: unknown[]): Promise<RpcAnswer> => {
    const response = await fetch(relayUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return (await response.json()) as RpcAnswer;
  };
  const coin = contracts.coin.evm_address;
  const counter = contracts.counter.evm_address;
  const reverter = contracts.reverter.evm_address;
  const { blocks } = await readMirror<{ blocks: { number: number; hash: string }[] }>(mirrorUrl, '/blocks?limit=3');
  const block = blocks.at(-1)!;
  const number = `0x${block.number.toString(16)}`;
  // Of the network, for hbar in weibar.
  const weibar = 10n ** 10n;
  const hex = (value: bigint): string => `0x${value.toString(16)}`;

  const equalCall = (name: string, call: Record<string, unknown>, tag: unknown, direct: object): ClientCall => ({
    name: `eth_call ${name}`,
    async run() {
      const [answer, own] = [await rpc('eth_call', call, tag), await askDirectly(mirrorUrl, direct)];
      assert.equal(own.status, 200, JSON.stringify(own));
      assert.deepEqual(answer.error, undefined);
      assert.equal(answer.result, own.result);
    },
  });
  const equalEstimate = (name: string, call: Record<string, unknown>, direct: object): ClientCall => ({
    name: `eth_estimateGas ${name}`,
    async run() {
      const [answer, own] = [
        await rpc('eth_estimateGas', call),
        await askDirectly(mirrorUrl, { ...direct, estimate: true }),
      ];
      assert.equal(own.status, 200, JSON.stringify(own));
      assert.deepEqual(answer.error, undefined);
      assert.equal(BigInt(answer.result as string), BigInt(own.result!));
    },
  });
  const failing = (name: string, data: string, to: string, ending: string): ClientCall[] =>
    (['eth_call', 'eth_estimateGas'] as const).map((method) => ({
      name: `${method} ${name}`,
      async run() {
        const estimate = method === 'eth_estimateGas';
        const { error } = await rpc(method, { to, data, from: payer }, 'latest');
        const { status, messages } = await askDirectly(mirrorUrl, { to, data, from: payer, estimate });
        const [first] = messages!;
        assert.equal(status, 400);
        assert.ok(error, 'an error');
        assert.equal(first!.message, ending);
        if (ending !== 'CONTRACT_REVERT_EXECUTED') {
          assert.equal(error.code, -32000);
          return;
        }
        assert.equal(error.code, 3);
        assert.equal(error.data, first!.data);
        if (first!.detail) assert.match(error.message, new RegExp(first!.detail));
      },
    }));

  const reverted = 'CONTRACT_REVERT_EXECUTED';
  const total = callData('totalSupply()');
  const ofBlock = { to: coin, data: total, block: String(block.number) };
  return [
    {
      name: 'eth_chainId',
      run: async () => assert.equal((await rpc('eth_chainId')).result, '0x12a'),
    },
    {
      name: 'eth_getCode of a contract',
      run: async () => assert.equal((await rpc('eth_getCode', coin, 'latest')).result, contracts.coin.runtime_bytecode),
    },
    ...['latest', 'pending', 'safe', 'finalized'].map((tag) =>
      equalCall(`at ${tag}`, { to: coin, data: callData('decimals()') }, tag, {
        to: coin,
        data: callData('decimals()'),
      }),
    ),
    equalCall('by a number', { to: coin, data: total }, number, ofBlock),
    equalCall('by {blockNumber}', { to: coin, data: total }, { blockNumber: number }, ofBlock),
    equalCall('by {blockHash}', { to: coin, data: total }, { blockHash: block.hash.slice(0, 66) }, ofBlock),
    equalCall('by the hash', { to: coin, data: total }, block.hash.slice(0, 66), ofBlock),
    equalCall('with input', { to: coin, input: callData('symbol()') }, 'latest', {
      to: coin,
      data: callData('symbol()'),
    }),
    equalCall('of a sender', { to: coin, data: callData('balanceOf(address)', [payer]), from: payer }, number, {
      ...ofBlock,
      data: callData('balanceOf(address)', [payer]),
    }),
    equalCall('that would change', { to: counter, data: callData('increment()'), from: payer }, number, {
      to: counter,
      data: callData('increment()'),
      from: payer,
      block: String(block.number),
    }),
    equalCall('with gas', { to: coin, data: total, gas: '0x186a0' }, number, { ...ofBlock, gas: 100_000 }),
    equalCall('with more gas than may be', { to: coin, data: total, gas: '0x5f5e100' }, number, ofBlock),
    equalCall('of nobody', { to: `0x${'ab'.repeat(20)}`, data: '0x01020304' }, 'latest', {
      to: `0x${'ab'.repeat(20)}`,
      data: '0x01020304',
    }),
    equalCall('with a value', { to: payer, from: payer, value: hex(5n * weibar) }, 'latest', {
      to: payer,
      from: payer,
      value: 5,
    }),
    equalEstimate(
      'of a change',
      { to: counter, data: callData('increment()'), from: payer },
      {
        to: counter,
        data: callData('increment()'),
        from: payer,
      },
    ),
    equalEstimate('of a view', { to: coin, data: total }, { to: coin, data: total }),
    equalEstimate('of a creation', { data: smallCreation, from: payer }, { data: smallCreation, from: payer }),
    ...failing('that reverts with a reason', callDataOfText('withReason(string)', 'not today'), reverter, reverted),
    ...failing('that reverts with an error', callData('withError(uint256)', [42n]), reverter, reverted),
    ...failing('that reverts with nothing', callData('withNothing()'), reverter, reverted),
    ...failing('that panics', callData('underflow(uint256)', [1n]), counter, reverted),
    ...failing('that takes all gas', callData('spin()'), counter, 'INSUFFICIENT_GAS'),
    {
      name: 'eth_call at an unknown block',
      run: async () => assert.ok((await rpc('eth_call', { to: coin, data: total }, '0x7fffffff')).error),
    },
  ];
}
