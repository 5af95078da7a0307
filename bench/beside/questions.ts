// What is asked: each endpoint with its defaults and with the filters that clients use, and where ids differ in how
// much they have, once about the one that has most.
import { encodeBase32 } from '../../packages/kit/base32.ts';
import { drawMost, drawRows, type Question, question, secondsOf } from './question.ts';

const api = '/api/v1';
const account = `${api}/accounts/{idOrAliasOrEvmAddress}`;
const contract = `${api}/contracts/{contractIdOrAddress}`;
const result = `${api}/contracts/results/{transactionIdOrHash}`;
const transaction = `${api}/transactions/{transactionIdOrHash}`;
const token = `${api}/tokens/{tokenId}`;
const messages = `${api}/topics/{topicId}/messages`;

const consensusTime = secondsOf('consensus_timestamp');
const validStart = secondsOf('valid_start_ns', '-');
const hex = (column: string): string => `encode(${column}, 'hex')`;
const prefixed = (text: string): string => `0x${text}`;
const shards = (id: string): string => `0.0.${id}`;
const accountRows = "entity where type = 'ACCOUNT'";
const someTimes = drawRows(consensusTime, 'transaction');
const hotAccount = drawMost('payer_account_id', 'transaction');

/** Of an account, for each who has some; and for the one that has most. */
const ofAccounts = (list: string, column: string, from: string): Question[] => [
  question(`${account}/${list}`, { draw: drawRows(column, from), write: shards }),
  question(`${account}/${list}`, { draw: drawMost(column, from), write: shards, note: 'most' }),
];

const accounts: Question[] = [
  question(`${api}/accounts`),
  question(`${api}/accounts?account.id=gte:{id}`, { draw: drawRows('id', accountRows) }),
  question(account, { draw: drawRows('payer_account_id', 'transaction'), write: shards }),
  question(account, { draw: hotAccount, write: shards, note: 'hot account' }),
  question(`${account}?transactions=false`, { draw: drawRows('id', accountRows), write: shards }),
  question(`${account}?transactions=false`, {
    draw: drawRows(hex('evm_address'), "entity where type = 'ACCOUNT' and evm_address is not null and not deleted"),
    write: prefixed,
    note: 'EVM address',
  }),
  question(`${account}?transactions=false`, {
    draw: drawRows(hex('alias'), "entity where type = 'ACCOUNT' and length(alias) > 20 and not deleted"),
    write: (alias) => encodeBase32(Buffer.from(alias, 'hex')),
    note: 'alias',
  }),
  question(`${account}?timestamp={timestamp}`, {
    draw: drawRows(`payer_account_id, ${consensusTime}`, 'transaction'),
  }),
  ...ofAccounts('tokens', 'account_id', 'token_account where associated'),
  ...ofAccounts('nfts', 'account_id', 'nft where account_id is not null and not coalesce(deleted, false)'),
  ...ofAccounts('rewards', 'account_id', 'staking_reward_transfer'),
  ...ofAccounts('allowances/crypto', 'owner', 'crypto_allowance where amount > 0'),
  ...ofAccounts('allowances/tokens', 'owner', 'token_allowance where amount > 0'),
  question(`${api}/balances`),
  question(`${api}/balances?account.id={id}`, { draw: drawRows('id', accountRows) }),
  question(`${api}/balances?timestamp={timestamp}`, { draw: drawRows(consensusTime, 'account_balance') }),
];

const tokens: Question[] = [
  question(`${api}/tokens`),
  question(`${api}/tokens?account.id={id}`, { draw: drawRows('account_id', 'token_account where associated') }),
  question(`${api}/tokens?name={name}`, {
    draw: drawRows('substring(name from greatest(1, length(name) - 5))', 'token where length(name) > 2'),
    write: encodeURIComponent,
  }),
  question(token, { draw: drawRows('token_id', 'token_account'), write: shards }),
  question(`${token}?timestamp={timestamp}`, {
    draw: drawRows(`token_id, ${secondsOf('t.consensus_timestamp')}`, 'token_transfer t'),
  }),
  question(`${token}/balances`, { draw: drawRows('token_id', 'token_account'), write: shards }),
  question(`${token}/balances`, { draw: drawMost('token_id', 'token_account'), write: shards, note: 'most' }),
  question(`${token}/balances?timestamp={timestamp}`, {
    draw: drawRows(`token_id, ${consensusTime}`, 'token_balance'),
  }),
  question(`${token}/nfts`, { draw: drawRows('token_id', 'nft'), write: shards }),
  question(`${token}/nfts`, { draw: drawMost('token_id', 'nft'), write: shards, note: 'most' }),
  question(`${token}/nfts/{serialNumber}`, { draw: drawRows('token_id, serial_number', 'nft') }),
  question(`${token}/nfts/{serialNumber}/transactions`, { draw: drawRows('token_id, serial_number', 'nft') }),
];

