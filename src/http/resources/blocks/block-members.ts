// A block as an answer, or as an item of a list.
import { Type } from '@sinclair/typebox';
import type { Block } from '../../../ledger/blocks/create-blocks.ts';
import type { Kind } from '../../values/kind.ts';
import { blockHash, hex, int32, int64, text, timestamp } from '../../values/kinds.ts';
import { members, nullable, value } from '../../values/members.ts';

/** 256 bytes; `0x` where the block has no contract results. */
const bloom: Kind<Buffer> = {
  schema: hex.schema,
  write: (bytes) => (bytes.length === 0 ? '"0x"' : `"0x${bytes.toString('hex').padStart(512, '0')}"`),
};

export const blockKind = members<Block>(
  {
    count: value(int64, (block) => block.count, 'Of transactions.'),
    hapi_version: nullable({ ...text, schema: Type.String({ examples: ['0.47.0'] }) }, (block) => block.hapiVersion),
    hash: value(blockHash, (block) => block.hash),
    name: value(text, (block) => block.name),
    number: value(int64, (block) => block.number),
    previous_hash: value(blockHash, (block) => block.previousHash),
    size: nullable(int32, (block) => block.sizeBytes, 'Bytes.'),
    timestamp: value(
      members<Block>({
        from: value(timestamp, (block) => block.consensusStart),
        to: value(timestamp, (block) => block.consensusEnd),
      }),
      (block) => block,
    ),
    gas_used: nullable(int64, (block) => block.gasUsed),
    logs_bloom: nullable(bloom, (block) => block.logsBloom),
  },
  { name: 'Block' },
);
