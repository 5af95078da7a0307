// The matches of some chains: their deployments, then the verdicts about these.
import { compareMatches, type ExportedMatch } from '../terms/match-export.ts';
import { keepFirst } from './keep-first.ts';
import type { ReadTable } from './read-table.ts';

export async function listMatches(read: ReadTable, chains: ReadonlySet<string>): Promise<ExportedMatch[]> {
  const deployments = new Map<string, Deployment>();
  for await (const row of read('contract_deployments', 'chain_id', (chainId) => chains.has(chainId.toString()))) {
    const { id, chain_id, address, transaction_hash: transactionHash } = row;
    keepFirst(deployments, id, { chainId: chain_id.toString(), address, transactionHash });
  }
  const matches = new Map<string, ExportedMatch>();
  for await (const row of read('verified_contracts', 'deployment_id', (id) => deployments.has(id))) {
    const match: ExportedMatch = {
      ...deployments.get(row.deployment_id)!,
      runtime: levelOf(row.runtime_match, row.runtime_metadata_match),
      creation: levelOf(row.creation_match, row.creation_metadata_match),
      key: row.compilation_id,
    };
    if (match.runtime === null && match.creation === null) continue;
    const name = `${match.chainId} ${match.address} ${match.key}`;
    const other = matches.get(name);
    // Of two deployments at one address the better match says what is worth a check.
    if (other === undefined || compareMatches(match, other) < 0) matches.set(name, match);
    else if (compareMatches(match, other) === 0) keepFirst(matches, name, match);
  }
  return [...matches.values()].sort(compareMatches);
}

type Deployment = Pick<ExportedMatch, 'chainId' | 'address' | 'transactionHash'>;

/**
 * Without the column it is unknown whether the metadata matches: as much as possible is assumed, so that it is checked.
 */
function levelOf(isMatch: boolean, isOfMetadata: boolean | null): ExportedMatch['runtime'] {
  if (!isMatch) return null;
  return isOfMetadata === false ? 'partial' : 'perfect';
}
