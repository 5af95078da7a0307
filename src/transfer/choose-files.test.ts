import { expect, test } from 'vitest';
import { chooseFiles, type TransferMode } from './choose-files.ts';
import { parseExportName } from './export-names.ts';
import type { ExportFile } from './read-export.ts';

function fileOf(name: string): ExportFile {
  return {
    ...parseExportName(name)!,
    name,
    path: `${name}.csv.gz`,
    sizeBytes: 1,
    expected: { rows: 1, sizeBytes: 1, hash: null },
  };
}

const files = [
  ...[
    'entity',
    'entity_history',
    'file_data',
    'flyway_schema_history',
    'network_freeze',
    'node_stake',
    'contract_state',
  ],
  ...['account_balance_p2025_12', 'account_balance_p2026_01', 'account_balance_p2026_02'],
  ...['record_file_p2025_12', 'record_file_p2026_01', 'record_file_p2026_02'],
  ...['transaction_p2025_12', 'transaction_p2026_01', 'transaction_p2026_02'],
  ...['topic_message_p2026_02', 'topic_message_p2026_02_atma'],
].map(fileOf);

const since = (day: string): TransferMode => ({
  kind: 'since',
  since: BigInt(Date.parse(`${day}T00:00:00Z`)) * 1_000_000n,
});

/** Names with the first letter of how their rows are chosen: all, state, since. */
function chosen(mode: TransferMode): string[] {
  return chooseFiles(files, mode).files.map(({ name, choice }) => `${name} ${choice.kind}`);
}

test('everything', () => {
  const known = files.filter(({ table }) => table !== 'flyway_schema_history').map(({ name }) => `${name} all`);
  expect(chosen({ kind: 'full' })).toEqual(known);
  expect(chosen({ kind: 'minimal' })).toEqual(known.filter((name) => !name.includes('_atma')));
});

test('tables that this program does not have are named', () => {
  expect(chooseFiles(files, { kind: 'full' }).unknownTables).toEqual(['flyway_schema_history']);
});

test('what the minimal set leaves out is known by table and month, where the rest of it is loaded', () => {
  const large = { table: 'topic_message', month: '2026_02', rows: 1 };
  const leftOut = (mode: TransferMode) => chooseFiles(files, mode).leftOut;
  expect([leftOut({ kind: 'minimal' }), leftOut(since('2026-02-20')), leftOut(since('2026-03-01'))]).toEqual([
    [large],
    [large],
    [],
  ]);
  expect([leftOut({ kind: 'full' }), leftOut({ kind: 'state' })]).toEqual([[], []]);
  const empty = files.map((file) => (file.isLarge ? { ...file, expected: { ...file.expected, rows: 0 } } : file));
  expect(chooseFiles(empty, { kind: 'minimal' }).leftOut).toEqual([]);
});

test('state', () => {
  expect(chosen({ kind: 'state' })).toEqual([
    ...['entity state', 'file_data state', 'node_stake state', 'contract_state state'],
    ...['account_balance_p2026_02 state', 'record_file_p2026_01 state', 'record_file_p2026_02 state'],
  ]);
});

test('the past since a day', () => {
  expect(chosen(since('2026-02-01'))).toEqual([
    ...[
      'entity all',
      'entity_history since',
      'file_data all',
      'network_freeze since',
      'node_stake all',
      'contract_state all',
    ],
    ...['account_balance_p2026_01 state', 'account_balance_p2026_02 all'],
    ...['record_file_p2026_01 since', 'record_file_p2026_02 all'],
    ...['transaction_p2026_02 all', 'topic_message_p2026_02 all'],
  ]);
  expect(chosen(since('2026-01-20'))).toEqual(
    expect.arrayContaining([
      'transaction_p2026_01 since',
      'account_balance_p2025_12 state',
      'account_balance_p2026_01 all',
    ]),
  );
});
