// What an export says of its ledger id: the table `ledger`, and what another mirror of this program trusted.
import { parseExactJson } from '../read/parse-exact-json.ts';
import type { LedgerTrust } from '../read/select-ledger-trust.ts';
import type { PublishedLedger } from '../read/select-published-ledgers.ts';
import type { LoadSample } from './measure-load.ts';
import { selectSample } from './select-sample.ts';

/** `sample`: of `ledger`. In the order of their publication. */
export async function readExportedLedgers(connectionString: string, sample: LoadSample): Promise<PublishedLedger[]> {
  const rows = await selectSample<{ id: Buffer; key: Buffer | null; nodes: string | null; at: string }>(
    connectionString,
    sample,
    `select ledger_id as id, history_proof_verification_key as key, node_contributions::text as nodes, consensus_timestamp::text as at
from sample order by consensus_timestamp`,
  );
  return rows.map(({ id, key, nodes, at }) => ({
    ledgerId: id,
    wrapsKey: key,
    nodes: parseExactJson(nodes),
    consensusTimestamp: BigInt(at),
    block: null,
    source: 'export',
    revision: null,
  }));
}

/** `trust`, `former`: samples of `ledger_trust` and `former_ledger`. Without its keys and their rotations. */
export async function readExportedTrust(
  connectionString: string,
  { trust, former }: { trust: LoadSample; former: LoadSample | null },
): Promise<LedgerTrust | null> {
  const [row] = await selectSample<Pick<LedgerTrust, 'ledgerId' | 'origin' | 'publication' | 'wrapsKey'>>(
    connectionString,
    trust,
    'select ledger_id as "ledgerId", origin, publication, wraps_key as "wrapsKey" from sample',
  );
  if (!row) return null;
  const before = former
    ? await selectSample<{ id: Buffer }>(
        connectionString,
        former,
        'select ledger_id as id from sample order by until_block',
      )
    : [];
  return { ...row, formerIds: before.map(({ id }) => id), rotation: null, keys: [] };
}
