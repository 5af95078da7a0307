// The content of a system file at a moment. It may be incomplete, between two appends: content that cannot be decoded
// is skipped in favour of the version before it.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectFileVersion } from '../../../packages/store/read/select-file-version.ts';

export type SystemFile<T> = {
  value: T;
  /** Consensus time of the newest part, ns. */
  timestamp: bigint;
};

const maxAttempts = 12;

/** `from`, `upTo`: when it was written, ns. `decode`: null or an error = cannot be decoded. */
export async function readSystemFile<T>(
  db: Database,
  { fileId, from = null, upTo }: { fileId: bigint; from?: bigint | null; upTo: bigint },
  decode: (content: Buffer) => T | null,
): Promise<SystemFile<T> | null> {
  let until = upTo;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const version = await selectFileVersion(db, fileId, until, from);
    if (!version) return null;
    const value = decodeOrNull(version.content, decode);
    if (value !== null) return { value, timestamp: version.lastTimestamp };
    until = version.startTimestamp - 1n;
  }
  return null;
}

function decodeOrNull<T>(content: Buffer, decode: (content: Buffer) => T | null): T | null {
  try {
    return decode(content);
  } catch {
    return null;
  }
}
