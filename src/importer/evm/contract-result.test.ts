import { describe, expect, it } from 'vitest';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../packages/test-support/streams/import-transactions.ts';

const contractAddress = 'aa'.repeat(20);
const evmAddresses = new Map([[5000n, contractAddress]]);
const byAddress = { evmAddress: Buffer.from(contractAddress, 'hex') };

const bloom = (byte: number) => Buffer.alloc(256, byte);
const call = (more: Partial<TransactionLiteral> = {}): TransactionLiteral => ({
  body: {
    contractCall: { contractID: { contractNum: 5000 }, gas: 90_000, amount: 7, functionParameters: Buffer.of(1, 0) },
  },
  receipt: { contractID: { contractNum: 5000 } },
  record: { contractCallResult: { contractID: { contractNum: 5000 }, gasUsed: 40_000, bloom: bloom(0) } },
  ...more,
});

describe('contract results', () => {
  it('takes the input of a call from its body and the outcome from its result', async () => {
    const result = {
      contractID: { contractNum: 5000 },
      contractCallResult: Buffer.of(9),
      gasUsed: 40_000,
      bloom: bloom(0),
      senderId: { accountNum: 1001 },
      createdContractIDs: [{ contractNum: 6000 }],
    };
    const { rows, problems } = await importTransactions([call({ record: { contractCallResult: result } })]);
    expect(problems).toEqual([]);
    expect(rows('contract_result')).toEqual([
      {
        amount: 7n,
        bloom: new Uint8Array(0),
        call_result: Buffer.of(9),
        consensus_timestamp: timestampAt(0),
        contract_id: 5000n,
        created_contract_ids: [6000n],
        error_message: '',
        failed_initcode: null,
        function_parameters: Buffer.of(1, 0),
        function_result: proto.ContractFunctionResult.encode(result as never).finish(),
        gas_consumed: 40_000n,
        gas_limit: 90_000n,
        gas_used: 40_000n,
        payer_account_id: 1000n,
        sender_id: 1001n,
        transaction_hash: Buffer.alloc(32, 1),
        transaction_index: 0,
        transaction_nonce: 0,
        transaction_result: 22,
      },
    ]);
    expect(rows('contract_transaction_hash')).toEqual([
      {
        consensus_timestamp: timestampAt(0),
        entity_id: 5000n,
        hash: Buffer.alloc(32, 1),
        payer_account_id: 1000n,
        transaction_result: 22,
      },
    ]);
    expect(rows('contract_transaction').map((row) => [row.entity_id, row.contract_ids])).toEqual([
      [1000n, [1000n, 5000n]],
      [5000n, [1000n, 5000n]],
    ]);
  });

  it('counts 0 among the contracts where the result has none, so that it is found by its hash', async () => {
    const { rows } = await importTransactions([{ body: { contractCreateInstance: { gas: 5 } }, status: 33 }]);
    expect(rows('contract_result')).toMatchObject([{ contract_id: 0n }]);
    expect(rows('contract_transaction').map((row) => [row.entity_id, row.contract_ids])).toEqual([
      [1000n, [1000n, 0n]],
      [0n, [1000n, 0n]],
    ]);
  });

  it('makes a row for a call that never reached the EVM', async () => {
    const { rows } = await importTransactions([
      { body: { contractCall: { contractID: { contractNum: 5000 }, gas: 5 } }, status: 10 },
    ]);
    expect(rows('contract_result')).toMatchObject([
      { contract_id: 5000n, gas_limit: 5n, gas_used: null, bloom: null, call_result: null, transaction_index: null },
    ]);
  });

  it('finds called contracts by EVM address, and says 0 where the address is unknown', async () => {
    const named = call({ body: { contractCall: { contractID: byAddress } }, receipt: {} });
    const { rows } = await importTransactions([named], { evmAddresses });
    expect(rows('contract_result')[0]!.contract_id).toBe(5000n);
    const { rows: unknown } = await importTransactions([named]);
    expect(unknown('contract_result')[0]!.contract_id).toBe(0n);
    expect(unknown('transaction')[0]!.entity_id).toBeNull();
  });

  it('takes the input of other types from the result, and ignores a result that says nothing', async () => {
    const transfer = (contractCallResult: object): TransactionLiteral => ({
      body: { cryptoTransfer: {} },
      record: { contractCallResult },
    });
    const { rows } = await importTransactions([
      transfer({
        contractID: { contractNum: 359 },
        gas: 11,
        amount: 12,
        functionParameters: Buffer.of(13),
        gasUsed: 3,
      }),
      transfer({}),
    ]);
    expect(rows('contract_result')).toMatchObject([
      { contract_id: 359n, gas_limit: 11n, amount: 12n, function_parameters: Buffer.of(13), transaction_index: null },
    ]);
  });

  it('numbers logs through the block and trims their topics', async () => {
    const log = { contractID: { contractNum: 5001 }, bloom: bloom(1), data: Buffer.of(7) };
    const topic = [Buffer.concat([Buffer.alloc(30), Buffer.of(1, 0)]), Buffer.alloc(32), Buffer.alloc(32, 5)];
    const emitting = (logs: object[]) =>
      call({ record: { contractCallResult: { contractID: { contractNum: 5000 }, gasUsed: 1, logInfo: logs } } });
    const { rows } = await importTransactions([emitting([log, { ...log, topic }]), emitting([log])]);
    expect(rows('contract_log').map((row) => [row.consensus_timestamp, row.index])).toEqual([
      [timestampAt(0), 0],
      [timestampAt(0), 1],
      [timestampAt(1), 2],
    ]);
    expect(rows('contract_log')[1]).toEqual({
      bloom: bloom(1),
      consensus_timestamp: timestampAt(0),
      contract_id: 5001n,
      data: Buffer.of(7),
      index: 1,
      payer_account_id: 1000n,
      root_contract_id: 5000n,
      synthetic: false,
      topic0: Buffer.of(1, 0),
      topic1: Buffer.of(0),
      topic2: Buffer.alloc(32, 5),
      topic3: null,
      transaction_hash: Buffer.alloc(32, 1),
      transaction_index: 0,
    });
  });

  it('counts gas and bloom of top-level items only', async () => {
    const result = (byte: number) => ({
      contractCallResult: { contractID: { contractNum: 5000 }, gasUsed: 100, bloom: bloom(byte) },
    });
    const { rows } = await importTransactions([
      call({ record: result(1) }),
      call({ record: result(2), parent: 0 }),
      call({ record: result(4) }),
    ]);
    expect(rows('record_file')).toMatchObject([{ gas_used: 200n, logs_bloom: new Uint8Array(256).fill(5) }]);
  });

  it.each([
    ['no transaction with a result', [], 0],
    ['a result without a bloom', [{ contractCallResult: { gasUsed: 1 } }], 256],
    ['a result with a bloom of zeros', [{ contractCallResult: { gasUsed: 1, bloom: bloom(0) } }], 256],
  ])('the block has a bloom with %s', async (_, records, length) => {
    const { rows } = await importTransactions([
      { body: { fileDelete: {} } },
      ...records.map((record) => call({ record })),
    ]);
    expect(rows('record_file')[0]!.logs_bloom).toEqual(new Uint8Array(length));
  });

  it('keeps the nonces of contracts as adjustments', async () => {
    const contractNonces = [{ contractId: { contractNum: 5001 }, nonce: 3 }];
    const { rows } = await importTransactions([
      call({ record: { contractCallResult: { gasUsed: 1, contractNonces } } }),
    ]);
    expect(rows('entity')).toEqual([{ id: 5001n, ethereum_nonce: 3n }]);
  });

  it('makes the contracts of a creation before HAPI 0.23, whose children had no records', async () => {
    const create: TransactionLiteral = {
      body: { contractCreateInstance: { fileID: { fileNum: 700 }, gas: 1, memo: 'factory' } },
      receipt: { contractID: { contractNum: 6000 } },
      record: {
        contractCreateResult: {
          contractID: { contractNum: 6000 },
          gasUsed: 1,
          createdContractIDs: [{ contractNum: 6000 }, { contractNum: 6001 }],
        },
      },
    };
    const made = async (minor: number) => {
      const { rows } = await importTransactions([create], { hapiVersion: { major: 0, minor, patch: 0 } });
      return { contracts: rows('contract'), entities: rows('entity') };
    };
    const before = await made(22);
    expect(before.contracts.map((row) => [row.id, row.file_id])).toEqual([
      [6000n, 700n],
      [6001n, 700n],
    ]);
    expect(before.entities[1]).toMatchObject({ id: 6001n, type: 'CONTRACT', memo: 'factory', deleted: false });
    expect((await made(23)).contracts.map((row) => row.id)).toEqual([6000n]);
  });
});

