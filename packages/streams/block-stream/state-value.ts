// A value of the network's state that is sent in part: laid over the value before it. Which fields it has is read from
// its bytes, never from a decoder's defaults: an absent field is unchanged.
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { createWireCursor, nextWireField, visitWireFields } from '../../protocol/wire-fields.ts';
import type { StateField } from './state-fields.ts';

export type SentValue = {
  /** Serialized. */
  value: Buffer;
  /** The fields that it has replace those of the value before; lists and messages as a whole. */
  isPartial: boolean;
  /** Numbers of the fields that have their default from here on. */
  cleared: readonly number[];
};

export const nothingCleared: readonly number[] = [];

const maxFieldNumber = 2 ** 29 - 1;

/**
 * Why the change must not be taken; null: it is well formed.
 * @param fieldCount of the value's message, numbered from 1; null: not known
 */
export function findFault({ value, isPartial, cleared }: SentValue, fieldCount: number | null): string | null {
  if (cleared.length === 0) return null;
  if (!isPartial) return 'it clears fields of a value that is whole';
  let last = 0;
  for (const number of cleared) {
    if (number < 1 || number > maxFieldNumber) return `it clears a field with the number ${number}`;
    if (number <= last) return `it clears field ${number} after field ${last}`;
    if (fieldCount !== null && number > fieldCount) return `it clears field ${number}, which is not known`;
    last = number;
  }
  const numbers = new Set(cleared);
  const field = createWireCursor(value);
  while (nextWireField(field)) if (numbers.has(field.number)) return `it has and clears field ${field.number}`;
  return null;
}

/** The whole value after the change. Throws StreamFileError. */
export function overlay(before: Buffer, { value, isPartial, cleared }: SentValue): Buffer {
  if (!isPartial) return value;
  const replaced = new Set(cleared);
  visitWireFields(value, (number) => void replaced.add(number));
  const kept: Buffer[] = [];
  let fieldStart = 0;
  visitWireFields(before, (number, _wireType, _start, end) => {
    if (!replaced.has(number)) kept.push(before.subarray(fieldStart, end));
    fieldStart = end;
  });
  return Buffer.concat([...kept, value]);
}

export type FoundField = { start: number; end: number };

/** Where the content of a field is; null if the value does not have it. Throws StreamFileError. */
export function findField(value: Buffer, { number, wireType }: StateField): FoundField | null {
  const field = createWireCursor(value);
  let found: FoundField | null = null;
  while (nextWireField(field)) {
    if (field.number !== number) continue;
    if (field.wireType !== wireType) {
      const found = `wire type ${field.wireType}`;
      throw new StreamFileError('malformed', `field ${number} of a state value`, `wire type ${wireType}`, found);
    }
    found = { start: field.start, end: field.end };
  }
  return found;
}

/** Whether more than one of these fields is set. Throws StreamFileError. */
export function hasSeveral(value: Buffer, alternatives: readonly number[]): boolean {
  const found = new Set<number>();
  visitWireFields(value, (number) => {
    if (alternatives.includes(number)) found.add(number);
  });
  return found.size > 1;
}
