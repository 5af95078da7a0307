// Each difference of JSON-RPC between the mirror and the relay that is meant: how it is known, and why it is so.

// biome-ignore lint/suspicious/noExplicitAny: what another program answers.
export type Json = any;
export type Difference = { method: string; path: string; relay: Json; own: Json };
type Rule = { why: string; is(difference: Difference): boolean };

export const why = {
  refused: 'what was refused before it ran is in no block; the relay waits for it to become part of one',
  price:
    'prices are weibar, and the base fee of a block is the lowest of them; the relay has the tinybar of REST, and a mean',
  input: 'a creation through HAPI shows its init code before the arguments',
  ended: 'behind the text stand words that clients of Ethereum look for',
  synthetic: 'a token transfer is of type 0, by its place as by its hash',
  creation: 'a creation has no receiver, in its block as by its hash',
  withdrawals: 'the root of no withdrawals is that of an empty tree',
  gone: 'a contract that is not there has no code, and answers nothing',
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
  filters: 'filters and traces of calls are asked in a batch, too',
  topics: 'there are four topics',
  state: 'the state that a call sees is read',
  said: 'the text says why it is refused',
  more: 'is answered here',
  words: 'both name the same parameter; the sentence behind it has no doubled words',
  time: 'transactions and logs have the timestamp of their block',
  root: 'receiptsRoot is of receipts as Ethereum encodes them',
  payer: 'a transfer of tokens is from the account that paid for it',
  made: 'contractAddress is of creations alone',
  gas: 'cumulativeGasUsed is that of the block so far',
  left: 'what is null or left out is not meant, and state is that of the newest block',
  nested: 'calls stand inside of those that made them, with their error',
  trailing: 'topics that are null at the end count: the log must have as many',
  several: 'a transfer of several amounts is traced by the first of its logs, in its block as by its hash',
  halted: 'a call that ran and halted has HTTP 200',
};

const isError = ({ relay, own }: Difference, ofRelay: number | null, ofOwn: number | null): boolean =>
  (relay?.error?.code ?? null) === ofRelay && (own?.error?.code ?? null) === ofOwn;
/** Of a method that stands in a batch. */
const refusedInBatch = -32007;
const weibar = 10n ** 10n;
const isTinybar = ({ relay, own }: Difference): boolean =>
  /^0x/.test(relay) && /^0x/.test(own) && BigInt(relay) * weibar === BigInt(own);
const whole = ({ path }: Difference): boolean => path === '';

/** As far as a refusal names it. */
const parameterOf = (answer: Json): string | undefined =>
  /^(?:Invalid parameter \S+(?: for \w+)?):/.exec(answer?.error?.message ?? '')?.[0];

