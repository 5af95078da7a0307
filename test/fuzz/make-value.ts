// Texts for paths and parameters: valid, at the limits, and invalid.

import { formatEntityId } from '../../packages/protocol/hapi/entity-id.ts';
import type { SeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import type { LedgerWords } from './ledger-words.ts';

export type ValueKind = keyof typeof makers;
export type EntityKind = (typeof entityKinds)[number];
export type PathKind = ValueKind | EntityKind;
const entityKinds = ['account', 'token', 'contract', 'schedule', 'topic'] as const;
type Maker = (random: SeededRandom, words: LedgerWords) => string;

/** With or without an operator. */
export function makeValue(kind: ValueKind, random: SeededRandom, words: LedgerWords): string {
  const text = random.chance(0.06) ? random.pick(strangeTexts) : (makers[kind] as Maker)(random, words);
  if (random.chance(plainChance[kind] ?? 0.5)) return text;
  if (random.chance(0.08)) return `${random.pick(strangeOperators)}:${text}`;
  return `${random.pick(operators)}:${text}`;
}

/** An id, alias, address or another value for a path. */
export function makePathText(kind: PathKind, random: SeededRandom, words: LedgerWords): string {
  if (random.chance(0.05)) return random.pick(strangeTexts);
  return isEntityKind(kind) ? makeEntity(kind, random, words) : (makers[kind] as Maker)(random, words);
}

export function isValueKind(kind: string): kind is ValueKind {
  return Object.hasOwn(makers, kind);
}

export function isPathKind(kind: string): kind is PathKind {
  return isValueKind(kind) || isEntityKind(kind);
}

export function isEntityKind(kind: string): kind is EntityKind {
  return (entityKinds as readonly string[]).includes(kind);
}

const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'];
const strangeOperators = ['EQ', 'like', '', 'eq:gt', 'lt ', 'a:eq', '=', 'null', 'gte:lte', '%'];
const plainChance: Partial<Record<string, number>> = {
  limit: 0.9,
  order: 0.9,
  flag: 0.9,
  hash: 0.8,
  block: 0.8,
  type: 0.9,
  topic: 0.9,
  transactionHash: 0.9,
  sha256: 0.9,
  sha384: 0.9,
  itemChoice: 0.9,
  nonce: 0.9,
  supply: 0.9,
  file: 0.9,
  feeMode: 0.9,
  throttle: 0.9,
};

const int64Edges = ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '18446744073709551616'];
const int32Edges = ['2147483647', '2147483648', '4294967296', '-2147483649'];

const strangeTexts = [
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '+1',
  '1e3',
  '1.5',
  '.',
  '..',
  '0x',
  '0X1',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  'true',
  '[object Object]',
  '__proto__',
  "'; drop table entity; --",
  '" or 1=1',
  '<script>alert(1)</script>',
  '\u0000',
  'a\u0000b',
  '\r\nX-Injected: 1',
  '\u202e\u200d\ufeff',
  '💥',
  '\ud800',
  '१२३',
  '９',
  ...int64Edges,
  ...int32Edges,
  '9'.repeat(400),
  'A'.repeat(3000),
  '0.'.repeat(500),
];

