// `node scripts/run.mjs bench/members.ts`: the cost of a compiled table of members, compared with the same line written
// by hand, and with a loop over the table. One process, the three in turn; the median of nine rounds counts.

import { formatEntityId } from '../packages/protocol/hapi/entity-id.ts';
import { toJsonEntityId, toJsonInteger, toJsonString, toJsonTimestamp } from '../src/api/values/json-text.ts';
import { entityId, int64, text, timestamp } from '../src/api/values/kinds.ts';
import { members, nullable, value } from '../src/api/values/members.ts';

type Row = { id: bigint; owner: bigint | null; balance: bigint | null; created: bigint | null; memo: string };

const rows: Row[] = Array.from({ length: 1000 }, (_, index) => ({
  id: BigInt(index + 1000),
  owner: index % 3 === 0 ? null : BigInt(index),
  balance: index % 5 === 0 ? null : BigInt(index) * 1_000_000_007n,
  created: 1_700_000_000_000_000_000n + BigInt(index),
  memo: `memo of ${formatEntityId(BigInt(index + 1000))}`,
}));

const table = {
  id: value(entityId, (row: Row) => row.id),
  owner: value(entityId, (row: Row) => row.owner),
  balance: nullable(int64, (row: Row) => row.balance),
  created: nullable(timestamp, (row: Row) => row.created),
  memo: value(text, (row: Row) => row.memo),
};
const compiled = members<Row>(table);

const ways: Record<string, (row: Row) => string> = {
  'by hand': (row) =>
    `{"id":${toJsonEntityId(row.id)},"owner":${toJsonEntityId(row.owner)},"balance":${toJsonInteger(row.balance)},"created":${toJsonTimestamp(row.created)},"memo":${toJsonString(row.memo)}}`,
  compiled: compiled.write,
  loop(row) {
    const parts: string[] = [];
    for (const [name, member] of Object.entries(table)) {
      const got = member.get(row);
      parts.push(`"${name}":${got === null && member.presence === 'nullable' ? 'null' : member.write(got)}`);
    }
    return `{${parts.join(',')}}`;
  },
};

const expected = rows.map(ways['by hand']!).join();
for (const [name, write] of Object.entries(ways)) {
  if (rows.map(write).join() !== expected) throw new Error(`"${name}" writes another text`);
}

const times: Record<string, number[]> = {};
for (let round = 0; round < 9; round++) {
  for (const [name, write] of Object.entries(ways)) {
    const started = performance.now();
    let length = 0;
    for (let repeat = 0; repeat < 200; repeat++) for (const row of rows) length += write(row).length;
    const nanoseconds = ((performance.now() - started) * 1e6) / (200 * rows.length);
    if (length === 0) throw new Error('Nothing was written');
    times[name] = [...(times[name] ?? []), nanoseconds];
  }
}
for (const [name, measured] of Object.entries(times)) {
  console.log(`${name}: ${Math.round(measured.sort((a, b) => a - b)[4]!)} ns an object`);
}
