// An answer from a system file: without the file nothing is found.

import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { MissingFile } from '../../ledger/network/network.ts';

/** Throws RequestError if the file is missing. */
export function foundIn<T extends object>(found: T | MissingFile): T {
  if (!('missingFileId' in found)) return found;
  throw refuse('notFound', { sentence: `File ${formatEntityId(found.missingFileId)} not found` });
}
