// The ledger of the worked examples as rows, from its description in words.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import type { SetupRow } from '../../packages/test-support/rows/setup-row.ts';
import { type CompiledContract, compileSolidity } from '../support/contracts/compile-solidity.ts';

export type Described = {
  accounts: Record<string, Account>;
  contracts: Record<string, Contract>;
  storage: Record<string, { current: Record<string, string>; changes: [number, number, string, string][] }>;
  tokens: Record<string, Token>;
  fees: Record<string, Record<'fixed' | 'fractional' | 'royalty', unknown[]>>;
  relations: [string, number, number, number, number, boolean][];
  nfts: [string, number, number, number | null, string, number][];
  tokenAllowances: [string, number, number, number, number][];
  nftAllowances: [string, number, number, boolean][];
  hbarAllowances: [number, number, number, number][];
  history: {
    aliceSnapshots: [number, string][];
    aliceTransfers: [number, string][];
    ftAlice: { snapshot: [number, number]; transfers: [number, number][] };
  };
  rates: { hbar: number; cent: number; expiry: number };
};

type Account = {
  num: number;
  evm?: string;
  balance: string | null;
  key: string;
  nonce?: number;
  deleted?: boolean;
  type?: string;
};
type Contract = { num: number; evm?: string; balance: string; contract?: string; since?: number };
type Token = Record<string, unknown> & {
  num: number;
  type: string;
  treasury: string;
  name: string;
  since?: number;
  nameBefore?: string;
  nameUntil?: number;
};

const second = 1_000_000_000n;
const startOf = (block: number): bigint => (1_700_000_000n + 2n * BigInt(block)) * second;
const endOf = (block: number): bigint => startOf(block) + 1_900_000_000n;
const lastBlock = 200;
/** Everything that has no other time. */
const beginning = startOf(0) - 1000n * second;
export const hashOf = (block: number): string => createHash('sha384').update(`block ${block}`).digest('hex');
const bytes = (hex: string | undefined): Buffer | null =>
  hex === undefined ? null : Buffer.from(hex.replace(/^0x/, ''), 'hex');

/** Compiled code by the name of the contract. */
export async function compileContracts(): Promise<Record<string, CompiledContract>> {
  const content = readFileSync(new URL('./Contracts.sol', import.meta.url), 'utf8');
  const settings = { optimizer: { enabled: true, runs: 200 }, evmVersion: 'cancun' };
  const input = { language: 'Solidity', sources: { 'Contracts.sol': { content } }, settings };
  const [output] = await compileSolidity('0.8.28', [input]);
  return output!.contracts['Contracts.sol']!;
}

export function toRows(world: Described, code: Record<string, CompiledContract>): SetupRow[] {
  return [
    ...blockRows(),
    ...accountRows(world),
    ...contractRows(world, code),
    ...storageRows(world),
    ...tokenRows(world),
    ...allowanceRows(world),
    ...balanceRows(world),
    rateRow(world),
  ];
}

/** One contract, which is 0.0.1001, and blocks. */
export function hostileRows(code: Record<string, CompiledContract>): SetupRow[] {
  return [
    ...blockRows(),
    entityRow(2, { type: 'ACCOUNT', balance: 1 }),
    entityRow(1001, { type: 'CONTRACT', balance: 0 }),
    { table: 'contract', row: { id: 1001, runtime_bytecode: bytes(code.Hostile!.evm.deployedBytecode.object) } },
  ];
}

/**
 * 0.0.1002 to 0.0.1006: contracts that fail, store (slot 0 is 1 since block 180), ask for balances, ask the token
 * service, and store, since block 120. 0.0.2001 to 0.0.2003: accounts, the last with an address 0xee….
 */
export function ruleRows(code: Record<string, CompiledContract>): SetupRow[] {
  const names = ['Reverter', 'StorageContract', 'EthCall', 'PrecompileTestContract', 'StorageContract'];
  const slot = { contract_id: 1003, slot: word(0) };
  const change = { ...slot, payer_account_id: 2, consensus_timestamp: startOf(180) + 5n };
  return [
    ...blockRows(),
    entityRow(2, { type: 'ACCOUNT', balance: 1 }),
    ...names.flatMap((name, index) => {
      const since = index === 4 ? { created_timestamp: startOf(120) } : {};
      const id = 1002 + index;
      return [
        entityRow(id, { type: 'CONTRACT', balance: 0, ethereum_nonce: 1, ...since }),
        { table: 'contract', row: { id, runtime_bytecode: bytes(code[name]!.evm.deployedBytecode.object) } },
      ];
    }),
    { table: 'contract_state', row: { ...slot, value: trimmed(1), created_timestamp: 1, modified_timestamp: 2 } },
    {
      table: 'contract_state_change',
      row: { ...change, slot: trimmed(0), value_read: trimmed(0), value_written: trimmed(1) },
    },
    entityRow(2001, { type: 'ACCOUNT', balance: 1000 }),
    entityRow(2002, { type: 'ACCOUNT', balance: 0 }),
    entityRow(2003, {
      type: 'ACCOUNT',
      balance: 5,
      evm_address: bytes('ee'.repeat(20)),
      alias: bytes('ee'.repeat(20)),
    }),
  ];
}

