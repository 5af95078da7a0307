// Blocks made by hand, with the numbers that networks use: which result is whose, what batches, slots and hooks become.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import Long from 'long';
import { describe, expect, it, test } from 'vitest';
import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import type { ResponseCodeName } from '../../protocol/hapi/response-codes.ts';
import { bytesField, intField, messageField } from '../../protocol/wire-writer.ts';
import {
  accountOutput,
  at,
  batch,
  callOutput,
  entityId,
  join,
  messageTrace,
  redacted,
  removal,
  result,
  resultWithFee,
  signed,
  slotKey,
  slotUsage,
  slotValue,
  stateChanges,
  stateSignature,
  trace,
  transaction,
  update,
  usageTrace,
} from '../../test-support/streams/block-items.ts';
import { rearranged } from '../../test-support/streams/rearrange-block.ts';
import type { DoubtKind } from '../stream/doubt.ts';
import { type BlockStreamItem, itemKinds, writeItem } from './block-item.ts';
import { readBlockTransactions } from './block-transactions.ts';
import { decodeBlockTransaction } from './decode-block-transaction.ts';

function read(items: readonly BlockStreamItem[]) {
  const { transactions, doubts } = readBlockTransactions(items);
  return {
    doubts: doubts.map(({ kind }) => kind),
    problems: doubts.map(({ text }) => text),
    transactions: transactions.map((made, index) => decodeBlockTransaction(made, index).item),
  };
}

const long = (value: number): Long => Long.fromNumber(value);

const memo = (text: string, more: proto.ITransactionBody = {}): proto.ITransactionBody => ({
  cryptoTransfer: {},
  memo: text,
  ...more,
});
/** Memo and moment of each transaction that is shown. */
const pairs = (items: readonly BlockStreamItem[]) =>
  read(items).transactions.map(({ body, consensusTimestamp }) => [body.memo, (consensusTimestamp - at(0)) / 1_000n]);

