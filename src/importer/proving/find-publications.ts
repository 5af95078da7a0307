// What a block publishes of its ledger's id, as messages: reading one takes some 40 ms, and is left to the check of
// proofs.

import { isSuccess } from '../../../packages/protocol/hapi/response-codes.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import { findWireBytes, noBytes } from '../../../packages/protocol/wire-fields.ts';
import { splitTransaction } from '../../../packages/streams/record-stream/split-transaction.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import { readPart } from '../open/stream-check-error.ts';

/** In one block: networks publish one. Each takes up to a second to check. */
const maxPublications = 4;

/** Of transactions that succeeded: anybody may send one that does not. */
export function findPublications({ name, transactions }: StreamBlock): {
  publications: Uint8Array[];
  problems: string[];
} {
  const published = transactions.filter(({ type, status }) => type === publicationType && isSuccess(status));
  const publications = published.slice(0, maxPublications).map(({ transactionBytes }) => {
    const content = readPart(name, () => findWireBytes(splitTransaction(transactionBytes).bodyBytes, publicationType));
    // A copy: a part of a block would take the whole block along to another thread.
    return new Uint8Array(content ?? noBytes);
  });
  const problems =
    published.length > maxPublications
      ? [`${published.length} ledger ids were published: only the first ${maxPublications} are read`]
      : [];
  return { publications, problems };
}

const publicationType = typeNumber.ledgerIdPublication;
