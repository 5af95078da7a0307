// The Hashgraph Online standards SDK: the methods of its `HederaMirrorNode`, each beside the path that has its answer.
import assert from 'node:assert/strict';
import { readMirror } from './client-examples.ts';
import { askDirectly, callData, readContractExamples } from './example-contracts.ts';
import type { ClientCall, ClientContext, OutsideClient } from './outside-client.ts';

type MirrorNode = { configureRetry(config: { maxRetries: number }): void } & Record<
  string,
  (...args: unknown[]) => Promise<unknown>
>;

type Sdk = {
  HederaMirrorNode: new (network: string, logger: unknown, config: { customUrl: string }) => MirrorNode;
  Logger: new (options: { level: string; silent: boolean }) => unknown;
};

/** `member` is the part of the mirror's answer that the client returns; all of it where absent. */
type Reading = { method: string; args: unknown[]; path: string; member?: string | ((answer: never) => unknown) };

export const standardsSdk: OutsideClient = {
  packageName: '@hashgraphonline/standards-sdk',
  version: '0.1.159',
  pointedBy: "new HederaMirrorNode('testnet', logger, { customUrl: '<address>' })",
  async listCalls(context): Promise<ClientCall[]> {
    const { HederaMirrorNode, Logger } = await context.load<Sdk>('@hashgraphonline/standards-sdk');
    const logger = new Logger({ level: 'silent', silent: true });
    const client = new HederaMirrorNode('testnet', logger, { customUrl: context.mirrorUrl });
    client.configureRetry({ maxRetries: 1 });
    const { account, contractResult, nft, schedule, topicId, topicMessages } = context.examples;
    return [
      ...listReadings(context.examples).map(({ method, args, path, member }) => ({
        name: method,
        async run() {
          const answer = await readMirror<Record<string, unknown>>(context.mirrorUrl, path);
          const expected = typeof member === 'function' ? member(answer as never) : member ? answer[member] : answer;
          assert.deepEqual(await client[method]!(...args), expected);
        },
      })),
      {
        name: 'getPublicKey',
        async run() {
          const key = (await client.getPublicKey!(account.account)) as { toStringRaw(): string };
          assert.equal(key.toStringRaw(), account.key.key);
        },
      },
      {
        // Returns only messages in JSON; an error of the mirror is thrown.
        name: 'getTopicMessages',
        async run() {
          assert.ok(Array.isArray(await client.getTopicMessages!(topicId, { limit: 5 })));
        },
      },
      {
        name: 'getTopicMessagesByFilter',
        async run() {
          const query = { limit: 100, order: 'asc' };
          const found = (await client.getTopicMessagesByFilter!(topicId, query)) as unknown[] | null;
          assert.ok(found && found.length >= topicMessages, `${found?.length} messages of ${topicMessages}`);
        },
      },
      {
        name: 'getAccountNfts, validateNFTOwnership',
        async run() {
          const { token_id, serial_number } = nft;
          const { account_id } = await readMirror<typeof nft>(
            context.mirrorUrl,
            `/tokens/${token_id}/nfts/${serial_number}`,
          );
          const found = (await client.validateNFTOwnership!(account_id, token_id, serial_number)) as typeof nft;
          assert.equal(found?.serial_number, serial_number);
        },
      },
      {
        name: 'getHBARPrice',
        async run() {
          assert.ok(Number(await client.getHBARPrice!(new Date())) > 0);
        },
      },
      {
        name: 'getScheduledTransactionStatus',
        async run() {
          const status = (await client.getScheduledTransactionStatus!(schedule.schedule_id)) as { deleted: boolean };
          assert.equal(status.deleted, schedule.deleted);
        },
      },
      {
        name: 'getOpcodeTraces',
        async run() {
          assert.ok(await client.getOpcodeTraces!(contractResult.hash));
        },
      },
      {
        name: 'readSmartContractQuery',
        async run() {
          const { coin } = await readContractExamples(context.mirrorUrl);
          const data = callData('decimals()');
          const answer = await client.readSmartContractQuery!(coin.contract_id, data, account.account);
          assert.deepEqual(answer, {
            result: (await askDirectly(context.mirrorUrl, { to: coin.evm_address, data })).result,
          });
        },
      },
    ];
  },
};

