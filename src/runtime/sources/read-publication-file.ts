import { readFileSync } from 'node:fs';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import { findWireBytes } from '../../../packages/protocol/wire-fields.ts';
import { itemKinds, splitBlock } from '../../../packages/streams/block-stream/block-item.ts';
import { unpackBlockFile } from '../../../packages/streams/block-stream/unpack-block-file.ts';
import { UsageError } from '../settings/usage-error.ts';

/** The publication of a ledger id: the message itself, or that in a block. What it says is checked where proofs are. */
export function readPublicationFile(path: string): Uint8Array {
  try {
    const bytes = readFileSync(path);
    if (!/\.blk(\.|$)/.test(path)) return bytes;
    for (const { kind, content } of splitBlock(unpackBlockFile(bytes))) {
      const body = kind === itemKinds.signedTransaction ? findWireBytes(content, 1) : null;
      const publication = body && findWireBytes(body, typeNumber.ledgerIdPublication);
      if (publication) return publication;
    }
    throw new Error('the block has none');
  } catch (error) {
    throw new UsageError(`The publication of the ledger id cannot be read from ${path}: ${(error as Error).message}.`);
  }
}
