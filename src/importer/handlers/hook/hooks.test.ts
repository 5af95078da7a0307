import { expect, test } from 'vitest';
import { keccak256 } from '../../../../packages/protocol/keccak256.ts';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../../packages/test-support/streams/import-transactions.ts';

const account = (accountNum: number) => ({ accountNum });
const contract = (contractNum: number) => ({ contractNum });
const t0 = timestampAt(0);
const word = (...bytes: number[]) => Buffer.concat([Buffer.alloc(32 - bytes.length), Buffer.from(bytes)]);
const hookContract = 365;

async function importAll(literals: TransactionLiteral[]) {
  const { rows, problems } = await importTransactions(literals, { hapiVersion: { major: 0, minor: 78, patch: 0 } });
  expect(problems).toEqual([]);
  return rows;
}

const creation = (hookId: number, more: Record<string, unknown> = {}, storageUpdates: unknown[] = []) => ({
  hookId,
  lambdaEvmHook: { spec: { contractId: contract(5000) }, storageUpdates },
  ...more,
});

const slot = (key: number[], value: number[]) => ({
  storageSlot: { key: Buffer.from(key), value: Buffer.from(value) },
});

test.each([
  ['CryptoCreate', { cryptoCreateAccount: {} }, 'cryptoCreateAccount', { accountID: account(2000) }],
  [
    'CryptoUpdate',
    { cryptoUpdateAccount: { accountIDToUpdate: account(2000) } },
    'cryptoUpdateAccount',
    { accountID: account(2000) },
  ],
  ['ContractCreate', { contractCreateInstance: {} }, 'contractCreateInstance', { contractID: contract(2000) }],
  [
    'ContractUpdate',
    { contractUpdateInstance: { contractID: contract(2000) } },
    'contractUpdateInstance',
    { contractID: contract(2000) },
  ],
])('%s makes hooks of its entity', async (_name, body, field, receipt) => {
  const inner = Object.values(body)[0]!;
  const hookCreationDetails = [creation(7, { adminKey: { ed25519: Buffer.alloc(32, 1) } }), creation(-8)];
  const rows = await importAll([{ body: { [field]: { ...inner, hookCreationDetails } }, receipt }]);
  const common = {
    contract_id: 5000n,
    created_timestamp: t0,
    deleted: false,
    extension_point: 'ACCOUNT_ALLOWANCE_HOOK',
    owner_id: 2000n,
    timestamp_range: { from: t0, to: null },
    type: 'EVM',
  };
  expect(rows('hook')).toEqual([
    { ...common, admin_key: Buffer.concat([Buffer.of(0x12, 32), Buffer.alloc(32, 1)]), hook_id: 7n },
    { ...common, admin_key: null, hook_id: -8n },
  ]);
});

test('a deletion ends the hook; an id that is used again takes nothing from the old hook', async () => {
  const rows = await importAll([
    {
      body: {
        cryptoCreateAccount: { hookCreationDetails: [creation(1, { adminKey: { ed25519: Buffer.alloc(32) } })] },
      },
      receipt: { accountID: account(2000) },
    },
    { body: { cryptoUpdateAccount: { accountIDToUpdate: account(2000), hookIdsToDelete: [1] } } },
    {
      body: {
        cryptoUpdateAccount: {
          accountIDToUpdate: account(2000),
          hookIdsToDelete: [1],
          hookCreationDetails: [{ ...creation(1), lambdaEvmHook: { spec: { contractId: contract(6000) } } }],
        },
      },
    },
  ]);
  const versions = rows('hook').map(
    ({ created_timestamp, deleted, contract_id, admin_key, timestamp_range: range }) => ({
      created: created_timestamp,
      deleted,
      contract: contract_id,
      hasKey: Boolean(admin_key),
      from: range?.from,
      to: range?.to,
    }),
  );
  const [t1, t2] = [timestampAt(1), timestampAt(2)];
  expect(versions).toEqual([
    { created: t0, deleted: false, contract: 5000n, hasKey: true, from: t0, to: t1 },
    { created: t0, deleted: true, contract: 5000n, hasKey: true, from: t1, to: t2 },
    { created: t2, deleted: false, contract: 6000n, hasKey: false, from: t2, to: null },
  ]);
});

