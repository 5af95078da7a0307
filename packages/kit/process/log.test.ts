import { expect, test, vi } from 'vitest';
import { QueryError } from '../../postgres/wire/database.ts';
import { createLog, formatLogLine, type LogLine } from './log.ts';

test.each([
  [{ level: 30, time: 0, msg: 'imported', block: 5 }, '1970-01-01T00:00:00Z info  imported  block=5\n'],
  [{ level: 40, time: 3_600_000, msg: 'odd', file: 'a b' }, '1970-01-01T01:00:00Z warn  odd  file=a b\n'],
  [
    { level: 40, time: 0, msg: 'failed', err: { message: 'why', stack: 'long' } },
    '1970-01-01T00:00:00Z warn  failed: why\n',
  ],
  [
    { level: 50, time: 0, msg: 'failed', err: { message: 'why', stack: 'long' } },
    '1970-01-01T00:00:00Z error failed: long\n',
  ],
  // What a block node or a bucket says of itself may be made up.
  [
    {
      level: 40,
      time: 0,
      msg: 'failed',
      err: { message: 'no\n12:00:00 info  all is well\r\u001b[2K' },
      source: '\u009b1m',
    },
    '1970-01-01T00:00:00Z warn  failed: no\n  12:00:00 info  all is well\\x0d\\x1b[2K  source=\\x9b1m\n',
  ],
  [
    { level: 50, time: 0, msg: 'a', err: { message: 'b', stack: 'b\n    at c' } },
    '1970-01-01T00:00:00Z error a: b\n    at c\n',
  ],
])('%j reads as one line of the log', (line, text) => {
  expect(formatLogLine(line as LogLine)).toBe(text);
});

function record(level = 'info') {
  const written: LogLine[] = [];
  let time = 0;
  const log = createLog({
    level,
    format: 'json',
    target: { write: (text) => void written.push(JSON.parse(text)) },
    now: () => time,
  });
  const pass = (ms: number): void => {
    time += ms;
  };
  return { log, written, pass };
}

const gone = () => Object.assign(new Error('connect ENOENT /run/.s.PGSQL.5432'), { code: 'ENOENT' });
const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

test('five minutes without PostgreSQL cost a line a minute, whichever part needs it', () => {
  const { log, written, pass } = record();
  for (let second = 0; second < 300; second += 1) {
    for (let request = 0; request < 20; request += 1) {
      const err = new QueryError(request % 2 ? 'select-token' : 'select-account', refused());
      log.warn({ query: err.query, err: request % 4 ? refused() : gone() }, 'a query failed');
      log.error({ err, status: 503, method: 'GET', url: `/api/v1/tokens/${request}` }, 'Request failed');
    }
    log.warn({ err: new QueryError('check', refused()) }, 'Not ready: the database does not answer');
    log.warn({ err: refused() }, 'a connection to PostgreSQL was lost');
    const unwritten = new Error(`block ${second} could not be written: connect ENOENT /run/.s.PGSQL.5432`);
    log.warn({ err: unwritten, retryMs: second }, 'The import waits for the database and tries again');
    pass(1000);
  }
  expect(written).toHaveLength(5);
  // 43 lines a second, of which one was said.
  expect(written[1]!.alsoLeftOut).toBe(60 * 43 - 1);
});

test('a line of another kind is not lost among them, and at --log-level debug no line is', () => {
  const { log, written } = record();
  for (let number = 0; number < 10; number += 1) log.warn({ file: number }, `copy ${number} did not pass`);
  log.warn('another');
  expect(written.map(({ msg }) => msg)).toEqual([
    ...[0, 1, 2, 3, 4].map((number) => `copy ${number} did not pass`),
    'another',
  ]);
  const verbose = record('debug');
  for (let number = 0; number < 10; number += 1) verbose.log.warn('again');
  expect(verbose.written).toHaveLength(10);
});

test('what was repeated is said again after its minute, also where the clock was set back by hours', () => {
  const written: LogLine[] = [];
  const log = createLog({
    level: 'info',
    format: 'json',
    target: { write: (text) => void written.push(JSON.parse(text)) },
  });
  const wall = vi.spyOn(Date, 'now');
  const steady = vi.spyOn(performance, 'now');
  try {
    for (const [wallMs, steadyMs] of [
      [1_800_000_000_000, 1000],
      [1_800_000_000_000 - 5 * 3_600_000, 62_000],
    ] as const) {
      wall.mockReturnValue(wallMs);
      steady.mockReturnValue(steadyMs);
      for (let count = 0; count < 20; count += 1) log.warn('the source does not answer');
    }
  } finally {
    wall.mockRestore();
    steady.mockRestore();
  }
  expect(written).toHaveLength(10);
  expect(written[5]!.alsoLeftOut).toBe(15);
});
