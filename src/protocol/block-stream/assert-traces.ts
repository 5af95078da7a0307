// Checks that traces follow the transactions that they belong to. They carry neither id nor time, and the root does not cover
// their order among results: a trace's outermost call is compared with transaction and result.
import { decodeMessage, tryDecode } from '../hapi/decode-message.ts';
import { toEntityId } from '../hapi/entity-id.ts';
import { proto } from '../hapi/hapi.ts';
import { isSuccess } from '../hapi/response-codes.ts';
import { typeNumber } from '../hapi/transaction-types.ts';
import { findWireBytes, noBytes } from '../wire-fields.ts';
import type { PairedTransaction } from './block-sequence.ts';
import { type EvmOutput, findEvmResult } from './contract-output.ts';
import { unpaired } from './fill-slots.ts';

type Placed = PairedTransaction & { place: number };

/** `transactions`: all of a block, in block order. Throws StreamFileError. */
export function assertTraces(transactions: readonly Placed[]): void {
  for (let index = 0; index < transactions.length; index++) {
    const transaction = transactions[index]!;
    if (transaction.traces.length === 0) continue;
    assertKinds(transaction);
    const action = findFirstAction(transaction);
    if (!action) continue;
    assertSameContract(transaction, action);
    const own = findEvidence(transaction, action);
    const better = neighboursWithout(transactions, index).find((other) => {
      const evidence = findEvidence(other, action);
      // A contract created by an Ethereum transaction has the same result twice, and the trace follows the first.
      const isSame = evidence.filter(Boolean).length === own.filter(Boolean).length;
      return fitsBetter(evidence, own) || (isSame && isCauseOf(other, transaction));
    });
    if (better) throw unpaired(transaction.place, 'its own trace', `that of the transaction at item ${better.place}`);
  }
}

const contractTypes: readonly number[] = [
  typeNumber.contractCall,
  typeNumber.contractCreateInstance,
  typeNumber.ethereumTransaction,
];

/** A node writes at most one trace of each kind. */
function assertKinds({ transaction: { type }, traces, outputs, place }: Placed): void {
  const evmTraces = traces.filter(({ evmTraceData }) => evmTraceData);
  const messageTraces = traces.filter(({ submitMessageTraceData }) => submitMessageTraceData);
  if (evmTraces.length > 1 || messageTraces.length > 1) throw unpaired(place, 'one trace of a kind', 'several');
  if (messageTraces.length > 0 && type !== typeNumber.consensusSubmitMessage) {
    throw unpaired(place, `a trace of a transaction of type ${type}`, 'that of a topic message');
  }
  if (evmTraces.length > 0 && !contractTypes.includes(type) && !findEvmResult(outputs)) {
    throw unpaired(place, `a trace of a transaction of type ${type}`, 'that of a contract call');
  }
}

function findTrace({ traces }: Placed) {
  return traces.find(({ evmTraceData }) => evmTraceData)?.evmTraceData ?? null;
}

/** null also if it cannot be decoded: that is reported where the trace is read. */
function findFirstAction(transaction: Placed): proto.IContractAction | null {
  const first = findTrace(transaction)?.contractActions[0];
  const action = first ? tryDecode(proto.ContractAction, first) : null;
  return action && (action.callDepth ?? 0) === 0 ? action : null;
}

function assertSameContract(transaction: Placed, action: proto.IContractAction): void {
  const evm = findEvmResult(transaction.outputs);
  // A hook runs the code of one contract under the number of another.
  if (!evm || evm.result.executedHookId || action.callType !== proto.ContractActionType.CALL) return;
  const [called, named] = [calledContract(action), namedContract(evm)];
  if (called === 0n || named === 0n || called === named) return;
  throw unpaired(transaction.place, `a trace of contract ${named}`, `that of contract ${called}`);
}

function calledContract({ recipientContract }: proto.IContractAction): bigint {
  return recipientContract ? toEntityId(recipientContract) : 0n;
}

function callingAccount({ callingAccount: caller }: proto.IContractAction): bigint {
  return toEntityId(caller);
}

function senderOf({ result: { senderId } }: EvmOutput): bigint {
  return toEntityId(decodeMessage(proto.AccountID, senderId));
}

function namedContract({ result: { contractId } }: EvmOutput): bigint {
  return contractId.length > 0 ? toEntityId(decodeMessage(proto.ContractID, contractId)) : 0n;
}

/** Transactions with an EVM result and without a trace, to which the trace could belong by its order. */
function neighboursWithout(transactions: readonly Placed[], index: number): Placed[] {
  const found: Placed[] = [];
  for (const step of [-1, 1]) {
    for (let at = index + step; ; at += step) {
      const other = transactions[at];
      if (!other || findTrace(other)) break;
      if (findEvmResult(other.outputs)) found.push(other);
    }
  }
  return found;
}

function isCauseOf({ result: { consensusTimestamp } }: Placed, { result: { parentTimestamp } }: Placed): boolean {
  return consensusTimestamp === parentTimestamp;
}

/** Whether caller, contract, call data, kind, outcome and returned data are equal; null: not present on both sides. */
type Evidence = readonly (boolean | null)[];

function findEvidence({ transaction, outputs, result }: Placed, action: proto.IContractAction): Evidence {
  const evm = findEvmResult(outputs);
  if (!evm) return [];
  const isDone = isSuccess(result.status);
  const isCall = transaction.type === typeNumber.contractCall;
  const call = isCall ? findWireBytes(transaction.bodyBytes, contractCallField) : null;
  const sent = call && (findWireBytes(call, functionParametersField) ?? noBytes);
  const [named, called] = [namedContract(evm), calledContract(action)];
  const kind = isCall ? CALL : transaction.type === typeNumber.contractCreateInstance ? CREATE : null;
  const returned = action.output ?? null;
  return [
    evm.result.senderId.length > 0 ? senderOf(evm) === callingAccount(action) : null,
    named !== 0n && called !== 0n ? named === called : null,
    sent ? sent.equals(action.input ?? noBytes) : null,
    kind === null ? null : kind === action.callType,
    isDone === (returned !== null),
    isDone && returned !== null ? evm.result.resultData.equals(returned) : null,
  ];
}

const { CALL, CREATE } = proto.ContractActionType;

/**
 * Whether nothing contradicts the first, and a fact that supports the first contradicts the second. What a result omits
 * contradicts nothing: a failed creation names no contract.
 */
function fitsBetter(one: Evidence, other: Evidence): boolean {
  return !one.includes(false) && one.some((fits, index) => fits && other[index] === false);
}

/** Field of TransactionBody. */
const contractCallField = typeNumber.contractCall;
/** Field of ContractCallTransactionBody. */
const functionParametersField = 4;