describe('a batch', () => {
  const inner = ['a', 'b', 'c'].map((text) => signed(memo(text), { payer: 1002 }));
  const parent = { parent: 1 };
  const child = transaction(memo('child'), { nonce: 1, payer: 1002 });

  it('has inner transactions without separate items, in the order of its body', () => {
    const items = [batch(inner), result(1), stateChanges(1), result(2, parent), result(3, parent), result(4, parent)];
    expect(pairs(items)).toEqual([
      ['', 1n],
      ['a', 2n],
      ['b', 3n],
      ['c', 4n],
    ]);
    const [, first] = read(items).transactions;
    expect(first!.parentConsensusTimestamp).toBe(at(1));
    expect(first!.record.transactionHash).toEqual(createHash('sha384').update(inner[0]!).digest());
  });

  it('has children of an inner transaction between them, with separate items', () => {
    const items = [batch(inner), result(1), result(2, parent), child, result(3, { parent: 2 }), result(4, parent)];
    expect(pairs([...items, result(5, parent)]).map(([text]) => text)).toEqual(['', 'a', 'child', 'b', 'c']);
  });

  it('has a child that comes before its inner transaction', () => {
    const items = [batch(inner), result(1), child, result(2, parent), result(3, parent), result(4, parent)];
    expect(pairs([...items, result(5, parent)]).map(([text]) => text)).toEqual(['', 'child', 'a', 'b', 'c']);
  });

  it('ends with the one that failed, those before it are taken back', () => {
    const end = [
      result(1, { status: 'INNER_TRANSACTION_FAILED' }),
      result(2, { parent: 1, status: 'REVERTED_SUCCESS' }),
      result(3, { parent: 1, status: 'INVALID_SIGNATURE' }),
    ];
    const items = [batch(inner), ...end, transaction(memo('next')), result(5)];
    expect(pairs(items).map(([text]) => text)).toEqual(['', 'a', 'b', 'next']);
  });

  it('may repeat inner transactions as items', () => {
    const own = { payer: 1002 };
    const items = [batch(inner), result(1), transaction(memo('a'), own), result(2, parent), result(3, parent)];
    expect(pairs(items).map(([text]) => text)).toEqual(['', 'a', 'b']);
    const other = [batch(inner), result(1), transaction(memo('x'), own), result(2, parent)];
    // Of what a batch has caused nothing is certain; the batch itself is.
    expect(read(other)).toMatchObject({ doubts: ['uncertainResult', 'uncertainResult'], transactions: [{ type: 74 }] });
  });

  it('that was refused has no inner results', () => {
    expect(pairs([batch(inner), result(1, { status: 'BATCH_LIST_EMPTY' })])).toHaveLength(1);
  });

  it('whose inner transaction is none keeps its result', () => {
    const items = [batch([Buffer.of(0xff), inner[0]!]), result(1), result(2, parent), result(3, parent)];
    expect(read(items).transactions.map(({ type }) => type)).toEqual([74, 0, 14]);
  });

  it.each([
    ['without a parent', result(2), []],
    ['of another parent', result(2, { parent: 0 }), [['', 1n]]],
  ])('does not take a result %s', (_name, other, shown) => {
    const items = [batch(inner), result(1), other];
    expect([pairs(items), new Set(read(items).doubts)]).toEqual([shown, new Set(['uncertainResult'])]);
  });

  it('has supplies and messages of each inner transaction', () => {
    const mint = (amount: number) => signed({ tokenMint: { token: { tokenNum: long(5000) }, amount: long(amount) } });
    const submit = signed({ consensusSubmitMessage: { topicID: { topicNum: long(6000) } } });
    const [hash2, hash3] = [Buffer.alloc(48, 2), Buffer.alloc(48, 3)];
    const changes = stateChanges(
      1,
      update([11, entityId(5000)], [11, join(intField(5, 1_000))]),
      update([12, entityId(6000)], [13, join(intField(2, 3), bytesField(7, hash3))]),
    );
    const items = [
      batch([mint(10), mint(20), submit, submit]),
      ...[result(1), changes, result(2, parent), result(3, parent)],
      ...[result(4, parent), messageTrace(2, hash2), result(5, parent), messageTrace(3, hash3)],
    ];
    const receipts = read(items).transactions.map(({ record }) => record.receipt!);
    expect(receipts.map(({ newTotalSupply }) => toBigInt(newTotalSupply)).slice(1, 3)).toEqual([980n, 1_000n]);
    expect(receipts.slice(3).map((one) => [toBigInt(one.topicSequenceNumber), one.topicRunningHash])).toEqual([
      [2n, hash2],
      [3n, hash3],
    ]);
  });

  it('has airdrops with what waited after each', () => {
    const sender = { accountNum: long(1002) };
    const receiver = { accountNum: long(1003) };
    const airdrop = (amount: number) =>
      signed({
        tokenAirdrop: {
          tokenTransfers: [
            {
              token: { tokenNum: long(5000) },
              transfers: [
                { accountID: sender, amount: long(-amount) },
                { accountID: receiver, amount: long(amount) },
              ],
            },
          ],
        },
      });
    const id = join(bytesField(1, entityId(1002)), bytesField(2, entityId(1003)), bytesField(3, entityId(5000)));
    const value = join(messageField(1, [intField(1, 30)]));
    const made = [result(1), result(2, parent), result(3, parent)];
    const waiting = (items: readonly BlockStreamItem[]) =>
      read(items)
        .transactions.slice(1, 3)
        .map(({ record }) => record.newPendingAirdrops!.map((one) => toBigInt(one.pendingAirdropValue?.amount)));
    expect(
      waiting([batch([airdrop(10), airdrop(20)]), ...made, stateChanges(1, update([14, id], [15, value]))]),
    ).toEqual([[10n], [30n]]);
    const claim = signed({
      tokenClaimAirdrop: {
        pendingAirdrops: [{ senderId: sender, receiverId: receiver, fungibleTokenType: { tokenNum: long(5000) } }],
      },
    });
    expect(waiting([batch([airdrop(10), claim]), ...made])).toEqual([[10n], []]);
  });
});

