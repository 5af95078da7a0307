// GET blocks: a page of blocks (reference: rest-behaviour, blocks).
import { Type } from '@sinclair/typebox';
import type { Block } from '../../ledger/blocks/create-blocks.ts';
import type { Page } from '../../ledger/page.ts';
import { endpoint, type Linked } from '../endpoint.ts';
import { range } from '../parameters/conditions.ts';
import { page } from '../parameters/page.ts';
import { blockNumberText, timestampText } from '../parameters/text-kinds.ts';
import type { Kind } from '../values/kind.ts';
import { hex, int32, int64, links, text, timestamp } from '../values/kinds.ts';
import { array, members, nullable, value } from '../values/members.ts';

const allHold = 'Of several, all must hold.';

/** Hex without `0x`, as blocks keep it. */
const blockHash: Kind<string> = { schema: hex.schema, write: (hash) => `"0x${hash}"` };

/** 256 bytes; `0x` where the block has no logs. */
const bloom: Kind<Buffer> = {
  schema: hex.schema,
  write: (bytes) => (bytes.length === 0 ? '"0x"' : `"0x${bytes.toString('hex').padStart(512, '0')}"`),
};

const blockKind = members<Block>(
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

export const listBlocks = endpoint({
  path: '/api/v1/blocks',
  id: 'listBlocks',
  tag: 'Blocks',
  summary: 'Blocks with what they hold',
  query: {
    'block.number': range(blockNumberText, `Number of the block. ${allHold}`, {
      accepts: ['eq', 'lt', 'lte', 'gt', 'gte'],
    }),
    ...page({ order: 'desc', by: 'the first of `block.number` and `timestamp` that is given, else by time' }),
    timestamp: range(timestampText, `When the block ended. ${allHold}`),
  },
  ask({ query, given }, { ledger }) {
    const first = given.find(({ name }) => name === 'block.number' || name === 'timestamp');
    return ledger.blocks.list({
      number: query['block.number'],
      timestamp: query.timestamp,
      by: first?.name === 'block.number' ? 'number' : 'timestamp',
      order: query.order,
      limit: query.limit,
    });
  },
  next: ['block.number'],
  answer: members<Linked<Page<Block>>>(
    { blocks: array(blockKind, ({ items }) => items), links: value(links, ({ link }) => link) },
    { name: 'Blocks' },
  ),
  fresh: 1,
  example: { text: 'the latest blocks' },
});
