// A duration for people, in its largest unit.
const units = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
];

export function formatDuration(ms: number): string {
  const unit = units.find((candidate) => ms >= 2 * candidate.ms);
  return unit ? `${Math.round(ms / unit.ms)} ${unit.name}` : `${(Math.max(ms, 0) / 1000).toFixed(1)} s`;
}
