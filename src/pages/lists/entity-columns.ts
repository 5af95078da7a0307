// Columns that lists of entities of several kinds have.

import { foreignField, timeField } from '../parts/fields.ts';
import { foreignText } from '../parts/foreign-text.ts';
import type { Column, NarrowPlace } from '../parts/table.ts';
import { moment } from '../parts/times.ts';

type Created = { createdTimestamp: bigint | null };

export const createdColumn: Column<Created> = {
  name: 'Created',
  narrow: 'end',
  show: ({ createdTimestamp }) => (createdTimestamp === null ? null : moment(createdTimestamp)),
  fields: [timeField('created_timestamp', ({ createdTimestamp }) => createdTimestamp)],
};

type Noted = { memo: string | null };

/** `max`: characters. */
export function memoColumn(max: number, narrow: NarrowPlace = 'start'): Column<Noted> {
  return {
    name: 'Memo',
    narrow,
    show: ({ memo }) => foreignText(memo ?? '', { max }),
    fields: [foreignField('memo', ({ memo }) => memo)],
  };
}
