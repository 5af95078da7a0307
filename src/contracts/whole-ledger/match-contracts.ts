// One step of the search for the sources of all contracts: the most urgent batch. New matches first, then new contracts,
// then what was there before, downwards from the newest.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { isFilledInPart } from '../../../packages/store/transfer/bootstrap-run.ts';
import {
  type MatchProgress,
  type MatchTask,
  selectIdsOfTask,
  selectMatchProgress,
  selectMatchTask,
  storeMatches,
} from '../../../packages/verification/store/contract-matches.ts';
import { selectContractIdsFrom, selectMatchedIds } from '../../../packages/verification/store/select-contract-codes.ts';
import type { EvaluateContracts } from './evaluate-contracts.ts';
import { indexCompilations } from './index-compilations.ts';

export type MatchContracts = {
  /** What was done; null = there was nothing to do. */
  step(): Promise<MatchTask['kind'] | 'index' | null>;
};

type Options = {
  db: Database;
  evaluate: EvaluateContracts;
  /** ms of a clock that only goes on. */
  now?: () => number;
};

const batchSize = 50;
const indexedAtOnce = 10;
/** Contracts that are looked through for those that were not looked at. */
const sweptAtOnce = 500;
/** From the end of a sweep to the next, which finds what was imported into the past since. */
const sweepEveryMs = 600_000;
const maxId = 2n ** 63n - 1n;

export function createMatchContracts({ db, evaluate, now = () => performance.now() }: Options): MatchContracts {
  let sweptAtMs = Number.NEGATIVE_INFINITY;

  async function store(ids: readonly bigint[], progress: MatchProgress): Promise<void> {
    await storeMatches(db, ids.length > 0 ? await evaluate(ids) : [], progress);
  }

  /** Contracts that new matches may fit, and proxies of changed ones. */
  async function again(): Promise<MatchTask['kind'] | null> {
    const task = await selectMatchTask(db);
    if (task === null) return null;
    const ids = await selectIdsOfTask(db, task, batchSize);
    await store(ids, { ...task, position: ids.length < batchSize ? null : ids.at(-1)! });
    return task.kind;
  }

  /** The ledger as it is at the first start is left to the sweep. */
  async function newest(): Promise<'newest' | null> {
    const task = await selectMatchProgress(db, 'newest');
    if (task === null) {
      const [last] = await selectContractIdsFrom(db, { from: maxId, order: 'desc', limit: 1 });
      await store(last === undefined ? [] : [last], { kind: 'newest', subject: 0n, position: last ?? 0n });
      return 'newest';
    }
    const ids = await selectContractIdsFrom(db, { from: task.position, order: 'asc', limit: batchSize });
    if (ids.length === 0) return null;
    await store(ids, { ...task, position: ids.at(-1)! });
    return 'newest';
  }

  async function sweep(): Promise<'sweep' | null> {
    const task = await selectMatchProgress(db, 'sweep');
    if (task === null && now() - sweptAtMs < sweepEveryMs) return null;
    const from = task?.position ?? maxId;
    const ids = await selectContractIdsFrom(db, { from, order: 'desc', limit: sweptAtOnce });
    const known = await selectMatchedIds(db, ids);
    const missing = ids.filter((id) => !known.has(id)).slice(0, batchSize);
    const last = missing.length === batchSize ? missing.at(-1)! : ids.at(-1);
    const isOver = last === undefined || (missing.length < batchSize && ids.length < sweptAtOnce);
    if (isOver) sweptAtMs = now();
    // The first sweep of an empty ledger leaves nothing.
    if (missing.length > 0 || task !== null || !isOver) {
      await store(missing, { kind: 'sweep', subject: 0n, position: isOver ? null : last });
    }
    return isOver && missing.length === 0 ? null : 'sweep';
  }

  return {
    async step() {
      // An export may have what would be stored here.
      if (await isFilledInPart(db)) return null;
      if (await indexCompilations(db, indexedAtOnce)) return 'index';
      return (await again()) ?? (await newest()) ?? (await sweep());
    },
  };
}
