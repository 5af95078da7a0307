// The Hiero SDK: every call in it that asks a mirror over HTTP. On 127.0.0.1 its ports are fixed: 5551 for REST, 8084
// for what the peer serves from Java, 8545 for contract calls.
import assert from 'node:assert/strict';
import { readClientExamples, readMirror } from './client-examples.ts';
import { askDirectly, callData, callDataOfText, readContractExamples } from './example-contracts.ts';
import type { ClientCall, OutsideClient } from './outside-client.ts';
import { redirectFetch } from './redirect-fetch.ts';

type Id = { num: { toString(): string }; evmAddress: { toString(): string } | null; toString(): string };
type Query<Answer> = Record<
  'setAccountId' | 'setContractId' | 'setFunction' | 'setTransaction',
  (value: unknown) => Query<Answer>
> & {
  execute(client: unknown): Promise<Answer>;
};
type ContractQuery<Answer> = {
  setContractId(id: Id): ContractQuery<Answer>;
  setSenderEvmAddress(address: string): ContractQuery<Answer>;
  setFunction(name: string, parameters?: Parameters): ContractQuery<Answer>;
  setGasLimit(gas: number): ContractQuery<Answer>;
  execute(client: unknown): Promise<Answer>;
};
type Parameters = Record<'addUint256' | 'addString' | 'addAddress', (value: number | string) => Parameters>;
type AccountId = Id & {
  populateAccountNum(client: unknown): Promise<Id>;
  populateAccountEvmAddress(client: unknown): Promise<Id>;
};
type Transaction = {
  addHbarTransfer(account: unknown, amount: number): Transaction;
  setNodeAccountIds(ids: unknown[]): Transaction;
  setTopicId(id: string): Transaction;
  setTransactionId(id: unknown): Transaction;
};

type Sdk = {
  AccountId: {
    fromString(text: string): AccountId;
    fromEvmAddress(shard: number, realm: number, address: string): AccountId;
  };
  ContractFunctionParameters: new () => Parameters;
  ContractId: {
    fromEvmAddress(shard: number, realm: number, address: string): AccountId;
    fromString(text: string): Id;
  };
  Client: {
    forNetwork(nodes: Record<string, unknown>): { setMirrorNetwork(addresses: string[]): unknown; close(): void };
  };
  FeeEstimateQuery: new () => Query<{ total: unknown }>;
  MirrorNodeAccountBalanceQuery: new () => Query<{ hbars: { toTinybars(): { toString(): string } } }>;
  MirrorNodeContractCallQuery: new () => ContractQuery<string>;
  MirrorNodeContractEstimateQuery: new () => ContractQuery<number>;
  RegisteredNodeAddressBookQuery: new () => Query<{ registeredNodes: unknown[] }>;
  TransactionId: { generate(account: unknown): unknown };
  TopicDeleteTransaction: new () => Transaction;
  TransferTransaction: new () => Transaction;
};

// Browsers only: the SDK for Node reads the address book over gRPC.
type AddressBookQueryWeb = new () => Query<{ nodeAddresses: { accountId: Id }[] }>;

export const hieroSdk: OutsideClient = {
  packageName: '@hiero-ledger/sdk',
  version: '2.87.0',
  pointedBy: "client.setMirrorNetwork(['127.0.0.1:5551']), with the mirror on its usual port",
  async listCalls({ mirrorUrl, examples, load }): Promise<ClientCall[]> {
    const sdk = await load<Sdk>('@hiero-ledger/sdk');
    const { default: AddressBookQueryWeb } = await load<{ default: AddressBookQueryWeb }>(
      './lib/network/AddressBookQueryWeb.js',
    );
    redirectFetch(['http://127.0.0.1:5551', 'http://127.0.0.1:8084', 'http://127.0.0.1:8545'], mirrorUrl);
    const { account, contract } = examples;
    const client = sdk.Client.forNetwork({ '127.0.0.1:50211': sdk.AccountId.fromString('0.0.3') });
    client.setMirrorNetwork([new URL(mirrorUrl).host]);
    const number = (id: string) => id.slice(id.lastIndexOf('.') + 1);
    const estimate = async (transaction: Transaction) => {
      transaction.setNodeAccountIds([sdk.AccountId.fromString('0.0.3')]);
      transaction.setTransactionId(sdk.TransactionId.generate(account.account));
      const { total } = await new sdk.FeeEstimateQuery().setTransaction(transaction).execute(client);
      assert.ok(Number(total) > 0, `a total of ${total}`);
    };
    return [
      {
        name: 'AddressBookQueryWeb',
        async run() {
          const book = await new AddressBookQueryWeb().execute(client);
          const { nodes } = await readMirror<{ nodes: { node_account_id: string }[] }>(mirrorUrl, '/network/nodes');
          assert.deepEqual(
            book.nodeAddresses.map(({ accountId }) => accountId.toString()),
            nodes.map(({ node_account_id }) => node_account_id),
          );
        },
      },
      {
        name: 'RegisteredNodeAddressBookQuery',
        async run() {
          const book = await new sdk.RegisteredNodeAddressBookQuery().execute(client);
          assert.ok(book.registeredNodes.length > 0);
        },
      },
      {
        name: 'MirrorNodeAccountBalanceQuery',
        async run() {
          const balance = await new sdk.MirrorNodeAccountBalanceQuery().setAccountId(account.account).execute(client);
          const path = `/balances?account.id=${account.account}`;
          const answer = await readMirror<{ balances: { balance: number }[] }>(mirrorUrl, path);
          assert.equal(balance.hbars.toTinybars().toString(), String(answer.balances[0]!.balance));
        },
      },
      {
        name: 'AccountId.populateAccountNum',
        async run() {
          const id = await sdk.AccountId.fromEvmAddress(0, 0, account.evm_address).populateAccountNum(client);
          assert.equal(id.num.toString(), number(account.account));
        },
      },
      {
        name: 'AccountId.populateAccountEvmAddress',
        async run() {
          const id = await sdk.AccountId.fromString(account.account).populateAccountEvmAddress(client);
          assert.equal(`0x${id.evmAddress?.toString().replace(/^0x/, '')}`, account.evm_address);
        },
      },
      {
        name: 'ContractId.populateAccountNum',
        async run() {
          const id = await sdk.ContractId.fromEvmAddress(0, 0, contract.evm_address).populateAccountNum(client);
          assert.equal(id.num.toString(), number(contract.contract_id));
        },
      },
      {
        name: 'FeeEstimateQuery of TopicDeleteTransaction',
        run: () => estimate(new sdk.TopicDeleteTransaction().setTopicId(examples.topicId)),
      },
      {
        name: 'FeeEstimateQuery of TransferTransaction',
        run: () =>
          estimate(new sdk.TransferTransaction().addHbarTransfer(account.account, -1).addHbarTransfer('0.0.98', 1)),
      },
      ...(await listContractCalls(sdk, client, mirrorUrl)),
    ];
  },
};