export const rules: readonly Rule[] = [
  { why: why.spec, is: ({ path }) => path === 'notification' },
  {
    why: why.halted,
    is: ({ method, path, own }) => /^eth_(call|estimateGas)$/.test(method) && path === 'status' && own === 200,
  },
  { why: why.nested, is: ({ path }) => path === 'nesting' },
  { why: why.several, is: ({ path }) => path === 'parties' },
  { why: why.trailing, is: ({ path }) => path === 'topics' },
  {
    why: why.nested,
    is: ({ path, relay, own }) =>
      /\.calls\.\d+\.(error|revertReason)$/.test(path) && relay === undefined && own !== undefined,
  },
  { why: why.time, is: ({ path }) => path.endsWith('.blockTimestamp') },
  { why: why.root, is: ({ path }) => path === '.receiptsRoot' },
  { why: why.made, is: ({ path, own }) => path.endsWith('.contractAddress') && own === null },
  { why: why.payer, is: ({ path, relay }) => path.endsWith('.from') && BigInt(relay ?? 0) < 2n ** 64n },
  { why: why.gas, is: ({ path, relay }) => path.endsWith('.cumulativeGasUsed') && relay === '0x0' },
  { why: why.synthetic, is: ({ path, relay, own }) => /\.[rs]$/.test(path) && relay === '0x' && own === '0x0' },
  { why: why.price, is: ({ path, relay }) => path.endsWith('.gasPrice') && relay === '0x0' },
  { why: why.price, is: ({ path }) => path.endsWith('.effectiveGasPrice') },
  {
    why: why.words,
    is: ({ relay, own }) => parameterOf(relay) !== undefined && parameterOf(relay) === parameterOf(own),
  },
  {
    why: why.left,
    is: (one) => isError(one, -32602, null) && /null|Missing value/.test(one.relay?.error?.message),
  },
  { why: why.left, is: (one) => isError(one, -32602, -32000) && /neither block/.test(one.own?.error?.message) },
  {
    why: why.more,
    is: (one) => /^(txpool_|eth_blobBaseFee|eth_newPending)/.test(one.method) && isError(one, -32601, null),
  },
  { why: why.more, is: (one) => one.method.startsWith('trace_') && isError(one, -32601, -32602) },
  { why: why.spec, is: ({ own }) => own?.text === '' },
  { why: why.spec, is: ({ method, own }) => method === 'batch' && own?.error?.code === -32600 },
  { why: why.spec, is: ({ method, relay, own }) => method === 'eth_feeHistory' && relay == null && text(own) === '[]' },
  { why: why.refused, is: (one) => whole(one) && isError(one, -32015, null) },
  { why: why.refused, is: (one) => whole(one) && isError(one, -32003, null) && one.own?.result === null },
  { why: why.refused, is: ({ path, relay, own }) => path === '.failed' && relay === true && own === false },
  // Undone with its batch.
  { why: why.refused, is: (one) => whole(one) && one.own?.result === null && one.relay?.result != null },
  // A receipt or transaction that only the relay has, at no index.
  { why: why.refused, is: ({ path, relay, own }) => /\[\w+\]$/.test(path) && own === undefined && relay !== undefined },
  // It counts on from what is in no block.
  {
    why: why.refused,
    is: ({ method, path }) => /Receipts?$/.test(method) && path.endsWith('.cumulativeGasUsed'),
  },
  { why: why.price, is: (one) => one.path.endsWith('.gasPrice') && isTinybar(one) },
  { why: why.price, is: ({ path }) => path === '.baseFeePerGas' },
  // Of a transfer of tokens without code.
  { why: why.price, is: ({ path, relay }) => /(?:^|\.)gasPrice$/.test(path) && relay === '0xfe' },
  {
    why: why.input,
    is: ({ path, relay, own }) => path.endsWith('.input') && String(own).endsWith(String(relay).slice(2)),
  },
  {
    why: why.ended,
    is: (one) => isError(one, -32000, -32000) && one.own.error.message.startsWith(`${one.relay.error.message}: `),
  },
  { why: why.creation, is: ({ path, relay, own }) => path.endsWith('.to') && /^0x/.test(relay) && own === null },
  {
    why: why.withdrawals,
    is: ({ path, relay, own }) => path === '.withdrawalsRoot' && BigInt(relay) === 0n && BigInt(own) !== 0n,
  },
  { why: why.gone, is: (one) => one.method === 'eth_call' && isError(one, -32000, null) && one.own?.result === '0x' },
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
    is: ({ path, relay, own }) => /\.(revertReason|output)$/.test(path) && relay === '0x3078' && own === '0x',
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
  {
    why: why.state,
    is: (one) => /^eth_(call|estimateGas)$/.test(one.method) && /StateOverride/.test(one.own?.error?.message),
  },
  { why: why.random, is: ({ method, relay }) => method === 'eth_newFilter' && /^0x\w{20}/.test(relay?.result) },
  {
    why: why.said,
    is: (one) => isError(one, -32601, -32601) && one.own.error.message.startsWith(`${one.relay.error.message}: `),
  },
  { why: why.more, is: (one) => /^(net_peerCount|ots_|erigon_)/.test(one.method) && isError(one, -32601, null) },
  { why: why.more, is: (one) => one.method === 'eth_simulateV1' && isError(one, -32601, -32602) },
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
    why: why.filters,
    is: ({ relay, own }) => relay?.error?.code === refusedInBatch && own?.error?.code !== refusedInBatch,
  },
];

export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
export const text = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'undefined';

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, of]) => [name, sorted(of)]),
  );
}
