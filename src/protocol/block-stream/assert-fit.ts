// Checks facts that a transaction and its result both contain: a second check of pairs formed by their order.
import { tryDecode } from '../hapi/decode-message.ts';
import { proto } from '../hapi/hapi.ts';
import { isSuccess, responseCode } from '../hapi/response-codes.ts';
import { toTimestamp } from '../hapi/timestamp.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import { findWireBytes } from '../wire-fields.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import type { PairedTransaction } from './block-sequence.ts';
import { unpaired } from './fill-slots.ts';
import { bodyOf, type SignedTransaction } from './signed-transaction.ts';

/** Outputs that only one type of transaction has. Any type may have called a contract. */
const typeOfOutput: Readonly<Partial<Record<keyof BlockMessages['TransactionOutput'], number>>> = {
  utilPrng: typeNumber.utilPrng,
  ethereumCall: typeNumber.ethereumTransaction,
  contractCreate: typeNumber.contractCreateInstance,
  createSchedule: typeNumber.scheduleCreate,
  signSchedule: typeNumber.scheduleSign,
  accountCreate: typeNumber.cryptoCreateAccount,
};

/** Throws StreamFileError. The payer may be missing from the result's transfers: if it gets back what it pays. */
export function assertFit(transactions: readonly Placed[]): void {
  const findParent = createParents(transactions);
  for (const paired of transactions) {
    assertFitsOutputs(paired);
    const id = readTransactionId(paired.transaction);
    if (id) assertFitsId(id, paired, findParent);
  }
}

type Placed = PairedTransaction & { place: number };

/** Finds a transaction by its consensus timestamp; most blocks have no parent to be looked for. */
function createParents(transactions: readonly Placed[]): (timestamp: bigint) => SignedTransaction | null {
  let byTimestamp: Map<bigint, SignedTransaction> | null = null;
  return (timestamp) => {
    byTimestamp ??= new Map(transactions.map((paired) => [paired.result.consensusTimestamp, paired.transaction]));
    return byTimestamp.get(timestamp) ?? null;
  };
}

function assertFitsOutputs({ place, transaction, result, outputs }: Placed): void {
  for (const output of outputs) {
    for (const kind of Object.keys(output) as (keyof BlockMessages['TransactionOutput'])[]) {
      if ((typeOfOutput[kind] ?? transaction.type) === transaction.type) continue;
      throw unpaired(place, `outputs of a transaction of type ${transaction.type}`, `an output of kind ${kind}`);
    }
  }
  // Between the results of a batch only this distinguishes a child from an inner transaction.
  const isCausedAccount = transaction.type === typeNumber.cryptoCreateAccount && result.parentTimestamp !== null;
  if (isCausedAccount && isSuccess(result.status) && !outputs.some(({ accountCreate }) => accountCreate)) {
    throw unpaired(place, 'the id of the account that the transaction created', 'none');
  }
}

/** Field of TransactionBody. */
const transactionIdField = 1;

/** null also if it cannot be decoded: that is reported with the body. */
function readTransactionId(transaction: SignedTransaction): proto.ITransactionID | null {
  const { body } = bodyOf(transaction);
  if (body) return body.transactionID ?? null;
  const bytes = findWireBytes(transaction.bodyBytes, transactionIdField);
  return bytes && tryDecode(proto.TransactionID, bytes);
}

function assertFitsId(
  id: proto.ITransactionID,
  { place, isInner, result }: Placed,
  findParent: (timestamp: bigint) => SignedTransaction | null,
): void {
  const isCaused = (id.nonce ?? 0) !== 0 || id.scheduled === true;
  if (result.parentTimestamp !== null && !isInner && !isCaused) {
    // The transaction that the result names as its cause; null if it is not shown.
    const parent = findParent(result.parentTimestamp);
    const parentId = parent && readTransactionId(parent);
    if (parentId && !isSameSender(id, parentId)) {
      throw unpaired(place, 'the result of a transaction that a client sent', 'one with a parent');
    }
  }
  const { transactionValidStart: start } = id;
  if (isCaused || !start || result.status === responseCode.INVALID_TRANSACTION_START) return;
  if (toTimestamp(start) <= result.consensusTimestamp) return;
  const expected = `a consensus timestamp from ${toTimestamp(start)} on, the valid start`;
  throw unpaired(place, expected, `${result.consensusTimestamp}`);
}

function isSameSender(one: proto.ITransactionID, other: proto.ITransactionID): boolean {
  const [first, second] = [one, other].map(({ accountID, transactionValidStart }) =>
    proto.TransactionID.encode({ accountID, transactionValidStart }).finish(),
  );
  return Buffer.compare(first!, second!) === 0;
}
