// What the benchmark beside the mirror node relies on: it asks every endpoint, and sees where answers differ.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { assertAllAsked } from '../../bench/beside/asked-endpoints.ts';
import type { BesideReport, BesideRow, LedgerName } from '../../bench/beside/beside-report.ts';
import { formatBesideTables } from '../../bench/beside/beside-tables.ts';
import { compareAnswers } from '../../bench/beside/compare-answers.ts';
import { questions } from '../../bench/beside/questions.ts';

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

test('an endpoint without a question is named', () => {
  const blocks = '/api/v1/blocks';
  const without = questions.filter(({ endpoint }) => endpoint !== blocks);
  expect(without.length).toBeLessThan(questions.length);
  expect(() => assertAllAsked(without)).toThrow(`GET ${blocks}`);
  assertAllAsked(questions);
});

test('names of questions are different', () => {
  const names = questions.map(({ name }) => name);
  expect([...new Set(names)]).toEqual(names);
});

test.each([
  ['the same', '{"a":1,"b":[2]}', '{"b":[2],"a":1}', null],
  [
    'a digit that no double has',
    '{"a":9007199254740993}',
    '{"a":9007199254740992}',
    'is "9007199254740993", ours "9007199254740992"',
  ],
  ['a number and its text', '{"a":1}', '{"a":"1"}', 'a is {"number":"1"}, ours "1"'],
  ['an item more', '{"a":[1]}', '{"a":[1,2]}', 'a.1 is missing'],
])('%s', async (_case, theirs, ours, difference) => {
  const urls = { rival: await answerWith(200, theirs), mirror: await answerWith(200, ours) };
  const found = await compareAnswers(urls, ['/api/v1/x']);
  if (difference === null) expect(found).toEqual({ answered: ['/api/v1/x'], difference, expected: new Set() });
  else expect(found.difference).toContain(difference);
});

test('what differs on purpose is named, and what else differs is seen beside it', async () => {
  const rival = await answerWith(200, '{"gas_price":"0x1","gas_used":5}');
  const path = '/api/v1/contracts/results/0x1';
  const equal = await compareAnswers({ rival, mirror: await answerWith(200, '{"gas_price":"0x2","gas_used":5}') }, [
    path,
  ]);
  expect(equal).toMatchObject({ difference: null, answered: [path] });
  expect([...equal.expected]).toEqual([expect.stringContaining('gas_price')]);
  const other = await compareAnswers({ rival, mirror: await answerWith(200, '{"gas_price":"0x2","gas_used":6}') }, [
    path,
  ]);
  expect(other.difference).toContain('gas_used');
});

test('paths that both refuse are not asked; a refusal of one is a difference', async () => {
  const [refusing, refused, answering] = [
    await answerWith(404, '{}'),
    await answerWith(404, '{}'),
    await answerWith(200, '{}'),
  ];
  expect(await compareAnswers({ rival: refusing, mirror: refused }, ['/x'])).toMatchObject({
    answered: [],
    difference: null,
  });
  const { difference } = await compareAnswers({ rival: refusing, mirror: answering }, ['/x']);
  expect(difference).toBe('/x: status 404, ours 200');
});

test('how cost grows is shown for what was measured on all sizes, the worst first', () => {
  const measured: [LedgerName, string, number][] = [
    ['large of 10', 'blocks', 0.1],
    ['large of 10', 'tokens', 0.1],
    ['large of 10', 'topics', 0.1],
    ['large of 20', 'blocks', 0.11],
    ['large of 20', 'tokens', 0.2],
  ];
  const text = formatBesideTables({ ...emptyReport, rows: measured.map((row) => toRow(...row)) });
  expect(text).toContain('above 1.25: 1 of 2');
  const growth = text.slice(text.indexOf('### Growth'));
  expect(growth).toContain(
    '| `tokens` | 0.05 + 0.05 | 0.10 + 0.10 | 2.00 | 1.00 | 1.00 | 1.00 |'.replaceAll('0.05', '0.050'),
  );
  expect(growth.indexOf('`tokens`')).toBeLessThan(growth.indexOf('`blocks`'));
  expect(growth).not.toContain('`topics`');
  expect(formatBesideTables({ ...emptyReport, ledgers: [], rows: [] })).not.toContain('Growth');
});

const ledgerOf = (name: LedgerName, transactions: number) => ({ name, transactions, questions: 3, compared: 0 });
const emptyReport: BesideReport = {
  ...{ startedAt: '2026-01-01T00:00:00Z', command: '', commit: '', rival: null, poolSize: 1, secondsEach: 1 },
  machine: { cores: 1, cpu: '', memoryGb: 1, kernel: '', loadBefore: 0 },
  versions: { node: 'v24', postgres: '18' },
  ledgers: [ledgerOf('large of 20', 20), ledgerOf('large of 10', 10)],
  ...{ rows: [], unmeasured: [], expected: [], memory: [] },
};

function toRow(ledger: LedgerName, request: string, cpuMs: number): BesideRow {
  const cost = { perSecond: 1, p99Ms: 1, bytes: 1, serverCpuMs: cpuMs / 2, postgresCpuMs: cpuMs / 2 };
  return { ledger, round: 'fresh', connections: 1, request, goal: 5, costs: { rival: null, mirror: cost, kept: cost } };
}

/** @returns URL of a server with one answer */
async function answerWith(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status).end(body));
  closes.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
