// Which tables of state an export may lack, and what a mirror that is filled from it lacks then. Every other table of
// state is
// needed: without it the import would go on from a ledger that never was.
import type { TransferTable } from './transfer-tables.ts';

/**
 * `needed`: an export without it is refused. Else it is reported, where there is something to report: `without` is the
 * end of a sentence. null = it is not missed.
 */
export type Absence = 'needed' | { without: string } | null;

/**
 * Tables that versions of Hiero which still publish exports came without, tables of months, which have no file without
 * rows, and own tables. A table that is added to the schema later belongs here, too: exports of versions before it are
 * without it.
 */
const mayBeAbsent: Readonly<Record<string, string>> = {
  account_balance: 'there is no snapshot of balances until the next one of the network',
  account_balance_file: 'there is no list of snapshots of balances until the next one of the network',
  token_balance: 'there is no snapshot of balances of tokens until the next one of the network',
  // Newer than some published exports.
  hook: 'accounts and contracts have no hooks until these are changed',
  hook_storage: 'the storage of hooks is empty',
  ledger: 'the ledger id of the network is not known until it is published again',
  registered_node: 'no node is registered until it is changed',
  left_out_part: 'it is not known which parts the exporting mirror lacked',
  import_doubt: 'it is not known what of its blocks was left out or shown in part',
  ledger_key: 'keys of the ledger are learned again from its blocks',
  former_ledger: 'ids that the ledger had before are not known',
  ledger_day: 'days are counted again from what the export has of them',
  ledger_day_type: 'days are counted again from what the export has of them',
  ledger_day_payer: 'accounts that were active before are counted again for the day of its last block',
  ledger_day_fill: 'days are counted again from what the export has of them',
  unread_publication: 'it is not known whether a publication of a ledger id could not be read',
};

export type AbsenceContext = {
  /** This program wrote the export, with its own tables. */
  isOwnExport: boolean;
  /** It has tables of contract checks: these refer to each other. */
  hasChecks: boolean;
  /** More than the state is loaded, from an export that has more. */
  takesPast: boolean;
};

export function judgeAbsence(table: TransferTable, { isOwnExport, hasChecks, takesPast }: AbsenceContext): Absence {
  const { name, isOwn, state } = table;
  if (isOwn && !isOwnExport) return null;
  const without = mayBeAbsent[name];
  if (without !== undefined) return { without };
  if (isOfChecks(table) && !hasChecks) return { without: 'no contract is verified' };
  if (state.kind !== 'none') return 'needed';
  return takesPast && isOfPast(table) ? { without: 'that part of the past is not known' } : null;
}

/** History that has a file whether it has rows or not. An export without any is one of the state. */
export function isOfPast({ isOwn, state, monthBy }: TransferTable): boolean {
  return !isOwn && state.kind === 'none' && monthBy === null;
}

export function isOfChecks({ isLedger, stage }: TransferTable): boolean {
  return !isLedger && stage > 0;
}
