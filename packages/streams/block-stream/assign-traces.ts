// The transaction that each trace belongs to. Traces carry neither id nor time, and the root does not cover their order
// among results: counts decide, or a trace's outermost call is compared with transaction and result.
import { tryDecode } from '../../protocol/hapi/decode-message.ts';
import { toEntityIdOrNone } from '../../protocol/hapi/entity-id.ts';
import { decodeEthereumTransaction } from '../../protocol/hapi/ethereum-transaction.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { isSuccess, responseCode } from '../../protocol/hapi/response-codes.ts';
import { isHookContract } from '../../protocol/hapi/system-entity.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { isBadData } from '../../protocol/ledger-value-error.ts';
import { findWireBytes, noBytes } from '../../protocol/wire-fields.ts';
import type { DoubtCounts } from '../stream/doubt.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import type { PairedTransaction } from './block-sequence.ts';
import { type EvmOutput, findEvmResult } from './contract-output.ts';
import type { PlacedTrace } from './fill-slots.ts';
import { findOnly } from './find-only.ts';
import { isCaused, readTransactionId } from './pair-evidence.ts';

type Placed = PairedTransaction;
type Untraced = Omit<Placed, 'traces' | 'stateChanges'>;

/** The trace stands behind the result of this pair, or is the pair's own because of their numbers. */
type Claim = PlacedTrace & {
  pair: Placed;
  /** Its outermost call; null also if it cannot be decoded: that is reported where the trace is read. */
  action: proto.IContractAction | null;
  /** It has no actions, and others of the block have some. */
  isBare: boolean;
};

type Traced = Pick<Claim, 'trace' | 'action' | 'isBare'>;

type AssignOptions = {
  /** Nothing of the block is missing or left out: order and number of its traces say something. */
  isWhole: boolean;
  doubts: DoubtCounts;
};

/**
 * The pairs with their traces, and yet without state changes.
 * @param pairs in block order
 */
export function assignTraces(
  pairs: readonly Untraced[],
  traces: readonly PlacedTrace[],
  { isWhole, doubts }: AssignOptions,
): Placed[] {
  const placed = pairs.map((pair): Placed => ({ ...pair, traces: [], stateChanges: [] }));
  if (traces.length === 0) return placed;
  const byResult = new Map<unknown, Placed>(placed.map((pair) => [pair.result, pair]));
  for (const { field, listCandidates, choose } of traceKinds) {
    const ofKind = traces.filter(({ trace }) => trace[field]);
    if (ofKind.length === 0) continue;
    const behind = new Set(ofKind.map(({ slot }) => byResult.get(slot?.result)));
    const candidates = listCandidates(placed, (pair) => behind.has(pair));
    // Each of them has at most one: as many traces as candidates belong to them in their order.
    const isCounted = isWhole && candidates.length === ofKind.length;
    const withActions = ofKind.map((trace) => ({ ...trace, action: findFirstAction(trace) }));
    const haveActions = withActions.some(({ action }) => action);
    const claims = withActions.flatMap((trace, index): Claim[] => {
      const pair = isCounted ? candidates[index] : byResult.get(trace.slot?.result);
      return pair ? [{ ...trace, pair, isBare: haveActions && !trace.action }] : [];
    });
    const isOrdered = isWhole && claims.length === ofKind.length;
    const chosen = isCounted ? claims.filter(isOfItsContract) : choose(claims, candidates, isOrdered);
    for (const { pair, trace } of chosen) pair.traces.push(trace);
    if (chosen.length === ofKind.length) continue;
    const taken = new Set(chosen.map(({ place }) => place));
    const leftOut = ofKind.filter(({ place }) => !taken.has(place));
    doubts.add('trace', 'traces that may be those of another transaction', {
      count: leftOut.length,
      place: leftOut[0]!.place,
    });
  }
  return placed;
}

type TraceKind = {
  field: 'evmTraceData' | 'submitMessageTraceData';
  /** Pairs that may have such a trace, in block order. `isBefore`: one stands behind it. */
  listCandidates(pairs: readonly Placed[], isBefore: (pair: Placed) => boolean): readonly Placed[];
  /**
   * Those that are certain.
   * @param isOrdered both are whole lists in their order
   */
  choose(claims: readonly Claim[], candidates: readonly Placed[], isOrdered: boolean): readonly Claim[];
};

const contractTypes: readonly number[] = [
  typeNumber.contractCall,
  typeNumber.contractCreateInstance,
  typeNumber.ethereumTransaction,
];

