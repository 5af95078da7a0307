// Asks a mirror that dropped its past, and one that keeps everything, for all that both have to know.

import type { Database } from '../../packages/postgres/wire/database.ts';
import { formatTimestamp } from '../../packages/protocol/hapi/timestamp.ts';
import type { TestMirror } from '../support/program/open-mirror.ts';

export type KeptAnswers = {
  differences: { url: string; expected: string; found: string }[];
  /** Number of answers by status. */
  statuses: Record<number, number>;
};

/** @param atMost of each kind of entity, evenly chosen */
export async function compareKeptAnswers(
  full: TestMirror,
  small: TestMirror,
  before: bigint,
  atMost = Number.POSITIVE_INFINITY,
): Promise<KeptAnswers> {
  const differences: KeptAnswers['differences'] = [];
  const statuses: KeptAnswers['statuses'] = {};
  for (const request of await requestsSince(full.db, before, atMost)) {
    const url = `/api/v1/${request}`;
    const [expected, found] = [await full.answers.get('hiero', url), await small.answers.get('hiero', url)];
    statuses[expected.status] = (statuses[expected.status] ?? 0) + 1;
    if (found.text !== expected.text) differences.push({ url, expected: expected.text, found: found.text });
  }
  return { differences, statuses };
}

async function requestsSince(db: Database, before: bigint, atMost: number): Promise<string[]> {
  const ids = async (text: string): Promise<string[]> =>
    choose((await db.query<{ id: string }>({ name: text, text })).map(({ id }) => id));
  const since = `timestamp=gte:${formatTimestamp(before)}`;
  const blockEnds = await ids(
    `select consensus_end::text as id from record_file where consensus_end >= ${before} order by 1`,
  );
  const moments = [before, BigInt(blockEnds[0]!), BigInt(blockEnds[5]!), BigInt(blockEnds.at(-1)!)].map(
    formatTimestamp,
  );
  const entities = (type: string) => ids(`select '0.0.' || num as id from entity where type = '${type}' order by id`);
  const accounts = await entities('ACCOUNT');
  const contracts = await entities('CONTRACT');
  const tokens = await entities('TOKEN');
  const nfts = await ids(`select '0.0.' || token_id || '/nfts/' || serial_number as id from nft order by 1`);
  const files = [
    'network/nodes',
    'network/stake',
    'network/supply',
    'network/exchangerate',
    'network/fees',
    'balances',
  ];
  const hashes = await ids(
    `select encode(hash, 'hex') as id from transaction_hash where consensus_timestamp >= ${before} order by 1`,
  );
  return [
    ...['accounts?limit=100', 'tokens?limit=100', 'contracts?limit=100', 'schedules?limit=100', ...files],
    ...['transactions', 'blocks', 'contracts/results', 'contracts/results/logs'].map(
      (list) => `${list}?${since}&limit=100`,
    ),
    ...hashes.flatMap((hash) => [`transactions/${hash}`, `contracts/results/${hash}`]),
    ...accounts.flatMap((id) => [
      `accounts/${id}?${since}&limit=100`,
      `accounts/${id}?transactions=false`,
      ...['tokens', 'nfts', 'allowances/crypto', 'allowances/tokens', 'hooks'].map((list) => `accounts/${id}/${list}`),
      `accounts/${id}/rewards?${since}`,
    ]),
    ...tokens.flatMap((id) => [`tokens/${id}`, `tokens/${id}/balances`, `tokens/${id}/nfts?limit=100`]),
    ...nfts.map((nft) => `tokens/${nft}`),
    ...contracts.flatMap((id) => [`contracts/${id}`, `contracts/${id}/state`, `contracts/${id}/results?${since}`]),
    ...moments.flatMap((moment) => [
      ...accounts.map((id) => `accounts/${id}?timestamp=${moment}&transactions=false`),
      ...tokens.map((id) => `tokens/${id}?timestamp=${moment}`),
      ...contracts.flatMap((id) => [
        `contracts/${id}?timestamp=${moment}`,
        `contracts/${id}/state?timestamp=${moment}`,
      ]),
      ...files.filter((file) => !/stake|nodes/.test(file)).map((file) => `${file}?timestamp=${moment}`),
      `balances?timestamp=${moment}&limit=100`,
    ]),
  ];

  function choose(all: string[]): string[] {
    const step = Math.max(1, all.length / atMost);
    return all.filter((_one, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  }
}
