// Traces of executions: the calls inside of a transaction as the network recorded them, in the shape of geth's
// callTracer; opcodes, and the state before, by running the transaction again.
import { gunzipSync } from 'node:zlib';
import { anyRange } from '../../../../packages/kit/range.ts';
import { isSuccess, responseCodeName } from '../../../../packages/protocol/hapi/response-codes.ts';
import { wasRun } from '../../../calls/rerun/compare-run.ts';
import type { RpcTraceOptions } from '../../../calls/trace/open-trace.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock, textOfBlock } from '../reading/find-block.ts';
import { optional } from '../reading/kind.ts';
import { type BlockReference, blockHash, blockNumber, tracerOptions, transactionHash } from '../reading/kinds.ts';
import { about, alone, LongResult, type Method, method } from '../reading/method.ts';
import { addressOf, type KnownAddresses } from '../shapes/address.ts';
import type { RpcLog } from '../shapes/log.ts';
import { errorMessageOf, reasonOf } from '../shapes/receipt.ts';
import { type ResultRow, receiverOf, senderOf, weibarOf } from '../shapes/transaction.ts';
import { hex, quantity, weibarPerTinybar } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { readAddresses, readTransactions } from './block-contents.ts';
import { findLogs, findResult } from './transaction-methods.ts';

type Options = NonNullable<ReturnType<typeof tracerOptions.read>>;