test('failed transactions make no hooks', async () => {
  const rows = await importAll([
    {
      body: { cryptoUpdateAccount: { accountIDToUpdate: account(2000), hookCreationDetails: [creation(1)] } },
      status: 7,
    },
    {
      body: {
        lambdaSstore: {
          hookId: { entityId: { accountId: account(2000) }, hookId: 1 },
          storageUpdates: [slot([1], [1])],
        },
      },
      status: 7,
    },
  ]);
  expect([rows('hook'), rows('hook_storage_change')]).toEqual([[], []]);
});

test('a hook of an unknown kind is reported', async () => {
  const { rows, problems } = await importTransactions([
    {
      body: {
        cryptoUpdateAccount: { accountIDToUpdate: account(2000), hookCreationDetails: [{ hookId: 4 }, creation(5)] },
      },
    },
  ]);
  expect(problems.map(({ problem }) => problem)).toEqual(['hook 4 is of an unknown kind']);
  expect(rows('hook').map(({ hook_id }) => hook_id)).toEqual([5n]);
});

const store = (storageUpdates: unknown[], entityId: object = { accountId: account(2000) }): TransactionLiteral => ({
  body: { lambdaSstore: { hookId: { entityId, hookId: 7 }, storageUpdates } },
});

test('slots and entries of mappings, of which the last one of a key counts', async () => {
  const mapping = {
    mappingEntries: {
      mappingSlot: Buffer.of(3),
      entries: [
        { key: Buffer.of(9), value: Buffer.of(0, 0, 5) },
        { preimage: Buffer.from('name'), value: Buffer.of(6) },
      ],
    },
  };
  const rows = await importAll([store([slot([1], [0, 2]), mapping, slot([0, 1], [4])])]);
  const ofKey = keccak256(Buffer.concat([word(9), word(3)]));
  const ofPreimage = keccak256(Buffer.concat([keccak256(Buffer.from('name')), word(3)]));
  const common = { hook_id: 7n, owner_id: 2000n, deleted: false };
  const bytes = (row: object) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value) : value]),
    );
  expect(rows('hook_storage_change').map(bytes)).toEqual(
    [
      [word(1), Buffer.of(4)],
      [ofKey, Buffer.of(5)],
      [ofPreimage, Buffer.of(6)],
    ].map(([key, value]) => ({ ...common, consensus_timestamp: t0, key, value_read: value, value_written: value })),
  );
  expect(rows('hook_storage').map(bytes)).toEqual(
    [
      [word(1), Buffer.of(4)],
      [ofKey, Buffer.of(5)],
      [ofPreimage, Buffer.of(6)],
    ].map(([key, value]) => ({ ...common, created_timestamp: t0, modified_timestamp: t0, key, value })),
  );
  expect(rows('transaction')[0]?.entity_id).toBe(2000n);
});

test('an empty value takes a slot away; what comes back is new', async () => {
  const rows = await importAll([
    store([slot([1], [2])]),
    store([slot([1], [])], { contractId: contract(2000) }),
    store([slot([1], [3])]),
  ]);
  expect(rows('hook_storage_change').map(({ deleted }) => deleted)).toEqual([false, true, false]);
  expect(rows('hook_storage')).toMatchObject([
    { created_timestamp: timestampAt(2), modified_timestamp: timestampAt(2), deleted: false },
  ]);
});

test('initial storage comes with the creation', async () => {
  const rows = await importAll([
    {
      body: { cryptoCreateAccount: { hookCreationDetails: [creation(7, {}, [slot([1], [2])])] } },
      receipt: { accountID: account(2000) },
    },
  ]);
  expect(rows('hook_storage')).toMatchObject([{ owner_id: 2000n, hook_id: 7n, created_timestamp: t0 }]);
});

