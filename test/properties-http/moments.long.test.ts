// An answer as of T is the ledger as it was at T: a change of time T is seen at T and not a nanosecond before. The
// network's own state after each block says what is right.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, LedgerTables, Token } from '../../packages/simulated-network/ledger/ledger.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import type { JsonObject } from '../../packages/test-support/http/answers.ts';
import type { DialectName } from '../../src/api/dialect/find-dialect.ts';
import { openSimulatedMirror, type SimulatedMirror } from './simulated-mirror.ts';

const hourNs = 3_600_000_000_000n;
const start = 1_790_000_000_000_000_000n;
const dialects: DialectName[] = ['spec', 'hiero'];

type Snapshot = {
  end: bigint;
  accounts: Map<bigint, Account>;
  tokens: Map<bigint, Token>;
  /** `account:token` → units */
  holdings: Map<string, bigint>;
};

let mirror: SimulatedMirror;
const snapshots: Snapshot[] = [];

beforeAll(async () => {
  mirror = await openSimulatedMirror(
    {
      seed: 'moments',
      blocks: 40,
      transactionsPerBlock: 14,
      start,
      // 6 days: stake is reported at each midnight, balances with each block.
      blockTime: 4n * hourNs,
      onBlock: (end, tables) => snapshots.push({ end, ...copyOf(tables) }),
    },
    { clock: () => start + 30n * 24n * hourNs },
  );
});
afterAll(() => mirror?.close());

function copyOf({ accounts, tokens, relations }: LedgerTables): Omit<Snapshot, 'end'> {
  return {
    accounts: new Map([...accounts].map(([id, account]) => [id, { ...account }])),
    tokens: new Map([...tokens].map(([id, token]) => [id, { ...token }])),
    holdings: new Map([...relations].map(([key, { balance }]) => [key, balance])),
  };
}