describe('the EVM index', () => {
  const indexes = async (literals: TransactionLiteral[]) => {
    const { rows } = await importTransactions(literals);
    return rows('contract_result').map((row) => [row.consensus_timestamp! - timestampAt(0), row.transaction_index]);
  };
  const transfer: TransactionLiteral = { body: { cryptoTransfer: {} } };

  it('counts EVM transactions, not positions in the file', async () => {
    expect(await indexes([transfer, call(), transfer, call()])).toEqual([
      [1n, 0],
      [3n, 1],
    ]);
  });

  it('is shared by a call and what it caused; other types have none', async () => {
    const precompile = {
      ...transfer,
      parent: 0,
      record: { contractCallResult: { contractID: { contractNum: 359 }, gasUsed: 1 } },
    };
    expect(await indexes([call(), precompile, call({ parent: 0, nonce: 2 }), call()])).toEqual([
      [0n, 0],
      [1n, null],
      [2n, 0],
      [3n, 1],
    ]);
  });

  it('is shared by a hook call and what it caused below one transfer', async () => {
    const hookCall = call({
      parent: 0,
      body: { contractCall: { contractID: { contractNum: 365 } } },
      receipt: { contractID: { contractNum: 365 } },
    });
    expect(await indexes([transfer, hookCall, call({ parent: 0, nonce: 2 }), { ...hookCall, nonce: 3 }])).toEqual([
      [1n, 0],
      [2n, 0],
      [3n, 1],
    ]);
  });
});

