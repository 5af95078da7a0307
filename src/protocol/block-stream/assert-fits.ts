// What a transaction and its result say twice: a second look at pairs that their order has made.
import { tryDecode } from '../hapi/decode-message.ts';
import { proto } from '../hapi/hapi.ts';
import { isSuccess, responseCode } from '../hapi/response-codes.ts';
import { toTimestamp } from '../hapi/timestamp.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import type { StreamFileError } from '../stream-file-error.ts';
import { findWireBytes } from '../wire-fields.ts';
import type { TransactionOutputMessage } from './block-messages.ts';
import { unpaired } from './fill-slots.ts';
import type { PairedTransaction } from './paired-transaction.ts';
import type { SignedTransaction } from './signed-transaction.ts';

/** Outputs that one type of transaction has, and no other. Any type may have called a contract. */
const typeOfOutput: Readonly<Partial<Record<keyof TransactionOutputMessage, number>>> = {
  utilPrng: typeNumber.utilPrng,
  ethereumCall: typeNumber.ethereumTransaction,
  contractCreate: typeNumber.contractCreateInstance,
  createSchedule: typeNumber.scheduleCreate,
  signSchedule: typeNumber.scheduleSign,
  accountCreate: typeNumber.cryptoCreateAccount,
};

/**
 * That nothing contradicts the pair. The payer is not looked for in the transfers of the result: an account that gets back
 * what it pays is in none. Throws StreamFileError.
 */
export function assertFits(paired: PairedTransaction, place: number): void {
  const { transaction, result, outputs } = paired;
  const fail = (expected: string, found: string): StreamFileError => unpaired(place, expected, found);
  for (const output of outputs) {
    for (const kind of Object.keys(output) as (keyof TransactionOutputMessage)[]) {
      if ((typeOfOutput[kind] ?? transaction.type) === transaction.type) continue;
      throw fail(`outputs of a transaction of type ${transaction.type}`, `an output of kind ${kind}`);
    }
  }
  const isAccount = transaction.type === typeNumber.cryptoCreateAccount;
  if (isAccount && isSuccess(result.message.status) && !outputs.some(({ accountCreate }) => accountCreate)) {
    throw fail('the id of the account that the transaction created', 'none');
  }
  const id = readTransactionId(transaction);
  if (id) assertFitsId(id, paired, fail);
}

/** Field of TransactionBody. */
const transactionIdField = 1;

/** null also where it cannot be decoded: that is reported where the body is. */
function readTransactionId({ bodyBytes }: SignedTransaction): proto.ITransactionID | null {
  const bytes = findWireBytes(bodyBytes, transactionIdField);
  return bytes && tryDecode(proto.TransactionID, bytes);
}

type Fail = (expected: string, found: string) => StreamFileError;

function assertFitsId(id: proto.ITransactionID, { isInner, result }: PairedTransaction, fail: Fail): void {
  const isCaused = (id.nonce ?? 0) !== 0 || id.scheduled === true;
  if (result.parentTimestamp !== null && !isInner && !isCaused) {
    throw fail('the result of a transaction that a client sent', 'one with a parent');
  }
  const { transactionValidStart: start } = id;
  if (isCaused || !start || result.message.status === responseCode.INVALID_TRANSACTION_START) return;
  if (toTimestamp(start) <= result.consensusTimestamp) return;
  throw fail(`a consensus timestamp from ${toTimestamp(start)} on, the valid start`, `${result.consensusTimestamp}`);
}
