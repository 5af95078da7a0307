// What tells the rows of a table apart, as a value that a Map can have as key.
import type { Table } from '../../store/schema/table.ts';
import type { AnyRow } from './merge-rows.ts';

export type RowKey = bigint | string;

export function createRowKey({ key, columns }: Table): (row: AnyRow) => RowKey {
  const [only] = key;
  if (key.length === 1 && only && columns[only]!.type === 'int8') return (row) => row[only] as bigint;
  return (row) => {
    let text = '';
    for (const name of key) text += `${toKeyText(row[name])},`;
    return text;
  };
}

function toKeyText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
