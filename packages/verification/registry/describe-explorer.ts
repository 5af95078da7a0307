// One explorer as an operator describes it; defaults follow from its kind.
import type { Explorer, ExplorerKind } from './chain-registry.ts';

type Given = Pick<Explorer, 'kind' | 'location'> & Partial<Omit<Explorer, 'takesKey'>>;

export function describeExplorer({ kind, location, ...said }: Given): Explorer {
  const { name, takesKey, ratePerSecond } = kinds[kind];
  return {
    kind,
    location: location.replace(/\/+$/, ''),
    name: said.name ?? name,
    ...(said.key ? { key: said.key } : {}),
    takesKey,
    ratePerSecond: said.ratePerSecond ?? ratePerSecond,
    timeoutMs: said.timeoutMs ?? 10_000,
    recordBytes: said.recordBytes ?? 5_000_000,
  };
}

// Rates are those of the services' free plans.
const kinds: Record<ExplorerKind, Pick<Explorer, 'name' | 'takesKey' | 'ratePerSecond'>> = {
  etherscan: { name: 'Etherscan', takesKey: true, ratePerSecond: 3 },
  blockscout: { name: 'Blockscout', takesKey: true, ratePerSecond: 5 },
  routescan: { name: 'Routescan', takesKey: true, ratePerSecond: 2 },
  sourcify: { name: 'Sourcify', takesKey: false, ratePerSecond: 5 },
  folder: { name: 'the local explorer', takesKey: false, ratePerSecond: 1000 },
};
