// The calls inside of a transaction as the network recorded them, in the shape of geth's callTracer. Which call a log
// belongs to the record does not say: where there is more than one call, the transaction is run again.
import { anyRange } from '../../../../packages/kit/range.ts';
import { isSuccess, responseCodeName } from '../../../../packages/protocol/hapi/response-codes.ts';
import type { TracedCalls } from '../../../calls/trace/trace-calls.ts';
import type { ContractResultDetail } from '../../../ledger/contracts/create-contract-results.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { addressOf, type KnownAddresses } from '../shapes/address.ts';
import { type CallFrame, placeLog, toEnd, toRoot } from '../shapes/call-tree.ts';
import { type RpcLog, toLog } from '../shapes/log.ts';
import { errorMessageOf, reasonOf } from '../shapes/receipt.ts';
import { inputOf, type ResultRow, receiverOf, senderOf, weibarOf } from '../shapes/transaction.ts';
import { hex, quantity, weibarPerTinybar } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { readAddresses, readCreationCodes } from './block-contents.ts';
import { createTraceBudget, maxCalls, type TraceBudget } from './trace-budget.ts';

const actionMembers = [
  ...(['callDepth', 'callOperationType', 'caller', 'gas', 'gasUsed', 'input', 'index', 'recipientAccount'] as const),
  ...(['recipientAddress', 'recipientContract', 'resultData', 'resultDataType', 'value'] as const),
] as const;
const operations = ['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'];
const create = operations.indexOf('CREATE');

export type Recorded = {
  calls: CallFrame[];
  depths: number[];
};

export async function traceCalls(
  ledger: Ledger,
  row: ResultRow,
  isTopOnly: boolean,
  budget = createTraceBudget(),
): Promise<CallFrame> {
  const { calls, depths } = await readCalls(ledger, row, { isTopOnly, budget });
  return toRoot(calls, depths, { isTopOnly, logs: [] });
}

/**
 * `detail`: with logs that stayed; null = there are none, or none are asked for. `rerun`: the calls of the same
 * transaction, run again; it agrees with what the ledger says of its end.
 */
export async function traceCallsWithLogs(
  { calls, depths }: Recorded,
  detail: ContractResultDetail | null,
  { isTopOnly, rerun }: { isTopOnly: boolean; rerun: () => Promise<TracedCalls> },
): Promise<CallFrame> {
  const logs = detail?.logs.map((log) => toLog(log, detail)) ?? [];
  const places = logs.length > 0 && calls.length > 1 ? placesOf({ calls, depths }, await rerun()) : null;
  const placed = logs.map((log, at) => {
    const { call, position } = places?.[at] ?? outermost;
    return { call, log: placeLog(log, log.logIndex, { position }) };
  });
  const shown = isTopOnly ? placed.filter(({ call }) => call === 0) : placed;
  return toRoot(calls, depths, { isTopOnly, logs: shown });
}

const outermost = { call: 0, position: 0 };

/** Throws RpcError where the calls are not those of the record, so that a place means another call. */
function placesOf({ calls, depths }: Recorded, rerun: TracedCalls): TracedCalls['logs'] {
  const isSame = ({ type, depth }: TracedCalls['calls'][number], at: number) =>
    depth === depths[at] && type === calls[at]?.type;
  if (rerun.calls.length !== calls.length || !rerun.calls.every(isSame)) throw rpcError.otherRun('calls');
  return rerun.logs;
}

/** The first call is the transaction itself, with what it says of it; the others as they were recorded. */
export async function readCalls(
  ledger: Ledger,
  row: ResultRow,
  { isTopOnly, budget }: { isTopOnly: boolean; budget: TraceBudget },
): Promise<Recorded> {
  const [first, ...inner] = await readActions(ledger, row, { isTopOnly, budget });
  const [own, codes] = await Promise.all([readAddresses(ledger, [row]), readCreationCodes(ledger, [row])]);
  const [from, to] = [senderOf(row, own), receiverOf(row, own)];
  const result = responseCodeName(row.transactionResult);
  const hasFailed = !isSuccess(row.transactionResult);
  if (!first && hasFailed) {
    const output = hex(Buffer.from(result));
    return { calls: [{ ...emptyTrace(from, to), error: result, revertReason: result, output }], depths: [0] };
  }
  const root: CallFrame = {
    type: operations[first?.callOperationType ?? 0] ?? 'UNKNOWN',
    from,
    to: to ?? (row.contractId === 0n ? null : addressOf(row.evmAddress, row.contractId)),
    value: weibarOf(row),
    gas: quantity(row.gasLimit),
    gasUsed: quantity(row.gasUsed),
    input: inputOf(row, codes),
    output: hasFailed ? (reasonOf(row) ?? hex(row.callResult)) : hex(row.callResult),
    ...(hasFailed ? { error: result, revertReason: readReason(errorMessageOf(row)) } : {}),
  };
  const calls = inner.length === 0 ? [] : await toCalls(ledger, inner, budget);
  const depths = [0, ...inner.map(({ callDepth }) => callDepth)];
  return { calls: fromContexts([root, ...calls], depths), depths };
}

/**
 * Who calls is, as in Ethereum's traces, the account that has the storage and pays the value; recorded is the contract
 * whose code makes the call, which code that is borrowed (DELEGATECALL) has another of.
 */
function fromContexts(calls: CallFrame[], depths: readonly number[]): CallFrame[] {
  const open: { depth: number; account: string | null }[] = [];
  for (const [at, call] of calls.entries()) {
    while (open.length > 0 && open.at(-1)!.depth >= depths[at]!) open.pop();
    const caller = open.at(-1)?.account ?? null;
    if (caller !== null) call.from = caller;
    open.push({ depth: depths[at]!, account: borrowing.has(call.type) ? caller : call.to });
  }
  return calls;
}

