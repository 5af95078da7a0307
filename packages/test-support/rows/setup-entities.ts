// Rows of accounts, contracts and other entities, with their balances, staking and schedules.

import { type Maker, type SetupRow, version } from './setup-row.ts';
import { fromBase32, packId, type SystemIds, toBytes, toId } from './setup-values.ts';
import type { JsonObject } from './spec-file.ts';

export const toEntity = (defaults: JsonObject, item: JsonObject, system: SystemIds): SetupRow => {
  const values: JsonObject = {
    decline_reward: false,
    deleted: false,
    ethereum_nonce: null,
    memo: 'entity memo',
    num: 0n,
    realm: system.realm,
    receiver_sig_required: false,
    shard: system.shard,
    staked_node_id: -1n,
    stake_period_start: -1n,
    timestamp_range: '[0,)',
    type: 'ACCOUNT',
    ...defaults,
    ...item,
  };
  const num = BigInt(String(values.num ?? 0));
  const packed = num === 0n && values.id !== undefined ? BigInt(String(values.id)) : null;
  return version('entity', {
    ...values,
    id: packed ?? packId(BigInt(String(values.shard)), BigInt(String(values.realm)), num),
    alias: fromBase32(values.alias),
    evm_address: toBytes(values.evm_address),
    delegation_address: toBytes(values.delegation_address),
    key: Array.isArray(values.key) ? Buffer.from(values.key.map(Number)) : toBytes(values.key),
    staked_account_id: toId(values.staked_account_id, system),
    obtainer_id: toId(values.obtainer_id, system),
    proxy_account_id: toId(values.proxy_account_id, system),
    auto_renew_account_id: toId(values.auto_renew_account_id, system),
  });
};

export const accountDefaults: JsonObject = {
  max_automatic_token_associations: 0n,
  public_key: '4a5ad514f0957fa170a676210c9bdbddf3bc9519702cf915fa6767a40463b96f',
};

const contractDefaults: JsonObject = {
  max_automatic_token_associations: 0n,
  memo: 'contract memo',
  receiver_sig_required: null,
  type: 'CONTRACT',
};

export const toContract: Maker = (item, system) => {
  const entity = toEntity(contractDefaults, item, system);
  if (entity.table !== 'entity') return [entity];
  const row = {
    id: entity.row.id,
    file_id: toId(item.file_id, system),
    initcode: toBytes(item.initcode),
    runtime_bytecode: toBytes(item.runtime_bytecode),
  };
  return [entity, { table: 'contract', row }];
};

export const toBalances: Maker = (item, system) => {
  const account_id = toId(item.id, system);
  const consensus_timestamp = item.timestamp ?? 0n;
  const tokens = (item.tokens ?? []) as JsonObject[];
  return [
    { table: 'account_balance', row: { account_id, consensus_timestamp, balance: item.balance ?? 0n } },
    ...tokens.map((token) => ({
      table: 'token_balance',
      row: { account_id, consensus_timestamp, token_id: toId(token.token_num, system), balance: token.balance },
    })),
  ];
};

export const toTokenBalance: Maker = (item, system) => [
  {
    table: 'token_balance',
    row: {
      balance: 0n,
      ...item,
      account_id: toId(item.account_id, system),
      token_id: toId(item.token_id, system),
    },
  },
];

export const toEntityStake: Maker = (item, system) => {
  const period = BigInt(String(item.end_stake_period ?? 1n));
  return [
    version('entity_stake', {
      end_stake_period: period,
      pending_reward: 0n,
      staked_node_id_start: 1n,
      staked_to_me: 0n,
      stake_total_start: 0n,
      timestamp_range: `[${86_400n * (period + 1n) * 1_000_000_000n + 1n},)`,
      ...item,
      id: toId(item.id, system),
    }),
  ];
};

export const toSchedule: Maker = (item, system) => [
  {
    table: 'schedule',
    row: {
      wait_for_expiry: false,
      ...item,
      creator_account_id: toId(item.creator_account_id ?? '1024', system),
      payer_account_id: toId(item.payer_account_id ?? '1024', system),
      schedule_id: toId(item.schedule_id, system),
      transaction_body: toBytes(item.transaction_body ?? [1n, 1n, 2n, 2n, 3n, 3n]),
    },
  },
];