describe('storage', () => {
  const call = (contract: number, nonce = 0) =>
    transaction({ contractCall: { contractID: { contractNum: long(contract) } } }, { nonce });
  const storage = (items: readonly BlockStreamItem[]) =>
    read(items).transactions.map(({ sidecars }) =>
      sidecars.flatMap(({ stateChanges: changes }) =>
        (changes?.contractStateChanges ?? []).flatMap(({ contractId: id, storageChanges }) =>
          (storageChanges ?? []).map(({ slot, valueRead, valueWritten }) => [
            toBigInt(id?.contractNum),
            [...slot!],
            [...(valueRead ?? [])],
            valueWritten ? [...(valueWritten.value ?? [])] : null,
          ]),
        ),
      ),
    );

  it('of an ordinary call: places count what its state changes wrote, without what is identical', () => {
    const changes = stateChanges(
      1,
      update(slotKey(900, [9]), slotValue([8]), true),
      update(slotKey(900, [1]), slotValue([5])),
      update(slotKey(901, [7]), slotValue([6])),
      removal(slotKey(900, [2])),
      update(slotKey(900, []), slotValue([1, 0])),
    );
    const reads = [
      { index: 0, value: [4] },
      { index: 1, value: [3] },
      { index: 2, value: [] },
      { key: [9], value: [8] },
      { key: [], value: [2] },
    ];
    const usage = usageTrace(slotUsage(900, reads), slotUsage(901, [{ index: 0, value: [] }]));
    expect(storage([call(900), result(1), callOutput(900), usage, changes])).toEqual([
      [
        [900n, [1], [4], [5]],
        [900n, [2], [3], []],
        [900n, [], [], [1, 0]],
        [900n, [9], [8], null],
        [900n, [], [2], null],
        [901n, [7], [], [6]],
      ],
    ]);
  });

  it('of a child: places count what the whole unit wrote, wherever its state changes stand', () => {
    const child = [
      call(900, 1),
      result(2, { parent: 1 }),
      callOutput(900),
      usageTrace(slotUsage(900, [{ index: 0, value: [] }])),
    ];
    const changes = (moment: number) => stateChanges(moment, update(slotKey(900, [1]), slotValue([5])));
    const expected = [[], [[900n, [1], [], [5]]]];
    const parent = [transaction(memo('parent')), result(1)];
    expect(storage([...parent, changes(1), ...child])).toEqual(expected);
    expect(storage([...parent, ...child, changes(1)])).toEqual(expected);
    expect(storage([...parent, ...child, changes(2)])).toEqual(expected);
  });

  it('of a batch: each brings its list, and the next one that reads a slot says what was written', () => {
    const calls = [900, 900, 900].map((contract) =>
      signed({ contractCall: { contractID: { contractNum: long(contract) } } }),
    );
    const [first, second, third] = [
      usageTrace(
        slotUsage(
          900,
          [
            { index: 0, value: [] },
            { index: 1, value: [7] },
          ],
          [[1], [2]],
        ),
      ),
      usageTrace(slotUsage(900, [{ key: [1], value: [5] }])),
      usageTrace(slotUsage(900, [{ index: 0, value: [5] }], [[1]])),
    ];
    const changes = stateChanges(1, update(slotKey(900, [1]), slotValue([9])), removal(slotKey(900, [2])));
    const inner = (moment: number, of: BlockStreamItem) => [result(moment, { parent: 1 }), callOutput(900), of];
    expect(
      storage([batch(calls), result(1), changes, ...inner(2, first!), ...inner(3, second!), ...inner(4, third!)]),
    ).toEqual([
      [],
      [
        [900n, [1], [], [5]],
        [900n, [2], [7], []],
      ],
      [[900n, [1], [5], null]],
      [[900n, [1], [5], [9]]],
    ]);
  });

  it('that a trace names beyond the list costs that read, and is said', () => {
    const usage = usageTrace(
      slotUsage(900, [
        { index: 3, value: [] },
        { key: [9], value: [7] },
      ]),
    );
    const items = [call(900), result(1), callOutput(900), usage, stateChanges(1)];
    const { doubts, problems } = read(items);
    expect(storage(items)).toEqual([[[900n, [9], [7], null]]]);
    expect(doubts).toEqual(['trace']);
    expect(problems).toEqual([expect.stringContaining('a place among 0 written slots, found place 3')]);
  });

  it('of a hook has separate keys', () => {
    const hookId = [messageField(1, [bytesField(1, entityId(1005))]), intField(2, 3)];
    const output = callOutput(365, Buffer.alloc(0), [messageField(7, hookId)]);
    const key = join(messageField(1, hookId), bytesField(2, Buffer.of(4)));
    const other = join(
      messageField(1, [messageField(1, [bytesField(1, entityId(1006))]), intField(2, 1)]),
      bytesField(2, Buffer.of(4)),
    );
    const changes = stateChanges(1, update([24, other], slotValue([1])), update([24, key], slotValue([6])));
    const child = [
      call(365, 1),
      result(2, { parent: 1 }),
      output,
      usageTrace(slotUsage(365, [{ index: 1, value: [5] }])),
    ];
    const items = [transaction(memo('transfer')), result(1), changes, ...child];
    expect(storage(items)).toEqual([[], [[365n, [4], [5], [6]]]]);
    expect(read(items).transactions[1]!.executedHook).toEqual({ ownerId: 1005n, hookId: 3n });
  });
});

