// What a call passes before it runs: the throttle, which gets back the gas that was not used, and an operator's
// filters.
import { PoolFull } from '../pool/call-pool.ts';
import type { SimulationEnd } from '../simulate/simulation.ts';
import type { Outcome } from '../thread/job.ts';
import { type CallFilter, type CallFiltersOptions, createCallFilters, type FilteredCall } from './call-filters.ts';
import { type CallThrottle, createThrottle, type Exceeded } from './throttle.ts';

export type GateLimits = {
  requestsPerSecond: number;
  gasPerSecond: number;
  /** Of a call's gas limit: at most this part is given back, in per cent. */
  gasRefundPercent: number;
  filters: readonly CallFilter[];
};

export type Throttled = { kind: 'throttled'; by: Exceeded | 'filter' };
type Ended = Outcome | SimulationEnd | { kind: 'noBlock' };

export type CallGate = {
  /** `run` is called where the call may pass. `others`: run with it, for the gas of the call. */
  pass<Answer extends Ended>(
    client: string,
    call: FilteredCall,
    run: () => Promise<Answer>,
    others?: readonly FilteredCall[],
  ): Promise<Answer | Throttled>;
};

export function createCallGate(limits: GateLimits, options: CallFiltersOptions = {}): CallGate {
  const throttle: CallThrottle = createThrottle(limits, options.clock);
  const filters = createCallFilters(limits.filters, options);
  return {
    async pass(client, call, run, others = []) {
      const { gas } = call;
      const by = throttle.enter(client, gas);
      if (by !== null) return { kind: 'throttled', by };
      let unused = gas;
      try {
        for (const one of [call, ...others]) {
          const refusedBy = filters.check(one);
          if (refusedBy !== null) return { kind: 'throttled', by: refusedBy };
        }
        const answer = await run();
        unused = unusedGas(answer, gas, limits.gasRefundPercent);
        return answer;
      } catch (error) {
        if (!(error instanceof PoolFull)) unused = 0;
        throw error;
      } finally {
        throttle.giveBack(client, unused);
      }
    },
  };
}

/**
 * What did not begin took nothing, and a run gives back what it did not use, whether it failed or not; what a limit or
 * an unknown contract stopped gives back nothing. The mirror node gives back everything of a run that failed with all
 * of its gas, so that such calls cost nothing.
 */
function unusedGas(answer: Ended, gas: number, percent: number): number {
  const most = Math.floor((gas * percent) / 100);
  if (answer.kind === 'estimated') return Math.min(gas - answer.gas, most);
  if (answer.kind === 'simulated' || answer.kind === 'invalid') return Math.min(gas - answer.gasUsed, most);
  if (answer.kind === 'stopped' || answer.kind === 'traced' || answer.kind === 'notSupported') return 0;
  if (answer.kind !== 'finished' && answer.kind !== 'tracedCalls') return gas;
  const used = answer.kind === 'tracedCalls' ? answer.gasConsumed : answer.run.gasUsed;
  return Math.min(Math.max(0, gas - used), most);
}