function listReadings(examples: ClientContext['examples']): Reading[] {
  const { account, block, contract, contractResult, holder, nft, schedule, token, topicId, transaction } = examples;
  const nfts = `/tokens/${nft.token_id}/nfts`;
  const results = `/contracts/results/${contractResult.hash}`;
  const at = contractResult.timestamp;
  // Lists are asked for in the past, so that no block comes between the two answers.
  const until = { limit: 3, timestamp: `lte:${at}` };
  const untilQuery = `limit=3&timestamp=lte:${at}`;
  return [
    { method: 'requestAccount', args: [contract.contract_id], path: `/accounts/${contract.contract_id}` },
    { method: 'getAccountMemo', args: [account.account], path: `/accounts/${account.account}`, member: 'memo' },
    {
      method: 'getAccountBalance',
      args: [holder.account],
      path: `/accounts/${holder.account}`,
      member: ({ balance }: { balance: { balance: number } }) => balance.balance / 1e8,
    },
    {
      method: 'getAccountTokens',
      args: [holder.account],
      path: `/accounts/${holder.account}/tokens?limit=100`,
      member: 'tokens',
    },
    { method: 'getTopicInfo', args: [topicId], path: `/topics/${topicId}` },
    { method: 'getTopicFees', args: [topicId], path: `/topics/${topicId}`, member: 'custom_fees' },
    { method: 'getTokenInfo', args: [token.token_id], path: `/tokens/${token.token_id}` },
    { method: 'getNftInfo', args: [nft.token_id, nft.serial_number], path: `${nfts}/${nft.serial_number}` },
    {
      method: 'getNftsByToken',
      args: [nft.token_id, { limit: 3, order: 'asc' }],
      path: `${nfts}?limit=3&order=asc`,
      member: 'nfts',
    },
    { method: 'getScheduleInfo', args: [schedule.schedule_id], path: `/schedules/${schedule.schedule_id}` },
    {
      method: 'getTransaction',
      args: [transaction.transaction_id],
      path: `/transactions/${transaction.transaction_id}`,
      member: ({ transactions }: { transactions: unknown[] }) => transactions[0],
    },
    {
      method: 'getTransactionByTimestamp',
      args: [transaction.consensus_timestamp],
      path: `/transactions?timestamp=${transaction.consensus_timestamp}`,
      member: 'transactions',
    },
    {
      method: 'getOutstandingTokenAirdrops',
      args: [account.account],
      path: `/accounts/${account.account}/airdrops/outstanding`,
      member: 'airdrops',
    },
    {
      method: 'getPendingTokenAirdrops',
      args: [account.account],
      path: `/accounts/${account.account}/airdrops/pending`,
      member: 'airdrops',
    },
    { method: 'getBlocks', args: [{ limit: 3, order: 'asc' }], path: '/blocks?limit=3&order=asc', member: 'blocks' },
    { method: 'getBlock', args: [String(block.number)], path: `/blocks/${block.number}` },
    {
      method: 'getContracts',
      args: [{ limit: 3, order: 'asc' }],
      path: '/contracts?limit=3&order=asc',
      member: 'contracts',
    },
    { method: 'getContract', args: [contract.contract_id], path: `/contracts/${contract.contract_id}` },
    { method: 'getContractResults', args: [until], path: `/contracts/results?${untilQuery}`, member: 'results' },
    { method: 'getContractResult', args: [contractResult.hash], path: results },
    {
      method: 'getContractResultsByContract',
      args: [contract.contract_id, until],
      path: `/contracts/${contract.contract_id}/results?${untilQuery}`,
      member: 'results',
    },
    {
      method: 'getContractState',
      args: [contract.contract_id, until],
      path: `/contracts/${contract.contract_id}/state?${untilQuery}`,
      member: 'state',
    },
    { method: 'getContractActions', args: [contractResult.hash], path: `${results}/actions`, member: 'actions' },
    { method: 'getContractLogs', args: [until], path: `/contracts/results/logs?${untilQuery}`, member: 'logs' },
    {
      method: 'getContractLogsByContract',
      args: [contract.contract_id, until],
      path: `/contracts/${contract.contract_id}/results/logs?${untilQuery}`,
      member: 'logs',
    },
    { method: 'getNetworkFees', args: [at], path: `/network/fees?timestamp=${at}` },
    { method: 'getNetworkSupply', args: [at], path: `/network/supply?timestamp=${at}` },
    { method: 'getNetworkInfo', args: [], path: '/network/nodes' },
    { method: 'getNetworkStake', args: [], path: '/network/stake' },
  ];
}
