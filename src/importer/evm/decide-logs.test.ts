import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  importTransactions,
  type TransactionLiteral,
  timestampAt,
} from '../../../packages/test-support/streams/import-transactions.ts';
import { createLogBloom } from './log-bloom.ts';
import { matchTransfers } from './token-events.ts';

const logBloom = createLogBloom();
const transferTopic = Buffer.from('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex');
const token = { tokenNum: 40 };
const amount = (accountNum: number, value: number) => ({ accountID: { accountNum }, amount: value });
const transfer = (list: object, more: Partial<TransactionLiteral> = {}): TransactionLiteral => ({
  body: { cryptoTransfer: {} },
  ...more,
  record: { tokenTransferLists: [{ token, ...list }], ...more.record },
});
const transferText = transferTopic.toString('hex');
const approvalText = '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
const forAllText = '17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31';
const call: TransactionLiteral = {
  body: { contractCall: { contractID: { contractNum: 5000 } } },
  record: { contractCallResult: { contractID: { contractNum: 5000 }, gasUsed: 1 } },
};

const approve = (cryptoApproveAllowance: object): TransactionLiteral => ({ body: { cryptoApproveAllowance } });

const summaries = async (literals: TransactionLiteral[]) => {
  const { rows, problems } = await importTransactions(literals);
  expect(problems).toEqual([]);
  return rows('contract_log').map((row) =>
    [row.topic0, row.topic1, row.topic2, row.topic3, row.data].map((part) =>
      part ? Buffer.from(part).toString('hex') : null,
    ),
  );
};

