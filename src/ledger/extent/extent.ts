// Which part of the ledger a mirror holds, and sentences about it: unknown data must not be taken for absent data.
import { formatSecond } from '../../../packages/protocol/hapi/timestamp.ts';
import type { StoredLeftOutPart } from '../../../packages/store/transfer/left-out-parts.ts';
import { describeLeftOut } from './left-out-rows.ts';
import { describeOlderImports, type OlderImport } from './older-imports.ts';

export type Extent = {
  /** The oldest block that is stored. */
  firstBlock: bigint;
  /** Consensus timestamp of its first transaction. */
  from: bigint;
  /** Whether state is known from the ledger's first block on. */
  knowsBeginning: boolean;
  /** Whether older blocks were dropped. */
  isCut: boolean;
  /** The only imported entities and types, and the excluded ones, as requested; null = everything, and nothing. */
  included: string | null;
  excluded: string | null;
  /** Parts of months of which rows are missing, although the database holds them otherwise. */
  leftOut: readonly StoredLeftOutPart[];
  olderImports: readonly OlderImport[];
};

/** Sentences; null for a mirror that holds everything. */
export function describeExtent(extent: Extent): string | null {
  const { firstBlock, from, knowsBeginning, isCut, included, excluded, leftOut, olderImports } = extent;
  const sentences: string[] = [];
  if (isCut || !knowsBeginning) {
    sentences.push(`This mirror holds data from block ${firstBlock} (${formatSecond(from)}) on.`);
    if (knowsBeginning) sentences.push('Older transactions, blocks and histories were dropped; state is complete.');
    else sentences.push('Earlier data is unknown to it, including balances of accounts that were created earlier.');
  }
  if (included !== null) sentences.push(`Of transactions it holds only those of ${included}.`);
  if (excluded !== null) sentences.push(`It leaves out transactions of ${excluded}.`);
  const missing = describeLeftOut(leftOut);
  if (missing !== null) sentences.push(missing);
  sentences.push(...describeOlderImports(olderImports));
  return sentences.length === 0 ? null : sentences.join(' ');
}
