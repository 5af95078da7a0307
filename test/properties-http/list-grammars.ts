// How each list of the API is asked in every way: where lists are, what its items stand under, and which members of an
// item are what its parameters compare with. A list endpoint that is missing here fails the test that reads it.
import type { JsonObject } from '../../packages/test-support/http/answers.ts';

export type ListGrammar = {
  /** Rows of one column, `path`: one row for each item that the list may have. */
  paths: string;
  member: string;
  /**
   * By name of a parameter: what an item has in that place, as the parameter is written; null = nothing. Every key by
   * which pages begin is here.
   */
  values: Readonly<Record<string, (item: JsonObject) => unknown>>;
  /** Parameters with which a list has one page only (docs/reference/rest-behaviour.md). */
  unpaged?: readonly string[];
  /** Operators, with their colons, that choose something else than items. */
  never?: readonly string[];
};

const of = (name: string) => (item: JsonObject) => item[name];
const ofAccount = (column: string, list: string, from: string) =>
  `select format('/api/v1/accounts/0.0.%s${list}', ${column}) as path from ${from}`;
const ofToken = (list: string, from: string) =>
  `select format('/api/v1/tokens/0.0.%s/${list}', token_id) as path from ${from}`;
const ofContract = (list: string, from: string) =>
  `select format('/api/v1/contracts/0.0.%s/${list}', contract_id) as path from ${from}`;
const only = (path: string) => `select '${path}' as path`;

const topics = Object.fromEntries([0, 1, 2, 3].map((place) => [`topic${place}`, topicAt(place)]));
function topicAt(place: number) {
  return ({ topics: found }: JsonObject) => (found as string[])[place] ?? null;
}
const log = { timestamp: of('timestamp'), index: of('index'), ...topics };
const result = { timestamp: of('timestamp'), from: of('from') };
const airdrop = { 'token.id': of('token_id'), serialnumber: ({ serial_number }: JsonObject) => serial_number ?? 0n };