test('initcode is what stands before and after the runtime bytecode, or as it is', () => {
  const create = (fields: Parameters<typeof trace>[0]) => [
    transaction({ contractCreateInstance: {} }, { nonce: 1 }),
    result(2, { parent: 1 }),
    trace(messageField(4, [bytesField(1, entityId(900)), fields])),
  ];
  const code = stateChanges(1, update([13, entityId(900)], [3, join(bytesField(1, Buffer.of(5, 6)))]));
  const initcode = (items: readonly BlockStreamItem[]) =>
    read([transaction(memo('')), result(1), code, ...items]).transactions[1]!.sidecars.map(({ bytecode }) => [
      Buffer.from(bytecode!.initcode!).toString('hex'),
      Buffer.from(bytecode!.runtimeBytecode!).toString('hex'),
    ]);
  const bookends = messageField(2, [bytesField(1, Buffer.of(1, 2)), bytesField(2, Buffer.of(9))]);
  expect(initcode(create(bookends))).toEqual([['0102050609', '0506']]);
  expect(initcode(create(bytesField(3, Buffer.of(7, 8))))).toEqual([['0708', '0506']]);
});

test('an account with code delegation has the nonce of its state', () => {
  const delegation = Buffer.alloc(20, 1);
  const body = join(
    messageField(1, [bytesField(2, entityId(1001))]),
    messageField(15, [bytesField(2, entityId(1004)), bytesField(21, delegation)]),
  );
  const changes = stateChanges(
    1,
    update([1, entityId(1004)], [1, join(bytesField(1, entityId(1004)), intField(23, 12))]),
  );
  const delegated = writeItem(itemKinds.signedTransaction, join(bytesField(1, body)));
  const other = transaction({ cryptoUpdateAccount: { accountIDToUpdate: { accountNum: long(1004) } } });
  const nonces = (item: BlockStreamItem) =>
    read([item, result(1), changes]).transactions.map(({ ethereumNonce }) => ethereumNonce);
  expect([nonces(delegated), nonces(other)]).toEqual([[12n], [null]]);
});