const stateChange = (slotByte: number, written: number | null, contractNum = hookContract) => ({
  stateChanges: {
    contractStateChanges: [
      {
        contractId: contract(contractNum),
        storageChanges: [
          {
            slot: Buffer.of(slotByte),
            valueRead: Buffer.of(0, 1),
            ...(written === null
              ? {}
              : { valueWritten: { value: written === 0 ? Buffer.alloc(0) : Buffer.of(written) } }),
          },
        ],
      },
    ],
  },
});

const hookCall = (slotByte: number, written: number | null, parent = 0): TransactionLiteral => ({
  body: { contractCall: { contractID: contract(hookContract), gas: 100 } },
  parent,
  record: { contractCallResult: { contractID: contract(hookContract), gasUsed: 5 } },
  receipt: { contractID: contract(hookContract) },
  sidecars: [stateChange(slotByte, written)],
});

test('what hooks wrote while they ran belongs to owner and hook, in the order of the calls', async () => {
  const pre = (hookId: number) => ({ preTxAllowanceHook: { hookId, evmHookCall: { gasLimit: 1 } } });
  const around = (hookId: number) => ({ prePostTxAllowanceHook: { hookId, evmHookCall: { gasLimit: 1 } } });
  const transfer: TransactionLiteral = {
    body: {
      cryptoTransfer: {
        transfers: {
          accountAmounts: [
            { accountID: account(2000), amount: -1, ...around(1) },
            { accountID: account(2001), amount: 1, ...pre(2) },
          ],
        },
        tokenTransfers: [
          {
            token: { tokenNum: 3000 },
            nftTransfers: [
              {
                senderAccountID: account(2002),
                receiverAccountID: account(2003),
                serialNumber: 1,
                preTxSenderAllowanceHook: { hookId: 3 },
                prePostTxReceiverAllowanceHook: { hookId: 4 },
              },
            ],
          },
        ],
      },
    },
  };
  // Two before, two before and after.
  const rows = await importAll([transfer, ...[11, 12, 13, 14, 15, 16].map((key) => hookCall(key, 9))]);
  const changes = rows('hook_storage_change').map(({ owner_id, hook_id, key }) => [owner_id, hook_id, key!.at(-1)]);
  expect(changes).toEqual([
    [2001n, 2n, 11],
    [2002n, 3n, 12],
    [2000n, 1n, 13],
    [2003n, 4n, 14],
    [2000n, 1n, 15],
    [2003n, 4n, 16],
  ]);
  expect([rows('contract_state'), rows('contract_state_change')]).toEqual([[], []]);
});

test('a slot that a hook only read is a change without a value; a zero takes it away', async () => {
  const hook = (hookId: number) => ({ preTxAllowanceHook: { hookId } });
  const body = {
    cryptoTransfer: {
      transfers: {
        accountAmounts: [
          { accountID: account(2000), amount: -1, ...hook(1) },
          { accountID: account(2000), amount: 1, ...hook(2) },
        ],
      },
    },
  };
  const rows = await importAll([{ body }, hookCall(1, null), hookCall(2, 0)]);
  expect(rows('hook_storage_change')).toMatchObject([
    { hook_id: 1n, deleted: false, value_written: null },
    { hook_id: 2n, deleted: true },
  ]);
  expect(rows('hook_storage_change').map(({ value_read }) => Buffer.from(value_read!))).toEqual([
    Buffer.of(1),
    Buffer.of(1),
  ]);
  expect(rows('hook_storage')).toMatchObject([{ hook_id: 2n, deleted: true }]);
});

test('a call that the transfer does not list is reported; other contracts keep their state', async () => {
  const transfer = { body: { cryptoTransfer: {} } };
  const { rows, problems } = await importTransactions([
    transfer,
    hookCall(1, 2),
    { ...hookCall(3, 4), sidecars: [stateChange(5, 6, 5000)] },
  ]);
  expect(problems.map(({ problem }) => problem)).toEqual([
    'the transfer names no hook for this call of the hook contract',
  ]);
  expect(rows('contract_state')).toMatchObject([{ contract_id: 365n }, { contract_id: 5000n }]);
});