const show = (ns: bigint) => `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
const id = (value: bigint | null) => (value === null || value === 0n ? null : `0.0.${value}`);
const before = (operator: string, time: bigint) => (operator === 'lt' ? time + 1n : time);

function ask(path: string, operator: string, time: bigint) {
  // Each way to say "not after `time`".
  return `${path}?timestamp=${operator}:${show(before(operator, time))}`;
}

describe.each(dialects)('in dialect %s', (dialect) => {
  const random = createSeededRandom('moments to ask about', dialect);

  it('accounts are what they were at the end of each block', async () => {
    let missing = 0;
    for (let question = 0; question < 250; question++) {
      const { end, accounts } = random.pick(snapshots);
      const everyone = [...snapshots.at(-1)!.accounts.keys()];
      const account = random.pick(everyone);
      const operator = random.pick(['lt', 'lte', 'eq']);
      const url = `${ask(`/api/v1/accounts/0.0.${account}`, operator, end)}&transactions=false`;
      const { status, body } = await mirror.get(dialect, url);
      const known = accounts.get(account);
      if (!known) {
        expect([url, status]).toEqual([url, 404]);
        missing += 1;
        continue;
      }
      const stakedToNode = known.stakedNodeId !== null;
      expect({ url, ...body }).toMatchObject({
        url,
        account: `0.0.${account}`,
        decline_reward: known.declineReward,
        deleted: known.deleted,
        max_automatic_token_associations: BigInt(known.maxAutomaticAssociations),
        staked_account_id: id(known.stakedAccountId),
        staked_node_id: known.stakedNodeId,
        transactions: [],
      });
      expect((body.stake_period_start !== null) === stakedToNode).toBe(true);
      expect(keyBytes(body.key)).toEqual(keyBytes({ key: Buffer.from(known.key).toString('hex') }));
    }
    expect(missing).toBeGreaterThan(10);
  });

  it('tokens are what they were at the end of each block', async () => {
    let missing = 0;
    for (let question = 0; question < 200; question++) {
      const { end, tokens } = random.pick(snapshots);
      const token = random.pick([...snapshots.at(-1)!.tokens.keys()]);
      const operator = random.pick(['lt', 'lte', 'eq']);
      const url = ask(`/api/v1/tokens/0.0.${token}`, operator, end);
      const { status, body } = await mirror.get(dialect, url);
      const known = tokens.get(token);
      if (!known) {
        expect([url, status]).toEqual([url, 404]);
        missing += 1;
        continue;
      }
      const fees = body.custom_fees as { fixed_fees: unknown[]; fractional_fees?: unknown[]; royalty_fees?: unknown[] };
      expect({ url, ...body }).toMatchObject({
        url,
        deleted: known.deleted,
        freeze_default: known.freezeDefault,
        pause_status: known.keys.pause ? (known.paused ? 'PAUSED' : 'UNPAUSED') : 'NOT_APPLICABLE',
        treasury_account_id: id(known.treasury),
      });
      const count = fees.fixed_fees.length + (fees.fractional_fees ?? []).length + (fees.royalty_fees ?? []).length;
      expect([url, count]).toEqual([url, known.customFees.length]);
    }
    expect(missing).toBeGreaterThan(5);
  });

  it('balances are those of the newest snapshot, to the nanosecond', async () => {
    const taken = await mirror.db.query<{ at: bigint }>({
      name: 'snapshots',
      text: 'select consensus_timestamp as at from account_balance_file order by 1',
    });
    const ends = new Map(snapshots.map((snapshot, index) => [snapshot.end, index]));
    expect(taken.length).toBeGreaterThan(30);
    let differing = 0;
    for (let question = 0; question < 120; question++) {
      const number = random.integer(1, taken.length - 1);
      const [earlier, later] = [taken[number - 1]!.at, taken[number]!.at];
      const atLater = snapshots[ends.get(later)!]!;
      const account = random.pick([...atLater.accounts.keys()]);
      for (const [time, at] of [
        [later, later],
        [later - 1n, earlier],
        [later + 1n, later],
      ] as const) {
        const { accounts, holdings } = snapshots[ends.get(at)!]!;
        const url = `${ask(`/api/v1/accounts/0.0.${account}`, random.pick(['lt', 'lte', 'eq']), time)}&transactions=false`;
        const { status, body } = await mirror.get(dialect, url);
        const known = accounts.get(account);
        // Created since the snapshot: alive in the question, with nothing in the snapshot.
        if (!known && status === 404) continue;
        const balance = body.balance as {
          balance: bigint;
          timestamp: string;
          tokens: { token_id: string; balance: bigint }[];
        };
        expect({ url, balance: balance.balance, at: balance.timestamp }).toEqual({
          url,
          balance: known?.balance ?? 0n,
          at: show(at),
        });
        for (const { token_id, balance: units } of balance.tokens) {
          expect([url, token_id, units]).toEqual([
            url,
            token_id,
            holdings.get(`${account}:${token_id.slice('0.0.'.length)}`) ?? 0n,
          ]);
        }
      }
      if (snapshots[ends.get(earlier)!]!.accounts.get(account)?.balance !== atLater.accounts.get(account)?.balance) {
        differing += 1;
      }
    }
    expect(differing).toBeGreaterThan(20);
  });

  it('each version begins at its very nanosecond', async () => {
    for (const kind of versionKinds) {
      const versions = await mirror.db.query<Version>({ name: `versions-${kind.name}`, text: kind.versions });
      const earlier = new Map<Version, Version>();
      for (const [index, version] of versions.entries()) {
        if (versions[index - 1]?.id === version.id) earlier.set(version, versions[index - 1]!);
      }
      expect(earlier.size).toBeGreaterThan(1);
      for (let question = 0; question < 60; question++) {
        const version = random.pick(versions);
        for (const [time, expected] of [
          [version.from, version],
          [version.from - 1n, earlier.get(version)],
        ] as const) {
          const url = ask(`${kind.path}${version.id}`, random.pick(['lt', 'lte', 'eq']), time);
          const { status, body } = await mirror.get(dialect, url);
          const shown = status === 200 ? kind.shown(body) : null;
          expect([url, shown]).toEqual([url, expected ? kind.stored(expected) : null]);
        }
      }
    }
  });

  it('rewards that wait are those of the stake period before', async () => {
    const stakes = await mirror.db.query<Stake>({
      name: 'stakes',
      text: `select id, lower(timestamp_range) as from, pending_reward as reward, end_stake_period as period from (
          select * from entity_stake union all select * from entity_stake_history) s order by id, timestamp_range`,
    });
    const accounts = await mirror.db.query<StakedVersion>({
      name: 'staked-versions',
      text: `select id, lower(timestamp_range) as from, staked_node_id as node, decline_reward as declines,
          stake_period_start as start from (select * from entity union all select * from entity_history) e
        order by timestamp_range desc`,
    });
    const rewarded = stakes.filter(({ reward }) => reward > 0n);
    expect(rewarded.length).toBeGreaterThan(3);
    let shown = 0;
    for (let question = 0; question < 80; question++) {
      const chosen = random.pick(rewarded);
      for (const time of [chosen.from, chosen.from - 1n]) {
        const account = accounts.find(({ id: known, from }) => known === chosen.id && from <= time);
        const stake = stakes.findLast(({ id: known, from }) => known === chosen.id && from <= time);
        const url = ask(`/api/v1/accounts/${chosen.id}`, random.pick(['lt', 'lte', 'eq']), time);
        const { status, body } = await mirror.get(dialect, url);
        const waits =
          account &&
          stake &&
          !account.declines &&
          account.node !== null &&
          account.node !== -1n &&
          account.start < stake.period;
        expect([url, status === 200 ? body.pending_reward : null]).toEqual([
          url,
          account ? (waits ? stake.reward : 0n) : null,
        ]);
        if (waits && stake.reward > 0n) shown += 1;
      }
    }
    expect(shown).toBeGreaterThan(5);
  });
});

type Stake = { id: bigint; from: bigint; reward: bigint; period: bigint };
type StakedVersion = { id: bigint; from: bigint; node: bigint | null; declines: boolean; start: bigint };
type Version = { id: bigint; from: bigint; memo: string; limit: number | null };
type VersionKind = {
  name: string;
  path: string;
  /** In order of id and time. */
  versions: string;
  stored(version: Version): unknown;
  shown(body: JsonObject): unknown;
};

const entityVersions = (type: string) => `select id, lower(timestamp_range) as from, memo,
    max_automatic_token_associations as limit
  from (select * from entity union all select * from entity_history) e where type = '${type}' order by id, timestamp_range`;

const versionKinds: VersionKind[] = [
  {
    name: 'accounts',
    path: '/api/v1/accounts/0.0.',
    versions: entityVersions('ACCOUNT'),
    stored: ({ memo, limit }) => [memo, limit],
    shown: ({ memo, max_automatic_token_associations: limit }) => [memo, Number(limit)],
  },
  {
    name: 'contracts',
    path: '/api/v1/contracts/0.0.',
    versions: entityVersions('CONTRACT'),
    stored: ({ from, memo }) => [show(from), memo],
    shown: ({ timestamp, memo }) => [(timestamp as JsonObject).from, memo],
  },
  {
    name: 'tokens',
    path: '/api/v1/tokens/0.0.',
    // A token changes with its own row, its entity's and its fees'; the first two say when.
    versions: `select id, "from" from (
        select token_id as id, lower(timestamp_range) as "from" from token
        union select token_id, lower(timestamp_range) from token_history
        union select id, lower(timestamp_range) from entity where type = 'TOKEN'
        union select id, lower(timestamp_range) from entity_history where type = 'TOKEN') v order by 1, 2`,
    stored: ({ from }) => show(from),
    shown: (body) => body.modified_timestamp,
  },
];

/** Primitive keys are shown without their HAPI wrapping: their 64 or 66 digits are the end of the serialized key. */
function keyBytes(key: unknown): string | null {
  const text = (key as { key: string } | null)?.key ?? null;
  if (text === null || text === '3200') return null;
  const simple = /^(?:1220(?<ed>[0-9a-f]{64})|3a21(?<ec>[0-9a-f]{66}))$/.exec(text);
  return simple?.groups?.ed ?? simple?.groups?.ec ?? text;
}
