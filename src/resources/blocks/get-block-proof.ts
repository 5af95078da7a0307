// GET blocks/{hashOrNumber}/proof: what shows to a client that trusts no other party that a block is in the ledger.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { handOver } from '../../api/endpoint/hand-over.ts';
import { proofParameters, toProofWish } from '../../api/reading/value/proof-parameters.ts';
import { textInPath } from '../../api/reading/value/text-in-path.ts';
import { blockNameText } from '../../api/reading/value/text-kinds.ts';
import { proofDocumentKind } from '../../api/values/proof-document.ts';

export const getBlockProof = endpoint({
  path: '/api/v1/blocks/{hashOrNumber}/proof',
  id: 'getBlockProof',
  tag: 'Blocks',
  summary: 'A proof that a block is in the ledger',
  description:
    'Of a block stream: its header, with its number, and the hashes that its root is made of. Of a record file: its first item.',
  in: {
    hashOrNumber: textInPath(blockNameText, {
      refusedAs: 'hashOrNumber',
      description: 'Number of the block, or its hash: all of its 96 hexadecimal digits or the first 64.',
      example: '1234',
    }),
  },
  query: proofParameters,
  own: true,
  mayLack: true,
  ask: ({ path, query }, { ledger }) => handOver(ledger.proofs.ofBlock(path.hashOrNumber, toProofWish(query))),
  answer: proofDocumentKind,
  fresh: 600,
  settledBy: (_asked, { settledBy }) => settledBy,
  example: {
    text: 'the proof of a block',
    find: ({ block }) => (block === null ? null : block.number.toString()),
    missing: 'no block has been imported yet',
  },
});
