// What a transaction and its result say twice: a second look at pairs that their order has made.
import { decodeMessage } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto } from '../hapi/hapi.ts';
import { isSuccess, responseCode } from '../hapi/response-codes.ts';
import { toTimestamp } from '../hapi/timestamp.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import { StreamFileError } from '../stream-file-error.ts';
import { findWireBytes } from '../wire-fields.ts';
import type { EvmTraceDataMessage, EvmTransactionResultMessage, TransactionOutputMessage } from './block-messages.ts';
import { findEvmResult } from './evm-result.ts';
import { unpaired } from './fill-slots.ts';
import type { PairedTransaction } from './pair-transactions.ts';
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
  assertTraces(paired, fail);
}

/** Fields of TransactionBody. */
const transactionIdField = 1;
const contractCallField = typeNumber.contractCall;
/** ContractCallTransactionBody */
const functionParametersField = 4;

/** null also where it cannot be decoded: that is reported where the body is. */
function readTransactionId({ bodyBytes }: SignedTransaction): proto.ITransactionID | null {
  const bytes = findWireBytes(bodyBytes, transactionIdField);
  return bytes && attempt(() => decodeMessage(proto.TransactionID, bytes));
}

function attempt<Message>(decode: () => Message): Message | null {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof StreamFileError)) throw error;
    return null;
  }
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

const contractTypes: readonly number[] = [
  typeNumber.contractCall,
  typeNumber.contractCreateInstance,
  typeNumber.ethereumTransaction,
];

/** A node writes one trace of each kind at most. */
function assertTraces({ transaction, traces, outputs, result }: PairedTransaction, fail: Fail): void {
  const evmTraces = traces.flatMap(({ evmTraceData }) => evmTraceData ?? []);
  const messageTraces = traces.filter(({ submitMessageTraceData }) => submitMessageTraceData);
  if (evmTraces.length > 1 || messageTraces.length > 1) throw fail('one trace of a kind', 'several');
  if (messageTraces.length > 0 && transaction.type !== typeNumber.consensusSubmitMessage) {
    throw fail('the trace of this transaction', 'that of a topic message');
  }
  const [trace] = evmTraces;
  if (!trace) return;
  const evm = findEvmResult(outputs);
  if (!evm && !contractTypes.includes(transaction.type)) {
    throw fail('the trace of this transaction', 'that of a contract call');
  }
  if (evm && !evm.result.executedHookId) assertFirstAction({ trace, evm: evm.result, transaction, result }, fail);
}

/** The outermost call of a trace: its contract, what went in and what came out. */
function assertFirstAction(
  {
    trace,
    evm,
    transaction,
    result,
  }: Pick<PairedTransaction, 'transaction' | 'result'> & {
    trace: EvmTraceDataMessage;
    evm: EvmTransactionResultMessage;
  },
  fail: Fail,
): void {
  const action = readFirstAction(trace);
  if (!action || action.callType !== proto.ContractActionType.CALL || (action.callDepth ?? 0) !== 0) return;
  const called = action.recipientContract ? toEntityId(action.recipientContract) : 0n;
  const named = evm.contractId.length > 0 ? toEntityId(decodeMessage(proto.ContractID, evm.contractId)) : 0n;
  if (called !== 0n && named !== 0n && called !== named) throw fail(`a trace of contract ${named}`, `one of ${called}`);
  if (transaction.type !== typeNumber.contractCall) return;
  const call = findWireBytes(transaction.bodyBytes, contractCallField);
  const sent = (call && findWireBytes(call, functionParametersField)) ?? noBytes;
  if (!sent.equals(action.input ?? noBytes)) throw fail('a trace with the call data of the transaction', 'other call data');
  if (!isSuccess(result.message.status) || !action.output) return;
  if (!evm.resultData.equals(action.output)) throw fail('a trace with the result of the call', 'another result');
}

const noBytes = Buffer.alloc(0);

/** null also where it cannot be decoded: that is reported where the trace is read. */
function readFirstAction({ contractActions: [first] }: EvmTraceDataMessage): proto.IContractAction | null {
  return first ? attempt(() => decodeMessage(proto.ContractAction, first)) : null;
}
