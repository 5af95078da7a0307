// Where the import of an empty database begins, and where an import ends, as operators write it: a moment or a block.
import { formatTimestamp, maxTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';

/** A consensus timestamp in ns, or the number of a block. */
export type StreamPoint = { kind: 'timestamp'; timestamp: bigint } | { kind: 'block'; number: bigint };

/** genesis: the first unit that the source has. now: the newest one. */
export type StartPoint = StreamPoint | { kind: 'genesis' } | { kind: 'now' };

/** null if the text is invalid. A whole number is a block; seconds since the epoch have a point. */
export function parseStartPoint(text: string): StartPoint | null {
  return text === 'genesis' || text === 'now' ? { kind: text } : parseStreamPoint(text);
}

export function parseStreamPoint(text: string): StreamPoint | null {
  if (/^\d{1,18}$/.test(text)) return { kind: 'block', number: BigInt(text) };
  const timestamp = parseMoment(text);
  return timestamp === null ? null : { kind: 'timestamp', timestamp };
}

/** Equal points have equal texts. */
export function formatStartPoint(point: StartPoint): string {
  if (point.kind === 'timestamp') return formatTimestamp(point.timestamp);
  return point.kind === 'block' ? String(point.number) : point.kind;
}

/** `1700000000.5`, `2026-01-31` or `2026-01-31T12:00:00.5Z`, in UTC, not before 1970. */
function parseMoment(text: string): bigint | null {
  const seconds = /^(\d{1,10})\.(\d{1,9})$/.exec(text);
  if (seconds) return inRange(BigInt(seconds[1]! + seconds[2]!.padEnd(9, '0')));
  const date = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z)?$/.exec(text);
  if (!date) return null;
  const [, day, time = '00:00:00', fraction = ''] = date;
  const milliseconds = Date.parse(`${day}T${time}Z`);
  // Date.parse reads the 31st of a month with 30 days as the next day.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(day!)) return null;
  return inRange(BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0')));
}

function inRange(timestamp: bigint): bigint | null {
  return timestamp >= 0n && timestamp <= maxTimestamp ? timestamp : null;
}

export type ImportEnd = {
  /** Whether this block, the last one stored, is the end or lies after it. */
  isReached(last: { index: bigint; consensusEnd: bigint }): boolean;
  /** Whether the end lies before the block, which is then not stored. */
  isBefore(block: { number: bigint; consensusStart: bigint }): boolean;
};

/** After a block, or with the block of a moment. */
export function createImportEnd(until: StreamPoint): ImportEnd {
  return until.kind === 'block'
    ? { isReached: ({ index }) => index >= until.number, isBefore: ({ number }) => number > until.number }
    : {
        isReached: ({ consensusEnd }) => consensusEnd >= until.timestamp,
        isBefore: ({ consensusStart }) => consensusStart > until.timestamp,
      };
}
