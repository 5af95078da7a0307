// Valid requests, which reach the database: in all combinations of parameters, about things that exist, or nearly.

import { formatEntityId } from '../../packages/protocol/hapi/entity-id.ts';
import type { SeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { LedgerWords } from './ledger-words.ts';
import { makeBody } from './make-body.ts';
import { type EntityKind, isEntityKind, type PathKind, type ValueKind } from './make-value.ts';

export function makeGoodRequest(
  random: SeededRandom,
  words: LedgerWords,
  endpoint: Endpoint = random.pick(endpoints),
): FuzzRequest {
  const { method, path, body, in: kinds, parameters } = endpoint;
  const names = Object.keys(parameters).filter(() => random.chance(0.4));
  // Only one of them may name the block, and without it an index in the block means nothing.
  const byHash = names.includes('transaction.index') && 'block.hash' in parameters;
  const block = byHash ? random.pick(['block.number', 'block.hash']) : 'block.number';
  const chosen = names.filter((name) => !name.startsWith('block.'));
  if (names.length !== chosen.length || names.includes('transaction.index')) chosen.push(block);
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => makeGoodText(kinds[name]!, random, words)),
    query: chosen.flatMap((name) => {
      const { kind, repeatable } = parameters[name]!;
      const count = repeatable && random.chance(0.3) ? random.integer(2, 4) : 1;
      return Array.from({ length: count }, () => `${name}=${makers[kind](random, words)}`);
    }),
    headers: body ? [['Content-Type', random.pick(body.mediaTypes)]] : [],
    body: body ? makeBody(body.kind, random) : '',
  };
}

/** A valid value of a parameter, with an operator where such values have one. */
export function makeGoodValue(kind: ValueKind, random: SeededRandom, words: LedgerWords): string {
  return makers[kind](random, words);
}

const operators = ['', 'eq:', 'ne:', 'lt:', 'lte:', 'gt:', 'gte:'];
const types = [
  'CRYPTOTRANSFER',
  'contractcall',
  'ETHEREUMTRANSACTION',
  'TOKENMINT',
  'SCHEDULESIGN',
  'CRYPTOCREATEACCOUNT',
];

const makers: Record<ValueKind, (random: SeededRandom, words: LedgerWords) => string> = {
  timestamp: (random, { timestamps }) => {
    const near = random.pick(timestamps) + random.pick([0n, 0n, 1n, -1n, 1_000_000_000n, 1_000_000_000_000n]);
    const digits = (near < 0n ? 0n : near).toString().padStart(10, '0');
    const [seconds, fraction] = [digits.slice(0, -9), digits.slice(-9)];
    return random.pick(operators) + (seconds.length > 10 ? '9999999999' : `${seconds}.${fraction}`);
  },
  limit: (random) => random.integer(1, 100).toString(),
  order: (random) => random.pick(['asc', 'desc']),
  flag: (random) => random.pick(['true', 'false']),
  type: (random) => random.pick(types),
  hash: (random, { blockHashes }) => random.pick(blockHashes).slice(0, random.pick([64, 96])),
  block: (random, { blockNumbers }) => random.pick(blockNumbers).toString(),
  blockName: (random, words) => makers[random.pick(['block', 'hash'] as const)](random, words),
  sequence: (random) => random.pick(operators) + random.integer(1, 12).toString(),
  encoding: (random) => random.pick(['base64', 'utf-8', 'utf8']),
  result: (random) => random.pick(['success', 'fail']),
  transferType: (random) => random.pick(['credit', 'debit']),
  transactionName: (random, { transactionIds, transactionHashes }) =>
    random.pick(random.chance(0.7) ? transactionIds : transactionHashes),
  index: (random) => random.integer(0, 20).toString(),
  account: (random, words) => random.pick(operators) + makeId('account', random, words),
  schedule: (random, words) => random.pick(operators) + makeId('schedule', random, words),
  file: (random) => random.pick(['101', '0.0.101', '0.0.102', 'eq:0.0.102']),
  node: (random) => random.pick(operators) + random.integer(0, 4).toString(),
  supply: (random) => random.pick(['totalcoins', 'circulating']),
  anything: (random) => random.integer(0, 1e9).toString(),
  token: (random, words) => random.pick(operators) + makeId('token', random, words),
  hookId: (random) => random.integer(1, 5).toString(),
  nodeId: (random) => random.integer(0, 4).toString(),
  sha256: () => 'ab'.repeat(32),
  sha384: () => 'ab'.repeat(48),
  itemChoice: (random) => random.pick(['all', 'single']),
  serviceType: (random) => random.pick(['BLOCK_NODE', 'mirror_node', 'RPC_RELAY', 'GENERAL_SERVICE']),
  amount: (random) => random.pick(operators) + random.pick(['0', '1', '1000', '100000000']),
  publicKey: (random, { publicKeys }) => random.pick(publicKeys),
  tokenName: (random) => random.pick(['tok', 'Ken', 'ok%', 'coin']),
  tokenType: (random) => random.pick(operators) + random.pick(['all', 'fungible_common', 'NON_FUNGIBLE_UNIQUE']),
  serial: (random) => random.integer(1, 6).toString(),
  contract: (random, { contractIds }) => random.pick(operators) + formatEntityId(random.pick(contractIds)),
  position: (random, { accountIds, tokenIds }) =>
    `${random.pick(accountIds)}-${random.pick(tokenIds)}-${random.integer(0, 3)}`,
  nonce: (random) => random.pick(['0', '0', '1']),
  slot: (random, { slotsAndTopics }) => random.pick(operators) + (random.pick(slotsAndTopics) || '0'),
  topic: (random, { slotsAndTopics }) => random.pick(slotsAndTopics) || '0',
  transactionHash: (random, { transactionHashes }) => random.pick(transactionHashes),
  feeMode: (random) => random.pick(['INTRINSIC', 'state']),
  throttle: (random) => random.integer(0, 10_000).toString(),
  execution: (random, { transactionHashes, transactionIds }) =>
    random.chance(0.5) ? random.pick(transactionHashes).slice(0, 64) : random.pick(transactionIds),
};

function makeGoodText(kind: PathKind, random: SeededRandom, words: LedgerWords): string {
  return isEntityKind(kind) ? makeId(kind, random, words) : makers[kind](random, words);
}

function makeId(kind: EntityKind, random: SeededRandom, words: LedgerWords): string {
  const { accountIds, tokenIds, contractIds, scheduleIds, topicIds } = words;
  const known = { account: accountIds, token: tokenIds, contract: contractIds, schedule: scheduleIds, topic: topicIds };
  if (kind === 'contract' && random.chance(0.3)) return `0x${random.pick(words.evmAddresses)}`;
  return formatEntityId(random.pick(known[kind]));
}
