// Indicator and description of the whole page, and the impact of an incident, from component states. Pure.
import { type ComponentStatus, type Impact, impacts } from './status-state.ts';

export type OverallStatus = { indicator: Impact; description: string };

const descriptions: Record<Impact, string> = {
  none: 'All Systems Operational',
  maintenance: 'Service Under Maintenance',
  minor: 'Minor Service Outage',
  major: 'Partial System Outage',
  critical: 'Major System Outage',
};

/** Worst first: the impact if all components are in this state, and if some are. */
const blend: [status: ComponentStatus, all: Impact, some: Impact][] = [
  ['major_outage', 'critical', 'major'],
  ['partial_outage', 'major', 'minor'],
  ['degraded_performance', 'minor', 'minor'],
  ['under_maintenance', 'maintenance', 'maintenance'],
];

/**
 * @param leaves states of all components that are no groups
 * @param openImpacts impacts of unresolved incidents; they count if no component has a problem
 */
export function overallStatus(leaves: readonly ComponentStatus[], openImpacts: readonly Impact[]): OverallStatus {
  const own = blendOf(leaves);
  if (rankOf(own.indicator) > rankOf('maintenance')) return own;
  const worst = openImpacts.reduce(worseImpact, 'none');
  return rankOf(worst) > rankOf(own.indicator) ? { indicator: worst, description: descriptions[worst] } : own;
}

export function worseImpact(a: Impact, b: Impact): Impact {
  return rankOf(a) >= rankOf(b) ? a : b;
}

function rankOf(impact: Impact): number {
  return impacts.indexOf(impact);
}

function blendOf(leaves: readonly ComponentStatus[]): OverallStatus {
  const row = blend.find(([status]) => leaves.includes(status));
  if (!row) return { indicator: 'none', description: descriptions.none };
  const [status, all, some] = row;
  const areAll = leaves.every((leaf) => leaf === status);
  const indicator = areAll ? all : some;
  if (status !== 'degraded_performance') return { indicator, description: descriptions[indicator] };
  // A single degraded component counts as "partially" degraded; only several make the whole.
  const isWhole = areAll && leaves.length > 1;
  return { indicator, description: isWhole ? 'Degraded System Service' : 'Partially Degraded Service' };
}
