// Whether a mirror that ran for hours is as it was after its first minutes: memory, open files, waiting times, disk.

export type Minute = {
  /** Since the beginning. */
  minute: number;
  /** A process was killed, PostgreSQL restarted or the like in this minute or the one before. */
  isDisturbed: boolean;
  /** By part: its process, which changes when the part is started again. */
  parts: Record<string, { pid: number; memoryMb: number; files: number; sockets: number } | null>;
  /** ms, by kind of request; null with too few answers. */
  p99: Record<string, number | null>;
  blocks: number;
  diskMb: number;
  /** By client that follows the ledger all along: what came, and why its connection ended, each time. */
  followers: Record<string, { came: number; ends: readonly string[] }>;
  /** Checks of contracts with a compiler that found what they should. */
  checks: number;
};

export type VerdictLimits = {
  /** After which a process has what it needs. */
  warmUpMinutes: number;
  /** How many minutes make a window that is compared with another. */
  windowMinutes: number;
  memoryGrowth: number;
  moreFiles: number;
  p99Growth: number;
  diskGrowth: number;
  /** Parts whose memory is that of connections, which come anew with the part that opened them. */
  partsOfConnections: readonly string[];
  /** Clients to which something comes in every minute. */
  steadyFollowers: readonly string[];
};

export const usualVerdictLimits: VerdictLimits = {
  warmUpMinutes: 20,
  windowMinutes: 10,
  memoryGrowth: 1.1,
  moreFiles: 20,
  p99Growth: 1.5,
  diskGrowth: 1.25,
  partsOfConnections: ['PostgreSQL'],
  steadyFollowers: ['events of transactions', 'events of blocks', 'heads'],
};

/** Sentences of what is wrong; none = all is well. */
export function judge(minutes: readonly Minute[], limits: VerdictLimits = usualVerdictLimits): string[] {
  const parts = [...new Set(minutes.flatMap(({ parts }) => Object.keys(parts)))];
  const kinds = [...new Set(minutes.flatMap(({ p99 }) => Object.keys(p99)))];
  return [
    ...parts.flatMap((part) => judgePart(part, minutes, limits)),
    ...kinds.flatMap((kind) => judgeWaits(kind, minutes, limits)),
    ...judgeDisk(minutes, limits),
    ...judgeFollowers(minutes, limits),
    ...judgeChecks(minutes),
  ];
}

/** The last life of the part: what it held after its first minutes, beside what it holds at the end. */
function judgePart(part: string, minutes: readonly Minute[], limits: VerdictLimits): string[] {
  const { warmUpMinutes, windowMinutes, memoryGrowth, moreFiles } = limits;
  const last = minutes.at(-1)?.parts[part];
  if (!last) return [`${part}: does not run at the end`];
  const since = limits.partsOfConnections.includes(part) ? lastStartOf(minutes) : 0;
  const life = minutes.slice(since).flatMap((one) => (one.parts[part]?.pid === last.pid ? [one.parts[part]] : []));
  const settled = life.slice(warmUpMinutes);
  if (settled.length < 2 * windowMinutes) return [`${part}: lived too short after its last start to be judged`];
  const [first, end] = [settled.slice(0, windowMinutes), settled.slice(-windowMinutes)];
  const [before, after] = [first, end].map((window) => median(window.map(({ memoryMb }) => memoryMb)));
  const most = (what: 'files' | 'sockets') => [first, end].map((window) => Math.max(...window.map((one) => one[what])));
  const [filesBefore, filesAfter] = most('files');
  const [socketsBefore, socketsAfter] = most('sockets');
  return [
    ...(after! > before! * memoryGrowth ? [`${part}: memory from ${mb(before!)} to ${mb(after!)}`] : []),
    ...(filesAfter! > filesBefore! + moreFiles ? [`${part}: open files from ${filesBefore} to ${filesAfter}`] : []),
    ...(socketsAfter! > socketsBefore! + moreFiles
      ? [`${part}: open sockets from ${socketsBefore} to ${socketsAfter}`]
      : []),
  ];
}

/** Place of the minute in which the last process of any part began. */
function lastStartOf(minutes: readonly Minute[]): number {
  const end = minutes.at(-1)!.parts;
  const isOfEnd = ({ parts }: Minute) => Object.entries(end).every(([part, last]) => parts[part]?.pid === last?.pid);
  return minutes.findLastIndex((one) => !isOfEnd(one)) + 1;
}

/** Undisturbed minutes of the first hour, or of the first half, beside those of the last. */
function judgeWaits(kind: string, minutes: readonly Minute[], { p99Growth }: VerdictLimits): string[] {
  const part = Math.min(60, Math.floor(minutes.length / 2));
  const of = (some: readonly Minute[]) =>
    some.flatMap(({ isDisturbed, p99 }) => (isDisturbed || p99[kind] == null ? [] : [p99[kind]]));
  const [first, last] = [of(minutes.slice(0, part)), of(minutes.slice(-part))];
  if (first.length === 0 || last.length === 0) return [];
  const [before, after] = [median(first), median(last)];
  return after > before * p99Growth ? [`${kind}: p99 from ${before.toFixed(0)} to ${after.toFixed(0)} ms`] : [];
}

/** What a block takes in the last half beside the first one. */
function judgeDisk(minutes: readonly Minute[], { diskGrowth }: VerdictLimits): string[] {
  const middle = minutes[Math.floor(minutes.length / 2)];
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (!first || !middle || !last) return ['no minute was measured'];
  if (middle.blocks <= first.blocks || last.blocks <= middle.blocks) return ['no blocks arrived'];
  const perBlock = (from: Minute, to: Minute) => (to.diskMb - from.diskMb) / (to.blocks - from.blocks);
  const [before, after] = [perBlock(first, middle), perBlock(middle, last)];
  // A block's rows take some 10 KB: below that a step of a table's file is seen, and no growth.
  const step = 16 / (last.blocks - middle.blocks);
  return after > before * diskGrowth + step
    ? [`disk: ${(1024 * before).toFixed(1)} KB a block, then ${(1024 * after).toFixed(1)}`]
    : [];
}

/** In undisturbed minutes no connection ends, and something comes to those to which something always does. */
function judgeFollowers(minutes: readonly Minute[], { steadyFollowers }: VerdictLimits): string[] {
  return minutes
    .filter(({ isDisturbed }) => !isDisturbed)
    .flatMap(({ minute, followers }) =>
      Object.entries(followers).flatMap(([name, { came, ends }]) => [
        ...(ends.length > 0 ? [`${name}: ended in minute ${minute}: ${ends.join(', ')}`] : []),
        ...(came === 0 && steadyFollowers.includes(name) ? [`${name}: nothing came in minute ${minute}`] : []),
      ]),
    );
}

function judgeChecks(minutes: readonly Minute[]): string[] {
  const half = Math.floor(minutes.length / 2);
  const parts = { first: minutes.slice(0, half), last: minutes.slice(half) };
  return Object.entries(parts).flatMap(([name, some]) =>
    some.length > 0 && some.every(({ checks }) => checks === 0) ? [`no contract was checked in the ${name} half`] : [],
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const mb = (value: number): string => `${value.toFixed(0)} MB`;
