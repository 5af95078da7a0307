import { expect, it } from 'vitest';
import { local } from './facts.ts';
import type { DescribedTable, Table } from './table.ts';
import { allTables, tables } from './tables.ts';

it('no table compiles without a fact', () => {
  const facts = { key: [], columns: {}, answers: 'none', placement: local('a test') } as const satisfies DescribedTable;
  const { placement, answers, ...rest } = facts;
  // @ts-expect-error nothing says whether answers need it
  const withoutAnswers: DescribedTable = { ...rest, placement };
  // @ts-expect-error nothing says where it lies
  const withoutPlacement: DescribedTable = { ...rest, answers };
  // @ts-expect-error nothing says what becomes of its past
  const withoutPast: Table = { ...facts, kind: 'insert' };
  expect([withoutAnswers, withoutPlacement, withoutPast]).toHaveLength(3);
});

it('a description names columns that the table has', () => {
  for (const [name, table] of Object.entries(allTables)) {
    const { key, placement } = table;
    const named = [...key, ...(placement.kind === 'distributed' ? [placement.by] : [])];
    expect([name, named.filter((column) => !table.columns[column])]).toEqual([name, []]);
  }
  for (const [name, { past, partitionBy, reset, columns }] of Object.entries(tables) as [string, Table][]) {
    const ofPast = typeof past === 'string' ? [] : Object.values(past).flat();
    const named = [...ofPast, ...(partitionBy ? [partitionBy] : []), ...(reset ? [reset.when, ...reset.columns] : [])];
    expect([name, named.filter((column) => !columns[column])]).toEqual([name, []]);
  }
});
