// Fields of files that many lists have.
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import type { Field } from './table.ts';

/** Empty for null. */
export function idField<T>(name: string, read: (item: T) => bigint | null): Field<T> {
  return { name, text: (item) => orEmpty(read(item), formatEntityId), id: read };
}

/** A timestamp as the API writes it. */
export function timeField<T>(name: string, read: (item: T) => bigint | null): Field<T> {
  return { name, text: (item) => orEmpty(read(item), formatTimestamp) };
}

/** A text that anyone may have written. */
export function foreignField<T>(name: string, read: (item: T) => string | null): Field<T> {
  return { name, text: (item) => read(item) ?? '', isForeign: true };
}

function orEmpty(value: bigint | null, format: (value: bigint) => string): string {
  return value === null ? '' : format(value);
}
