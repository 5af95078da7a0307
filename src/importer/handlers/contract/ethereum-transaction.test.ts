import { authorization, Transaction } from 'micro-eth-signer';
import { describe, expect, it } from 'vitest';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../../packages/test-support/streams/import-transactions.ts';

const privateKey = `0x${'11'.repeat(32)}`;
const to = `0x${'22'.repeat(20)}`;
const accessList = [{ address: `0x${'ab'.repeat(20)}`, storageKeys: [`0x${'01'.repeat(32)}`] }];

/** Signed by a library of wallets, so that our decoder meets bytes it did not write. */
function sign(type: string, fields: object): { raw: Buffer; hash: Buffer } {
  const common = { to, nonce: 3n, value: 10n ** 18n, gasLimit: 100_000n, chainId: 295n, data: '0x1234' };
  const signed = Transaction.prepare({ type, ...common, ...fields } as never, false).signBy(privateKey, false);
  return { raw: hex(signed.toHex()), hash: hex(`0x${signed.hash.replace(/^0x/, '')}`) };
}

function hex(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex');
}

const ethereum = (raw: Buffer, more: Partial<TransactionLiteral> = {}): TransactionLiteral => ({
  body: { ethereumTransaction: { ethereumData: raw, maxGasAllowance: 77 } },
  record: {
    contractCallResult: { contractID: { contractNum: 5000 }, gasUsed: 9, senderId: { accountNum: 1234 } },
  },
  ...more,
});

const legacy = sign('legacy', { gasPrice: 710_000_000_000n });

describe('Ethereum transactions', () => {
  const expectedAccessList = [{ address: accessList[0]!.address, storage_keys: accessList[0]!.storageKeys }];
  it.each([
    [
      'legacy',
      { gasPrice: 710_000_000_000n },
      {
        type: 0,
        chain_id: Buffer.of(1, 0x27),
        gas_price: Buffer.from('a54f4c3c00', 'hex'),
        access_list: null,
        max_fee_per_gas: null,
      },
    ],
    [
      'eip2930',
      { gasPrice: 5n, accessList },
      { type: 1, chain_id: Buffer.of(1, 0x27), gas_price: Buffer.of(5), access_list: expectedAccessList },
    ],
    [
      'eip1559',
      { maxFeePerGas: 9n, maxPriorityFeePerGas: 0n },
      {
        type: 2,
        gas_price: null,
        max_fee_per_gas: Buffer.of(9),
        max_priority_fee_per_gas: Buffer.of(),
        access_list: [],
        authorization_list: null,
        signature_v: null,
      },
    ],
    [
      'eip7702',
      {
        maxFeePerGas: 9n,
        maxPriorityFeePerGas: 1n,
        authorizationList: [
          authorization.sign({ chainId: 295n, address: `0x${'cd'.repeat(20)}`, nonce: 4n }, privateKey),
        ],
      },
      {
        type: 4,
        authorization_list: [{ address: `0x${'cd'.repeat(20)}`, chain_id: '0x0127', nonce: 4n }],
      },
    ],
  ])('of kind %s are kept field by field', async (type, fields, expected) => {
    const { raw, hash } = sign(type, fields);
    const { rows, problems } = await importTransactions([ethereum(raw)]);
    expect(problems).toEqual([]);
    expect(rows('ethereum_transaction')).toHaveLength(1);
    expect(rows('ethereum_transaction')[0]).toMatchObject({
      call_data: Buffer.of(0x12, 0x34),
      call_data_id: null,
      consensus_timestamp: timestampAt(0),
      data: raw,
      gas_limit: 100_000n,
      hash,
      max_gas_allowance: 77n,
      nonce: 3n,
      payer_account_id: 1000n,
      to_address: hex(to),
      value: Buffer.from('0de0b6b3a7640000', 'hex'),
      ...expected,
    });
    expect(rows('contract_result')).toMatchObject([{ transaction_hash: hash, contract_id: 5000n, sender_id: 1234n }]);
    expect(rows('transaction_hash').map((row) => row.hash)).toContainEqual(hash);
    expect(rows('transaction')[0]!.entity_id).toBe(5000n);
  });

  it('believe the hash of the record', async () => {
    const ethereumHash = Buffer.alloc(32, 0xcc);
    const { rows } = await importTransactions([ethereum(legacy.raw, { record: { ethereumHash } })]);
    expect(rows('ethereum_transaction')[0]!.hash).toEqual(ethereumHash);
  });

  it('are hashed with the call data that lies in a file', async () => {
    const callData = `0x${'5a'.repeat(3000)}`;
    const full = sign('eip1559', { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, data: callData });
    const { raw } = sign('eip1559', { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, data: '0x' });
    // The signature of `raw` is of other bytes; only its place matters. Take that of the whole transaction instead.
    const offLoaded = replaceSignature(raw, full.raw);
    const literal = ethereum(offLoaded);
    (literal.body.ethereumTransaction as Record<string, unknown>).callData = { fileNum: 900 };
    const files = new Map([[900n, Buffer.from(callData.slice(2))]]);
    const stored = await importTransactions([literal], { files });
    expect(stored.rows('ethereum_transaction')[0]).toMatchObject({ hash: full.hash, call_data_id: 900n });

    const halves = [callData.slice(2, 1001), callData.slice(1001)].map((half) => Buffer.from(half));
    const sameBlock = await importTransactions([
      { body: { fileCreate: { contents: halves[0] } }, receipt: { fileID: { fileNum: 900 } } },
      { body: { fileAppend: { fileID: { fileNum: 900 }, contents: halves[1] } } },
      literal,
    ]);
    expect(sameBlock.rows('ethereum_transaction')[0]!.hash).toEqual(full.hash);
  });

  it('with bytes that are none make no row, are reported, and keep the transaction', async () => {
    for (const raw of [Buffer.of(), Buffer.of(9), legacy.raw.subarray(0, -1)]) {
      const { rows, problems } = await importTransactions([ethereum(raw, { status: 1, record: {} })]);
      expect(rows('ethereum_transaction')).toEqual([]);
      expect(rows('contract_result')).toEqual([]);
      expect(rows('transaction')).toHaveLength(1);
      expect(problems).toMatchObject([{ type: 50, problem: expect.stringContaining('Invalid Ethereum transaction') }]);
    }
  });
});