const borrowing: ReadonlySet<string> = new Set(['DELEGATECALL', 'CALLCODE']);

/** In pages, so that no more is read than an answer may hold. Throws RpcError for more. */
async function readActions(
  ledger: Ledger,
  row: ResultRow,
  { isTopOnly, budget }: { isTopOnly: boolean; budget: TraceBudget },
): Promise<ReadAction[]> {
  const hash = (row.transactionHash ?? Buffer.alloc(0)).subarray(0, 32);
  const actions: ReadAction[] = [];
  const limit = isTopOnly ? 1 : actionsOfPage;
  for (;;) {
    const from = BigInt((actions.at(-1)?.index ?? -1) + 1);
    const found = await ledger.contractResults.listActions({
      ...{ execution: { kind: 'hash', hash }, index: { ...anyRange, from } },
      ...{ order: 'asc', limit, members: actionMembers },
    });
    const read = found?.items ?? [];
    for (const { input, resultData } of read)
      budget.take(bytesOfCall + (input?.length ?? 0) + (resultData?.length ?? 0));
    actions.push(...read);
    if (actions.length > maxCalls) throw rpcError.tooManyActions(maxCalls);
    if (isTopOnly || read.length < limit) return actions;
  }
}

const actionsOfPage = 250;
/** What stands around its data. */
const bytesOfCall = 250;

type Action = NonNullable<Awaited<ReturnType<Ledger['contractResults']['listActions']>>>['items'][number];
type ReadAction = Pick<Action, (typeof actionMembers)[number]>;

async function toCalls(ledger: Ledger, actions: readonly ReadAction[], budget: TraceBudget): Promise<CallFrame[]> {
  const ids = new Set(actions.flatMap((action) => [action.caller, recipientOf(action)]).filter((id) => id !== null));
  const [addresses, initcodes] = await Promise.all([
    ledger.chain.addresses([...ids]),
    readInitcodes(ledger, actions.filter(isCreation)),
  ]);
  for (const action of actions) budget.take(initcodes.get(action)?.length ?? 0);
  return actions.map((action) => ({
    type: operations[action.callOperationType ?? 0] ?? 'UNKNOWN',
    from: action.caller === null ? null : addressOf(addresses.get(action.caller), action.caller),
    to: calledAddress(action, addresses),
    gas: quantity(action.gas),
    gasUsed: quantity(action.gasUsed),
    input: hex(initcodes.get(action) ?? action.input),
    value: quantity(action.value * weibarPerTinybar),
    ...toEnd(resultKinds.get(action.resultDataType) ?? 'output', action.resultData ?? Buffer.alloc(0)),
  }));
}

/** Numbers of ContractAction.result_data. */
const resultKinds: ReadonlyMap<number | null, 'revert' | 'error'> = new Map([
  [12, 'revert'],
  [13, 'error'],
]);

/** What a contract was made with is not in the record of the call that made it. */
function isCreation({ callOperationType, input }: ReadAction): boolean {
  return (callOperationType ?? 0) >= create && !input?.length;
}

async function readInitcodes({ chain }: Ledger, creations: readonly ReadAction[]): Promise<Map<ReadAction, Buffer>> {
  const made = new Map<ReadAction, bigint>();
  for (const action of creations) {
    const { recipientAddress: at } = action;
    const id = recipientOf(action) ?? (at && (await chain.entityAt(at))?.id);
    if (id != null) made.set(action, id);
  }
  const initcodes = await chain.initcodes([...new Set(made.values())]);
  return new Map([...made].flatMap(([action, id]) => (initcodes.has(id) ? [[action, initcodes.get(id)!]] : [])));
}

function recipientOf({ recipientAccount, recipientContract }: ReadAction): bigint | null {
  return recipientAccount ?? recipientContract;
}

function calledAddress(action: ReadAction, addresses: KnownAddresses): string | null {
  if (action.recipientAddress) return `0x${action.recipientAddress.toString('hex').padStart(40, '0')}`;
  const id = recipientOf(action);
  return id === null ? null : addressOf(addresses.get(id), id);
}

/** The text of `Error(string)`, or the message as it is. */
function readReason(message: string | null): string {
  if (message === null || !message.startsWith('0x')) return message ?? '';
  const bytes = Buffer.from(message.slice(2), 'hex');
  const length = bytes.length >= 68 ? Number(BigInt(`0x${bytes.toString('hex', 36, 68)}`)) : 0;
  return bytes.toString('utf8', 68, Math.min(bytes.length, 68 + length));
}

/** A transfer's topics name giver and receiver by their numbers. */
export async function traceOfLog({ chain }: Ledger, { address, topics }: RpcLog): Promise<CallFrame> {
  const [, from, to] = topics;
  if (!from || !to) return emptyTrace(address, address);
  const named = [from, to].map((topic) => Buffer.from(topic.slice(-40), 'hex'));
  const ids = named.map((one) => chain.idOf(one));
  const own = await chain.addresses(ids.filter((id) => id !== null));
  const [giver, receiver] = named.map((one, at) => hex((ids[at] != null && own.get(ids[at])) || one));
  return emptyTrace(giver!, receiver!);
}

/** Nothing ran. */
function emptyTrace(from: string, to: string | null): CallFrame {
  const nothing = { gasUsed: '0x0', value: '0x0', input: '0x', output: '0x', calls: [] };
  return { type: to === null ? 'CREATE' : 'CALL', from, to, gas: quantity(400_000n), ...nothing };
}
