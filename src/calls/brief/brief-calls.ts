// Calls that end soon, run where they come in: to hand one to a thread takes several times what most of them need. The
// state that is in memory is that of one block; where a block came meanwhile, the call is run again on the state after
// it.
import { LRUCache } from 'lru-cache';
import { currentClient } from '../../../packages/kit/shares/current-client.ts';
import { growingTo } from '../../../packages/kit/shares/growing-to.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import {
  type StateBlockName,
  type StateBlockRow,
  selectNewestBlockEnd,
  selectNewestStateBlock,
  selectStateBlock,
} from '../../../packages/store/read/state/select-state-block.ts';
import { withBlockEnd } from '../../../packages/store/read/state/with-block-end.ts';
import { createFactSource, type FactSourceOptions } from '../facts/fetch-facts.ts';
import type { FactsAsked, FetchedFacts } from '../facts/fetched-facts.ts';
import { type Moment, numAfter, pastAt, presentAt } from '../facts/moment.ts';
import { createStateCache, type StateCacheOptions } from '../thread/cached-state.ts';
import type { CallQuestion, Outcome } from '../thread/job.ts';
import { runJob } from '../thread/run-job.ts';
import { HandOver } from '../thread/runner.ts';
import { type JobBasis, type MomentJob, toCallJob, toJob } from '../thread/to-job.ts';

export type BriefCalls = {
  /** null: it takes longer, or reads more; a thread has to do it. */
  ask(question: CallQuestion): Promise<Outcome | { kind: 'noBlock' } | null>;
};

export type BriefCallsOptions = {
  db: Database;
  /** For all questions. */
  kept: Omit<FactSourceOptions, 'db' | 'moment'>;
  basis: JobBasis;
  blocks: BlockWatch;
  cache: StateCacheOptions;
  /** A run of the current client took so long in this thread, ms. */
  onRan(ms: number): void;
};

/** State after the newest block. */
type Present = {
  moment: Moment;
  job: MomentJob;
  nextNum: bigint;
  /** Of the watch, before the block was read. */
  turn: number;
  epoch: number;
};

const maxDataLength = 8 * 1024;
/** Blocks that may come while a call is run. */
const maxAttempts = 4;
/** Since the watch last confirmed that there is no newer block: it does so twice a second. */
const maxUnconfirmedMs = 2000;
/** Contracts that took longer when this client called them are left to threads at once, for so long. */
const longMs = 60_000;
const maxLong = 10_000;

class NewBlock extends Error {}

export function createBriefCalls({ db, kept, basis, blocks, cache, onRan }: BriefCallsOptions): BriefCalls {
  const states = createStateCache(cache);
  const long = createLongCallees();
  let present: Present | null = null;

  return {
    async ask(question) {
      const { to, block } = question;
      if (to === null || !isPlain(question) || long.has(to)) return null;
      try {
        return await (block === null ? askNow(question, null) : askNamed(question, block));
      } catch (error) {
        if (!(error instanceof HandOver)) throw error;
        long.add(to);
        return null;
      }
    },
  };

  async function askNamed(question: CallQuestion, name: StateBlockName) {
    const named = await selectStateBlock(db, name);
    if (named === null) return { kind: 'noBlock' } as const;
    let newest = present;
    if (newest === null || newest.moment.block.consensusEnd < named.consensusEnd) newest = await readPresent();
    if (newest === null) return { kind: 'noBlock' } as const;
    if (newest.moment.block.consensusEnd === named.consensusEnd) return askNow(question, named);
    return askPast(question, named, newest.nextNum);
  }

  /** `named`: only as long as this is the newest block. */
  async function askNow(question: CallQuestion, named: StateBlockRow | null) {
    let known = present ?? (await readPresent());
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (known === null) return { kind: 'noBlock' } as const;
      if (named !== null && known.moment.block.consensusEnd !== named.consensusEnd) {
        return askPast(question, named, known.nextNum);
      }
      const outcome = await runNow(question, known);
      if (outcome !== null) return outcome;
      known = await readPresent();
    }
    return null;
  }

  /** null: there is a newer block, or what was read does not hold any more. */
  async function runNow(question: CallQuestion, known: Present): Promise<Outcome | null> {
    const { moment, job, nextNum, turn } = known;
    if (known.epoch !== blocks.epoch) return null;
    const end = moment.block.consensusEnd;
    let isNewest = isCurrent(blocks, turn);
    const note = (newest: bigint | null): void => {
      if (newest !== end) throw new NewBlock();
      isNewest = true;
    };
    const factsFrom = (own: Database) => createFactSource({ db: own, moment, ...kept });
    const fetch = (asked: FactsAsked): Promise<FetchedFacts> =>
      db.isDistributed
        ? db.snapshot(async (own) => {
            const [newest, facts] = await Promise.all([selectNewestBlockEnd(own), factsFrom(own)(asked)]);
            note(newest);
            return facts;
          })
        : factsFrom(withBlockEnd(db, note))(asked);
    try {
      const outcome = await runJob(toCallJob(question, job, nextNum), { cache: states, fetch, isBrief: true, onRan });
      return isNewest || (await selectNewestBlockEnd(db)) === end ? outcome : null;
    } catch (error) {
      if (error instanceof NewBlock) return null;
      throw error;
    }
  }

  async function readPresent(): Promise<Present | null> {
    const { turn, epoch } = blocks;
    const newest = await selectNewestStateBlock(db);
    if (newest === null) return null;
    const { key, ...moment } = presentAt(newest);
    // What changed without a block may be in the state.
    const dated = { ...moment, key: `${key} ${epoch}` };
    const job = await toJob(dated, basis);
    present = { moment: dated, job, nextNum: numAfter(newest.lastId ?? 0n), turn, epoch };
    return present;
  }

  async function askPast(question: CallQuestion, named: StateBlockRow, nextNum: bigint): Promise<Outcome> {
    const { key, ...moment } = pastAt(named.consensusEnd, named);
    const dated = { ...moment, key: `${key} ${blocks.epoch}` };
    // Blocks that come meanwhile do not change what was.
    const factsFrom = (own: Database) => createFactSource({ db: own, moment: dated, ...kept });
    const fetch = (asked: FactsAsked): Promise<FetchedFacts> =>
      db.isDistributed ? db.snapshot((own) => factsFrom(own)(asked)) : factsFrom(db)(asked);
    const job = toCallJob(question, await toJob(dated, basis), nextNum);
    return runJob(job, { cache: states, fetch, isBrief: true, onRan });
  }
}

/** What others are may take long before the first opcode, or has a state of its own. */
function isPlain(question: CallQuestion): boolean {
  const { data, overrides, accessList = [], signed = [], blockOverrides, listsAccess = false, traces } = question;
  if (listsAccess || traces || blockOverrides) return false;
  return data.length <= maxDataLength && overrides.length + accessList.length + signed.length === 0;
}

function isCurrent({ newestEnd, turn, confirmedMs }: BriefCallsOptions['blocks'], seen: number): boolean {
  return newestEnd !== null && turn === seen && performance.now() - confirmedMs < maxUnconfirmedMs;
}

/** Of each client its own: one whose calls take long does not send those of others to threads. */
function createLongCallees() {
  const seen = new LRUCache<string, true>({ ...growingTo(maxLong), ttl: longMs });
  const keyOf = (to: bigint): string => `${to} ${currentClient()}`;
  return {
    has: (to: bigint): boolean => seen.has(keyOf(to)),
    add: (to: bigint): void => void seen.set(keyOf(to), true),
  };
}