describe('the nonce of the sender', () => {
  const nonceAfter = async (literal: TransactionLiteral, minor: number) => {
    const { rows } = await importTransactions([literal], { hapiVersion: { major: 0, minor, patch: 0 } });
    return rows('entity').map((row) => [row.id, row.ethereum_nonce]);
  };
  const result = { gasUsed: 1, senderId: { accountNum: 1234 } };

  it.each<[string, Partial<TransactionLiteral>, number, unknown[]]>([
    [
      'as the record says',
      { record: { contractCallResult: { ...result, signerNonce: { value: 8 } } } },
      47,
      [[1234n, 8n]],
    ],
    [
      'even where it failed',
      { status: 312, record: { contractCallResult: { ...result, signerNonce: { value: 8 } } } },
      63,
      [[1234n, 8n]],
    ],
    ['of zero', { record: { contractCallResult: { ...result, signerNonce: {} } } }, 47, [[1234n, 0n]]],
    ['unchanged where a newer record says nothing', { record: { contractCallResult: result } }, 47, []],
    ['one more, before records said', { record: { contractCallResult: result } }, 46, [[1234n, 4n]]],
    ['one more after a revert', { status: 33, record: { contractCallResult: result } }, 46, [[1234n, 4n]]],
    ['one more after too many children', { status: 328, record: { contractCallResult: result } }, 46, [[1234n, 4n]]],
    ['unchanged by other failures', { status: 10, record: { contractCallResult: result } }, 46, []],
    ['unknown without a sender', { record: {} }, 46, []],
  ])('is %s', async (_name, more, minor, expected) => {
    expect(await nonceAfter(ethereum(legacy.raw, more), minor)).toEqual(expected);
  });
});

describe('an Ethereum transaction that never reached the EVM', () => {
  it.each([
    [10, true],
    [11, false],
    [22, false],
    [312, false],
  ])('with status %d has its own result: %s', async (status, expected) => {
    const { rows } = await importTransactions([ethereum(legacy.raw, { status, record: {} })]);
    const row = {
      call_result: new Uint8Array(0),
      consensus_timestamp: timestampAt(0),
      contract_id: 0n,
      created_contract_ids: [],
      function_parameters: Buffer.of(0x12, 0x34),
      gas_limit: 100_000n,
      gas_used: 0n,
      payer_account_id: 1000n,
      sender_id: 1000n,
      transaction_hash: legacy.hash,
      transaction_index: null,
      transaction_nonce: 0,
      transaction_result: status,
    };
    expect(rows('contract_result')).toEqual(expected ? [row] : []);
  });
});

describe('a contract that an Ethereum transaction created', () => {
  const child: TransactionLiteral = {
    body: { contractCreateInstance: {} },
    receipt: { contractID: { contractNum: 6000 } },
    record: { contractCreateResult: { contractID: { contractNum: 6000 }, gasUsed: 1 } },
    parent: 0,
  };

  it('has the call data as its code', async () => {
    const { rows } = await importTransactions([ethereum(legacy.raw), child]);
    expect(rows('contract')).toMatchObject([{ id: 6000n, file_id: null, initcode: Buffer.of(0x12, 0x34) }]);
  });

  it('or the file that holds it', async () => {
    const parent = ethereum(legacy.raw);
    (parent.body.ethereumTransaction as Record<string, unknown>).callData = { fileNum: 900 };
    const { rows } = await importTransactions([parent, child]);
    expect(rows('contract')).toMatchObject([{ id: 6000n, file_id: 900n, initcode: null }]);
  });
});

/** The unsigned part of one transaction with the signature of another: their last three items have the same length. */
function replaceSignature(target: Buffer, source: Buffer): Buffer {
  const signatureLength = 1 + 33 + 33;
  return Buffer.concat([target.subarray(0, -signatureLength), source.subarray(-signatureLength)]);
}
