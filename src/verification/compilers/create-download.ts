// Fetches compilers that are missing, when the operator allows it. Each way proves what it got before the file takes its
// place in the folder: the registry's client checks the package, the compiler list names a SHA-256.

import type { CompilerDownload } from './compiler-catalogue.ts';
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
      return (wanted, folder) => downloadFromNpm(wanted, folder, log);
    case 'list':
      return (wanted, folder) => downloadFromList(downloadUrl, wanted, folder, log);
  }
}
