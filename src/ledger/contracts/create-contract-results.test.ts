import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyRange } from '../../../packages/kit/range.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { ContractResultsFilter } from '../../../packages/store/read/select-contract-results.ts';
import { toSetupRows } from '../../../packages/test-support/rows/setup-rows.ts';
import type { JsonObject } from '../../../packages/test-support/rows/spec-file.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { createLedger } from '../create-ledger.ts';
import type { ContractResult } from './create-contract-results.ts';

const alias = Buffer.from('11'.repeat(20), 'hex');
const functionResult = proto.ContractFunctionResult.encode({ senderId: { alias } } as never).finish();
const log = (timestamp: bigint, index: bigint, more: JsonObject = {}) => ({
  consensus_timestamp: timestamp,
  index,
  synthetic: true,
  contract_id: 700n + index,
  payer_account_id: 55n,
  transaction_hash: `0x${'0a'.repeat(32)}`,
  transaction_index: 3n,
  ...more,
});
const result = (timestamp: bigint, more: JsonObject = {}) => ({
  consensus_timestamp: timestamp,
  contract_id: 700n,
  sender_id: 50n,
  payer_account_id: 55n,
  ...more,
});
const block = (index: bigint, from: bigint, to: bigint, hash: string, gas = 5n) => ({
  index,
  consensus_start: from,
  consensus_end: to,
  hash,
  gas_used: gas,
});

const authorization = {
  address: '0x01',
  chain_id: '0x128',
  nonce: 9223372036854775806n,
  r: '0x2',
  s: '0x3',
  y_parity: 1n,
};

const setup: JsonObject = {
  contracts: [{ num: 700n, evm_address: '22'.repeat(20), timestamp_range: '[1,)' }],
  contractresults: [
    result(1000n, { transaction_index: 1n }),
    result(1001n, { transaction_nonce: 1n }),
    result(1002n, { transaction_result: 312n }),
    result(2000n, { sender_id: null, function_result: [...functionResult].map(BigInt), transaction_index: 2n }),
    result(2001n, { sender_id: null, function_result: 'ffff' }),
    result(3000n, { sender_id: 60n }),
  ],
  contractlogs: [
    log(1500n, 0n),
    log(1500n, 1n),
    log(2000n, 0n),
    log(2500n, 4n, { root_contract_id: 999n, transaction_index: 2n }),
    log(2600n, 0n, { synthetic: false }),
    log(2700n, 0n, { synthetic: null }),
  ],
  ethereumtransactions: [
    {
      consensus_timestamp: 3000n,
      payer_account_id: 55n,
      nonce: 9223372036854775807n,
      access_list: [],
      authorization_list: [authorization],
    },
    { consensus_timestamp: 1000n, payer_account_id: 56n },
  ],
  recordFiles: [
    block(1n, 1000n, 1999n, 'ab12'.padEnd(96, '0'), -1n),
    block(2n, 2000n, 2000n, 'ab34'.padEnd(96, '0')),
    block(3n, 2500n, 3000n, 'AB12'.padEnd(96, '0')),
  ],
};

let stored: StoredRows;

beforeAll(async () => {
  stored = await storeRows(toSetupRows(setup, { shard: 0n, realm: 0n }));
});

afterAll(async () => {
  await stored?.close();
});

async function ask(query: Partial<ContractResultsFilter>): Promise<readonly ContractResult[]> {
  const ledger = createLedger({ db: stored.db, clock: () => 0n, system: usualRealm });
  const { items } = await ledger.contractResults.list({
    sender: { equals: [], others: [] },
    block: null,
    transactionIndexes: [],
    internal: false,
    timestamp: anyRange,
    synthetic: true,
    order: 'asc',
    limit: 25,
    ...query,
  });
  return items;
}

const from = (equals: bigint[], others: ContractResultsFilter['sender']['others'] = []) => ({
  sender: { equals, others },
});