const makers = {
  timestamp: makeTimestamp,
  limit: (random) =>
    random.pick(['1', '2', '3', '5', '25', '99', '100', '101', '1000', '0', '05', '-1', ...int64Edges, ...int32Edges]),
  order: (random) => random.pick(['asc', 'desc', 'ASC', 'Desc', 'up', 'ascending']),
  flag: (random) => random.pick(['true', 'false', 'TRUE', 'False', '0', '1', 'yes']),
  type: (random) => random.pick(transactionTypes),
  hash: makeBlockHash,
  block: makeBlockNumber,
  blockName: (random, words) => random.pick([makeBlockHash, makeBlockNumber])(random, words),
  sequence: (random) => random.pick(['1', '2', '3', '10', '007', '0', '-1', ...int64Edges]),
  encoding: (random) => random.pick(['base64', 'utf-8', 'utf8', 'UTF-8', 'hex', 'ascii']),
  result: (random) => random.pick(['success', 'fail', 'SUCCESS', 'Fail', 'best']),
  transferType: (random) => random.pick(['credit', 'debit', 'CREDIT', 'Debit', 'all']),
  transactionName: makeTransactionName,
  index: (random) => random.pick(['0', '1', '2', '3', '7', '007', ...int32Edges, ...int64Edges]),
  account: (random, words) => makeEntity('account', random, words),
  schedule: (random, words) => makeEntity('schedule', random, words),
  file: (random) => random.pick(['101', '0.0.101', '0.0.102', '0.102', '0.0.111', 'x', ...int64Edges]),
  node: (random) => random.pick(['0', '1', '2', '3', '007', ...int32Edges, ...int64Edges]),
  supply: (random) => random.pick(['totalcoins', 'circulating', 'TotalCoins', 'all']),
  anything: (random) => random.pick(strangeTexts),
  token: (random, words) => makeEntity('token', random, words),
  hookId: (random) => random.pick(['0', '1', '2', '3', '5', '007', '-1', ...int64Edges]),
  nodeId: (random) => random.pick(['0', '1', '2', '3', '007', '-1', ...int64Edges]),
  serviceType: (random) => random.pick(['BLOCK_NODE', 'mirror_node', 'Rpc_Relay', 'GENERAL_SERVICE', 'NODE']),
  amount: (random) => random.pick(['0', '1', '5', '1000', '100000000', '007', ...int64Edges]),
  publicKey: makePublicKey,
  tokenName: (random) => random.pick(['Token', 'tok', 'ok%', '__n', 'ab', 'x'.repeat(101), '\\\\\\', 'a:b', 'ℏ']),
  tokenType: (random) => random.pick(['all', 'ALL', 'fungible_common', 'NON_FUNGIBLE_UNIQUE', 'NFT']),
  serial: (random) => random.pick(['1', '2', '3', '4', '10', '007', '0', ...int64Edges]),
  contract: (random, words) => makeEntity('contract', random, words),
  position: (random, { accountIds, tokenIds }) =>
    `${random.pick(accountIds)}-${random.pick(tokenIds)}-${random.pick(['0', '1', '007', 'x', ...int64Edges])}`,
  nonce: (random) => random.pick(['0', '0', '1', '00', ...int32Edges]),
  slot: makeWord,
  topic: makeWord,
  transactionHash: makeTransactionHash,
  sha256: (random) => Buffer.from(random.bytes(random.chance(0.9) ? 32 : 31)).toString('hex'),
  sha384: (random) => Buffer.from(random.bytes(random.chance(0.9) ? 48 : 47)).toString('hex'),
  itemChoice: (random) => random.pick(['all', 'single', 'ALL', 'none']),
  feeMode: (random) => random.pick(['INTRINSIC', 'state', 'State', 'exact']),
  throttle: (random) => random.pick(['0', '1', '10000', '10001', '-1', '007', ...int32Edges]),
  execution: (random, words) => {
    if (random.chance(0.5)) return makeTransactionHash(random, words).slice(0, 66);
    const id = random.pick(words.transactionIds);
    return random.chance(0.8)
      ? id
      : random.pick([id.replaceAll('-', '@'), `${id}-1`, `1.${id}`, id.replace('-', '-9')]);
  },
} satisfies Record<string, Maker>;

const transactionTypes = [
  'CRYPTOTRANSFER',
  'cryptotransfer',
  'CONTRACTCALL',
  'ETHEREUMTRANSACTION',
  'TOKENMINT',
  'SCHEDULESIGN',
].concat([
  'CRYPTOCREATEACCOUNT',
  'NODE',
  'NODESTAKEUPDATE',
  'UNKNOWN',
  'unknown',
  'HOOKSTORE',
  'ATOMICBATCH',
  'constructor',
  'X',
]);

function makeBlockHash(random: SeededRandom, { blockHashes }: LedgerWords): string {
  const hash = random.chance(0.8) ? random.pick(blockHashes) : Buffer.from(random.bytes(48)).toString('hex');
  const cut = random.chance(0.4) ? hash.slice(0, random.pick([64, 64, 63, 1, 95])) : hash;
  const cased = random.chance(0.2) ? cut.toUpperCase() : cut;
  return random.chance(0.4) ? `0x${cased}` : cased;
}

function makeBlockNumber(random: SeededRandom, { blockNumbers }: LedgerWords): string {
  const number = random.chance(0.7) ? random.pick(blockNumbers) : BigInt(random.pick(int64Edges));
  return random.chance(0.3) ? `0x${(number < 0n ? -number : number).toString(16)}` : number.toString();
}

function makeTransactionHash(random: SeededRandom, { transactionHashes }: LedgerWords): string {
  const hash = random.chance(0.9) ? random.pick(transactionHashes) : Buffer.from(random.bytes(48)).toString('hex');
  const cut = random.chance(0.4) ? hash.slice(0, random.pick([64, 64, 63, 96])) : hash;
  return random.chance(0.4) ? `0x${cut}` : cut;
}

