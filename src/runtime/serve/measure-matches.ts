// Contracts and their sources as metrics, from the process that searches for them.
import { Gauge, type Registry } from 'prom-client';
import type { MatchCounts } from '../../contracts/whole-ledger/count-matches.ts';

export type MatchMeasures = { set(counts: MatchCounts): void };

export function measureMatches(registry: Registry): MatchMeasures {
  const contracts = new Gauge({
    name: 'ledger_mirror_contracts',
    help: 'Contracts that were looked at, by how their sources were found: checked, same_code, similar, compiled_along, minimal_proxy, or none. Of the process that searches.',
    labelNames: ['sources'] as const,
    registers: [registry],
    aggregator: 'max',
  });
  const share = new Gauge({
    name: 'ledger_mirror_contracts_with_sources_ratio',
    help: 'Share of the contracts that were looked at whose sources are known, 0 to 1. Of the process that searches.',
    registers: [registry],
    aggregator: 'max',
  });
  return {
    set(counts) {
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0n);
      for (const [sources, count] of Object.entries(counts)) contracts.set({ sources }, Number(count));
      share.set(all === 0n ? 0 : Number(all - counts.none) / Number(all));
    },
  };
}
