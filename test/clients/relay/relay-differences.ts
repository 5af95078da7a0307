// Where the mirror's own JSON-RPC differs from the relay, and why (docs/reference/json-rpc.md).
import type { RelayRequest } from './relay-requests.ts';

export type Answer = { status: number; body: unknown };

// biome-ignore lint/suspicious/noExplicitAny: what another program answers.
type Json = any;
type Difference = { method: string; path: string; relay: Json; own: Json };
type Rule = { why: string; is(difference: Difference): boolean };

const why = {
  refused: 'what was refused before it ran is in no block; the relay waits for it to become part of one',
  price: 'prices are weibar; the relay takes the tinybar of REST, and their average for the block',
  synthetic: 'a token transfer is of type 0, by its place as by its hash',
  creation: 'a creation has no receiver, in its block as by its hash',
  bloom: "a block's bloom has the logs of token transfers, too",
  reason: 'a revert without a reason is 0x; the relay writes the text "0x" as bytes',
  authorizations: 'the list of EIP-7702 is not in REST, which the relay reads',
  balance: 'balances are those at the end of the block, by all transfers since',
  nonce: 'nonces are those at the end of the block, of its newest ones, too',
  noBlock: 'there is no such block; the relay takes the newest nonce, or fails',
  codeByHash: 'code is found by the hash of a block too',
  deleted: 'what is deleted has no code',
  opcodes: 'opcodes with the state before each, the outermost call at depth 1',
  states: 'states are those before the transaction, of all that it met, in weibar',
  readonly: 'the text names a setting of this program',
  name: 'the name of this program',
  readable: 'the text shows the value as JSON, and never more than 200 characters of it',
  random: 'ids are random',
  lenient: 'clients send it: what geth takes is taken',
  everywhere: 'blocks have no opcodes: that is said; the relay answers with an empty list',
  receiver: 'the error of the relay itself; its check of parameters comes before it',
  spec: 'as JSON-RPC 2.0 has it: what is JSON is no parse error, what is empty is one',
  empty: 'a number needs digits',
  digits: 'half a byte is a byte',
  cost: 'traces of a block are refused in a batch by hash as by number',
  topics: 'there are four topics',
  state: 'the state that a call sees is read',
};

const isError = ({ relay, own }: Difference, ofRelay: number | null, ofOwn: number | null): boolean =>
  (relay?.error?.code ?? null) === ofRelay && (own?.error?.code ?? null) === ofOwn;
const weibar = 10n ** 10n;
const isTinybar = ({ relay, own }: Difference): boolean =>
  /^0x/.test(relay) && /^0x/.test(own) && BigInt(relay) * weibar === BigInt(own);
const whole = ({ path }: Difference): boolean => path === '';