function makeWord(random: SeededRandom, { slotsAndTopics }: LedgerWords): string {
  const digits = random.chance(0.8)
    ? random.pick(slotsAndTopics)
    : random.pick(['0', '00', '1', 'f'.repeat(64), 'aB', '0x']);
  const padded = random.chance(0.4) ? digits.padStart(64, '0') : digits;
  return random.chance(0.4) ? `0x${padded}` : padded;
}

function makePublicKey(random: SeededRandom, { publicKeys }: LedgerWords): string {
  const key = random.chance(0.7) ? random.pick(publicKeys) : Buffer.from(random.bytes(32)).toString('hex');
  return random.pick([key, `0x${key}`, key.toUpperCase(), `302a300506032b6570032100${key}`, key.slice(2), `${key}00`]);
}

function makeTransactionName(random: SeededRandom, { transactionIds, transactionHashes }: LedgerWords): string {
  if (random.chance(0.5)) {
    const id = random.pick(transactionIds);
    return random.pick([id, id, id.replace('-', '@'), `${id}0`, id.slice(2), `0.0.1-${random.pick(int64Edges)}-1`]);
  }
  const hash = random.pick(transactionHashes);
  const base64 = Buffer.from(hash, 'hex').toString(random.pick(['base64', 'base64url'] as const));
  return random.pick([hash, hash, `0x${hash}`, hash.toUpperCase(), base64, base64, hash.slice(1)]);
}

function makeTimestamp(random: SeededRandom, { timestamps }: LedgerWords): string {
  if (random.chance(0.2)) return random.pick(timestampEdges);
  const near = random.pick(timestamps) + random.pick([0n, 0n, 1n, -1n, 1_000_000_000n, -86_400_000_000_000n]);
  const ns = near < 0n ? 0n : near;
  const seconds = (ns / 1_000_000_000n).toString();
  const fraction = (ns % 1_000_000_000n).toString().padStart(9, '0');
  if (random.chance(0.7)) return `${seconds}.${fraction}`;
  return random.chance(0.6) ? seconds : `${seconds}.${fraction.slice(0, random.integer(1, 8))}`;
}

// The ledger's clock ends with int64 nanoseconds, the form of a timestamp only at ten digits of seconds.
const timestampEdges = [
  '0',
  '0.0',
  '0.000000001',
  '0000000000.000000000',
  '1.',
  '.5',
  '9223372036.854775806',
  '9223372036.854775807',
  '9223372036.854775808',
  '9223372037',
  '9999999999',
  '9999999999.999999999',
  '99999999999',
  '1700000000.1234567890',
  '1700000000,5',
  '1700000000x5',
];

function makeEntity(kind: EntityKind, random: SeededRandom, words: LedgerWords): string {
  const known = {
    account: words.accountIds,
    token: words.tokenIds,
    contract: words.contractIds,
    schedule: words.scheduleIds,
    topic: words.topicIds,
  };
  const likely = known[random.chance(0.85) ? kind : random.pick(['account', 'token', 'contract', 'schedule'] as const)];
  const id = random.chance(0.85) ? random.pick(likely) : random.pick(idEdges);
  const text = formatEntityId(id);
  if (random.chance(0.5)) return text;
  const [shard, realm, num] = text.split('.') as [string, string, string];
  const longZero = BigInt(num).toString(16).padStart(40, '0');
  const address = random.chance(0.7) ? random.pick(words.evmAddresses) : Buffer.from(random.bytes(20)).toString('hex');
  const alias = random.chance(0.8) ? random.pick(words.aliases) : random.pick(strangeAliases);
  return random.pick([
    num,
    `${realm}.${num}`,
    `00.00.0${num}`,
    `0x${num}`,
    `-${num}`,
    id.toString(),
    `${shard}.${realm}.${num}.0`,
    `1.${realm}.${num}`,
    `${num}.${num}.${num}`,
    longZero,
    `0x${longZero}`,
    `${shard}.${realm}.${longZero}`,
    `1.2.${longZero}`,
    address,
    `0x${address}`,
    `0X${address}`,
    `0x${address.toUpperCase()}`,
    `${shard}.${realm}.${address}`,
    `7.${address}`,
    address.slice(1),
    alias,
    `${realm}.${alias}`,
    `${shard}.${realm}.${alias}`,
    `9.9.${alias}`,
    alias.toLowerCase(),
  ]);
}

const strangeAliases = ['AA', 'A', 'AAA', 'MZXW6YTB', 'B'.repeat(52), 'A'.repeat(9000), 'a2'];
// 0, 2^38−1, the ids around them, the largest id, and unknown ones.
const idEdges = [0n, 1n, 2n, 98n, 800n, 274_877_906_943n, 274_877_906_942n, 2n ** 63n - 1n, 123_456_789n];
