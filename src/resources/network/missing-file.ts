// An answer from a system file: without the file nothing is found.

import { refuse } from '../../../packages/web-server/request-error.ts';
import type { MissingFile } from '../../ledger/network/network.ts';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';

/** Throws RequestError if the file is missing. */
export function foundIn<T extends object>(found: T | MissingFile): T {
  if (!('missingFileId' in found)) return found;
  throw refuse('notFound', { sentence: `File ${formatEntityId(found.missingFileId)} not found` });
}
