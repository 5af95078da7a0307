// Ledger's module for Hedera: the functions of its mirror client.
import assert from 'node:assert/strict';
import { readMirror } from './client-examples.ts';
import type { ClientCall, OutsideClient } from './outside-client.ts';

type Api = { apiClient: Record<string, (options: object) => Promise<unknown>> };

export const ledgerCoinHedera: OutsideClient = {
  packageName: '@ledgerhq/coin-hedera',
  version: '2.3.0',
  overrides: { '@ledgerhq/coin-module-framework': '9.1.0', '@ledgerhq/live-network': '3.1.0' },
  pointedBy: "its configuration, apiUrls.mirrorNode: '<address>'",
  async listCalls({ mirrorUrl, examples, load }): Promise<ClientCall[]> {
    const { apiClient } = await load<Api>('./lib/network/api.js');
    const { account, contractResult, holder } = examples;
    const path = `/accounts/${holder.account}/tokens`;
    const held = await readMirror<{ tokens: { token_id: string }[] }>(mirrorUrl, path);
    const configOrCurrencyId = { apiUrls: { mirrorNode: mirrorUrl } };
    const calls: Record<string, { options?: object; expected: string }> = {
      getAccountsForPublicKey: { options: { publicKey: account.key.key }, expected: account.account },
      getAccount: { options: { address: account.account }, expected: account.evm_address },
      getAccountTokens: { options: { address: holder.account }, expected: held.tokens[0]?.token_id ?? '[]' },
      getAccountTransactions: {
        options: { address: holder.account, pagingToken: null, fetchAllPages: false },
        expected: holder.account,
      },
      getLatestTransaction: { options: { before: new Date() }, expected: 'consensus_timestamp' },
      getLatestBlock: { expected: 'hash' },
      getNetworkFees: { expected: 'transaction_type' },
      getContractCallResult: { options: { transactionHash: contractResult.hash }, expected: contractResult.timestamp },
      getNodes: { options: { fetchAllPages: true }, expected: 'node_account_id' },
    };
    return Object.entries(calls).map(([name, { options, expected }]) => ({
      name,
      async run() {
        const answer = JSON.stringify(await apiClient[name]!({ configOrCurrencyId, ...options }));
        assert.ok(answer.includes(expected), `${expected} is not in ${answer.slice(0, 200)}`);
      },
    }));
  },
};