describe('synthetic logs', () => {
  it('stand for the transfers of a token, and count among the logs and transactions of the EVM', async () => {
    const transfers = [amount(1001, -100), amount(1002, 100)];
    const { rows, problems } = await importTransactions([call, transfer({ transfers })]);
    expect(problems).toEqual([]);
    expect(rows('contract_log')).toEqual([
      {
        bloom: Buffer.of(0),
        consensus_timestamp: timestampAt(1),
        contract_id: 40n,
        data: Buffer.of(100),
        index: 0,
        payer_account_id: 1000n,
        root_contract_id: 40n,
        synthetic: true,
        topic0: transferTopic,
        topic1: Buffer.of(0x03, 0xe9),
        topic2: Buffer.of(0x03, 0xea),
        topic3: null,
        transaction_hash: Buffer.alloc(32, 2),
        transaction_index: 1,
      },
    ]);
    // The call has a result without logs.
    expect(rows('record_file')[0]!.logs_bloom).toEqual(new Uint8Array(256));
    expect(rows('contract_result')).toHaveLength(1);
  });

  const nft = (senderNum: number, receiverNum: number, serialNumber: number) => ({
    nftTransfers: [
      { senderAccountID: { accountNum: senderNum }, receiverAccountID: { accountNum: receiverNum }, serialNumber },
    ],
  });
  it.each<[string, TransactionLiteral, unknown[]]>([
    ['a mint', transfer({ transfers: [amount(1002, 100)] }), [[transferText, '', '03ea', null, '64']]],
    ['a burn', transfer({ transfers: [amount(1001, -100)] }), [[transferText, '03e9', '', null, '64']]],
    ['an NFT', transfer(nft(1001, 1002, 300)), [[transferText, '03e9', '03ea', '012c', '00']]],
    ['a change of treasury, which is none', transfer(nft(1001, 1002, -1)), []],
    ['a failure, which moved nothing', transfer({ transfers: [amount(1002, 1)] }, { status: 10 }), []],
    [
      'a dissociation from a deleted token',
      transfer({ transfers: [amount(1002, -1)] }, { body: { tokenDissociate: {} } }),
      [],
    ],
    [
      'an approval',
      {
        body: {
          cryptoApproveAllowance: {
            tokenAllowances: [{ tokenId: token, spender: { accountNum: 1002 }, amount: 100 }],
            nftAllowances: [
              {
                tokenId: token,
                owner: { accountNum: 1001 },
                spender: { accountNum: 1002 },
                serialNumbers: [7],
                approvedForAll: { value: true },
              },
            ],
          },
        },
      },
      [
        [forAllText, '03e9', '03ea', null, '01'],
        [approvalText, '03e8', '03ea', null, '64'],
      ],
    ],
    [
      'a removed approval',
      {
        body: {
          cryptoDeleteAllowance: {
            nftAllowances: [{ tokenId: token, owner: { accountNum: 1001 }, serialNumbers: [7] }],
          },
        },
      },
      [[approvalText, '03e9', '', '07', '00']],
    ],
  ])('stand for %s', async (_name, literal, expected) => {
    expect(await summaries([literal])).toEqual(expected);
  });

  it('name accounts by their own EVM address, but only in transfers of fungible tokens', async () => {
    const literals = [transfer({ transfers: [amount(1001, -100), amount(1002, 100)] }), transfer(nft(1001, 1002, 3))];
    const evmAddresses = new Map([[1001n, '00ab'.padEnd(40, 'c')]]);
    const { rows } = await importTransactions(literals, { evmAddresses });
    const topics = rows('contract_log').map(({ topic1, topic2 }) =>
      [topic1, topic2].map((topic) => Buffer.from(topic!).toString('hex')),
    );
    expect(topics).toEqual([
      ['ab'.padEnd(38, 'c'), '03ea'],
      ['03e9', '03ea'],
    ]);
  });

  it('are all marked as synthetic', async () => {
    const literals = [
      transfer({ transfers: [amount(1001, -100), amount(1002, 100)] }),
      transfer(nft(1001, 1002, 3)),
      approve({ tokenAllowances: [{ tokenId: token, spender: { accountNum: 1002 }, amount: 0 }] }),
    ];
    const { rows } = await importTransactions(literals);
    expect(rows('contract_log').map(({ synthetic, data }) => [synthetic, Buffer.from(data!).toString('hex')])).toEqual([
      [true, '64'],
      [true, '00'],
      [true, ''],
    ]);
  });

  it('tell approvals from the last to the first, each once, and none that an approval for all covers', async () => {
    const one = (spenderNum: number, more: object) => ({
      tokenId: token,
      owner: { accountNum: 1001 },
      spender: { accountNum: spenderNum },
      ...more,
    });
    const nftAllowances = [
      one(1002, { serialNumbers: [1, 2] }),
      one(1003, { serialNumbers: [2, 3], approvedForAll: { value: false } }),
      one(1004, { serialNumbers: [3, 4], approvedForAll: { value: true } }),
    ];
    const tokenAllowances = [one(1002, { amount: 1 }), one(1003, { amount: 2 }), one(1002, { amount: 3 })];
    expect(await summaries([approve({ nftAllowances, tokenAllowances })])).toEqual([
      [forAllText, '03e9', '03ec', null, '01'],
      [forAllText, '03e9', '03eb', null, '00'],
      [approvalText, '03e9', '03eb', '02', '00'],
      [approvalText, '03e9', '03ea', '01', '00'],
      [approvalText, '03e9', '03ea', null, '03'],
      [approvalText, '03e9', '03eb', null, '02'],
    ]);
  });

  describe('of what a contract did', () => {
    const transfers = [amount(1001, -100), amount(1002, 100)];
    const precompile = { contractCallResult: { contractID: { contractNum: 359 }, gasUsed: 1 } };
    const child = (record: Record<string, unknown>) => transfer({ transfers }, { parent: 0, record });
    const word = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex');
    const topics = [transferTopic, word('03e9'), word('03ea')];
    const bloomOf = (contractNum: number) => logBloom(word(contractNum.toString(16)).subarray(12), topics);
    /** A call of 5000 that ran the code of 5001, with a log of the very transfer that its child makes. */
    const bloom = bloomOf(7);
    const caller: TransactionLiteral = {
      body: { contractCall: { contractID: { contractNum: 5000 } } },
      receipt: { contractID: { contractNum: 5000 } },
      record: {
        contractCallResult: {
          contractID: { contractNum: 5001 },
          gasUsed: 1,
          bloom,
          logInfo: [{ contractID: { contractNum: 40 }, topic: topics, data: word('64'), bloom }],
        },
      },
    };
    const importAt = async (minor: number, literals: TransactionLiteral[]) => {
      const { rows, problems } = await importTransactions(literals, { hapiVersion: { major: 0, minor, patch: 0 } });
      expect(problems).toEqual([]);
      return rows;
    };
    const underCall = {
      consensus_timestamp: timestampAt(0),
      contract_id: 5001n,
      payer_account_id: 1000n,
      root_contract_id: 5000n,
      topic0: transferTopic,
      topic1: Buffer.of(0x03, 0xe9),
      topic2: Buffer.of(0x03, 0xea),
      transaction_hash: Buffer.alloc(32, 1),
      transaction_index: 0,
    };

    it('are not made from HAPI 0.71 on, when its result tells all of them', async () => {
      const rows = await importAt(71, [caller, child(precompile), transfer({ transfers }, { record: precompile })]);
      expect(rows('contract_log').filter(({ synthetic }) => synthetic)).toEqual([]);
    });

    it('stand before under the result of its call, also where that has a log of the transfer', async () => {
      const rows = await importAt(70, [caller, child(precompile), child(precompile)]);
      const common = { ...underCall, bloom: bloomOf(5001), data: Buffer.of(100), synthetic: true, topic3: null };
      const [own, ...made] = rows('contract_log');
      expect(own).toMatchObject({ contract_id: 40n, root_contract_id: 5000n, index: 0, synthetic: false });
      expect(made).toEqual([
        { ...common, index: 1 },
        { ...common, index: 2 },
      ]);
    });

    it('belong to the bloom of that result and of the block', async () => {
      const rows = await importAt(70, [caller, child(precompile)]);
      const both = Buffer.from(bloom.map((byte, index) => byte | bloomOf(5001)[index]!));
      expect(Buffer.from(rows('contract_result')[0]!.bloom!)).toEqual(both);
      expect(Buffer.from(rows('record_file')[0]!.logs_bloom!)).toEqual(both);
    });

    it.each([70, 71])(
      'stand under it of whatever a child without a result moved or approved, in HAPI 0.%d',
      async (minor) => {
        const approval = approve({ tokenAllowances: [{ tokenId: token, spender: { accountNum: 1002 }, amount: 9 }] });
        const rows = await importAt(minor, [
          caller,
          child({}),
          { ...transfer(nft(1001, 1002, 3)), parent: 0 },
          { ...approval, parent: 0 },
        ]);
        const approved = { topic0: Buffer.from(approvalText, 'hex'), topic1: Buffer.of(0x03, 0xe8) };
        const common = { ...underCall, bloom: Buffer.of(0) };
        expect(rows('contract_log').slice(1)).toEqual([
          { ...common, data: Buffer.of(100), index: 1, synthetic: true, topic3: null },
          { ...common, data: Buffer.of(0), index: 2, synthetic: true, topic3: Buffer.of(3) },
          { ...common, ...approved, data: Buffer.of(9), index: 3, synthetic: true, topic3: null },
        ]);
        expect(Buffer.from(rows('record_file')[0]!.logs_bloom!)).toEqual(Buffer.from(bloom));
      },
    );

    it('stand under the token where no parent has a result', async () => {
      const rows = await importAt(70, [
        { body: { cryptoTransfer: {} } },
        child(precompile),
        transfer(nft(1001, 1002, 3), { record: precompile }),
      ]);
      expect(rows('contract_log')).toMatchObject([
        {
          bloom: bloomOf(40),
          consensus_timestamp: timestampAt(1),
          contract_id: 40n,
          root_contract_id: 40n,
          transaction_index: 0,
        },
      ]);
    });

    it('stand under the call of a hook, if they ran in the EVM themselves', async () => {
      const hook = { contractID: { contractNum: 365 } };
      const rows = await importAt(70, [
        { body: { cryptoTransfer: {} } },
        {
          body: { contractCall: hook },
          parent: 0,
          receipt: hook,
          record: { contractCallResult: { ...hook, gasUsed: 1 } },
        },
        child(precompile),
        child({}),
      ]);
      const places = rows('contract_log').map((row) => [
        row.consensus_timestamp,
        row.contract_id,
        row.transaction_index,
      ]);
      expect(places).toEqual([
        [timestampAt(1), 365n, 0],
        [timestampAt(3), 40n, 1],
      ]);
    });

    it('are made of fungible tokens only', async () => {
      const rows = await importAt(70, [call, { ...transfer(nft(1001, 1002, 3), { record: precompile }), parent: 0 }]);
      expect(rows('contract_log')).toEqual([]);
    });
  });
});