/** By id of the endpoint. */
export const listGrammars: Readonly<Record<string, ListGrammar>> = {
  listTokens: {
    paths: only('/api/v1/tokens'),
    member: 'tokens',
    values: { 'token.id': of('token_id'), type: of('type') },
    unpaged: ['name'],
  },
  listTokenBalances: {
    paths: ofToken('balances', 'token_account where associated'),
    member: 'balances',
    values: { 'account.id': of('account'), 'account.balance': of('balance') },
  },
  listTokenNfts: {
    paths: ofToken('nfts', 'nft'),
    member: 'nfts',
    values: { serialnumber: of('serial_number'), 'account.id': of('account_id') },
  },
  listNftTransactions: {
    paths: `select format('/api/v1/tokens/0.0.%s/nfts/%s/transactions', token_id, serial_number) as path
      from (select token_id, serial_number from nft union all select token_id, serial_number from nft_history) versions`,
    member: 'transactions',
    values: { timestamp: of('consensus_timestamp') },
  },
  listAccounts: {
    paths: only('/api/v1/accounts'),
    member: 'accounts',
    values: {
      'account.id': of('account'),
      'account.balance': ({ balance }) => (balance as JsonObject | null)?.balance ?? null,
      'account.publickey': ({ key }) => (key as JsonObject | null)?.key ?? null,
    },
  },
  getAccount: {
    paths: ofAccount('payer_account_id', '', 'transaction'),
    member: 'transactions',
    values: { timestamp: of('consensus_timestamp'), transactiontype: of('name') },
    // The version of the account, of which there may be none in the times that a link is left with.
    never: ['ne:'],
  },
  listAccountTokens: {
    paths: ofAccount('account_id', '/tokens', 'token_account where associated'),
    member: 'tokens',
    values: { 'token.id': of('token_id') },
  },
  listAccountNfts: {
    paths: ofAccount('account_id', '/nfts', 'nft where account_id > 0'),
    member: 'nfts',
    values: { 'token.id': of('token_id'), serialnumber: of('serial_number'), 'spender.id': of('spender') },
  },
  listCryptoAllowances: {
    paths: ofAccount('owner', '/allowances/crypto', 'crypto_allowance where amount > 0'),
    member: 'allowances',
    values: { 'spender.id': of('spender') },
  },
  listTokenAllowances: {
    paths: ofAccount('owner', '/allowances/tokens', 'token_allowance where amount > 0'),
    member: 'allowances',
    values: { 'spender.id': of('spender'), 'token.id': of('token_id') },
  },
  listNftAllowances: {
    paths: ofAccount('owner', '/allowances/nfts', 'nft_allowance where approved_for_all'),
    member: 'allowances',
    // Of both parties one is the account itself.
    values: { 'account.id': of('spender'), 'token.id': of('token_id') },
  },
  listOutstandingAirdrops: {
    paths: ofAccount('sender_account_id', '/airdrops/outstanding', `token_airdrop where state = 'PENDING'`),
    member: 'airdrops',
    values: { 'receiver.id': of('receiver_id'), ...airdrop },
  },
  listPendingAirdrops: {
    paths: ofAccount('receiver_account_id', '/airdrops/pending', `token_airdrop where state = 'PENDING'`),
    member: 'airdrops',
    values: { 'sender.id': of('sender_id'), ...airdrop },
  },
  listStakingRewards: {
    paths: ofAccount('account_id', '/rewards', 'staking_reward_transfer'),
    member: 'rewards',
    values: { timestamp: of('timestamp') },
  },
  listHooks: { paths: ofAccount('owner_id', '/hooks', 'hook'), member: 'hooks', values: { 'hook.id': of('hook_id') } },
  listHookStorage: {
    paths: `select format('/api/v1/accounts/0.0.%s/hooks/%s/storage', owner_id, hook_id) as path from hook_storage`,
    member: 'storage',
    values: { key: of('key'), timestamp: of('timestamp') },
  },
  listBalances: {
    paths: only('/api/v1/balances'),
    member: 'balances',
    values: { 'account.id': of('account'), 'account.balance': of('balance') },
  },
  listContractResults: { paths: only('/api/v1/contracts/results'), member: 'results', values: result },
  listSchedules: {
    paths: only('/api/v1/schedules'),
    member: 'schedules',
    values: { 'schedule.id': of('schedule_id'), 'account.id': of('creator_account_id') },
  },
  listBlocks: {
    paths: only('/api/v1/blocks'),
    member: 'blocks',
    values: { 'block.number': of('number'), timestamp: ({ timestamp }) => (timestamp as JsonObject).to },
  },
  listTransactions: {
    paths: only('/api/v1/transactions'),
    member: 'transactions',
    values: {
      timestamp: of('consensus_timestamp'),
      'account.id': ({ transaction_id: id }) => (id as string).split('-')[0],
      transactiontype: of('name'),
    },
  },
  listTopicMessages: {
    paths: `select format('/api/v1/topics/0.0.%s/messages', topic_id) as path from topic_message`,
    member: 'messages',
    values: { timestamp: of('consensus_timestamp'), sequencenumber: of('sequence_number') },
  },
  listContracts: {
    paths: only('/api/v1/contracts'),
    member: 'contracts',
    values: { 'contract.id': of('contract_id') },
  },
  listResultsOfContract: { paths: ofContract('results', 'contract_result'), member: 'results', values: result },
  listLogsOfContract: { paths: ofContract('results/logs', 'contract_log'), member: 'logs', values: log },
  listContractState: {
    paths: ofContract('state', 'contract_state'),
    member: 'state',
    values: { slot: of('slot'), timestamp: of('timestamp') },
  },
  listContractActions: {
    paths: `select format('/api/v1/contracts/results/%s/actions', encode(r.transaction_hash, 'hex')) as path
      from contract_action join contract_result r using (consensus_timestamp) where r.transaction_result = 22`,
    member: 'actions',
    values: { index: of('index') },
  },
  listContractLogs: { paths: only('/api/v1/contracts/results/logs'), member: 'logs', values: log },
  listNodes: { paths: only('/api/v1/network/nodes'), member: 'nodes', values: { 'node.id': of('node_id') } },
  listRegisteredNodes: {
    paths: only('/api/v1/network/registered-nodes'),
    member: 'registered_nodes',
    values: { 'registerednode.id': of('registered_node_id') },
  },
};
