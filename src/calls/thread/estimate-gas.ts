// The gas that a transaction needs, as the mirror node searches for it: by halves between what a run used and the
// limit, until a step is less than a tenth of that. Each of its runs tells only whether the limit is enough; one run
// that keeps count of what its frames needed foretells them all, and two runs prove it. Where a contract asks for its
// gas, the search is run as it is.

import type { Run } from './run.ts';
import { type Need, trackNeed } from './track-need.ts';

type Estimated = { kind: 'estimated'; gas: number };
type RunWith = (gas: number, tracer?: Need['tracer']) => Promise<Run>;

const maxRuns = 20;
const threshold = 0.1;

export async function estimateGas(limit: number, run: RunWith): Promise<Estimated | Run> {
  const need = trackNeed();
  const first = await run(limit, need.tracer);
  if (!isSuccess(first)) return first;
  const { gasUsed } = first;
  if (gasUsed >= limit) return { kind: 'estimated', gas: gasUsed };
  const known = new Map<number, boolean>();
  const isEnough = async (gas: number): Promise<boolean> => {
    const found = known.get(gas) ?? isSuccess(await run(gas));
    known.set(gas, found);
    return found;
  };
  const least = need.least(limit);
  const foretold = await search(gasUsed, limit, async (gas) => gas >= least);
  const isTrue =
    (foretold.enough === limit || (await isEnough(foretold.enough))) &&
    (foretold.tooLittle === gasUsed || !(await isEnough(foretold.tooLittle)));
  const { enough } = isTrue ? foretold : await search(gasUsed, limit, isEnough);
  return { kind: 'estimated', gas: enough };
}

/** `enough` is the answer; `tooLittle` the largest limit that failed. */
async function search(used: number, limit: number, isEnough: (gas: number) => Promise<boolean>) {
  let tooLittle = used;
  let enough = limit;
  let previous = used;
  const step = Math.floor(used * threshold);
  for (let runs = 0; runs < maxRuns && tooLittle + 1 < enough; runs++) {
    const middle = Math.floor((tooLittle + enough) / 2);
    if (await isEnough(middle)) {
      enough = middle;
      if (Math.abs(previous - middle) < step) break;
    } else tooLittle = middle;
    previous = middle;
  }
  return { tooLittle, enough };
}

function isSuccess(run: Run): run is Extract<Run, { kind: 'finished' }> {
  return run.kind === 'finished' && run.status === 'SUCCESS';
}
