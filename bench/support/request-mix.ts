// The requests of the query benchmark: few ids take most of the traffic.
import pg from 'pg';
import { encodeBase32 } from '../../packages/kit/base32.ts';
import { blockStepNs, firstId, firstTimestamp, hotAccountId, type LedgerSize, logTopic } from './large-ledger.ts';
import { listRequestKinds } from './list-requests.ts';
import type { RequestKind } from './request-kind.ts';

const pathsOfEach = 2_000;

export async function makeRequestKinds(connectionString: string, size: LedgerSize): Promise<RequestKind[]> {
  const random = createRandom();
  const index = (count: number): number => Math.floor(count * random() ** 4);
  const uniform = (count: number): number => Math.floor(count * random());
  const many = (make: () => string): string[] => Array.from({ length: pathsOfEach }, make);
  const token = (): number => firstId.token + index(size.tokens);
  const account = (): number => firstId.account + 1 + index(size.accounts - 1);
  const contract = (): number => firstId.contract + index(size.contracts);
  const blockTime = (): bigint => firstTimestamp + BigInt(uniform(size.blocks)) * BigInt(blockStepNs);
  const names = await selectNames(connectionString, [
    ...Array.from({ length: pathsOfEach }, account),
    ...Array.from({ length: pathsOfEach }, contract),
  ]);
  const executions = await selectExecutions(connectionString);
  const accountNames = names.filter(({ alias }) => alias !== null);
  const contractNames = names.filter(({ alias }) => alias === null);
  const pick = <Item>(items: readonly Item[]): Item => items[uniform(items.length)]!;
  const seconds = (ns: bigint): string => `${ns / 1_000_000_000n}.${(ns % 1_000_000_000n).toString().padStart(9, '0')}`;
  const api = '/api/v1';
  const results = `${api}/contracts/results`;
  return [
    { name: 'tokens/{id}', paths: many(() => `${api}/tokens/0.0.${token()}`) },
    {
      name: 'tokens/{id}?timestamp=',
      paths: many(() => `${api}/tokens/0.0.${token()}?timestamp=${seconds(blockTime())}`),
    },
    {
      name: 'accounts/{id}?transactions=false',
      paths: many(() => `${api}/accounts/0.0.${account()}?transactions=false`),
    },
    {
      name: 'accounts/{evm address}?transactions=false',
      paths: many(() => `${api}/accounts/0x${pick(accountNames).evm_address.toString('hex')}?transactions=false`),
    },
    {
      name: 'accounts/{alias}?transactions=false',
      paths: many(() => `${api}/accounts/${encodeBase32(pick(accountNames).alias!)}?transactions=false`),
    },
    {
      name: 'accounts/{id} with transactions',
      paths: many(() => `${api}/accounts/0.0.${account()}`),
    },
    {
      name: 'accounts/{id}, hot account',
      paths: [`${api}/accounts/0.0.${hotAccountId}`],
    },
    { name: 'contracts/{id}', paths: many(() => `${api}/contracts/0.0.${contract()}`) },
    {
      name: 'contracts/{evm address}',
      paths: many(() => `${api}/contracts/0x${pick(contractNames).evm_address.toString('hex')}`),
    },
    { name: 'contracts/results', paths: [results] },
    {
      name: 'contracts/results?from=',
      paths: many(() => `${results}?from=0.0.${account()}`),
    },
    {
      name: 'contracts/results?block.number=',
      paths: many(() => `${results}?block.number=${uniform(size.blocks)}`),
    },
    {
      name: 'contracts/results?internal=true',
      paths: [`${results}?internal=true`],
    },
    {
      name: 'contracts/results, timestamp range',
      paths: many(() => {
        const from = blockTime();
        return `${results}?timestamp=gte:${seconds(from)}&timestamp=lt:${seconds(from + 3_600_000_000_000n)}`;
      }),
    },
    { name: 'contracts', paths: [`${api}/contracts`] },
    { name: 'contracts/{id}/results', paths: many(() => `${api}/contracts/0.0.${contract()}/results`) },
    { name: 'contracts/{id}/results/logs', paths: many(() => `${api}/contracts/0.0.${contract()}/results/logs`) },
    {
      name: 'contracts/{id}/results/{timestamp}',
      paths: executions.map(({ contractId, at }) => `${api}/contracts/0.0.${contractId}/results/${seconds(at)}`),
    },
    { name: 'contracts/{id}/state', paths: many(() => `${api}/contracts/0.0.${contract()}/state`) },
    {
      name: 'contracts/{id}/state?timestamp=',
      paths: many(() => `${api}/contracts/0.0.${contract()}/state?timestamp=${seconds(blockTime())}`),
    },
    { name: 'contracts/results/{hash}', paths: executions.map(({ hash }) => `${results}/0x${hash}`) },
    { name: 'contracts/results/{hash}/actions', paths: executions.map(({ hash }) => `${results}/0x${hash}/actions`) },
    { name: 'contracts/results/logs', paths: [`${results}/logs`] },
    {
      name: 'contracts/results/logs, topic of an hour',
      paths: many(() => {
        const from = blockTime();
        return `${results}/logs?topic0=${logTopic}&timestamp=gte:${seconds(from)}&timestamp=lt:${seconds(from + 3_600_000_000_000n)}`;
      }),
    },
    {
      name: 'contracts/results/logs?transaction.hash=',
      paths: executions.map(({ hash }) => `${results}/logs?transaction.hash=${hash}`),
    },
    { name: 'transactions', paths: [`${api}/transactions`] },
    {
      name: 'transactions?account.id=',
      paths: many(() => `${api}/transactions?account.id=0.0.${account()}`),
    },
    { name: 'transactions?account.id=, account 98', paths: [`${api}/transactions?account.id=98`] },
    {
      name: 'transactions/{id}',
      paths: many(() => {
        // The hot account pays whenever a block begins; its transactions are valid from 2 s before.
        const start = blockTime() - 2_000_000_000n;
        return `${api}/transactions/0.0.${hotAccountId}-${start / 1_000_000_000n}-${start % 1_000_000_000n}`;
      }),
    },
    { name: 'blocks', paths: [`${api}/blocks`] },
    { name: 'blocks/{number}', paths: many(() => `${api}/blocks/${uniform(size.blocks)}`) },
    ...listRequestKinds({ size, many, index, uniform, seconds }),
    { name: 'schedules', paths: [`${api}/schedules`] },
    {
      name: 'schedules/{id}',
      paths: many(() => `${api}/schedules/0.0.${firstId.schedule + index(size.schedules)}`),
    },
  ];
}

async function selectNames(
  connectionString: string,
  ids: number[],
): Promise<{ evm_address: Buffer; alias: Buffer | null }[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query('select evm_address, alias from entity where id = any($1) order by id', [ids]);
    return rows;
  } finally {
    await client.end();
  }
}

type Execution = { at: bigint; contractId: bigint; hash: string };

/** Contract results from all over the ledger. */
async function selectExecutions(connectionString: string): Promise<Execution[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ at: string; id: string; hash: string }>(
      `select consensus_timestamp as at, contract_id as id, encode(transaction_hash, 'hex') as hash from contract_result
       order by md5(consensus_timestamp::text) limit ${pathsOfEach}`,
    );
    return rows.map(({ at, id, hash }) => ({ at: BigInt(at), contractId: BigInt(id), hash }));
  } finally {
    await client.end();
  }
}

/** The same numbers in every run (mulberry32). */
function createRandom(): () => number {
  let state = 20_261_121;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
