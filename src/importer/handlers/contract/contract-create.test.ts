import { describe, expect, it } from 'vitest';
import { proto } from '../../../../packages/protocol/hapi/hapi.ts';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../../packages/test-support/streams/import-transactions.ts';

const create = (body: object = {}, more: Partial<TransactionLiteral> = {}): TransactionLiteral => ({
  body: { contractCreateInstance: { gas: 100_000, autoRenewPeriod: { seconds: 7_776_000 }, ...body } },
  receipt: { contractID: { contractNum: 6000 } },
  record: {
    contractCreateResult: {
      contractID: { contractNum: 6000 },
      gasUsed: 50_000,
      evmAddress: { value: Buffer.alloc(20, 0xee) },
    },
  },
  ...more,
});

describe('a created contract', () => {
  it('becomes an entity with its own key when it has no admin key', async () => {
    const { rows, problems } = await importTransactions([
      create({ memo: 'a\0b', maxAutomaticTokenAssociations: -1, autoRenewAccountId: { accountNum: 1002 } }),
    ]);
    expect(problems).toEqual([]);
    expect(rows('entity')).toEqual([
      {
        id: 6000n,
        shard: 0n,
        realm: 0n,
        num: 6000n,
        type: 'CONTRACT',
        timestamp_range: { from: timestampAt(0), to: null },
        deleted: false,
        created_timestamp: timestampAt(0),
        auto_renew_account_id: 1002n,
        auto_renew_period: 7_776_000n,
        balance: 0n,
        balance_timestamp: timestampAt(0),
        evm_address: Buffer.alloc(20, 0xee),
        key: proto.Key.encode({ contractID: { contractNum: 6000 } } as never).finish(),
        public_key: '',
        max_automatic_token_associations: -1,
        memo: 'a\ufffdb',
        proxy_account_id: null,
        decline_reward: false,
      },
    ]);
  });

  it('keeps the admin key and its public key', async () => {
    const { rows } = await importTransactions([create({ adminKey: { ed25519: Buffer.alloc(32, 4) } })]);
    expect(rows('entity')[0]).toMatchObject({ public_key: '04'.repeat(32) });
  });

  it('starts staking on the day it was made', async () => {
    const { rows } = await importTransactions([create({ stakedNodeId: 3, declineReward: true })]);
    expect(rows('entity')[0]).toMatchObject({ staked_node_id: 3n, decline_reward: true, stake_period_start: 19_675n });
  });

  it('is found by its address afterwards in the same block', async () => {
    const { rows } = await importTransactions([
      create(),
      { body: { contractCall: { contractID: { evmAddress: Buffer.alloc(20, 0xee) } } } },
    ]);
    expect(rows('contract_result')[1]!.contract_id).toBe(6000n);
  });

  it('makes no entity when it failed, but keeps the code that failed', async () => {
    const failed = { receipt: {}, status: 33 };
    const { rows } = await importTransactions([
      create({ initcode: Buffer.of(1, 2) }, failed),
      create({ fileID: { fileNum: 9 } }, { ...failed, sidecars: [{ bytecode: { initcode: Buffer.of(3) } }] }),
    ]);
    expect(rows('entity')).toEqual([]);
    expect(rows('contract')).toEqual([]);
    expect(rows('contract_result').map((row) => [row.contract_id, row.failed_initcode])).toEqual([
      [0n, Buffer.of(1, 2)],
      [0n, Buffer.of(3)],
    ]);
  });
});

