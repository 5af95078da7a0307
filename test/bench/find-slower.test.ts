import { expect, test } from 'vitest';
import { findSlower } from '../../bench/report/find-slower.ts';
import type { QueryReport, RowFigures } from '../../bench/report/query-report.ts';

function row(request: string, version: 'this' | 'before', serverCpuMs: number, isCached = false): RowFigures {
  const figures = { perSecond: 100, p50Ms: 1, p99Ms: 2, bytes: 100, postgresCpuMs: 1 };
  const bare = { perSecond: 1000, cpuMs: 0.1 };
  return { ...figures, request, version, serverCpuMs, isCached, scale: 0.2, connections: 16, round: 'worn', bare };
}

const report = (before: string | null, rows: RowFigures[]): QueryReport => ({
  ...{
    startedAt: '2026-11-30T00:00:00Z',
    seconds: 1,
    secondsEach: 1,
    quietSeconds: 1,
    before,
    command: '',
    commit: '',
  },
  machine: { cores: 2, cpu: '', memoryGb: 1, kernel: '', loadBefore: 0, loadAfter: 0 },
  versions: { node: 'v24', postgres: '18' },
  ledgers: [{ scale: 0.2, transactions: 1 }],
  ...{ rows, pointQueries: [], memory: [] },
});

const rows = [
  ...[row('blocks', 'before', 1), row('blocks', 'this', 1.2)],
  ...[row('tokens', 'before', 1), row('tokens', 'this', 1.3)],
  ...[row('tokens', 'before', 0.1, true), row('tokens', 'this', 0.3, true)],
  row('new', 'this', 9),
];

test('names what takes a quarter more than before, the most first', () => {
  expect(findSlower(report('commit a', rows))).toEqual([
    { request: 'tokens', isCached: true, beforeCpuMs: 0.1, cpuMs: 0.3 },
    { request: 'tokens', isCached: false, beforeCpuMs: 1, cpuMs: 1.3 },
  ]);
});

test('says nothing without a version before', () => {
  expect(findSlower(report(null, rows))).toBeNull();
});