const contracts: Question[] = [
  question(`${api}/contracts`),
  question(contract, { draw: drawRows('contract_id', 'contract_result where contract_id > 0'), write: shards }),
  question(contract, {
    draw: drawRows(hex('evm_address'), "entity where type = 'CONTRACT' and evm_address is not null and not deleted"),
    write: prefixed,
    note: 'EVM address',
  }),
  question(`${contract}/results`, { draw: drawRows('contract_id', 'contract_result where contract_id > 0') }),
  question(`${contract}/results/{timestamp}`, {
    draw: drawRows(`contract_id, ${consensusTime}`, 'contract_result where contract_id > 0'),
  }),
  question(`${contract}/results/logs`, { draw: drawRows('contract_id', 'contract_log') }),
  question(`${contract}/state`, { draw: drawRows('contract_id', 'contract_state') }),
  question(`${contract}/state?timestamp={timestamp}`, {
    draw: drawRows(`contract_id, ${consensusTime}`, 'contract_state_change'),
  }),
  question(`${api}/contracts/results`),
  question(`${api}/contracts/results?from={id}`, {
    draw: drawRows('sender_id', 'contract_result where sender_id > 0'),
  }),
  question(`${api}/contracts/results?block.number={number}`, {
    draw: drawRows('index', 'record_file'),
  }),
  question(`${api}/contracts/results?internal=true`),
  question(`${api}/contracts/results?timestamp=gte:{from}&timestamp=lt:{to}`, {
    draw: drawRows(
      `${consensusTime}, ${secondsOf('consensus_timestamp + 3600000000000')}`,
      'contract_result where contract_id > 0',
    ),
  }),
  question(result, { draw: drawRows(hex('transaction_hash'), 'contract_result'), write: prefixed, note: 'hash' }),
  question(result, {
    draw: drawRows(
      `'0.0.' || t.payer_account_id || '-' || ${validStart}`,
      'contract_result r join transaction t using (consensus_timestamp) where t.nonce = 0 and not t.scheduled',
    ),
    note: 'transaction id',
  }),
  question(`${result}/actions`, {
    draw: drawRows(
      hex('r.transaction_hash'),
      'contract_action a join contract_result r using (consensus_timestamp) where a.index = 0',
    ),
    write: prefixed,
  }),
  question(`${api}/contracts/results/logs`),
  question(`${api}/contracts/results/logs?topic0={topic}&timestamp=gte:{from}&timestamp=lt:{to}`, {
    draw: drawRows(
      `${hex('topic0')}, ${consensusTime}, ${secondsOf('consensus_timestamp + 3600000000000')}`,
      'contract_log where length(topic0) = 32',
    ),
  }),
  question(`${api}/contracts/results/logs?transaction.hash={hash}`, {
    draw: drawRows(hex('transaction_hash'), 'contract_log where length(transaction_hash) in (32, 48)'),
  }),
];

const schedules: Question[] = [
  question(`${api}/schedules`),
  question(`${api}/schedules?account.id={id}`, { draw: drawRows('creator_account_id', 'schedule') }),
  question(`${api}/schedules/{scheduleId}`, { draw: drawRows('schedule_id', 'schedule'), write: shards }),
];

const transactions: Question[] = [
  question(`${api}/transactions`),
  question(`${api}/transactions?account.id={id}`, { draw: drawRows('payer_account_id', 'transaction') }),
  question(`${api}/transactions?account.id={id}`, { draw: hotAccount, note: 'hot account' }),
  question(`${api}/transactions?transactiontype=contractcall`),
  question(`${api}/transactions?timestamp=lt:{timestamp}`, { draw: someTimes }),
  question(transaction, {
    draw: drawRows(
      `'0.0.' || payer_account_id || '-' || ${validStart}`,
      'transaction where payer_account_id is not null',
    ),
  }),
  question(transaction, {
    draw: drawRows(hex('hash || hash_suffix'), 'transaction_hash where hash_suffix is not null'),
    note: 'hash',
  }),
];

const blocksAndTopics: Question[] = [
  question(`${api}/blocks`),
  question(`${api}/blocks?timestamp=lte:{timestamp}`, { draw: someTimes }),
  question(`${api}/blocks/{hashOrNumber}`, { draw: drawRows('index', 'record_file') }),
  question(`${api}/blocks/{hashOrNumber}`, { draw: drawRows('hash', 'record_file'), note: 'hash' }),
  question(messages, { draw: drawRows('topic_id', 'topic_message'), write: shards }),
  question(`${messages}?order=desc`, { draw: drawRows('topic_id', 'topic_message') }),
  question(`${messages}/{sequenceNumber}`, { draw: drawRows('topic_id, sequence_number', 'topic_message') }),
  question(`${api}/topics/messages/{timestamp}`, { draw: drawRows(consensusTime, 'topic_message') }),
];

export const questions: readonly Question[] = [
  ...accounts,
  ...tokens,
  ...contracts,
  ...schedules,
  ...transactions,
  ...blocksAndTopics,
];
