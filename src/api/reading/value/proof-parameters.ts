// What a client says about a proof that it asks for.

import type { ProofWish } from '../../../ledger/create-proofs.ts';
import { type ItemChoice, itemChoices } from '../../../ledger/proofs/choose-items.ts';
import { last } from '../query/conditions.ts';
import { oneWord } from './one-word.ts';
import { sha256Text, sha384Text } from './text-kinds.ts';

const known = last(
  sha384Text,
  'Root of a block that the client has proved before: `signedRoot` of an earlier proof. If the proof can end there, it is no longer than that.',
);
const key = last(
  sha256Text,
  'Of a ledger id of 64 bytes: hash of a hinTS key that the client has proved before, one of the `provedKeys` of an earlier proof. What leads to that key is left out.',
);
const book = last(
  sha384Text,
  'Of record files: SHA-384 of the address book that the client knows; the updates from there on come with the proof. Without: the book that was valid.',
);

/** Of a block, which is proved by its header. */
export const proofParameters = { known, key, book };

export const itemProofParameters = {
  ...proofParameters,
  items: oneWord<ItemChoice>({
    kind: 'itemChoice',
    description:
      'Of block streams: `all` items of inputs and outputs, whose order shows which result belongs to which transaction, or `single` ones, which only show that both are in the block. Without: `all`, unless the block has a batch, or more than 4 MiB of them.',
    words: itemChoices,
  }),
};

type Given = { known: string | null; key: string | null; book: string | null; items?: ItemChoice | null };

export function toProofWish({ known: root, key: keyHash, book: hash, items = null }: Given): ProofWish {
  return { known: root, key: keyHash, book: hash === null ? null : Buffer.from(hash, 'hex'), items };
}