describe('sidecars', () => {
  const actions = (more: object = {}) => ({
    actions: {
      contractActions: [
        {
          callType: 1,
          callingAccount: { accountNum: 1001 },
          gas: 80_000,
          gasUsed: 1_000,
          input: Buffer.of(1),
          recipientContract: { contractNum: 5000 },
          output: Buffer.of(2),
          callOperationType: 1,
          ...more,
        },
        {
          callType: 1,
          callingContract: { contractNum: 5000 },
          callDepth: 1,
          gasUsed: 500,
          targetedAddress: Buffer.alloc(20, 3),
          revertReason: Buffer.of(4),
        },
        { callType: 4, callingContract: { contractNum: 5000 }, callDepth: 1, error: Buffer.of(5) },
        { callType: 4, callingContract: { contractNum: 5000 }, callDepth: 1, recipientAccount: { accountNum: 98 } },
      ],
    },
  });

  it('become actions with their kind of outcome', async () => {
    const { rows } = await importTransactions([call({ sidecars: [actions()] })]);
    const summary = rows('contract_action').map((row) => [
      row.index,
      row.call_depth,
      row.caller,
      row.caller_type,
      row.recipient_account ?? row.recipient_contract ?? row.recipient_address,
      row.result_data,
      row.result_data_type,
    ]);
    expect(summary).toEqual([
      [0, 0, 1001n, 'ACCOUNT', 5000n, Buffer.of(2), 11],
      [1, 1, 5000n, 'CONTRACT', Buffer.alloc(20, 3), Buffer.of(4), 12],
      [2, 1, 5000n, 'CONTRACT', null, Buffer.of(5), 13],
      [3, 1, 5000n, 'CONTRACT', 98n, null, 0],
    ]);
  });

  it('tell the gas that was burnt before the network itself did', async () => {
    const before = { hapiVersion: { major: 0, minor: 68, patch: 9 } };
    const consumed = async (literal: TransactionLiteral) =>
      (await importTransactions([literal], before)).rows('contract_result')[0]!.gas_consumed;
    // 1 other byte and 1 zero byte of parameters.
    expect(await consumed(call({ sidecars: [actions()] }))).toBe(1_000n + 21_000n + 16n + 4n);
    expect(await consumed(call())).toBeNull();
    const create: TransactionLiteral = {
      body: { contractCreateInstance: { constructorParameters: Buffer.of(1), gas: 1 } },
      record: { contractCreateResult: { gasUsed: 1 } },
      sidecars: [
        actions({ callType: 2 }),
        { bytecode: { contractId: { contractNum: 1 }, initcode: Buffer.of(0, 0, 7) } },
      ],
    };
    expect(await consumed(create)).toBe(1_000n + 21_000n + 2n * 4n + 16n + 32_000n);
  });

  it('become storage changes, and storage where something was written', async () => {
    const storageChanges = [
      { slot: Buffer.of(1), valueRead: Buffer.of(2) },
      { slot: Buffer.of(2), valueRead: Buffer.of(2), valueWritten: {} },
      { slot: Buffer.of(3), valueWritten: { value: Buffer.of(9) } },
    ];
    const stateChanges = { contractStateChanges: [{ contractId: { contractNum: 5000 }, storageChanges }] };
    const { rows } = await importTransactions([call({ sidecars: [{ stateChanges }] })]);
    expect(rows('contract_state_change').map((row) => [row.slot, row.value_read, row.value_written])).toEqual([
      [Buffer.of(1), Buffer.of(2), null],
      [Buffer.of(2), Buffer.of(2), Buffer.of()],
      [Buffer.of(3), Buffer.of(), Buffer.of(9)],
    ]);
    const slot = (last: number) => new Uint8Array(32).fill(last, 31);
    expect(rows('contract_state').map((row) => [row.slot, row.value])).toEqual([
      [slot(2), Buffer.of()],
      [slot(3), Buffer.of(9)],
    ]);
    const migrated = await importTransactions([call({ sidecars: [{ stateChanges, migration: true }] })]);
    expect(migrated.rows('contract_state').map((row) => row.value)).toEqual([Buffer.of(2), Buffer.of(), Buffer.of(9)]);
  });

  it('bring code that was there before', async () => {
    const bytecode = { contractId: { contractNum: 5009 }, runtimeBytecode: Buffer.of(6) };
    const { rows } = await importTransactions([call({ sidecars: [{ migration: true, bytecode }] })]);
    expect(rows('contract')).toEqual([{ id: 5009n, runtime_bytecode: Buffer.of(6) }]);
    expect(rows('entity')).toEqual([{ id: 5009n, type: 'CONTRACT' }]);
  });
});
