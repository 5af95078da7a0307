// GET blocks/{hashOrNumber}: one block. It takes no query at all, which is validated before the path.
import { endpoint, legacyReading } from '../../api/endpoint/endpoint.ts';
import { textInPath } from '../../api/reading/value/text-in-path.ts';
import { blockNameText } from '../../api/reading/value/text-kinds.ts';
import { blockKind, provedBlockKind } from './block-members.ts';

export const getBlock = endpoint({
  path: '/api/v1/blocks/{hashOrNumber}',
  id: 'getBlock',
  tag: 'Blocks',
  summary: 'A block with what it holds',
  in: {
    hashOrNumber: textInPath(blockNameText, {
      refusedAs: 'hashOrNumber',
      description: 'Number of the block, or its hash: all of its 96 hexadecimal digits or the first 64.',
      example: '1234',
    }),
  },
  peer: legacyReading,
  ask: ({ path }, { ledger, dialect }) =>
    ledger.blocks.find(path.hashOrNumber, { members: blockKind.members, withProof: dialect.showsProof }),
  answer: ({ dialect }) => (dialect.showsProof ? provedBlockKind : blockKind),
  fresh: 600,
  // A later block may cover one that is not verified, or prove one whose key is not.
  settledBy: (_asked, { proof, consensusEnd }) =>
    proof?.kind === 'unverified' || proof?.kind === 'unproved' ? null : consensusEnd,
  example: {
    text: 'one block',
    find: ({ block }) => (block === null ? null : block.number.toString()),
    missing: 'no block has been imported yet',
  },
});