const traceKinds: readonly TraceKind[] = [
  { field: 'evmTraceData', listCandidates: listCalls, choose: chooseCalls },
  {
    field: 'submitMessageTraceData',
    listCandidates: (pairs) => pairs.filter(isMessage),
    // Nothing in it names its message: with one at a wrong place, others may have been moved, too.
    choose: (claims) => (claims.every(({ pair }) => isMessage(pair)) && areOfDifferentPairs(claims) ? claims : []),
  },
];

function isMessage({ transaction, result }: Untraced): boolean {
  return transaction.type === typeNumber.consensusSubmitMessage && isSuccess(result.status);
}

function areOfDifferentPairs(claims: readonly Claim[]): boolean {
  return new Set(claims.map(({ pair }) => pair)).size === claims.length;
}

/** A contract that an Ethereum transaction created has the same result twice, and the trace follows the first. */
function listCalls(pairs: readonly Placed[], isBefore: (pair: Placed) => boolean): Placed[] {
  const creations = new Map<bigint, Buffer>();
  return pairs.filter((pair) => {
    const { outputs, result } = pair;
    const { type } = pair.transaction;
    const evm = findEvmResult(outputs);
    // Without a result the EVM has hardly run.
    if (!evm) return contractTypes.includes(type) && isBefore(pair);
    const { contractId } = evm.result;
    const { parentTimestamp, consensusTimestamp } = result;
    if (evm.isCreate && parentTimestamp !== null && creations.get(parentTimestamp)?.equals(contractId)) return false;
    if (evm.isCreate && type === typeNumber.ethereumTransaction) creations.set(consensusTimestamp, contractId);
    return true;
  });
}

/** Comparisons of the traces of one block with its results. */
const maxComparisons = 1_000_000;

/** Traces that stand where they do, if order and contents leave no other result for them. */
function chooseCalls(claims: readonly Claim[], candidates: readonly Placed[], isOrdered: boolean): readonly Claim[] {
  const only = isOrdered ? findOnly(candidates, claims, mayBeOf) : [];
  if (only.length > 0) return claims.filter(({ pair }, index) => only[index] === pair);
  if (claims.length * candidates.length > maxComparisons) return [];
  const chosen = claims.filter((claim) => {
    if (!findEvidence(claim.pair, claim).includes(true)) return false;
    const fitting = candidates.filter((other) => mayBeOf(other, claim));
    return fitting.length === 1 && fitting[0] === claim.pair;
  });
  return areOfDifferentPairs(chosen) ? chosen : [];
}

function mayBeOf(pair: Placed, trace: Traced): boolean {
  return !findEvidence(pair, trace).includes(false);
}

function findFirstAction({ trace: { evmTraceData } }: PlacedTrace): proto.IContractAction | null {
  const first = evmTraceData?.contractActions[0];
  const action = first ? tryDecode(proto.ContractAction, first) : null;
  return action && (action.callDepth ?? 0) === 0 ? action : null;
}

function isOfItsContract({ pair, action }: Claim): boolean {
  const evm = findEvmResult(pair.outputs);
  // A hook runs the code of one contract under the number of another.
  if (!action || !evm || evm.result.executedHookId || action.callType !== CALL) return true;
  const [called, named] = [calledContract(action), namedContract(evm)];
  return called === 0n || named === 0n || called === named;
}

function calledContract({ recipientContract }: proto.IContractAction): bigint {
  return recipientContract ? toEntityIdOrNone(recipientContract) : 0n;
}

function callingAccount({ callingAccount: caller }: proto.IContractAction): bigint {
  return toEntityIdOrNone(caller);
}

type IdType = typeof proto.AccountID | typeof proto.ContractID;

function toIdOrNone(type: IdType, bytes: Buffer): bigint {
  return toEntityIdOrNone(tryDecode<proto.IAccountID | proto.IContractID>(type, bytes));
}

function senderOf({ result: { senderId } }: EvmOutput): bigint {
  return toIdOrNone(proto.AccountID, senderId);
}

function namedContract({ result: { contractId } }: EvmOutput): bigint {
  return contractId.length > 0 ? toIdOrNone(proto.ContractID, contractId) : 0n;
}

/** What of the trace and of the result agrees, fact by fact; null: it is not present on both sides. */
type Evidence = readonly (boolean | null)[];

function findEvidence(pair: Placed, { trace, action, isBare }: Traced): Evidence {
  const evm = findEvmResult(pair.outputs);
  const { contractId: initialized = noBytes } = trace.evmTraceData?.executedInitcode ?? {};
  const isMade = evm && initialized.length > 0 ? hasMade(evm, initialized) : null;
  const facts = [isMade, ...compareEffects(pair, evm, trace.evmTraceData)];
  if (action) return [...facts, ...compareCall(pair, evm, action)];
  // Nodes record the actions of what a client called, or of nothing.
  return [...facts, isBare && isOfClient(pair) ? false : null];
}