describe('where its code came from', () => {
  const sidecar = {
    bytecode: { contractId: { contractNum: 6000 }, initcode: Buffer.of(8), runtimeBytecode: Buffer.of(9) },
  };
  const child = (more: Partial<TransactionLiteral> = {}) => create({}, { parent: 0, ...more });
  const parentCall = { contractCreateResult: undefined };
  const other = { contractCreateResult: { contractID: { contractNum: 5999 }, gasUsed: 1 } };
  const factory = (body: object): TransactionLiteral =>
    create(body, { receipt: { contractID: { contractNum: 5999 } }, record: { ...parentCall, ...other } });

  it.each<[string, TransactionLiteral[], object]>([
    ['a file', [create({ fileID: { fileNum: 700 } })], { file_id: 700n, initcode: null, runtime_bytecode: null }],
    ['the body', [create({ initcode: Buffer.of(7) })], { file_id: null, initcode: Buffer.of(7) }],
    [
      'the sidecar beside a file',
      [create({ fileID: { fileNum: 700 } }, { sidecars: [sidecar] })],
      { file_id: 700n, initcode: Buffer.of(8), runtime_bytecode: Buffer.of(9) },
    ],
    [
      'the body before the sidecar',
      [create({ initcode: Buffer.of(7) }, { sidecars: [sidecar] })],
      { initcode: Buffer.of(7), runtime_bytecode: Buffer.of(9) },
    ],
    [
      'no migration and no other contract',
      [
        create(
          {},
          {
            sidecars: [
              { ...sidecar, migration: true },
              { bytecode: { ...sidecar.bytecode, contractId: { contractNum: 1 } } },
            ],
          },
        ),
      ],
      { file_id: null, initcode: null },
    ],
    ['the file of the parent', [factory({ fileID: { fileNum: 701 } }), child()], { file_id: 701n, initcode: null }],
    ['the initcode of the parent', [factory({ initcode: Buffer.of(5) }), child()], { initcode: Buffer.of(5) }],
    [
      'the sidecar of the parent',
      [{ ...factory({}), sidecars: [sidecar] }, child()],
      { initcode: Buffer.of(8), runtime_bytecode: Buffer.of(9) },
    ],
  ])('%s', async (_name, literals, expected) => {
    const { rows, problems } = await importTransactions(literals);
    expect(problems).toEqual([]);
    expect(rows('contract').find(({ id }) => id === 6000n)).toMatchObject(expected);
  });
});

describe('updates and deletions', () => {
  it('change only what is said', async () => {
    const update = (body: object): TransactionLiteral => ({
      body: { contractUpdateInstance: { contractID: { contractNum: 6000 }, ...body } },
    });
    const cases: [object, object][] = [
      [{ memo: '' }, { memo: null }],
      [{ memo: 'old way' }, { memo: 'old way' }],
      [{ memoWrapper: {} }, { memo: '' }],
      [{ autoRenewAccountId: { accountNum: 0 } }, { auto_renew_account_id: 0n }],
      [{ expirationTime: { seconds: 5 } }, { expiration_timestamp: 5_000_000_000n }],
      [{ stakedAccountId: { accountNum: 77 } }, { staked_account_id: 77n, staked_node_id: -1n }],
      [{ maxAutomaticTokenAssociations: {} }, { max_automatic_token_associations: 0 }],
    ];
    for (const [body, expected] of cases) {
      const { rows } = await importTransactions([update(body)]);
      expect(rows('entity')).toHaveLength(1);
      expect(rows('entity')[0]).toMatchObject({ id: 6000n, type: 'CONTRACT', deleted: false, ...expected });
      expect(rows('entity')[0]!.created_timestamp).toBeUndefined();
    }
  });

  it('name who obtained what was left', async () => {
    const { rows } = await importTransactions([
      {
        body: {
          contractDeleteInstance: {
            contractID: { contractNum: 6000 },
            transferContractID: { contractNum: 6001 },
            permanentRemoval: true,
          },
        },
      },
      { body: { systemUndelete: { contractID: { contractNum: 6002 } } } },
      { body: { systemDelete: { fileID: { fileNum: 6003 } } } },
    ]);
    expect(rows('entity')).toMatchObject([
      { id: 6000n, type: 'CONTRACT', deleted: true, obtainer_id: 6001n, permanent_removal: true },
      { id: 6002n, type: 'CONTRACT', deleted: false },
      { id: 6003n, type: 'FILE', deleted: true },
    ]);
  });
});