describe('contract results', () => {
  it.each<[string, Partial<ContractResultsFilter>, bigint[]]>([
    ['without wrong nonces and inner calls', { synthetic: false }, [1000n, 2000n, 2001n, 3000n]],
    ['with inner calls', { synthetic: false, internal: true }, [1000n, 1001n, 2000n, 2001n, 3000n]],
    [
      'with synthetic ones, one for each timestamp, none where a real one is',
      {},
      [1000n, 1500n, 2000n, 2001n, 2500n, 3000n],
    ],
    ['newest first', { order: 'desc', limit: 3 }, [3000n, 2500n, 2001n]],
    ['cut after merging', { limit: 2 }, [1000n, 1500n]],
    ['of a sender, who has no synthetic ones', from([50n]), [1000n]],
    ['of two senders', from([50n, 60n]), [1000n, 3000n]],
    [
      'of senders in a range',
      from(
        [],
        [
          { operator: 'gt', id: 50n },
          { operator: 'lt', id: 61n },
        ],
      ),
      [3000n],
    ],
    [
      'of other senders',
      from(
        [],
        [
          { operator: 'ne', id: 60n },
          { operator: 'ne', id: 61n },
        ],
      ),
      [1000n],
    ],
    ['of a block', { block: { number: 1n } }, [1000n, 1500n]],
    ['of no block', { block: { number: 9n } }, []],
    ['of a block by the beginning of its hash', { block: { hashPrefix: 'ab34' } }, [2000n]],
    ['of a block by its whole hash', { block: { hashPrefix: 'ab12'.padEnd(96, '0') } }, [1000n, 1500n]],
    ['by a hash in the wrong case', { block: { hashPrefix: 'AB34' } }, []],
    ['of a position in a block', { block: { number: 3n }, transactionIndexes: [2n] }, [2500n]],
    ['of a position that no block has', { block: { number: 3n }, transactionIndexes: [1n << 40n] }, []],
    ['in a block and in time', { block: { number: 1n }, timestamp: { ...anyRange, from: 1400n } }, [1500n]],
    ['at moments', { timestamp: { ...anyRange, equals: [1000n, 1500n, 7n] } }, [1000n, 1500n]],
    ['but not at moments', { timestamp: { ...anyRange, notEquals: [1000n, 2500n] } }, [1500n, 2000n, 2001n, 3000n]],
  ])('%s', async (_name, query, timestamps) => {
    expect((await ask(query)).map((row) => row.consensusTimestamp)).toEqual(timestamps);
  });

  it('takes contract, sender and positions of a synthetic one from its log', async () => {
    const at = (timestamp: bigint, order: 'asc' | 'desc') =>
      ask({ timestamp: { ...anyRange, equals: [timestamp] }, order });
    const [first] = await at(1500n, 'asc');
    expect(first).toMatchObject({
      amount: null,
      bloom: null,
      callResult: null,
      contractId: 700n,
      evmAddress: Buffer.from('22'.repeat(20), 'hex'),
      createdContractIds: null,
      gasLimit: 0n,
      gasUsed: null,
      gasConsumed: null,
      senderId: 55n,
      transactionIndex: 3,
      transactionResult: 22,
    });
    expect(first!.functionParameters).toHaveLength(0);
    // The first log stands for it in either order.
    expect((await at(1500n, 'desc'))[0]).toEqual(first);
    expect((await at(2500n, 'asc'))[0]!.contractId).toBe(999n);
  });

  it('has the alias of a sender without an id', async () => {
    const rows = await ask({ synthetic: false });
    expect(rows.map((row) => row.senderAlias)).toEqual([null, alias, null, null]);
  });

  it('has the block that holds the timestamp, if one does', async () => {
    const rows = await ask({ synthetic: false });
    expect(rows.map((row) => row.blockNumber)).toEqual([1n, 2n, null, 3n]);
    expect(rows.map((row) => row.blockGasUsed)).toEqual([null, 5n, null, 5n]);
  });

  it('has the Ethereum transaction of the same payer, exact to the last digit', async () => {
    const rows = await ask({ synthetic: false });
    expect(rows.map((row) => row.nonce)).toEqual([null, null, null, 9223372036854775807n]);
    expect(rows[3]!.authorizationList).toEqual([authorization]);
  });
});
