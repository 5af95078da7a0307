// Calls that take longer, and re-runs: in threads, each over one snapshot of the database.

import { currentClient } from '../../../packages/kit/shares/current-client.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type StateBlockName,
  selectNewestStateBlock,
  selectStateBlock,
} from '../../../packages/store/read/state/select-state-block.ts';
import type { ContractResultDetail } from '../../ledger/contracts/create-contract-results.ts';
import { createFactSource, type FactSourceOptions } from '../facts/fetch-facts.ts';
import { type Moment, numAfter, pastAt, presentAt } from '../facts/moment.ts';
import { type CallPool, type CallPoolOptions, createCallPool } from '../pool/call-pool.ts';
import { toRerun } from '../rerun/to-rerun.ts';
import type { Simulation, SimulationEnd } from '../simulate/simulation.ts';
import type { CallQuestion, Job, Outcome } from '../thread/job.ts';
import { type JobBasis, toCallJob, toJob } from '../thread/to-job.ts';
import type { TraceOptions } from '../trace/open-trace.ts';

export type LongCalls = {
  /** Throws PoolFull, or ThreadLost. */
  ask(question: CallQuestion): Promise<Outcome | { kind: 'noBlock' }>;
  /** Throws as `ask`. */
  simulate(simulation: Simulation, block: StateBlockName): Promise<SimulationEnd | { kind: 'noBlock' }>;
  /** Throws as `ask`. */
  trace(result: ContractResultDetail, trace: TraceOptions): Promise<Outcome | { kind: 'unknownCode' }>;
  spend: CallPool['spend'];
  counts: CallPool['counts'];
  close(): Promise<void>;
};

export type LongCallsOptions = {
  db: Database;
  kept: Omit<FactSourceOptions, 'db' | 'moment'>;
  basis: JobBasis;
  pool: CallPoolOptions;
};

export function createLongCalls({ db, kept, basis, pool: poolOptions }: LongCallsOptions): LongCalls {
  // Its threads start with the first calls.
  const pool = createCallPool(poolOptions);

  return {
    // First the thread, then the snapshot: no connection waits.
    ask: (question) =>
      pool.use(currentClient(), (runInThread) =>
        db.snapshot(async (own) => {
          const found = await findMoment(own, question.block);
          if (found === null) return { kind: 'noBlock' } as const;
          const { moment, lastId } = found;
          const job = toCallJob(question, await toJob(moment, basis), numAfter(lastId));
          return runInThread(job, createFactSource({ db: own, moment, ...kept }));
        }),
      ),
    simulate: (simulation, block) =>
      pool.use(currentClient(), (runInThread) =>
        db.snapshot(async (own) => {
          const found = await findMoment(own, block);
          if (found === null) return { kind: 'noBlock' } as const;
          const { moment, lastId } = found;
          const job = {
            ...(await toJob(moment, basis)),
            kind: 'simulate',
            simulation,
            nextNum: numAfter(lastId),
          } as const;
          return runInThread(job, createFactSource({ db: own, moment, ...kept }));
        }),
      ),
    trace: (result, trace) =>
      pool.use(currentClient(), (runInThread) =>
        db.snapshot(async (own): Promise<Outcome | { kind: 'unknownCode' }> => {
          const at = result.consensusTimestamp;
          const [block, newest, rerun] = await Promise.all([
            selectStateBlock(own, { around: at }),
            selectNewestStateBlock(own),
            toRerun(own, result),
          ]);
          if (block === null || block.consensusStart > at || rerun === null) return { kind: 'unknownCode' };
          const { input, overrides, firstCreated, before } = rerun;
          const moment = pastAt(before, block);
          const job: Job = {
            ...(await toJob(moment, basis)),
            kind: 'trace',
            trace,
            input,
            nextNum: firstCreated ?? numAfter(newest?.lastId ?? 0n),
            overrides,
          };
          return runInThread(job, createFactSource({ db: own, moment, ...kept }));
        }),
      ),
    spend: pool.spend,
    counts: pool.counts,
    close: pool.close,
  };
}

/** null = no such block. */
async function findMoment(
  db: Database,
  name: StateBlockName | null,
): Promise<{ moment: Moment; lastId: bigint } | null> {
  const [newest, named] = await Promise.all([
    selectNewestStateBlock(db),
    name === null ? null : selectStateBlock(db, name),
  ]);
  if (newest === null || (name !== null && named === null)) return null;
  const lastId = newest.lastId ?? 0n;
  const isNow = named === null || named.consensusEnd === newest.consensusEnd;
  return { moment: isNow ? presentAt(newest) : pastAt(named.consensusEnd, named), lastId };
}
