// Hedera Agent Kit: every method of its mirror service, which its tools call.
import assert from 'node:assert/strict';
import { readMirror } from './client-examples.ts';
import type { ClientCall, OutsideClient } from './outside-client.ts';

type MirrorService = { baseUrl: string; getBaseUrl(): string } & Record<
  keyof typeof paths,
  (...args: unknown[]) => Promise<unknown>
>;

type AgentKit = { getMirrornodeService(service: undefined, ledgerId: unknown): MirrorService };

/** Methods that return the answer as it came, with the path that has it. */
const paths = {
  getTokenInfo: '/tokens/{token}',
  getTopicInfo: '/topics/{topic}',
  getTransactionRecord: '/transactions/{transaction}',
  getContractInfo: '/contracts/{contract}',
  getPendingAirdrops: '/accounts/{account}/airdrops/pending',
  getOutstandingAirdrops: '/accounts/{account}/airdrops/outstanding',
  getExchangeRate: '/network/exchangerate',
  getAccountNfts: '/accounts/{nftOwner}/nfts',
  getScheduledTransactionDetails: '/schedules/{schedule}',
} as const;

type Reading = {
  getAccount(
    id: string,
  ): Promise<{ accountId: string; balance: { balance: number }; evmAddress: string; accountPublicKey: string }>;
  getAccountHbarBalance(id: string): Promise<{ toString(): string }>;
  getAccountTokenBalances(
    id: string,
    tokenId?: string,
  ): Promise<{ tokens: { token_id: string; balance: number; symbol: string }[] }>;
  getTopicMessages(query: { topicId: string; limit: number }): Promise<{ messages: unknown[] }>;
  getTokenAllowances(owner: string, spender: string): Promise<{ allowances: unknown[] }>;
};

export const hederaAgentKit: OutsideClient = {
  packageName: 'hedera-agent-kit',
  version: '3.8.2',
  pointedBy: 'context.mirrornodeService: its default service, with baseUrl set to <address>/api/v1',
  async listCalls({ mirrorUrl, examples, load }): Promise<ClientCall[]> {
    const { getMirrornodeService } = await load<AgentKit>('hedera-agent-kit');
    const service = getMirrornodeService(undefined, 'testnet') as MirrorService & Reading;
    service.baseUrl = `${mirrorUrl}/api/v1`;
    const { account, holder, token, topicId } = examples;
    const values: Record<string, string> = {
      token: token.token_id,
      topic: topicId,
      transaction: examples.transaction.transaction_id,
      contract: examples.contract.contract_id,
      account: account.account,
      nftOwner: examples.nft.account_id,
      schedule: examples.schedule.schedule_id,
    };
    const passed = Object.entries(paths).map(([name, template]) => {
      const used: string[] = [];
      const path = template.replace(/\{(\w+)\}/g, (_, value: string) => {
        used.push(values[value]!);
        return values[value]!;
      });
      return {
        name,
        async run() {
          const answer = await service[name as keyof typeof paths](...used);
          assert.deepEqual(answer, await readMirror(mirrorUrl, path));
        },
      };
    });
    return [
      ...passed,
      {
        name: 'getAccount',
        async run() {
          const answer = await service.getAccount(account.account);
          assert.equal(answer.accountId, account.account);
          assert.equal(answer.evmAddress, account.evm_address);
          assert.equal(answer.accountPublicKey, account.key.key);
        },
      },
      {
        name: 'getAccountHbarBalance',
        async run() {
          const balance = await service.getAccountHbarBalance(holder.account);
          const path = `/accounts/${holder.account}?transactions=false`;
          const answer = await readMirror<{ balance: { balance: number } }>(mirrorUrl, path);
          assert.equal(balance.toString(), String(answer.balance.balance));
        },
      },
      {
        name: 'getAccountTokenBalances',
        async run() {
          const { tokens } = await service.getAccountTokenBalances(holder.account, token.token_id);
          const path = `/accounts/${holder.account}/tokens?token.id=${token.token_id}`;
          const answer = await readMirror<{ tokens: object[] }>(mirrorUrl, path);
          assert.deepEqual(
            tokens,
            answer.tokens.map((row) => ({ ...row, symbol: token.symbol })),
          );
        },
      },
      {
        name: 'getTopicMessages',
        async run() {
          const { messages } = await service.getTopicMessages({ topicId, limit: 5 });
          assert.ok(messages.length >= Math.min(5, examples.topicMessages));
        },
      },
      {
        name: 'getTokenAllowances',
        async run() {
          const { allowances } = await service.getTokenAllowances(holder.account, account.account);
          const path = `/accounts/${holder.account}/allowances/tokens?spender.id=${account.account}`;
          assert.deepEqual(allowances, (await readMirror<{ allowances: unknown[] }>(mirrorUrl, path)).allowances);
        },
      },
    ];
  },
};