function blockRows(): SetupRow[] {
  return Array.from({ length: lastBlock + 1 }, (_, index) => ({
    table: 'record_file',
    row: {
      index,
      consensus_start: startOf(index),
      consensus_end: endOf(index),
      count: 1,
      digest_algorithm: 0,
      file_hash: hashOf(index),
      hash: hashOf(index),
      prev_hash: index === 0 ? '00'.repeat(48) : hashOf(index - 1),
      load_start: 1,
      load_end: 2,
      name: `${index}.rcd.gz`,
      version: 6,
    },
  }));
}

function entityRow(id: number, row: Record<string, unknown>): SetupRow {
  const from = (row.created_timestamp as bigint | undefined) ?? beginning;
  const shared = { id, num: id, shard: 0, realm: 0, memo: '', created_timestamp: from, deleted: false };
  return { table: 'entity', row: { ...shared, timestamp_range: `[${from},)`, ...row } };
}

function accountRows({ accounts }: Described): SetupRow[] {
  return Object.values(accounts).map(({ num, evm, balance, key, nonce = 0, deleted = false, type = 'ACCOUNT' }) =>
    entityRow(num, {
      type,
      balance,
      deleted,
      key: bytes(key),
      ethereum_nonce: nonce,
      evm_address: bytes(evm),
      alias: bytes(evm),
    }),
  );
}

function contractRows({ contracts }: Described, code: Record<string, CompiledContract>): SetupRow[] {
  return Object.entries(contracts).flatMap(([name, { num, evm, balance, contract = name, since }]) => [
    entityRow(num, {
      type: 'CONTRACT',
      balance,
      evm_address: bytes(evm),
      ethereum_nonce: 1,
      ...(since === undefined ? {} : { created_timestamp: startOf(since) }),
    }),
    { table: 'contract', row: { id: num, runtime_bytecode: bytes(code[contract]!.evm.deployedBytecode.object) } },
  ]);
}

const word = (value: string | number): Buffer => Buffer.from(BigInt(value).toString(16).padStart(64, '0'), 'hex');
const trimmed = (value: string | number): Buffer => {
  const whole = word(value);
  const first = whole.findIndex((byte) => byte !== 0);
  return first < 0 ? Buffer.alloc(0) : whole.subarray(first);
};

function storageRows({ storage, contracts }: Described): SetupRow[] {
  return Object.entries(storage).flatMap(([name, { current, changes }]) => {
    const contract_id = contracts[name]!.num;
    return [
      ...Object.entries(current).map(([slot, value]) => ({
        table: 'contract_state',
        row: { contract_id, slot: word(slot), value: trimmed(value), created_timestamp: 1, modified_timestamp: 2 },
      })),
      ...changes.map(([block, slot, before, after]) => ({
        table: 'contract_state_change',
        row: {
          consensus_timestamp: startOf(block) + 5n,
          contract_id,
          payer_account_id: 2,
          slot: trimmed(slot),
          value_read: trimmed(before),
          value_written: trimmed(after),
        },
      })),
    ];
  });
}