describe('matched transfers', () => {
  const amounts = fc.array(
    fc.record({ accountId: fc.bigInt(1n, 50n), amount: fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n) }),
    { maxLength: 12 },
  );

  it('move exactly what the list says, each a positive amount, without an account on one side at most', () => {
    fc.assert(
      fc.property(amounts, (list) => {
        const moved = new Map<bigint, bigint>();
        const add = (id: bigint, value: bigint) => moved.set(id, (moved.get(id) ?? 0n) + value);
        const transfers = matchTransfers(list);
        for (const { senderId, receiverId, amount } of transfers) {
          expect(amount > 0n).toBe(true);
          add(senderId, -amount);
          add(receiverId, amount);
        }
        for (const id of new Set(list.map(({ accountId }) => accountId))) {
          const expected = list.reduce((sum, one) => (one.accountId === id ? sum + one.amount : sum), 0n);
          expect(moved.get(id) ?? 0n).toBe(expected);
        }
        const minted = transfers.some(({ senderId }) => senderId === 0n);
        const burnt = transfers.some(({ receiverId }) => receiverId === 0n);
        expect(minted && burnt).toBe(false);
        expect(transfers.length).toBeLessThanOrEqual(Math.max(0, list.length));
      }),
    );
  });

  it('begin with the greatest of both sides', () => {
    const list = [
      { accountId: 1n, amount: -30n },
      { accountId: 2n, amount: -70n },
      { accountId: 3n, amount: 50n },
      { accountId: 4n, amount: 50n },
    ];
    expect(matchTransfers(list)).toEqual([
      { senderId: 2n, receiverId: 3n, amount: 50n },
      { senderId: 2n, receiverId: 4n, amount: 20n },
      { senderId: 1n, receiverId: 4n, amount: 30n },
    ]);
  });
});

describe('the bloom of a log', () => {
  it('sets at most three bits for each value, and the same ones wherever the value stands', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (address, topic) => {
          const bits = (bloom: Uint8Array) =>
            bloom.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
          const alone = logBloom(address, []);
          const both = logBloom(address, [topic]);
          expect(bits(alone)).toBeLessThanOrEqual(3);
          expect(bits(both)).toBeLessThanOrEqual(6);
          expect(alone.every((byte, index) => (both[index]! & byte) === byte)).toBe(true);
        },
      ),
    );
  });
});
