// Which ledger an export is of, before a row is loaded: by its table `ledger`, which every mirror has, or by what another mirror of
// this program trusted.
import { learnLedger } from '../../importer/proving/learn-ledger.ts';
import { unknownLedger } from '../../importer/proving/ledger-change.ts';
import { ProofRefusal } from '../../proof/proof-refusal.ts';
import { type StoredTrust, settleTrust, type Trust } from '../../proof/trust.ts';
import { parseExactJson } from '../../store/read/parse-exact-json.ts';
import { selectSample } from '../../store/transfer/select-sample.ts';
import { takeSample } from '../../transfer/take-sample.ts';
import { TransferError } from '../../transfer/transfer-error.ts';
import type { BootstrapPlan } from './run-bootstrap.ts';

export type ExaminedLedger = {
  /** null: the export names none that can be trusted. */
  trust: Pick<Trust, 'ledgerId' | 'origin'> | null;
  /** Why ledger ids that it names cannot be trusted. */
  refused: readonly string[];
};

export type ExamineLedgerOptions = {
  /** A server that takes temporary tables. */
  connectionString: string;
  /** The ledger id that the operator names. */
  pinned: Uint8Array | null;
  signal: AbortSignal;
};

/** Throws TransferError if the export is of another ledger than the operator names. */
export async function examineLedger(plan: BootstrapPlan, options: ExamineLedgerOptions): Promise<ExaminedLedger> {
  const stored = await readTrust(plan, options);
  const learnt = stored
    ? { changes: [], refused: [] }
    : learnLedger({
        known: unknownLedger,
        published: await readPublished(plan, options),
        pinned: options.pinned,
        notedSince: 0,
      });
  const found = stored ?? learnt.changes.at(-1)?.change.trust ?? null;
  return { trust: settleLedger(found, options.pinned), refused: learnt.refused.map(({ reason }) => reason) };
}

/** With the id that the operator names. Throws TransferError if it is of another ledger. */
export function settleLedger(found: StoredTrust | null, pinned: Uint8Array | null): Trust | null {
  try {
    return settleTrust(found, pinned);
  } catch (error) {
    if (!(error instanceof ProofRefusal) || !found || !pinned) throw error;
    const [own, other] = [found.ledgerId, pinned].map((id) => Buffer.from(id).toString('hex'));
    throw new TransferError(
      `The export is of ledger ${own}, and --ledger-id names ${other}. Take an export of that ledger; or leave --ledger-id out, if you trust the export.`,
    );
  }
}

type LedgerRow = { id: Buffer; key: Buffer | null; nodes: string | null; at: string };

async function readPublished(plan: BootstrapPlan, options: ExamineLedgerOptions) {
  const rows = await readRows<LedgerRow>(
    plan,
    'ledger',
    `select ledger_id as id, history_proof_verification_key as key, node_contributions::text as nodes, consensus_timestamp::text as at
from sample order by consensus_timestamp`,
    options,
  );
  return rows.map(({ id, key, nodes, at }) => ({
    ledgerId: id,
    wrapsKey: key,
    nodes: parseExactJson(nodes),
    consensusTimestamp: BigInt(at),
    block: null,
    source: 'export' as const,
    revision: null,
  }));
}

type TrustRow = { id: Buffer; origin: string; publication: Buffer | null; key: Buffer | null };

/** Of an export of this program. */
async function readTrust(plan: BootstrapPlan, options: ExamineLedgerOptions): Promise<StoredTrust | null> {
  const [row] = await readRows<TrustRow>(
    plan,
    'ledger_trust',
    'select ledger_id as id, origin, publication, wraps_key as key from sample',
    options,
  );
  if (!row) return null;
  const former = await readRows<{ id: Buffer }>(
    plan,
    'former_ledger',
    'select ledger_id as id from sample order by until_block',
    options,
  );
  return {
    ledgerId: row.id,
    origin: row.origin as StoredTrust['origin'],
    formerIds: former.map(({ id }) => id),
    publication: row.publication,
    wrapsKey: row.key,
    rotation: null,
    keys: [],
  };
}

/** Empty where the export does not have the table, or its file cannot be read: that is told when it is loaded. */
async function readRows<Row extends object>(
  { place, files }: BootstrapPlan,
  table: string,
  select: string,
  { connectionString, signal }: ExamineLedgerOptions,
): Promise<Row[]> {
  const file = files.find((one) => one.table === table && one.path !== null);
  const sample = file && (await takeSample(place, file, signal));
  return sample ? selectSample<Row>(connectionString, sample, select) : [];
}
