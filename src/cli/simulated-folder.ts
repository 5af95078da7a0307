// Where in a data folder the simulated network writes.
import { join } from 'node:path';
import { explorerFolderName } from '../../packages/simulated-network/network.ts';
import type { Settings } from '../runtime/settings/load-settings.ts';

export function simulatedFolder(settings: Settings): string {
  return join(settings.get('data-dir'), 'network');
}

/** What its block explorer knows of contracts. */
export function simulatedExplorerFolder(settings: Settings): string {
  return join(simulatedFolder(settings), explorerFolderName);
}
