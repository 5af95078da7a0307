// Which ledger an export is of, before a row is loaded: by its table `ledger`, which every mirror has, or by what
// another mirror of this program trusted.

import { formatLedgerId } from '../../../packages/kit/format-ledger-id.ts';
import type { FilePlace } from '../../../packages/sources/places/file-place.ts';
import { readExportedLedgers, readExportedTrust } from '../../../packages/store/transfer/read-exported-ledgers.ts';
import { learnLedger } from '../../importer/proving/learn-ledger.ts';
import { type KnownLedger, unknownLedger } from '../../importer/proving/ledger-change.ts';
import { pinLedger } from '../../importer/proving/pin-ledger.ts';
import type { ChosenFile } from '../../transfer/choose-files.ts';
import { takeSample } from '../../transfer/take-sample.ts';
import { TransferError } from '../../transfer/transfer-error.ts';

export type ExaminedLedger = {
  /** null: the export names none that can be trusted. */
  trust: KnownLedger['trust'];
  /** Why ledger ids that it names cannot be trusted. */
  refused: readonly string[];
};

/** `files`: that are loaded. */
type Planned = { place: FilePlace; files: readonly ChosenFile[] };

export type ExamineLedgerOptions = {
  /** A server that takes temporary tables. */
  connectionString: string;
  /** The ledger id that the operator names. */
  pinned: Uint8Array | null;
  signal: AbortSignal;
};

/** Throws TransferError if the export is of another ledger than the operator names. */
export async function examineLedger(plan: Planned, options: ExamineLedgerOptions): Promise<ExaminedLedger> {
  const { connectionString, pinned, signal } = options;
  const sampleOf = (table: string) => {
    const file = plan.files.find((one) => one.table === table && one.path !== null);
    return file ? takeSample(plan.place, file, signal) : null;
  };
  // One that cannot be read is named when it is loaded.
  const [own, rows] = [await sampleOf('ledger_trust'), await sampleOf('ledger')];
  const known = own
    ? await readExportedTrust(connectionString, { trust: own, former: await sampleOf('former_ledger') })
    : null;
  if (known) return { trust: settleLedger(known, pinned), refused: [] };
  const published = rows ? await readExportedLedgers(connectionString, rows) : [];
  const { changes, refused } = learnLedger({ known: unknownLedger, published, pinned, notedSince: 0 });
  const found = changes.at(-1)?.change.trust ?? null;
  return { trust: settleLedger(found, pinned), refused: refused.map(({ reason }) => reason) };
}

/** With the id that the operator names. Throws TransferError if it is of another ledger. */
export function settleLedger(found: KnownLedger['trust'], pinned: Uint8Array | null): KnownLedger['trust'] {
  // It is read when something is compared with it: what an export says may be anything.
  if (pinned === null) return found;
  const { trust, isOther } = pinLedger(found, pinned);
  if (!isOther) return trust;
  const [own, other] = [found!.ledgerId, pinned].map(formatLedgerId);
  throw new TransferError(
    `The export is of ledger ${own}, and --ledger-id names ${other}. Take an export of that ledger; or leave --ledger-id out, if you trust the export.`,
  );
}
