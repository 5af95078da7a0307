// Fetches missing compilers, if the operator allows it. Each source verifies the file before it is moved into the
// folder: the registry's client checks the package, the compiler list names a SHA-256.
import { LRUCache } from 'lru-cache';
import type { CompilerDownload } from './compiler-catalogue.ts';
import { formatCompilerVersion } from './compiler-version.ts';
import { downloadFromList } from './download-from-list.ts';
import { downloadFromNpm } from './download-from-npm.ts';

export type DownloadOptions = {
  /** `npm`: the package solc of the configured registry; `list`: <downloadUrl>/list.json of the Solidity project. */
  download: 'off' | 'npm' | 'list';
  /** E.g. https://binaries.soliditylang.org/bin; used by `list` only. */
  downloadUrl: string;
};

export function createDownload(
  { download, downloadUrl }: DownloadOptions,
  log: (line: string) => void,
): CompilerDownload | null {
  switch (download) {
    case 'off':
      return null;
    case 'npm':
      return rarely((wanted, folder) => downloadFromNpm(wanted, folder, log));
    case 'list':
      return rarely((wanted, folder) => downloadFromList(downloadUrl, wanted, folder, log));
  }
}

const retryAfterMs = 600_000;
const maxRemembered = 1000;

/** A missing compiler is not requested again for a while, whatever requests name it. */
function rarely(download: CompilerDownload): CompilerDownload {
  const failed = new LRUCache<string, true>({ max: maxRemembered, ttl: retryAfterMs });
  return async (wanted, folder) => {
    const version = formatCompilerVersion(wanted);
    if (failed.has(version)) return false;
    failed.set(version, true);
    const isThere = await download(wanted, folder);
    if (isThere) failed.delete(version);
    return isThere;
  };
}
