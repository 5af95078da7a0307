// GET blocks: a page of blocks (docs/reference/rest-behaviour.md, Blocks).
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { pageSettledBy } from '../../api/reading/page/page-settled-by.ts';
import { allHold, equalOrBound, range } from '../../api/reading/query/conditions.ts';
import { blockNumberText, timestampText } from '../../api/reading/value/text-kinds.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { blockKind } from './block-members.ts';

export const listBlocks = endpoint({
  path: '/api/v1/blocks',
  id: 'listBlocks',
  tag: 'Blocks',
  summary: 'Blocks',
  query: {
    'block.number': range(blockNumberText, `Number of the block. ${allHold}`, {
      accepts: equalOrBound,
    }),
    ...page({ order: 'desc', by: 'the first of `block.number` and `timestamp` that is given, else by time' }),
    timestamp: range(timestampText, `When the block ended. ${allHold}`),
  },
  ask({ query, given }, { ledger }) {
    const first = given.find(({ name }) => name === 'block.number' || name === 'timestamp');
    const by = first?.name === 'block.number' ? 'number' : 'timestamp';
    return ledger.blocks.list({ ...query, members: blockKind.members, number: query['block.number'], by });
  },
  next: ['block.number'],
  answer: pageOf('blocks', blockKind, 'Blocks'),
  fresh: 1,
  // Numbers grow with time: a full page in either order ends before later blocks.
  settledBy: ({ query }, found) => pageSettledBy(query, found, (block) => block.consensusEnd),
  example: { text: 'the latest blocks' },
});