describe('what is doubtful', () => {
  const [a, b] = [transaction(memo('a')), transaction(memo('b'))];
  const call = transaction({ contractCall: { contractID: { contractNum: long(900) } } });
  const caused = transaction({ cryptoCreateAccount: {} }, { nonce: 1 });
  const submit = transaction({ consensusSubmitMessage: {} });
  const action = (contract: number) => messageField(1, [intField(1, 1), bytesField(7, entityId(contract))]);

  const evmResult = [bytesField(2, entityId(900))];
  const output = (kind: number, field: number) =>
    writeItem(itemKinds.transactionOutput, join(messageField(kind, [messageField(field, evmResult)])));
  const ethereum = [transaction({ ethereumTransaction: {} }), result(1), output(3, 2)];
  const made = [transaction({ contractCreateInstance: {} }, { nonce: 1 }), result(2, { parent: 1 }), output(4, 1)];

  it('not the trace of a creation behind the Ethereum transaction that sent it', () => {
    expect(read([...ethereum, trace(action(900)), ...made]).transactions).toHaveLength(2);
  });

  it('not the trace of a creation that failed before a call that never ran', () => {
    // Neither result names sender or contract; the call has no data, and neither has the creation.
    const failure = (kind: number) =>
      writeItem(itemKinds.transactionOutput, join(messageField(kind, [messageField(1, [intField(5, 62_484)])])));
    const creation = messageField(1, [
      intField(1, 2),
      bytesField(7, entityId(900)),
      bytesField(13, Buffer.from('INSUFFICIENT_GAS')),
    ]);
    const failed = [transaction({ contractCreateInstance: {} }), result(1, { status: 'INSUFFICIENT_GAS' }), failure(4)];
    const neverRan = [call, result(2, { status: 'INVALID_CONTRACT_ID' }), failure(2)];
    expect(read([...failed, trace(creation), ...neverRan]).transactions).toHaveLength(2);
    expect(read([...failed, ...neverRan, trace(creation)])).toMatchObject({
      doubts: ['trace'],
      transactions: [{ sidecars: [] }, { sidecars: [] }],
    });
  });

  /** Moments and numbers of sidecar records of what is shown. */
  const shown = (items: readonly BlockStreamItem[]) =>
    read(items).transactions.map(({ consensusTimestamp, sidecars }) => [
      Number((consensusTimestamp - at(0)) / 1_000n),
      sidecars.length,
    ]);

  it.each<[string, BlockStreamItem[], [number, number][], DoubtKind[]]>([
    [
      'the trace of an Ethereum creation behind what it made, of the only one that has its own',
      [...ethereum, ...made, trace(action(900))],
      [
        [1, 1],
        [2, 0],
      ],
      [],
    ],
    ['a result before any transaction', [result(1), a], [], ['uncertainResult', 'uncertainResult']],
    [
      'a result behind a state signature',
      [a, stateSignature(), result(1), b, result(2)],
      [[2, 0]],
      ['uncertainResult', 'uncertainResult'],
    ],
    ['two transactions, then their results', [a, b, result(1), result(2)], [], ['uncertainResult', 'uncertainResult']],
    ['two results of one transaction', [a, result(1), result(2)], [], ['uncertainResult', 'uncertainResult']],
    [
      'a transaction without a result among equal ones',
      [a, result(1), b],
      [],
      ['transactionWithoutResult', 'uncertainResult'],
    ],
    [
      'a result with a parent of what a client sent',
      [a, result(1), transaction(memo('other'), { payer: 1003 }), result(2, { parent: 1 })],
      [
        [1, 0],
        [2, 0],
      ],
      ['output'],
    ],
    ['an output before any result', [a, callOutput(900), result(1)], [[1, 0]], ['output']],
    ['the id of an account that a transfer made', [a, result(1), accountOutput(1005)], [[1, 0]], ['output']],
    [
      'a caused account without its id',
      [a, result(1), caused, result(2, { parent: 1 })],
      [
        [1, 0],
        [2, 0],
      ],
      ['output'],
    ],
    ['a trace behind a transfer', [a, result(1), trace()], [[1, 0]], ['trace']],
    ['a trace before its result', [call, trace(action(900)), result(1), callOutput(900)], [[1, 1]], []],
    ['two traces of one call', [call, result(1), callOutput(900), trace(action(900)), trace()], [[1, 0]], ['trace']],
    ['a trace of another contract', [call, result(1), callOutput(900), trace(action(901))], [[1, 0]], ['trace']],
    [
      'the trace of a message behind a call',
      [call, result(1), callOutput(900), messageTrace(1, Buffer.alloc(48))],
      [[1, 0]],
      ['trace'],
    ],
    [
      'two messages of one transaction',
      [submit, result(1), messageTrace(1, Buffer.alloc(48)), messageTrace(2, Buffer.alloc(48))],
      [[1, 0]],
      ['trace'],
    ],
    [
      'a result that cannot be read',
      [a, result(1), b, writeItem(itemKinds.transactionResult, Buffer.of(0xff)), transaction(memo('c')), result(3)],
      [
        [1, 0],
        [3, 0],
      ],
      ['transaction', 'transaction'],
    ],
  ])('%s', (_name, items, moments, doubts) => {
    expect(shown(items)).toEqual(moments);
    expect(read(items).doubts).toEqual(doubts);
  });

  it('not a valid start after the consensus timestamp: only success contradicts it, and its pair is certain', () => {
    const late = {
      transactionID: { accountID: { accountNum: long(1) }, transactionValidStart: { seconds: long(1_800_000_000) } },
    };
    const items = (status: ResponseCodeName) => [transaction(memo('', late)), result(1, { status })];
    for (const status of ['INVALID_TRANSACTION_START', 'INVALID_PAYER_SIGNATURE', 'INVALID_NODE_ACCOUNT'] as const)
      expect([pairs(items(status)), read(items(status)).doubts]).toEqual([[['', 1n]], []]);
    expect([pairs(items('SUCCESS')), read(items('SUCCESS')).doubts]).toEqual([[['', 1n]], ['output']]);
  });
});

