// Sourcify's file repository: `{full_match,partial_match}/<chain id>/<address>/`, a folder for each match.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isTransactionHash } from '../../terms/hex.ts';
import {
  compareMatches,
  type ExportedClaim,
  type ExportedMatch,
  type ExportReading,
  type MatchExport,
} from '../terms/match-export.ts';
import { readContractFolder } from './read-contract-folder.ts';
import { readUsualFile } from './read-usual-file.ts';

export function openFolderExport(root: string, { onProblem, onStep, limits }: ExportReading): MatchExport {
  async function listFolder(level: 'perfect' | 'partial', chainId: string): Promise<ExportedMatch[]> {
    const folder = join(root, level === 'perfect' ? 'full_match' : 'partial_match', chainId);
    const matches: ExportedMatch[] = [];
    for (const entry of await readFolder(folder)) {
      const path = join(folder, entry.name);
      // Written with a checksum; a copy may have lost it.
      if (!/^0x[0-9a-f]{40}$/i.test(entry.name)) onProblem(`${path} is not named by an address.`);
      else if (!entry.isDirectory()) onProblem(`${path} is no folder; links are not followed.`);
      else {
        const address = entry.name.toLowerCase();
        matches.push({ chainId, address, runtime: level, creation: null, transactionHash: null, key: path });
      }
    }
    return matches;
  }

  async function readFolder(folder: string) {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        onProblem(`${folder} cannot be read: ${(error as Error).message}.`);
      }
      return [];
    }
  }

  async function readClaim(match: ExportedMatch): Promise<ExportedClaim> {
    try {
      const claim = await readContractFolder(match.key, limits);
      return { match: { ...match, transactionHash: await readCreator(match.key) }, claim };
    } catch (error) {
      return { match, problem: `${(error as Error).message}.` };
    }
  }

  return {
    description: `folders of contracts in ${root}`,
    async list(chains, signal) {
      const matches: ExportedMatch[] = [];
      for (const chainId of chains) {
        signal.throwIfAborted();
        onStep(`listing chain ${chainId}`);
        for (const level of ['perfect', 'partial'] as const) matches.push(...(await listFolder(level, chainId)));
      }
      return matches.sort(compareMatches);
    },
    async *claims(chosen, signal) {
      for (const match of chosen) {
        signal.throwIfAborted();
        yield await readClaim(match);
      }
    },
    close: async () => {},
  };
}

/**
 * The transaction is a hint where to look for the creation: without it, or with a bad one, the contract is checked as
 * well.
 */
async function readCreator(folder: string): Promise<string | null> {
  try {
    const text = (await readUsualFile(join(folder, 'creator-tx-hash.txt'), 1000)).toString('latin1').trim();
    return isTransactionHash(text) ? text.toLowerCase() : null;
  } catch {
    return null;
  }
}
