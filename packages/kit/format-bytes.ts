// A number of bytes for people, in its largest unit.
const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `1.2 GB`: powers of 1000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}