describe('a transaction without a result', () => {
  const paid = (moment: number, payer: number) => resultWithFee(moment, payer);
  const [a, b, c] = (['a', 'b', 'c'] as const).map((name, index) => transaction(memo(name), { payer: 1001 + index }));
  const topicMessage = (num: number) =>
    transaction({ memo: `${num}`, consensusSubmitMessage: { topicID: { topicNum: long(num) } } });
  const changed = (moment: number, num: number) =>
    stateChanges(moment, update([12, entityId(num)], [13, join(intField(2, 1))]));

  it.each<[string, BlockStreamItem[], string[]]>([
    ['before others', [a!, b!, paid(2, 1002), c!, paid(3, 1003)], ['b', 'c']],
    ['between others', [a!, paid(1, 1001), b!, c!, paid(3, 1003)], ['a', 'c']],
    ['after others', [a!, paid(1, 1001), b!, paid(2, 1002), c!], ['a', 'b']],
    ['and a state signature', [stateSignature(), a!, b!, paid(2, 1002), stateSignature()], ['b']],
    [
      'of one payer, where the state tells which',
      [topicMessage(1), topicMessage(2), paid(2, 1001), changed(2, 2), topicMessage(3), paid(3, 1001), changed(3, 3)],
      ['2', '3'],
    ],
    ['of one payer, where nothing tells which', [a!, transaction(memo('A')), paid(2, 1001)], []],
    ['whose result stands behind another', [a!, paid(2, 1002), b!], []],
  ])('%s costs its row, and what is not certain', (_name, items, memos) => {
    expect(read(items).transactions.map(({ body }) => body.memo)).toEqual(memos);
    const { doubts } = readBlockTransactions(items);
    expect(doubts).toContainEqual(expect.objectContaining({ kind: 'transactionWithoutResult', count: 1 }));
  });
});

test('state signatures have no result, and are no part of the ledger', () => {
  expect(pairs([stateSignature(), transaction(memo('a')), result(1), stateSignature(), stateSignature()])).toEqual([
    ['a', 1n],
  ]);
});

describe('items that were taken out', () => {
  const names = ['a', 'b', 'c', 'd'];
  const block = names.flatMap((name, index) => [
    transaction(memo(name)),
    result(index + 1),
    stateChanges(index + 1),
    ...(index % 2 === 0 ? [stateSignature()] : []),
  ]);
  const without = (...places: number[]) => block.map((item, place) => (places.includes(place) ? redacted(item) : item));

  it.each<[string, number[], string[]]>([
    ['a transaction', [4], ['a', 'c', 'd']],
    ['a result', [5], ['a', 'c', 'd']],
    ['a transaction and its result', [4, 5], ['c', 'd']],
    ['a state signature', [3], ['a', 'b', 'c', 'd']],
    ['state changes', [2, 6], ['a', 'b', 'c', 'd']],
    ['a transaction and the signature before it', [3, 4], ['a', 'c', 'd']],
  ])('%s: all others are shown that are certain', (_name, places, shown) => {
    const { transactions, problems } = read(without(...places));
    expect(transactions.map(({ body }) => body.memo)).toEqual(shown);
    expect(problems.join()).toMatch(/redacted item/);
    if (transactions.length < names.length) expect(problems.join()).toMatch(/not shown/);
  });

  it('what is shown is never paired otherwise than in the whole block, however items are moved', () => {
    const all = new Map(pairs(block).map(([name, moment]) => [name, moment]));
    const taken = fc.uniqueArray(fc.nat({ max: block.length - 1 }), { maxLength: 4 });
    const variants = taken.chain((places) => rearranged(without(...places)));
    let shown = 0;
    fc.assert(
      fc.property(variants, (items) => {
        const found = pairs(items);
        shown += found.length;
        for (const [name, moment] of found) expect([name, moment]).toEqual([name, all.get(name)]);
      }),
      { numRuns: 3_000 },
    );
    expect(shown).toBeGreaterThan(500);
  });
});

// Lists that are copied, or searched, for each of their members: 50,000 new files took 18 s.
describe('a block of countless items that belong together is read', () => {
  const many = 40_000;
  const numbers = Array.from({ length: many }, (_, index) => index + 1);
  const transfer = transaction({ cryptoTransfer: {} });

  it.each<[string, BlockStreamItem[], number]>([
    [
      'new files',
      [transfer, result(1), stateChanges(1, ...numbers.map((num) => update([4, entityId(num)], [4, Buffer.alloc(0)])))],
      1,
    ],
    ['state changes of one time', [transfer, result(1), ...numbers.map(() => stateChanges(1))], 1],
    [
      'results of a batch that is missing',
      [redacted(transfer), ...numbers.map((num) => result(num, { parent: 0 }))],
      0,
    ],
  ])('%s', (_name, items, shown) => {
    expect(readBlockTransactions(items).transactions).toHaveLength(shown);
  });
});
