// Bodies of requests: serialized transactions of every type, whole or broken, one character for each byte.

import { toLong } from '../../packages/simulated-network/ledger/hapi-values.ts';
import type { SeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { proto } from '../../src/protocol/hapi/hapi.ts';
import { transactionTypes } from '../../src/protocol/hapi/transaction-types.ts';

export type BodyKind = keyof typeof makers;

export function makeBody(kind: BodyKind, random: SeededRandom): string {
  return Buffer.from(makers[kind](random)).toString('latin1');
}

export function isBodyKind(kind: string): kind is BodyKind {
  return Object.hasOwn(makers, kind);
}

const makers = { transaction: makeTransaction } satisfies Record<string, (random: SeededRandom) => Uint8Array>;

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
