// A block as an answer, or as an item of a list.
import { Type } from '@sinclair/typebox';
import type { Kind } from '../../values/kind.ts';
import { blockHash, hex, int32, int64, text, timestamp } from '../../values/kinds.ts';
import { from, members, nullable, part, value } from '../../values/members.ts';

/** 256 bytes; `0x` where the block has no contract results. */
const bloom: Kind<Buffer> = {
  schema: hex.schema,
  write: (bytes) => (bytes.length === 0 ? '"0x"' : `"0x${bytes.toString('hex').padStart(512, '0')}"`),
};

export const blockKind = members(
  {
    count: value(int64, 'Of transactions.'),
    hapi_version: nullable({ ...text, schema: Type.String({ examples: ['0.47.0'] }) }),
    hash: blockHash,
    name: text,
    number: int64,
    previous_hash: blockHash,
    size: nullable(int32, 'Bytes.'),
    timestamp: part(members({ from: from('consensusStart', timestamp), to: from('consensusEnd', timestamp) })),
    gas_used: nullable(int64),
    logs_bloom: nullable(bloom),
  },
  { name: 'Block' },
);