/**
 * Whether the contract is the one that was created, or of those that a call created; null: a creation that names none.
 */
function hasMade({ isCreate, result, createdContracts }: EvmOutput, contractId: Buffer): boolean | null {
  if (isCreate) return result.contractId.length > 0 ? result.contractId.equals(contractId) : null;
  const counted = result.contractNonces.map((nonce) => tryFind(nonce, contractIdField));
  return [...(createdContracts ?? []), ...counted].some((one) => one?.equals(contractId));
}

function tryFind(message: Buffer, field: number): Buffer | null {
  try {
    return findWireBytes(message, field);
  } catch (error) {
    if (isBadData(error)) return null;
    throw error;
  }
}

function isOfClient({ result }: Placed): boolean {
  return result.parentTimestamp === null;
}

/** A hook's storage is that of its hook alone, and what a client's call changed is undone if it fails. */
function compareEffects(
  pair: Placed,
  evm: EvmOutput | null,
  trace: BlockMessages['EvmTraceData'] | null | undefined,
): Evidence {
  const usages = trace?.contractSlotUsages ?? [];
  const isOfHook = usages.some(({ contractId }) => isHookContract(toIdOrNone(proto.ContractID, contractId)));
  const hasEffects =
    (trace?.logs ?? []).length > 0 || usages.some(({ writtenSlotKeys }) => writtenSlotKeys?.keys.length);
  return [
    isOfHook ? Boolean(evm?.result.executedHookId) : null,
    hasEffects && isOfClient(pair) && !isSuccess(pair.result.status) ? false : null,
  ];
}

function compareCall(
  { transaction, result }: Placed,
  evm: EvmOutput | null,
  action: proto.IContractAction,
): readonly (boolean | null)[] {
  const isDone = isSuccess(result.status);
  const returned = action.output ?? null;
  const outcome = isDone === (returned !== null);
  if (!evm) return [outcome];
  const isCall = transaction.type === typeNumber.contractCall;
  // A hook runs the code of one contract under the number of another.
  const isHook = evm.result.executedHookId !== null;
  const [named, called] = [namedContract(evm), calledContract(action)];
  const kind = isCall ? CALL : transaction.type === typeNumber.contractCreateInstance ? CREATE : null;
  const sent = sentData(transaction);
  const caller = evm.result.senderId.length > 0 ? senderOf(evm) : payerOfCall(transaction);
  return [
    outcome,
    caller === 0n ? null : caller === callingAccount(action),
    named !== 0n && called !== 0n && !isHook ? named === called : null,
    sent ? sent.equals(action.input ?? noBytes) : null,
    kind === null ? null : kind === action.callType,
    isDone && returned !== null ? evm.result.resultData.equals(returned) : null,
    result.parentTimestamp === null && !isHook && action.revertReason
      ? result.status === responseCode.CONTRACT_REVERT_EXECUTED
      : null,
  ];
}

/** Of a call or a creation that a client sent; 0n for others, and without a number. */
function payerOfCall(transaction: Placed['transaction']): bigint {
  const isOfPayer =
    transaction.type === typeNumber.contractCall || transaction.type === typeNumber.contractCreateInstance;
  const id = isOfPayer ? readTransactionId(transaction) : null;
  return id && !isCaused(id) ? toEntityIdOrNone(id.accountID) : 0n;
}

/** What a call has sent; null for a creation, what stands elsewhere, or cannot be read. */
function sentData(transaction: Placed['transaction']): Buffer | null {
  try {
    if (transaction.type === typeNumber.ethereumTransaction) return sentByEthereum(transaction);
    const isCall = transaction.type === typeNumber.contractCall;
    const call = isCall ? findWireBytes(transaction.bodyBytes, typeNumber.contractCall) : null;
    return call && (findWireBytes(call, functionParametersField) ?? noBytes);
  } catch (error) {
    if (isBadData(error)) return null;
    throw error;
  }
}

function sentByEthereum({ bodyBytes }: Placed['transaction']): Buffer | null {
  const body = findWireBytes(bodyBytes, typeNumber.ethereumTransaction);
  const data = body && findWireBytes(body, ethereumDataField);
  // Large data is in a file.
  if (!body || !data || findWireBytes(body, callDataFileField)) return null;
  const sent = decodeEthereumTransaction(data);
  return sent.toAddress.length > 0 ? sent.callData : null;
}

const { CALL, CREATE } = proto.ContractActionType;

/** Field of ContractNonceInfo. */
const contractIdField = 1;
/** Fields of ContractCallTransactionBody and EthereumTransactionBody. */
const functionParametersField = 4;
const ethereumDataField = 1;
const callDataFileField = 2;
