// The setup of a specification as rows: one maker for each kind of item, each with the defaults that the specifications
// rely on. Values that a maker does not convert go to PostgreSQL as they stand; the specifications rely on that too.

import { proto } from '../../src/protocol/hapi.ts';
import type { JsonValue } from '../../src/store/table.ts';
import { fromBase32, packId, type SystemIds, toBytes, toId, toJsonText } from './setup-values.ts';
import type { JsonObject } from './spec-file.ts';

/** `table` may be a history table. Members that are no columns are left out when the row is stored. */
export type SetupRow = { table: string; row: Record<string, unknown> };

export function toSetupRows(setup: JsonObject, system: SystemIds): SetupRow[] {
  return Object.entries(setup).flatMap(([kind, items]) => {
    if (kind === 'config' || kind === 'features') return [];
    const maker = makers[kind];
    if (!maker)
      throw new Error(`Setup has items of an unknown kind "${kind}"; known: ${Object.keys(makers).join(', ')}`);
    return (items as JsonObject[]).flatMap((item) => maker(item, system));
  });
}

type Maker = (item: JsonObject, system: SystemIds) => SetupRow[];

/** A closed validity makes it a row of the history. */
function version(table: string, row: Record<string, unknown>): SetupRow {
  const isClosed = row.timestamp_range !== undefined && !String(row.timestamp_range).endsWith(',)');
  return { table: isClosed ? `${table}_history` : table, row };
}

