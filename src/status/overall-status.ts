// Indicator and description of the whole page, and the impact of an incident: one blend of component states. Pure.
import type { ComponentStatus, Impact } from './status-state.ts';

export type OverallStatus = { indicator: Impact; description: string };

const descriptions: Record<Impact, string> = {
  none: 'All Systems Operational',
  maintenance: 'Service Under Maintenance',
  minor: 'Minor Service Outage',
  major: 'Partial System Outage',
  critical: 'Major System Outage',
};

type Row = { status: ComponentStatus; all: OverallStatus; some: OverallStatus };

/** Worst first. `all` also holds where there is only one component. */
const blend: Row[] = [
  {
    status: 'major_outage',
    all: { indicator: 'critical', description: 'Major System Outage' },
    some: { indicator: 'major', description: 'Partial System Outage' },
  },
  {
    status: 'partial_outage',
    all: { indicator: 'major', description: 'Partial System Outage' },
    some: { indicator: 'minor', description: 'Minor Service Outage' },
  },
  {
    status: 'degraded_performance',
    all: { indicator: 'minor', description: 'Degraded System Service' },
    some: { indicator: 'minor', description: 'Partially Degraded Service' },
  },
  {
    status: 'under_maintenance',
    all: { indicator: 'maintenance', description: 'Service Under Maintenance' },
    some: { indicator: 'maintenance', description: 'Service Under Maintenance' },
  },
];

const ranks: Record<Impact, number> = { none: 0, maintenance: 1, minor: 2, major: 3, critical: 4 };

/**
 * @param leaves states of all components that are no groups
 * @param openImpacts impacts of unresolved incidents; they count where no component has a problem
 */
export function overallStatus(leaves: readonly ComponentStatus[], openImpacts: readonly Impact[]): OverallStatus {
  const own = blendOf(leaves);
  if (ranks[own.indicator] > ranks.maintenance) return own;
  const worst = openImpacts.reduce(worseImpact, 'none');
  return ranks[worst] > ranks[own.indicator] ? { indicator: worst, description: descriptions[worst] } : own;
}

export function worseImpact(a: Impact, b: Impact): Impact {
  return ranks[a] >= ranks[b] ? a : b;
}

function blendOf(leaves: readonly ComponentStatus[]): OverallStatus {
  const row = blend.find(({ status }) => leaves.includes(status));
  if (!row) return { indicator: 'none', description: descriptions.none };
  // A single degraded component is "partially" degraded, unlike several of which all are.
  if (leaves.length === 1 && row.status === 'degraded_performance') return row.some;
  return leaves.every((leaf) => leaf === row.status) ? row.all : row.some;
}