const actionMembers = [
  ...(['callDepth', 'callOperationType', 'caller', 'gas', 'gasUsed', 'input', 'index', 'recipientAccount'] as const),
  ...(['recipientAddress', 'recipientContract', 'resultData', 'resultDataType', 'value'] as const),
] as const;
const maxActions = 10_000;
const operations = ['UNKNOWN', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'];
const create = operations.indexOf('CREATE');

async function traceTransaction(context: RpcContext, hash: Buffer, options: Options = {}): Promise<unknown> {
  const { ledger, machine } = context;
  const { tracer = 'opcodeLogger' } = options;
  const isTopOnly = options.tracerConfig?.onlyTopCall === true;
  const row = await findResult(ledger, hash);
  if (!row) {
    const { logs } = await findLogs(ledger, hash);
    if (logs[0]) return tracer === 'callTracer' ? traceOfLog(ledger, logs[0]) : nothingRan[tracer];
    throw rpcError.notFound(`Failed to retrieve transaction information for 0x${hash.toString('hex')}`);
  }
  if (tracer === 'callTracer') return traceCalls(ledger, row, isTopOnly);
  if (!wasRun(row)) return nothingRan[tracer];
  machine.enterTrace();
  const shown = tracer === 'prestateTracer' ? { form: 'prestate' as const, isTopOnly } : toStructLogs(options);
  return new LongResult((head, tail) => machine.trace(row, { ...shown, head, tail } as RpcTraceOptions));
}

/** Of a transaction that the network refused, or that is none of a contract. */
const nothingRan = { opcodeLogger: { gas: 0, failed: false, returnValue: '', structLogs: [] }, prestateTracer: {} };

/** Members beside `tracer` count as those of `tracerConfig`, as geth has them. */
function toStructLogs({ tracerConfig, ...beside }: Options) {
  const { enableMemory, disableStack, disableStorage } = { ...tracerConfig, ...beside };
  const shown = { memory: enableMemory === true, stack: disableStack !== true, storage: disableStorage !== true };
  return { form: 'structLogs' as const, ...shown };
}

async function traceBlock(context: RpcContext, reference: BlockReference, options: Options = {}): Promise<unknown> {
  const { ledger } = context;
  const { tracer = 'callTracer' } = options;
  if (tracer === 'opcodeLogger') throw rpcError.unsupportedMethod();
  const block = await findBlock(ledger, reference);
  if (!block) throw rpcError.notFound(`Block ${textOfBlock(reference)} not found`);
  const isTopOnly = options.tracerConfig?.onlyTopCall === true;
  const transactions = await readTransactions(ledger, block, { isWhole: true });
  const prestates = tracer === 'prestateTracer' ? createPrestates(context, transactions, isTopOnly) : null;
  const traces: { txHash: string; result: unknown }[] = [];
  for (const { hash, row, logs } of transactions) {
    const ofCalls = () => (row ? traceCalls(ledger, row, isTopOnly) : traceOfLog(ledger, logs[0]!));
    traces.push({ txHash: hash, result: await (prestates ? prestates(row) : ofCalls()) });
  }
  return traces;
}

type Transactions = Awaited<ReturnType<typeof readTransactions>>;

/**
 * One block counts as one trace of a second, so its transactions, its time and its text are bounded. Throws RpcError.
 */
function createPrestates({ ledger, machine }: RpcContext, transactions: Transactions, isTopOnly: boolean) {
  if (transactions.filter(({ row }) => row).length > maxReruns) throw rpcError.tooManyReruns(maxReruns);
  machine.enterTrace();
  const until = performance.now() + maxRerunMs;
  let bytes = 0;
  return async (row: Transactions[number]['row']): Promise<unknown> => {
    if (!row?.transactionHash || !row.gasUsed) return nothingRan.prestateTracer;
    if (performance.now() > until) throw rpcError.busy();
    const result = await findResult(ledger, row.transactionHash.subarray(0, 32));
    if (!result || !wasRun(result)) return nothingRan.prestateTracer;
    const trace = gunzipSync(await machine.trace(result, { form: 'prestate', isTopOnly, head: '', tail: '' }));
    bytes += trace.length;
    if (bytes > maxPrestateBytes)
      throw rpcError.failedSimulation('The states before are too long; trace its transactions');
    return JSON.parse(trace.toString());
  };
}

/** Of one block. */
const maxReruns = 100;
const maxRerunMs = 10_000;
const maxPrestateBytes = 64 * 2 ** 20;

/**
 * The first call is the transaction itself; the others stand in one list in the order in which they began, as at the
 * relay.
 */
async function traceCalls(ledger: Ledger, row: ResultRow, isTopOnly: boolean) {
  const found = await ledger.contractResults.listActions({
    execution: { kind: 'hash', hash: (row.transactionHash ?? Buffer.alloc(0)).subarray(0, 32) },
    ...{ index: anyRange, order: 'asc', limit: maxActions + 1, members: actionMembers },
  });
  const [first, ...inner] = found?.items ?? [];
  if (inner.length >= maxActions) throw rpcError.tooManyActions(maxActions);
  const own = await readAddresses(ledger, [row]);
  const [from, to] = [senderOf(row, own), receiverOf(row, own)];
  const result = responseCodeName(row.transactionResult);
  if (!first) {
    const output = hex(Buffer.from(result));
    return { ...emptyTrace(from, to), error: result, revertReason: result, output };
  }
  const failed = isSuccess(row.transactionResult)
    ? null
    : { error: result, revertReason: readReason(errorMessageOf(row)) };
  const isCut = isTopOnly || inner.length === 0;
  return {
    type: operations[first.callOperationType ?? 0] ?? 'UNKNOWN',
    from,
    to: to ?? (row.contractId === 0n ? null : addressOf(row.evmAddress, row.contractId)),
    value: weibarOf(row),
    gas: quantity(row.gasLimit),
    gasUsed: quantity(row.gasUsed),
    input: hex(row.functionParameters),
    output: failed ? (reasonOf(row) ?? hex(row.callResult)) : hex(row.callResult),
    ...failed,
    calls: isCut ? [] : await toCalls(ledger, inner),
  };
}

type Action = NonNullable<Awaited<ReturnType<Ledger['contractResults']['listActions']>>>['items'][number];
type ReadAction = Pick<Action, (typeof actionMembers)[number]>;

async function toCalls(ledger: Ledger, actions: readonly ReadAction[]) {
  const ids = new Set(actions.flatMap((action) => [action.caller, recipientOf(action)]).filter((id) => id !== null));
  const [addresses, initcodes] = await Promise.all([
    ledger.chain.addresses([...ids]),
    readInitcodes(ledger, actions.filter(isCreation)),
  ]);
  return actions.map((action) => ({
    type: operations[action.callOperationType ?? 0] ?? 'UNKNOWN',
    from: action.caller === null ? null : addressOf(addresses.get(action.caller), action.caller),
    to: calledAddress(action, addresses),
    gas: quantity(action.gas),
    gasUsed: quantity(action.gasUsed),
    input: hex(initcodes.get(action) ?? action.input),
    output: hex(action.resultData),
    value: quantity(action.value * weibarPerTinybar),
  }));
}

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
async function traceOfLog({ chain }: Ledger, { address, topics }: RpcLog) {
  const [, from, to] = topics;
  if (!from || !to) return emptyTrace(address, address);
  const named = [from, to].map((topic) => Buffer.from(topic.slice(-40), 'hex'));
  const ids = named.map((one) => chain.idOf(one));
  const own = await chain.addresses(ids.filter((id) => id !== null));
  const [giver, receiver] = named.map((one, at) => hex((ids[at] != null && own.get(ids[at])) || one));
  return emptyTrace(giver!, receiver!);
}

/** Nothing ran. */
function emptyTrace(from: string, to: string | null) {
  const nothing = { gasUsed: '0x0', value: '0x0', input: '0x', output: '0x', calls: [] };
  return { type: to === null ? 'CREATE' : 'CALL', from, to, gas: quantity(400_000n), ...nothing };
}

export const traceMethods: Readonly<Record<string, Method>> = {
  debug_traceTransaction: about(
    ['hash of a transaction', 'tracer and its options, optional'],
    'the trace; without a tracer opcodes. See Traces',
    alone(method([transactionHash, optional(tracerOptions)], traceTransaction)),
  ),
  debug_traceBlockByNumber: about(
    ['number or tag', 'tracer and its options, optional'],
    'a trace of each transaction; without a tracer calls. See Traces',
    alone(method([blockNumber, optional(tracerOptions)], traceBlock)),
  ),
  debug_traceBlockByHash: about(
    ['hash of a block', 'tracer and its options, optional'],
    'a trace of each transaction; without a tracer calls. See Traces',
    alone(method([blockHash, optional(tracerOptions)], traceBlock)),
  ),
};