function tokenRows({ tokens, fees, accounts, relations, nfts }: Described): SetupRow[] {
  const rows: SetupRow[] = [];
  for (const [symbol, token] of Object.entries(tokens)) {
    const created = token.since === undefined ? beginning : startOf(token.since);
    const row = {
      ...token,
      token_id: token.num,
      created_timestamp: created,
      initial_supply: 0,
      symbol: token.symbol,
      metadata: bytes(String(token.metadata)),
      treasury_account_id: accounts[token.treasury]!.num,
      ...Object.fromEntries(
        ['kyc', 'freeze', 'wipe', 'supply', 'pause', 'metadata'].map((name) => [
          `${name}_key`,
          bytes(token[`${name}_key`] as string | undefined),
        ]),
      ),
      fee_schedule_key: bytes(token.fee_key as string | undefined),
    };
    const renamed = token.nameUntil === undefined ? created : startOf(token.nameUntil);
    rows.push({ table: 'token', row: { ...row, timestamp_range: `[${renamed},)` } });
    if (token.nameUntil !== undefined) {
      const before = { ...row, name: token.nameBefore, timestamp_range: `[${created},${renamed})` };
      rows.push({ table: 'token_history', row: before });
    }
    rows.push(
      entityRow(token.num, {
        type: 'TOKEN',
        created_timestamp: created,
        memo: token.memo,
        key: bytes(token.admin as string | undefined),
        expiration_timestamp: token.expiration,
        auto_renew_period: token.renew,
        auto_renew_account_id: token.renewAccount,
      }),
      {
        table: 'custom_fee',
        row: {
          entity_id: token.num,
          timestamp_range: `[${created},)`,
          fixed_fees: JSON.stringify(fees[symbol]?.fixed ?? []),
          fractional_fees: JSON.stringify(fees[symbol]?.fractional ?? []),
          royalty_fees: JSON.stringify(fees[symbol]?.royalty ?? []),
        },
      },
    );
  }
  for (const [symbol, account_id, balance, freeze_status, kyc_status, automatic_association] of relations) {
    const of = { account_id, token_id: tokens[symbol]!.num, associated: true, created_timestamp: beginning };
    const statuses = { balance, freeze_status, kyc_status, automatic_association };
    rows.push({ table: 'token_account', row: { ...of, ...statuses, timestamp_range: `[${beginning},)` } });
  }
  for (const [symbol, serial_number, account_id, spender, metadata, block] of nfts) {
    const of = { token_id: tokens[symbol]!.num, serial_number, account_id, spender, metadata: Buffer.from(metadata) };
    const created_timestamp = startOf(block);
    rows.push({ table: 'nft', row: { ...of, created_timestamp, timestamp_range: `[${created_timestamp},)` } });
  }
  return rows;
}

/** For all NFTs since block 80, the others from the beginning. */
function allowanceRows({ tokens, tokenAllowances, nftAllowances, hbarAllowances }: Described): SetupRow[] {
  const range = `[${beginning},)`;
  return [
    ...tokenAllowances.map(([token, owner, spender, amount, amount_granted]) => ({
      table: 'token_allowance',
      row: {
        token_id: tokens[token]!.num,
        owner,
        spender,
        amount,
        amount_granted,
        payer_account_id: owner,
        timestamp_range: range,
      },
    })),
    ...nftAllowances.map(([token, owner, spender, approved_for_all]) => ({
      table: 'nft_allowance',
      row: {
        token_id: tokens[token]!.num,
        owner,
        spender,
        approved_for_all,
        payer_account_id: owner,
        timestamp_range: `[${startOf(80)},)`,
      },
    })),
    ...hbarAllowances.map(([owner, spender, amount, amount_granted]) => ({
      table: 'crypto_allowance',
      row: { owner, spender, amount, amount_granted, payer_account_id: owner, timestamp_range: range },
    })),
  ];
}

function balanceRows({ accounts, tokens, history }: Described): SetupRow[] {
  const alice = accounts.alice!.num;
  const token_id = tokens.FT!.num;
  const transfer = { payer_account_id: alice, is_approval: false };
  return [
    ...history.aliceSnapshots.flatMap(([block, balance]) => [
      { table: 'account_balance', row: { account_id: 2, balance: 1, consensus_timestamp: endOf(block) } },
      { table: 'account_balance', row: { account_id: alice, balance, consensus_timestamp: endOf(block) } },
    ]),
    ...history.aliceTransfers.map(([block, amount]) => ({
      table: 'crypto_transfer',
      row: { ...transfer, entity_id: alice, amount, consensus_timestamp: startOf(block) + 5n },
    })),
    {
      table: 'token_balance',
      row: {
        account_id: alice,
        token_id,
        balance: history.ftAlice.snapshot[1],
        consensus_timestamp: endOf(history.ftAlice.snapshot[0]),
      },
    },
    ...history.ftAlice.transfers.map(([block, amount]) => ({
      table: 'token_transfer',
      row: { ...transfer, account_id: alice, token_id, amount, consensus_timestamp: startOf(block) + 5n },
    })),
  ];
}

function rateRow({ rates: { hbar, cent, expiry } }: Described): SetupRow {
  const rate = { hbarEquiv: hbar, centEquiv: cent, expirationTime: { seconds: expiry } };
  const file_data = proto.ExchangeRateSet.encode({ currentRate: rate, nextRate: rate } as never).finish();
  return {
    table: 'file_data',
    row: { entity_id: 112, consensus_timestamp: beginning, file_data: Buffer.from(file_data), transaction_type: 17 },
  };
}
