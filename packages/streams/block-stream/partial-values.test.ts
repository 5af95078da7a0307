// Values that are sent in part: hand-made blocks whose results are known, with what they ask of earlier blocks.
import Long from 'long';
import { describe, expect, it } from 'vitest';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { bytesField, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import {
  accountOutput,
  batch,
  callOutput,
  entityId,
  join,
  partialUpdate,
  removal,
  result,
  signed,
  slotKey,
  slotUsage,
  slotValue,
  stateChanges,
  transaction,
  update,
  usageTrace,
} from '../../test-support/streams/block-items.ts';
import type { Doubt } from '../stream/doubt.ts';
import { nameOfQuestion, type StateAnswer } from '../stream/state-question.ts';
import { type BlockStreamItem, itemKinds, writeItem } from './block-item.ts';
import { readBlockTransactions } from './block-transactions.ts';
import { decodeBlockTransaction } from './decode-block-transaction.ts';
import { readOpeningState } from './opening-state.ts';
import { overlay } from './state-value.ts';

const long = Long.fromNumber;
const noAnswers: Record<string, StateAnswer> = {};

function read(items: readonly BlockStreamItem[], answers = noAnswers) {
  const { transactions, doubts, questions, unknown } = readBlockTransactions(items, new Map(Object.entries(answers)));
  return {
    items: transactions.map((made, index) => decodeBlockTransaction(made, index).item),
    problems: doubts.map(({ text }) => text),
    questions: questions.map(nameOfQuestion),
    unknown: Object.fromEntries(unknown),
  };
}

const token = { tokenNum: long(5000) };
const tokenKey = [11, entityId(5000)] as const;
const tokenValue = (...fields: WireField[]) => [11, join(...fields)] as const;
const supply = (amount: number) => intField(5, amount);
const serial = (number: number) => intField(14, number);
const paused = intField(23, 1);
const mint = (amount: number) => ({ tokenMint: { token, amount: long(amount) } });
const burn = (amount: number) => ({ tokenBurn: { token, amount: long(amount) } });
const suppliesOf = (items: readonly BlockStreamItem[], answers = noAnswers) => {
  const found = read(items, answers);
  const supplies = found.items.map(({ record: { receipt } }) => {
    const total = receipt!.newTotalSupply as Long | null;
    return total === null ? null : toBigInt(total);
  });
  return { ...found, supplies };
};
const parent = { parent: 1 };

describe('a supply', () => {
  const both = (changes: BlockStreamItem) => [
    batch([signed(mint(5)), signed(burn(5))]),
    ...[result(1), changes, result(2, parent), result(3, parent)],
  ];

  it('that a batch leaves as it was is asked for, and then known after each step', () => {
    const items = both(stateChanges(1, partialUpdate(tokenKey, tokenValue(paused))));
    const asked = suppliesOf(items);
    expect(asked).toMatchObject({ questions: ['totalSupply 5000'], supplies: [0n, null, null] });
    expect(asked.unknown).toEqual({ 'total supply of a token': 2 });
    const answered = suppliesOf(items, { 'totalSupply 5000': 800n });
    expect(answered).toMatchObject({ questions: [], unknown: {}, supplies: [0n, 805n, 800n] });
    const unanswered = suppliesOf(items, { 'totalSupply 5000': null });
    expect(unanswered).toMatchObject({ questions: [], supplies: [0n, null, null] });
  });

  it('that a batch leaves as it was, with no change of the token at all', () => {
    expect(suppliesOf(both(stateChanges(1)), { 'totalSupply 5000': 0n }).supplies).toEqual([0n, 5n, 0n]);
  });

  const before = (changes: BlockStreamItem) => [transaction(mint(10)), result(0), changes];

  it.each([
    ['of a whole value', update(tokenKey, tokenValue(supply(800), paused))],
    ['of a part of it', partialUpdate(tokenKey, tokenValue(supply(800)))],
  ])('comes from the change before it in the block: %s', (_name, change) => {
    const items = [
      ...before(stateChanges(0, change)),
      ...both(stateChanges(1, partialUpdate(tokenKey, tokenValue(), { cleared: [23] }))),
    ];
    expect(suppliesOf(items)).toMatchObject({ questions: [], unknown: {}, supplies: [800n, 0n, 805n, 800n] });
  });

  it('stays when another field changes', () => {
    const items = [
      ...[transaction(mint(100)), result(0), stateChanges(0, partialUpdate(tokenKey, tokenValue(supply(900))))],
      ...[
        transaction({ tokenPause: { token } }),
        result(1),
        stateChanges(1, partialUpdate(tokenKey, tokenValue(paused))),
      ],
    ];
    expect(suppliesOf(items)).toMatchObject({ questions: [], unknown: {}, supplies: [900n, 0n] });
  });

  it('is 0 where it is cleared, and not where it is absent', () => {
    const items = (cleared: number[]) => [
      ...[transaction(burn(7)), result(1), stateChanges(1, partialUpdate(tokenKey, tokenValue(paused), { cleared }))],
    ];
    expect(suppliesOf(items([5]))).toMatchObject({ questions: [], supplies: [0n] });
    expect(suppliesOf(items([]))).toMatchObject({ questions: ['totalSupply 5000'], supplies: [null] });
  });

  it('that no earlier block says comes from the unit behind, without what that did', () => {
    const items = [
      ...both(stateChanges(1, partialUpdate(tokenKey, tokenValue(paused)))),
      ...[transaction(mint(30)), result(5), stateChanges(5, partialUpdate(tokenKey, tokenValue(supply(830))))],
    ];
    expect(suppliesOf(items, { 'totalSupply 5000': null }).supplies).toEqual([0n, 805n, 800n, 830n]);
  });

  it('and serial numbers of NFTs are counted back from what is there', () => {
    const minted = transaction({ tokenMint: { token, metadata: [Buffer.of(1), Buffer.of(2)] } });
    const change = partialUpdate(tokenKey, tokenValue(supply(12), serial(20)));
    const [item] = read([minted, result(1), stateChanges(1, change)]).items;
    expect(item!.record.receipt!.serialNumbers!.map(toBigInt)).toEqual([19n, 20n]);
  });

  const value = tokenValue(paused);
  const whole = { partial: false };
  it.each<[string, WireField, string]>([
    ['clears in a whole value', partialUpdate(tokenKey, value, { ...whole, cleared: [5] }), 'a value that is whole'],
    ['numbers that do not ascend', partialUpdate(tokenKey, value, { cleared: [6, 5] }), 'clears field 5 after field 6'],
    ['a number twice', partialUpdate(tokenKey, value, { cleared: [5, 5] }), 'clears field 5 after field 5'],
    ['the number 0', partialUpdate(tokenKey, value, { cleared: [0] }), 'with the number 0'],
    ['a number that is no field', partialUpdate(tokenKey, value, { cleared: [2 ** 29] }), 'with the number 536870912'],
    ['a number of 33 bits', partialUpdate(tokenKey, value, { cleared: [2 ** 32 + 5] }), 'with the number 4294967301'],
    ['an unknown field', partialUpdate(tokenKey, value, { cleared: [5, 29] }), 'field 29, which is not known'],
    ['a field that it has', partialUpdate(tokenKey, value, { cleared: [5, 23] }), 'has and clears field 23'],
    ['no field at all', partialUpdate(tokenKey, [11, Buffer.of(0xff)], { cleared: [5] }), 'cannot be decoded'],
  ])('is unknown after a change with %s, which is refused and said', (_name, change, text) => {
    const items = [transaction(burn(7)), result(1), stateChanges(1, change)];
    const { supplies, problems } = suppliesOf(items);
    expect(supplies).toEqual([null]);
    expect(problems).toEqual([expect.stringMatching(new RegExp(`state change that is refused: 1 .*${text}`))]);
  });

  it('is unknown where a field of it has another type', () => {
    const change = partialUpdate(tokenKey, [11, join(bytesField(5, Buffer.of(1)))]);
    const { supplies, problems } = suppliesOf([transaction(burn(7)), result(1), stateChanges(1, change)]);
    expect([supplies, problems]).toEqual([[null], ['state changes that cannot be read: 1']]);
  });

  it('of a single value that is malformed is said', () => {
    const singleton = messageField(2, [
      intField(1, 1),
      messageField(4, [bytesField(3, entityId(5)), bytesField(25, Buffer.of(1))]),
    ]);
    const { problems } = read([
      transaction(burn(0)),
      result(1),
      stateChanges(1, singleton, update(tokenKey, tokenValue())),
    ]);
    expect(problems).toEqual([expect.stringContaining('it clears fields of a value that is whole')]);
  });
});

describe('storage', () => {
  const call = signed({ contractCall: { contractID: { contractNum: long(900) } } });
  const written = (items: readonly BlockStreamItem[], answers = noAnswers) => {
    const found = read(items, answers);
    const values = found.items.flatMap(({ sidecars }) =>
      sidecars.flatMap(({ stateChanges: changes }) =>
        (changes?.contractStateChanges ?? []).flatMap(({ storageChanges }) =>
          (storageChanges ?? []).map(({ valueWritten }) => (valueWritten ? [...(valueWritten.value ?? [])] : null)),
        ),
      ),
    );
    return { ...found, values };
  };
  const links = [9, join(bytesField(2, Buffer.alloc(32, 1)), bytesField(3, Buffer.alloc(32, 2)))] as const;
  const name = 'slot 900:01';
  /** Two calls of a batch: the second one writes. */
  const items = (change: WireField, ...more: WireField[][]) => [
    batch([call]),
    ...[result(1), stateChanges(1, change), result(2, parent), callOutput(900), usageTrace(...more)],
  ];
  const unread = slotUsage(900, [], [[1]]);

  it('of which only links change has the value before', () => {
    const linked = items(partialUpdate(slotKey(900, [1]), links, { identical: true }), unread);
    expect(written(linked)).toMatchObject({
      values: [null],
      questions: [name],
      unknown: { 'value of a written slot': 1 },
    });
    expect(written(linked, { [name]: Buffer.of(7) })).toMatchObject({ values: [[7]], questions: [], unknown: {} });
    expect(written(linked, { [name]: Buffer.alloc(0) }).values).toEqual([[]]);
  });

  it('that a unit leaves as it was has what the unit read of it first', () => {
    const usage = slotUsage(900, [{ index: 0, value: [8] }], [[1]]);
    const linked = items(partialUpdate(slotKey(900, [1]), links, { identical: true }), usage);
    expect(written(linked)).toMatchObject({ values: [[8]], questions: [], unknown: {} });
  });

  it('of which links change after a write in the block', () => {
    const first = [
      ...[batch([call]), result(-2), stateChanges(-2, update(slotKey(900, [1]), slotValue([6])))],
      ...[result(-1, { parent: -2 }), callOutput(900), usageTrace(unread)],
    ];
    const second = items(partialUpdate(slotKey(900, [1]), links, { identical: true }), unread);
    expect(written([...first, ...second])).toMatchObject({ values: [[6], [6]], questions: [] });
  });

  it('that was removed and gets a part of a value is unknown, and said', () => {
    const first = [transaction({ cryptoTransfer: {} }), result(-1), stateChanges(-1, removal(slotKey(900, [1])))];
    const second = items(partialUpdate(slotKey(900, [1]), links), unread);
    const { values, problems } = written([...first, ...second]);
    expect(values).toEqual([null]);
    expect(problems).toEqual([expect.stringContaining('a part of a value that was removed')]);
  });

  it('has what its trace says was written, before anything else', () => {
    const usage = [
      bytesField(1, entityId(900)),
      messageField(3, [bytesField(1, Buffer.of(1))]),
      messageField(4, [[Buffer.of(8, 0)], bytesField(3, Buffer.of(2)), bytesField(4, Buffer.of(0, 4))]),
    ];
    expect(written(items(update(slotKey(900, [1]), slotValue([9])), usage)).values).toEqual([[4]]);
    const tooLong = [...usage.slice(0, 2), messageField(4, [[Buffer.of(8, 0)], bytesField(4, Buffer.alloc(33, 1))])];
    expect(written(items(update(slotKey(900, [1]), slotValue([9])), tooLong)).values).toEqual([[9]]);
  });
});

describe('accounts', () => {
  const accountKey = (num: number) => [1, entityId(num)] as const;
  const address = Buffer.alloc(20, 0xab);
  const createdContract = [
    transaction({ contractCreateInstance: {} }),
    result(1),
    writeItem(itemKinds.transactionOutput, join(messageField(4, [messageField(1, [bytesField(2, entityId(900))])]))),
  ];
  const addressOf = (items: readonly BlockStreamItem[], answers = noAnswers) => {
    const found = read(items, answers);
    const value = found.items.at(-1)!.record.contractCreateResult?.evmAddress?.value;
    return { ...found, address: value ? Buffer.from(value) : null };
  };
  const completed = stateChanges(1, partialUpdate(accountKey(900), [1, join(intField(21, 1), intField(23, 1))]));

  it('a contract at the address of a hollow account keeps that address', () => {
    const items = [...createdContract, completed];
    expect(addressOf(items)).toMatchObject({ address: null, questions: ['alias 900'] });
    expect(addressOf(items, { 'alias 900': address })).toMatchObject({ address, questions: [], unknown: {} });
    expect(addressOf(items, { 'alias 900': Buffer.alloc(0) })).toMatchObject({ address: null, unknown: {} });
  });

  it('a hollow account of the same block is enough', () => {
    const hollow = [
      ...[transaction({ cryptoCreateAccount: {} }), result(-1), accountOutput(900)],
      stateChanges(-1, update(accountKey(900), [1, join(bytesField(1, entityId(900)), bytesField(2, address))])),
    ];
    expect(addressOf([...hollow, ...createdContract, completed])).toMatchObject({ address, questions: [] });
  });

  it('the nonce of an account that delegates is that before where it did not change', () => {
    const delegation = join(
      bytesField(1, join(messageField(15, [bytesField(2, entityId(1001)), bytesField(21, Buffer.alloc(20, 5))]))),
    );
    const items = [
      writeItem(itemKinds.signedTransaction, delegation),
      result(1),
      stateChanges(1, partialUpdate(accountKey(1001), [1, join(bytesField(39, Buffer.alloc(20, 5)))])),
    ];
    const nonce = (answers = noAnswers) => read(items, answers).items[0]!.ethereumNonce;
    expect(read(items).questions).toEqual(['ethereumNonce 1001']);
    expect([nonce(), nonce({ 'ethereumNonce 1001': 4n })]).toEqual([null, 4n]);
    const cleared = partialUpdate(accountKey(1001), [1, join(intField(5, 2))], { cleared: [23, 39] });
    expect(read([...items.slice(0, 2), stateChanges(1, cleared)]).items[0]!.ethereumNonce).toBe(0n);
  });

  it('contracts that the result lists come before those that follow from other results', () => {
    const listed = [bytesField(10, entityId(901)), bytesField(10, entityId(902))];
    const created = (more: WireField[]) =>
      read([
        transaction({ contractCall: { contractID: { contractNum: long(900) } } }),
        ...[result(1), callOutput(900, Buffer.alloc(0), more), stateChanges(1)],
      ]).items[0]!.record.contractCallResult!.createdContractIDs!.map(({ contractNum }) => toBigInt(contractNum));
    expect([created(listed), created([intField(10, 7)]), created([bytesField(10, Buffer.of(0xff))])]).toEqual([
      [901n, 902n],
      [],
      [],
    ]);
  });
});

describe('airdrops', () => {
  const [sender, receiver] = [{ accountNum: long(1002) }, { accountNum: long(1003) }];
  const id = join(bytesField(1, entityId(1002)), bytesField(2, entityId(1003)), bytesField(3, entityId(5000)));
  const transfers = [
    { accountID: sender, amount: long(-10) },
    { accountID: receiver, amount: long(10) },
  ];
  const airdrop = signed({ tokenAirdrop: { tokenTransfers: [{ token, transfers }] } });
  const pending = { senderId: sender, receiverId: receiver, fungibleTokenType: token };
  const cancel = signed({ tokenCancelAirdrop: { pendingAirdrops: [pending] } });

  it('with changed links keep their amount', () => {
    const links = partialUpdate([14, id], [15, join(messageField(2, [bytesField(1, entityId(1))]))]);
    const items = [batch([cancel, airdrop]), result(1), stateChanges(1, links), result(2, parent), result(3, parent)];
    const amounts = (answers: Record<string, StateAnswer>) =>
      read(items, answers).items.map(({ record }) =>
        (record.newPendingAirdrops ?? []).map((one) => toBigInt(one.pendingAirdropValue?.amount)),
      );
    expect(read(items).questions).toEqual(['airdrop 1002 1003 5000 0']);
    expect(amounts({ 'airdrop 1002 1003 5000 0': 10n })).toEqual([[], [], [10n]]);
    expect(read(items, { 'airdrop 1002 1003 5000 0': null }).unknown).toEqual({ 'amount of a pending airdrop': 1 });
  });
});

describe('the opening state', () => {
  const account = (...fields: WireField[]) => [1, join(bytesField(1, entityId(2)), ...fields)] as const;
  const key = [1, entityId(2)] as const;
  const opening = (...changes: WireField[][]) => {
    const doubts: Doubt[] = [];
    const items = changes.map((some) => stateChanges(0, ...some));
    const state = readOpeningState([...items, transaction({ cryptoTransfer: {} })], doubts);
    return { problems: doubts.map(({ text }) => text), state };
  };

  it('has each account once, as it is in the end', () => {
    const { state, problems } = opening(
      [update(key, account(intField(5, 100), bytesField(6, Buffer.from('old')), intField(11, 3)))],
      [update(key, account(intField(5, 250), bytesField(6, Buffer.from('new')), intField(11, 3)))],
      [partialUpdate(key, [1, join(bytesField(10, entityId(9)))], { cleared: [6, 11] })],
    );
    const [only, ...more] = state!.accounts;
    expect([more, problems]).toEqual([[], []]);
    const { tinybarBalance, memo, stakedAccountId, stakedNodeId } = only!;
    expect([toBigInt(tinybarBalance), memo, toBigInt(stakedAccountId?.accountNum), stakedNodeId]).toEqual([
      250n,
      '',
      9n,
      null,
    ]);
  });

  it('has the last contents of a file, and no slot that was removed', () => {
    const file = (text: string) =>
      update([4, entityId(111)], [4, join(bytesField(1, entityId(111)), bytesField(4, Buffer.from(text)))]);
    const slot = slotKey(900, [1]);
    const { state } = opening([file('first'), update(slot, slotValue([1]))], [file('second'), removal(slot)]);
    expect(state!.files.map(({ contents }) => Buffer.from(contents!).toString())).toEqual(['second']);
    expect(state!.slots).toEqual([]);
  });

  it.each([
    ['a part without a value before', [partialUpdate(key, account(intField(5, 1)))], []],
    [
      'two alternatives',
      [update(key, account(intField(5, 1), intField(11, 3)))],
      [partialUpdate(key, [1, join(bytesField(10, entityId(9)))])],
    ],
  ])('refuses %s, and says so', (_name, first, second) => {
    const { state, problems } = opening(first, second);
    expect(problems).toEqual([expect.stringMatching(/^changes of the opening state that are refused: 1 \(.+\)$/)]);
    expect((state?.accounts ?? []).map(({ stakedNodeId }) => toBigInt(stakedNodeId))).toEqual(
      second.length > 0 ? [3n] : [],
    );
  });
});

it('an overlay replaces whole fields, lists too, and removes what is cleared', () => {
  const before = proto.Account.encode({
    memo: 'm'.repeat(100),
    tinybarBalance: long(1),
    stakedNodeId: long(7),
  }).finish();
  const part = proto.Account.encode({ tinybarBalance: long(2), stakedAccountId: { accountNum: long(3) } }).finish();
  const after = overlay(Buffer.from(before), { value: Buffer.from(part), isPartial: true, cleared: [6, 11] });
  const { memo, tinybarBalance, stakedNodeId, stakedAccountId } = proto.Account.decode(after);
  expect([memo, toBigInt(tinybarBalance), stakedNodeId, toBigInt(stakedAccountId?.accountNum)]).toEqual([
    '',
    2n,
    null,
    3n,
  ]);
});