const toEntity = (defaults: JsonObject, item: JsonObject, system: SystemIds): SetupRow => {
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

const accountDefaults: JsonObject = {
  max_automatic_token_associations: 0n,
  public_key: '4a5ad514f0957fa170a676210c9bdbddf3bc9519702cf915fa6767a40463b96f',
};

const contractDefaults: JsonObject = {
  max_automatic_token_associations: 0n,
  memo: 'contract memo',
  receiver_sig_required: null,
  type: 'CONTRACT',
};

const toContract: Maker = (item, system) => {
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

const toBalances: Maker = (item, system) => {
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

const toCryptoTransfer: Maker = (item, system) => {
  const sender = item.senderAccountId ?? item.payerAccountId!;
  const recipient = item.recipientAccountId ?? item.nodeAccountId!;
  const amount = BigInt(String(item.amount ?? 2n));
  const transfers: JsonObject[] = [
    { account: sender, amount: -1n - amount, is_approval: false },
    { account: recipient, amount, is_approval: false },
    { account: item.treasuryAccountId ?? 98n, amount: 1n, is_approval: false },
  ];
  return toTransaction({ transfers, ...item, payerAccountId: item.payerAccountId ?? sender }, system);
};

const toTransaction: Maker = (item, system) => {
  const consensus_timestamp = BigInt(String(item.consensus_timestamp));
  const payer_account_id = toId(item.payerAccountId, system);
  const charged = item.charged_tx_fee === undefined ? 7n : item.charged_tx_fee;
  const row = {
    batch_key: typeof item.batch_key === 'string' ? Buffer.from(item.batch_key, 'hex') : null,
    charged_tx_fee: charged,
    consensus_timestamp,
    entity_id: toId(item.entity_id, system),
    high_volume: item.high_volume ?? false,
    high_volume_pricing_multiplier: given(item.high_volume_pricing_multiplier, 1n),
    index: item.index ?? 1n,
    inner_transactions: toInnerTransactions(item.inner_transactions, system),
    max_custom_fees: ((item.max_custom_fees ?? []) as JsonObject[]).map((limit) => encodeCustomFeeLimit(limit, system)),
    max_fee: given(item.max_fee, 33n),
    nft_transfer: toJsonText(toNftTransfers(item.nft_transfer, system)),
    node_account_id: toId(item.nodeAccountId, system),
    nonce: item.nonce ?? 0n,
    parent_consensus_timestamp: item.parent_consensus_timestamp ?? null,
    payer_account_id,
    result: item.result ?? 22n,
    scheduled: item.scheduled ?? false,
    transaction_bytes: given(item.transaction_bytes, 'bytes'),
    transaction_hash:
      item.transaction_hash === undefined
        ? Buffer.from(Array.from({ length: 48 }, (_, i) => i + 1))
        : toBytes(item.transaction_hash),
    type: item.type ?? 14n,
    valid_duration_seconds: given(item.valid_duration_seconds, 11n),
    valid_start_ns: item.valid_start_timestamp ?? consensus_timestamp - 1n,
  };
  let transfers = (item.transfers ?? []) as JsonObject[];
  if (transfers.length === 0 && charged !== null && Number(charged) > 0 && payer_account_id !== null) {
    transfers = [
      { account: item.nodeAccountId ?? 3n, amount: 2n },
      { account: 98n, amount: 1n },
      { account: item.payerAccountId!, amount: -3n },
    ];
  }
  return [
    { table: 'transaction', row },
    ...transfers.map((transfer) => ({
      table: 'crypto_transfer',
      row: {
        amount: transfer.amount,
        consensus_timestamp,
        entity_id: toId(transfer.account, system),
        is_approval: transfer.is_approval ?? false,
        payer_account_id,
      },
    })),
    ...((item.token_transfer_list ?? []) as JsonObject[]).map((transfer) => ({
      table: 'token_transfer',
      row: {
        account_id: toId(transfer.account, system),
        amount: transfer.amount,
        consensus_timestamp,
        is_approval: transfer.is_approval ?? false,
        payer_account_id,
        token_id: toId(transfer.token_id, system),
      },
    })),
  ];
};

/** Pairs of payer and valid start. */
function toInnerTransactions(value: JsonValue | undefined, system: SystemIds): bigint[] | null {
  if (!Array.isArray(value)) return null;
  return value.map((part, i) => (i % 2 === 0 ? toId(part, system)! : BigInt(String(part))));
}

function toNftTransfers(value: JsonValue | undefined, system: SystemIds): JsonValue {
  if (!Array.isArray(value)) return null;
  return (value as JsonObject[]).map((transfer) => ({
    ...transfer,
    receiver_account_id: toId(transfer.receiver_account_id, system),
    sender_account_id: toId(transfer.sender_account_id, system),
    token_id: toId(transfer.token_id, system),
  }));
}

function encodeCustomFeeLimit(limit: JsonObject, system: SystemIds): Buffer {
  const account = (limit.accountId ?? null) as JsonObject | null;
  const fees = ((limit.fees ?? []) as JsonObject[]).map((fee) => {
    const token = fee.denominatingTokenId as JsonObject | undefined;
    const hasToken = token && Object.keys(token).length > 0;
    return {
      amount: Number(fee.amount),
      denominatingTokenId: hasToken ? { ...toParts(system), tokenNum: Number(token.tokenNum) } : null,
    };
  });
  const accountId = account && { ...toParts(system), accountNum: Number(account.accountNum) };
  return Buffer.from(proto.CustomFeeLimit.encode({ accountId, fees } as unknown as proto.ICustomFeeLimit).finish());
}

function toParts(system: SystemIds) {
  return { shardNum: Number(system.shard), realmNum: Number(system.realm) };
}

const toContractResult: Maker = (item, system) => {
  const values: JsonObject = {
    amount: 0n,
    consensus_timestamp: 1234510001n,
    contract_id: 0n,
    created_contract_ids: [],
    error_message: '',
    function_parameters: '0x010102020303',
    gas_limit: 1000n,
    payer_account_id: 102n,
    sender_id: 101n,
    transaction_hash: countingBytes(32),
    transaction_index: 1n,
    transaction_nonce: 0n,
    transaction_result: 22n,
    ...item,
  };
  const ids = ['contract_id', 'payer_account_id', 'sender_id'];
  const bytes = [
    'bloom',
    'call_result',
    'failed_initcode',
    'function_parameters',
    'function_result',
    'transaction_hash',
  ];
  const row = convert(
    convert(values, ids, (value) => toId(value, system)),
    bytes,
    toBytes,
  );
  const created = values.created_contract_ids as JsonValue[] | null;
  return [
    { table: 'contract_result', row: { ...row, created_contract_ids: created?.map((id) => toId(id, system)) ?? null } },
  ];
};

const toContractLog: Maker = (item, system) => {
  const values: JsonObject = {
    bloom: '0x0123',
    consensus_timestamp: 1234510001n,
    contract_id: 1n,
    data: '0x0123',
    index: 0n,
    payer_account_id: 102n,
    root_contract_id: null,
    synthetic: null,
    transaction_hash: countingBytes(32),
    transaction_index: 0n,
    ...item,
  };
  const ids = ['contract_id', 'payer_account_id', 'root_contract_id'];
  const bytes = ['bloom', 'data', 'topic0', 'topic1', 'topic2', 'topic3', 'transaction_hash'];
  return [
    {
      table: 'contract_log',
      row: convert(
        convert(values, ids, (value) => toId(value, system)),
        bytes,
        toBytes,
      ),
    },
  ];
};

const toEthereumTransaction: Maker = (item, system) => {
  const values: JsonObject = {
    consensus_timestamp: 187654000123456n,
    data: '0x000000000',
    gas_limit: 1000000n,
    gas_price: '0xAD78EBC5AC620000',
    hash: '0x0000000000000000000000000000000000000000000000000000000000000123',
    max_gas_allowance: 10000n,
    nonce: 1n,
    payer_account_id: 5001n,
    recovery_id: 1n,
    signature_r: '0xd693b532a80fed6392b428604171fb32fdbf953728a3a7ecc7d4062b1652c042',
    signature_s: '0x24e9c602ac800b983b035700a14b23f78a253ab762deab5dc27e3555a750b354',
    signature_v: '0x1b',
    to_address: '0x0000000000000000000000000000000000001389',
    type: 2n,
    value: '0x0',
    ...item,
  };
  const bytes = [
    'call_data',
    'chain_id',
    'data',
    'gas_price',
    'hash',
    'max_fee_per_gas',
    'max_priority_fee_per_gas',
    'signature_r',
    'signature_s',
    'signature_v',
    'to_address',
    'value',
  ];
  const ids = ['call_data_id', 'payer_account_id'];
  const row = convert(
    convert(values, ids, (value) => toId(value, system)),
    bytes,
    toBytes,
  );
  return [
    {
      table: 'ethereum_transaction',
      row: convert(row, ['access_list', 'authorization_list'], toJsonText),
    },
  ];
};

const systemHexFiles = ['111', '112'];

const toFileData: Maker = (item, system) => {
  const { file_data } = item;
  const content = Array.isArray(file_data)
    ? Buffer.from(file_data.map(Number))
    : Buffer.from(String(file_data), systemHexFiles.includes(String(item.entity_id)) ? 'hex' : 'utf8');
  return [
    {
      table: 'file_data',
      row: { transaction_type: 17n, ...item, file_data: content, entity_id: toId(item.entity_id, system) },
    },
  ];
};

const toRecordFile: Maker = (item) => {
  const bytes = toBytes(item.bytes === undefined ? '0x010102020303' : item.bytes);
  return [
    {
      table: 'record_file',
      row: {
        consensus_end: 1628751573995691000n,
        consensus_start: 1628751572000852000n,
        count: 1200n,
        digest_algorithm: 0n,
        file_hash: 'dee34bdd8bbe32fdb53ce7e3cf764a0495fa5e93b15ca567208cfb384231301bedf821de07b0d8dc3fb55c5b3c90ac61',
        gas_used: 0n,
        hapi_version_major: 0n,
        hapi_version_minor: 11n,
        hapi_version_patch: 0n,
        hash: 'ed55d98d53fd55c9caf5f61affe88cd2978d37128ec54af5dace29b6fd271cbd079ebe487bda5f227087e2638b1100cf',
        index: 123456789n,
        load_end: 1629298236n,
        load_start: 1629298233n,
        logs_bloom: Buffer.alloc(0),
        name: '2021-08-12T06_59_32.000852000Z.rcd',
        prev_hash: '0'.repeat(96),
        version: 5n,
        ...item,
        bytes,
        size: bytes ? bytes.length : (item.size ?? 6n),
      },
    },
  ];
};

const toEntityStake: Maker = (item, system) => {
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

const toSchedule: Maker = (item, system) => [
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

const toToken: Maker = (item, system) => {
  const isUnique = item.type === 'NON_FUNGIBLE_UNIQUE';
  const created = item.created_timestamp ?? 0n;
  const tokenId = toId(item.token_id, system);
  const row = {
    created_timestamp: created,
    decimals: 1000n,
    freeze_default: false,
    freeze_status: 0n,
    initial_supply: 1000000n,
    kyc_status: 0n,
    max_supply: 9223372036854775807n,
    name: 'Token name',
    pause_status: 'NOT_APPLICABLE',
    supply_type: 'INFINITE',
    symbol: 'YBTJBOAZ',
    timestamp_range: `[${created},)`,
    total_supply: 1000000n,
    type: 'FUNGIBLE_COMMON',
    ...item,
    ...(isUnique ? { decimals: 0n, initial_supply: 0n } : {}),
    metadata: toBytes(item.metadata ?? []),
    token_id: tokenId,
    treasury_account_id: toId(item.treasury_account_id ?? '98', system),
  };
  const noFees: JsonObject = { entity_id: tokenId, timestamp_range: `[${created},)` };
  const fees = (item.custom_fees ?? [noFees]) as JsonObject[];
  return [version('token', row), ...fees.flatMap((fee) => toCustomFee(fee, system))];
};

const toCustomFee: Maker = (item, system) => {
  const row: Record<string, unknown> = {
    entity_id: toId(item.entity_id, system),
    timestamp_range: item.timestamp_range,
  };
  for (const list of ['fixed_fees', 'fractional_fees', 'royalty_fees']) {
    const fees = item[list] as JsonObject[] | null | undefined;
    row[list] = fees ? toJsonText(fees.map((fee) => toFee(fee, system))) : null;
  }
  return [version('custom_fee', row)];
};

function toFee(fee: JsonObject, system: SystemIds): JsonObject {
  const result: JsonObject = {
    all_collectors_are_exempt: false,
    ...fee,
    collector_account_id: toId(fee.collector_account_id ?? '300', system),
  };
  if (fee.denominating_token_id !== undefined) result.denominating_token_id = toId(fee.denominating_token_id, system);
  const fallback = fee.fallback_fee as JsonObject | null | undefined;
  if (fallback) {
    result.fallback_fee = { ...fallback, denominating_token_id: toId(fallback.denominating_token_id, system) };
  }
  return result;
}

const toTokenAccount: Maker = (item, system) => [
  version('token_account', {
    associated: true,
    automatic_association: false,
    balance: 0n,
    balance_timestamp: 0n,
    created_timestamp: 0n,
    timestamp_range: `[${item.created_timestamp ?? 0n},)`,
    ...item,
    account_id: toId(item.account_id, system),
    token_id: toId(item.token_id, system),
  }),
];

const makers: Record<string, Maker> = {
  accounts: (item, system) => [toEntity(accountDefaults, item, system)],
  balances: toBalances,
  contractlogs: toContractLog,
  contractresults: toContractResult,
  contracts: toContract,
  cryptotransfers: toCryptoTransfer,
  customfees: toCustomFee,
  entities: (item, system) => [toEntity({}, item, system)],
  entityStakes: toEntityStake,
  entityTransactions: (item, system) => [
    { table: 'entity_transaction', row: convert(item, ['entity_id', 'payer_account_id'], (id) => toId(id, system)) },
  ],
  ethereumtransactions: toEthereumTransaction,
  filedata: toFileData,
  recordFiles: toRecordFile,
  schedules: toSchedule,
  stakingRewardTransfers: (item, system) => [
    {
      table: 'staking_reward_transfer',
      row: {
        amount: 100n,
        ...item,
        account_id: toId(item.account_id ?? 1001n, system),
        payer_account_id: toId(item.payer_account_id ?? 950n, system),
      },
    },
  ],
  tokenaccounts: toTokenAccount,
  tokens: toToken,
  transactions: toTransaction,
  transactionsignatures: (item, system) => [
    {
      table: 'transaction_signature',
      row: {
        ...item,
        entity_id: toId(item.entity_id, system),
        public_key_prefix: toBytes(item.public_key_prefix),
        signature: toBytes(item.signature),
      },
    },
  ],
};

function given(value: JsonValue | undefined, otherwise: JsonValue): JsonValue {
  return value === undefined ? otherwise : value;
}

function countingBytes(length: number): JsonValue {
  return Array.from({ length }, (_, i) => BigInt(i));
}

function convert(
  row: Record<string, unknown>,
  columns: readonly string[],
  change: (value: JsonValue) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, columns.includes(name) ? change(value as JsonValue) : value]),
  );
}
