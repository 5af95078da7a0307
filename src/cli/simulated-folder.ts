// Where the simulated network writes in a data folder.
import { join } from 'node:path';
import { explorerFolderName } from '../../packages/simulated-network/network.ts';
import type { Settings } from '../runtime/settings/load-settings.ts';

export function simulatedFolder(settings: Settings): string {
  return join(settings.get('data-dir'), 'network');
}

/** Its block explorer's records of contracts. */
export function simulatedExplorerFolder(settings: Settings): string {
  return join(simulatedFolder(settings), explorerFolderName);
}