const rules: readonly Rule[] = [
  { why: why.refused, is: (one) => whole(one) && isError(one, -32015, null) },
  { why: why.refused, is: (one) => whole(one) && isError(one, -32003, null) && one.own?.result === null },
  { why: why.refused, is: ({ path, relay, own }) => path === '.failed' && relay === true && own === false },
  // A receipt or transaction that only the relay has, at no index.
  { why: why.refused, is: ({ path, relay, own }) => /\[\w+\]$/.test(path) && own === undefined && relay !== undefined },
  // It counts on from what is in no block.
  {
    why: why.refused,
    is: ({ method, path }) => method === 'eth_getBlockReceipts' && path.endsWith('.cumulativeGasUsed'),
  },
  { why: why.price, is: (one) => one.path.endsWith('.gasPrice') && isTinybar(one) },
  { why: why.price, is: ({ path }) => path === '.baseFeePerGas' },
  { why: why.creation, is: ({ path, relay, own }) => path.endsWith('.to') && /^0x/.test(relay) && own === null },
  {
    why: why.bloom,
    is: ({ path, relay, own }) => path === '.logsBloom' && (BigInt(relay) & BigInt(own)) === BigInt(relay),
  },
  {
    why: why.synthetic,
    is: ({ method, path, relay, own }) =>
      method.endsWith('AndIndex') &&
      (path === '.type'
        ? relay === '0x2' && own === '0x0'
        : own === undefined && ['"0x0"', '[]'].includes(text(relay))),
  },
  {
    why: why.reason,
    is: ({ path, relay, own }) => path.endsWith('.revertReason') && relay === '0x3078' && own === '0x',
  },
  {
    why: why.authorizations,
    is: ({ path, relay, own }) => /\.authorizationList\.\d+$/.test(path) && relay === undefined && own !== undefined,
  },
  { why: why.balance, is: ({ method, path }) => method === 'eth_getBalance' && path === '' },
  {
    why: why.nonce,
    is: (one) => one.method === 'eth_getTransactionCount' && isError(one, null, null) && /^0x/.test(one.own?.result),
  },
  {
    why: why.noBlock,
    is: (one) => one.method === 'eth_getTransactionCount' && one.own?.error?.code === -39012,
  },
  { why: why.noBlock, is: (one) => one.method === 'eth_getBalance' && isError(one, -32603, -32001) },
  { why: why.codeByHash, is: (one) => one.method === 'eth_getCode' && isError(one, -39012, null) },
  { why: why.deleted, is: (one) => one.method === 'eth_getCode' && one.own?.result === '0x' },
  { why: why.readonly, is: (one) => one.method === 'eth_sendRawTransaction' && isError(one, -32610, -32610) },
  { why: why.name, is: ({ method }) => method === 'web3_clientVersion' },
  {
    why: why.readable,
    is: (one) =>
      isError(one, -32602, -32602) &&
      /valid: (?:\[|\{|\. )|…/.test(one.own?.error?.message + one.relay?.error?.message),
  },
  { why: why.state, is: (one) => one.method === 'eth_call' && /StateOverride/.test(one.own?.error?.message) },
  { why: why.random, is: ({ method, relay }) => method === 'eth_newFilter' && /^0x\w{20}/.test(relay?.result) },
  { why: why.everywhere, is: (one) => one.method === 'debug_traceBlockByNumber' && isError(one, null, -32601) },
  { why: why.lenient, is: (one) => /^(debug_trace|eth_getLogs)/.test(one.method) && isError(one, -32602, null) },
  {
    why: why.lenient,
    is: ({ method, relay, own }) => method === 'eth_getLogs' && relay === undefined && own !== undefined,
  },
  { why: why.lenient, is: (one) => one.method === 'eth_call' && /requireCanonical/.test(one.relay?.error?.message) },
  { why: why.lenient, is: (one) => /TracerConfig/.test(one.relay?.error?.message) && isError(one, -32602, -32602) },
  { why: why.topics, is: (one) => one.method === 'eth_getLogs' && isError(one, null, -32602) },
  { why: why.receiver, is: (one) => isError(one, -32602, -32012) },
  { why: why.spec, is: (one) => one.method === '' && (isError(one, -32700, -32600) || isError(one, -32600, -32700)) },
  { why: why.empty, is: (one) => /AndIndex$|feeHistory/.test(one.method) && one.own?.error?.code === -32602 },
  { why: why.digits, is: (one) => one.method === 'web3_sha3' && isError(one, -32603, null) },
  {
    why: why.cost,
    is: ({ method, path, own }) => method === 'batch' && /^\.8\./.test(path) && /-32007|not permitted/.test(text(own)),
  },
];

/** Lists of transactions are compared by their hashes: the relay has transfers of tokens last. null = not known why. */
export function explain({ body }: RelayRequest, relay: Answer, own: Answer): readonly string[] | null {
  const method = Array.isArray(body) ? 'batch' : String((body as { method?: unknown } | null)?.method ?? '');
  if (/^debug_trace/.test(method) && isTraceOf(body, 'opcodeLogger') && isResult(relay) && isResult(own))
    return explainOpcodes(relay, own);
  if (/^debug_trace/.test(method) && isTraceOf(body, 'prestateTracer') && isResult(relay) && isResult(own))
    return [why.states];
  const reasons = new Set<string>();
  for (const difference of differences(method, relay, own)) {
    const rule = rules.find(({ is }) => is(difference));
    if (!rule) return null;
    reasons.add(rule.why);
  }
  return reasons.size === 0
    ? ['transactions of a block stand in the order of their index; the relay has transfers of tokens last']
    : [...reasons];
}

const isResult = ({ body }: Answer): boolean => (body as Json)?.result !== undefined;

function isTraceOf(body: Json, tracer: string): boolean {
  const ofBlock = body.method !== 'debug_traceTransaction';
  return (body.params?.[1]?.tracer ?? (ofBlock ? 'callTracer' : 'opcodeLogger')) === tracer;
}

/** Of the same run: gas, end and the number of opcodes are equal. */
function explainOpcodes({ body: relay }: Answer, { body: own }: Answer): string[] | null {
  const [theirs, ours] = [relay, own].map((one) => (one as Json).result);
  if (theirs.structLogs.length === 0 && ours.structLogs.length === 0)
    return theirs.gas === ours.gas ? [why.refused] : null;
  const isSame = (name: string): boolean => text(theirs[name]) === text(ours[name]);
  return ['gas', 'failed', 'returnValue'].every(isSame) ? [why.opcodes] : null;
}

function* differences(method: string, relay: Answer, own: Answer): Generator<Difference> {
  const [theirs, ours] = [relay.body as Json, own.body as Json];
  const isList = Array.isArray(theirs) && Array.isArray(ours);
  const inside = isList || (isObject(theirs?.result) && isObject(ours?.result));
  if (!inside) return yield { method, path: '', relay: theirs, own: ours };
  for (const found of walk('', byHash(isList ? theirs : theirs.result), byHash(isList ? ours : ours.result))) {
    yield { method, ...found };
  }
}

function* walk(path: string, relay: Json, own: Json): Generator<Omit<Difference, 'method'>> {
  if (text(relay) === text(own)) return;
  if (!isObject(relay) || !isObject(own)) return yield { path, relay, own };
  for (const name of new Set([...Object.keys(relay), ...Object.keys(own)])) {
    yield* walk(/^0x/.test(name) ? `${path}[${name}]` : `${path}.${name}`, relay[name], own[name]);
  }
}

/** Lists of transactions, receipts and traces as objects by hash. */
function byHash(value: Json): Json {
  if (Array.isArray(value)) {
    const keys = value.map((one) =>
      typeof one === 'string' ? one : (one?.hash ?? one?.transactionHash ?? one?.txHash),
    );
    const isNamed = keys.every((key) => typeof key === 'string' && key.length === 66);
    const isUnique = new Set(keys).size === keys.length;
    if (isNamed && isUnique && value.length > 0) return Object.fromEntries(value.map((one, at) => [keys[at], one]));
  }
  return isObject(value) && Array.isArray(value.transactions)
    ? { ...value, transactions: byHash(value.transactions) }
    : value;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
const text = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'undefined';

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, of]) => [name, sorted(of)]),
  );
}
