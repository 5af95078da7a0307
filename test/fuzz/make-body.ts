// Bodies of requests: serialized transactions of every type, whole or broken, one character for each byte.

import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { transactionTypes } from '../../packages/protocol/hapi/transaction-types.ts';
import { toLong } from '../../packages/simulated-network/ledger/hapi-values.ts';
import type { SeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';

export type BodyKind = keyof typeof makers;

export function makeBody(kind: BodyKind, random: SeededRandom): string {
  return Buffer.from(makers[kind](random)).toString('latin1');
}

export function isBodyKind(kind: string): kind is BodyKind {
  return Object.hasOwn(makers, kind);
}

const makers = { transaction: makeTransaction, call: makeCall } satisfies Record<
  string,
  (random: SeededRandom) => Uint8Array
>;

const key = { ed25519: Buffer.alloc(32, 7) };
const keys = { keyList: { keys: [key, { thresholdKey: { threshold: 1, keys: { keys: [key, key] } } }] } };
const transfer = (...amounts: number[]) => ({
  cryptoTransfer: {
    transfers: {
      accountAmounts: amounts.map((amount, at) => ({
        accountID: { accountNum: toLong(BigInt(at + 3)) },
        amount: toLong(BigInt(amount)),
      })),
    },
  },
});
/** Some with a special price. */
const bodies: readonly proto.ITransactionBody[] = [
  transfer(-5, 5),
  transfer(-5, 2, 2, 1),
  { cryptoCreateAccount: { key: keys } },
  { cryptoUpdateAccount: { key } },
  { consensusCreateTopic: { adminKey: key, submitKey: keys } },
  { consensusSubmitMessage: { message: Buffer.alloc(2000) } },
  { fileCreate: { keys: keys.keyList, contents: Buffer.alloc(1500) } },
  { tokenCreation: { adminKey: key, supplyKey: keys, customFees: [{ fixedFee: { amount: toLong(5n) } }] } },
  { tokenMint: { metadata: [Buffer.of(1), Buffer.of(2)] } },
  { tokenAssociate: { tokens: [{ tokenNum: toLong(5n) }, { tokenNum: toLong(6n) }] } },
  { scheduleCreate: { scheduledTransactionBody: { contractCall: {} } } },
];

function makeTransaction(random: SeededRandom): Uint8Array {
  const data: proto.ITransactionBody = random.chance(0.6)
    ? random.pick(bodies)
    : { [random.pick(transactionTypes).bodyField]: {} };
  const bodyBytes = proto.TransactionBody.encode({ ...data, memo: 'x'.repeat(random.pick([0, 3, 1400])) }).finish();
  const sigMap = { sigPair: Array.from({ length: random.integer(0, 4) }, () => ({ ed25519: Buffer.alloc(64) })) };
  const signed = { signedTransactionBytes: proto.SignedTransaction.encode({ bodyBytes, sigMap }).finish() };
  const bytes = proto.Transaction.encode(random.chance(0.8) ? signed : { bodyBytes, sigMap }).finish();
  if (random.chance(0.85)) return bytes;
  return random.chance(0.5) ? bytes.subarray(0, random.below(bytes.length)) : random.bytes(random.integer(0, 60));
}

/** Calls of entities that there may be, some with members that no rule allows. */
function makeCall(random: SeededRandom): Uint8Array {
  const address = () => `0x${random.integer(1, 1100).toString(16).padStart(40, '0')}`;
  const members: Record<string, () => unknown> = {
    to: () => random.pick([address(), address(), '', null, '0x1', `0x${'ab'.repeat(20)}`]),
    from: () => random.pick([address(), null, '', 5]),
    data: () => random.pick(['0x', '', null, '0x06fdde03', 'xyz', '0x123', '0x6080604052', '0x5b600056']),
    gas: () => random.pick([21_000, 100_000, 15_000_000, 20_999, 15_000_001, -1, '30000', 'x', 1.5]),
    gasPrice: () => random.pick([0, 1, -1, null]),
    value: () => random.pick([0, 1, 5_000, -1, '9007199254740993', null]),
    estimate: () => random.pick([true, false, null, 'true', 3]),
    block: () => random.pick(['latest', 'earliest', '1', '0x2', '', 'x', '99999999', null, 3]),
    state_overrides: () => random.pick([[], null, [{ address: address(), balance: '0x64' }], [{}], 'x']),
    unknown: () => ({ a: [1] }),
  };
  const body = Object.fromEntries(
    Object.entries(members).flatMap(([name, make]) => (random.chance(0.4) ? [[name, make()]] : [])),
  );
  const text = JSON.stringify(body);
  return Buffer.from(random.chance(0.95) ? text : text.slice(0, random.below(text.length)));
}