/** Calls and estimates, each compared with the mirror's own answer to the same question. */
async function listContractCalls(sdk: Sdk, client: unknown, mirrorUrl: string): Promise<ClientCall[]> {
  const { coin, counter, reverter } = await readContractExamples(mirrorUrl);
  const { account } = await readClientExamples(mirrorUrl);
  const from = account.evm_address;
  const none = () => new sdk.ContractFunctionParameters();
  const asked = [
    { name: 'decimals', of: coin, data: callData('decimals()') },
    { name: 'symbol', of: coin, data: callData('symbol()') },
    {
      name: 'balanceOf',
      of: coin,
      parameters: () => none().addAddress(from),
      data: callData('balanceOf(address)', [from]),
    },
    {
      name: 'approve',
      of: coin,
      parameters: () => none().addAddress(from).addUint256(7),
      data: callData('approve(address,uint256)', [from, 7n]),
    },
    { name: 'withNothing', of: reverter, data: callData('withNothing()') },
    {
      name: 'withReason',
      of: reverter,
      parameters: () => none().addString('not today'),
      data: callDataOfText('withReason(string)', 'not today'),
    },
    {
      name: 'withError',
      of: reverter,
      parameters: () => none().addUint256(42),
      data: callData('withError(uint256)', [42n]),
    },
    {
      name: 'underflow',
      of: counter,
      parameters: () => none().addUint256(1),
      data: callData('underflow(uint256)', [1n]),
    },
  ];
  const queries = { MirrorNodeContractCallQuery: false, MirrorNodeContractEstimateQuery: true } as const;
  return (Object.keys(queries) as (keyof typeof queries)[]).flatMap((queryName) =>
    asked.map(({ name, of, parameters, data }) => ({
      name: `${queryName} of ${name}`,
      async run() {
        const body = { to: of.evm_address, from, data, gas: 1_000_000, estimate: queries[queryName] };
        const own = await askDirectly(mirrorUrl, body);
        const query: ContractQuery<string | number> = new sdk[queryName]();
        const answer = query
          .setContractId(sdk.ContractId.fromString(of.contract_id))
          .setSenderEvmAddress(from)
          .setFunction(name, parameters?.())
          .setGasLimit(1_000_000)
          .execute(client);
        if (own.status !== 200) await assert.rejects(answer, { message: `HTTP error! status: ${own.status}` });
        else assert.equal(BigInt(await answer), BigInt(own.result!));
        assert.equal(own.status, of === coin ? 200 : 400);
      },
    })),
  );
}

/** The same SDK under its former name: contract calls only. */
export const hashgraphSdk: OutsideClient = {
  packageName: '@hashgraph/sdk',
  version: '2.81.0',
  pointedBy: hieroSdk.pointedBy,
  async listCalls({ mirrorUrl, load }): Promise<ClientCall[]> {
    const sdk = await load<Sdk>('@hashgraph/sdk');
    redirectFetch(['http://127.0.0.1:5551', 'http://127.0.0.1:8545'], mirrorUrl);
    const client = sdk.Client.forNetwork({ '127.0.0.1:50211': sdk.AccountId.fromString('0.0.3') });
    client.setMirrorNetwork([new URL(mirrorUrl).host]);
    return listContractCalls(sdk, client, mirrorUrl);
  },
};
