// What a bootstrap is going to do, and what came of it, as lines for the operator.

import { formatDuration } from '../../packages/kit/duration-text.ts';
import { formatBytes } from '../../packages/kit/format-bytes.ts';
import { formatLedgerId } from '../../packages/kit/format-ledger-id.ts';
import { describeOrigin } from '../importer/open/block-verification.ts';
import type { ExaminedLedger } from '../runtime/transfer/examine-ledger.ts';
import type { BootstrapPlan, BootstrapSummary } from '../runtime/transfer/run-bootstrap.ts';
import type { TransferMode } from '../transfer/choose-files.ts';
import type { LoadEstimate } from '../transfer/estimate-load.ts';
import { findFileProblem } from '../transfer/find-file-problem.ts';
import { countText } from './describe-import.ts';

export function describeBootstrapPlan({ place, found, files, leftOut }: BootstrapPlan, mode: TransferMode): string[] {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const known = files.filter(({ expected }) => expected.rows !== null);
  const rows = known.reduce((sum, { expected }) => sum + expected.rows!, 0);
  const version = found.version === null ? '' : ` of version ${found.version}`;
  const unknown = files.length - known.length;
  const least = unknown > 0 ? ` and those of ${countText(unknown, 'file')} whose number the manifest does not say` : '';
  return [
    `${place.name} holds an export${version} with ${countText(found.files.length, 'file')}.`,
    `Of it ${modeText(mode)}: ${countText(files.length, 'file')}, ${formatBytes(bytes)} compressed, with ${countText(rows, 'row')}${least}.`,
    ...describeLeftOut(leftOut),
  ];
}

function describeLeftOut(parts: BootstrapPlan['leftOut']): string[] {
  if (parts.length === 0) return [];
  const tables = [...new Set(parts.map(({ table }) => table))].join(' and ');
  return [
    `Rows of one large application are left out, of ${tables} (${countText(parts.length, 'file')} that end in _atma): the mirror says so of itself.`,
  ];
}

/** Files that cannot be loaded as they lie there. */
export function describeUnusable({ files }: Pick<BootstrapPlan, 'files'>): string[] {
  const unusable = files.flatMap((file) => {
    const problem = findFileProblem(file);
    return problem === null ? [] : [`  ${file.name}: ${problem}`];
  });
  return unusable.length === 0 ? [] : [`${countText(unusable.length, 'file')} cannot be loaded:`, ...unusable];
}

/** Which ledger its blocks will be verified as. */
export function describeExportedLedger({ trust, refused }: ExaminedLedger, isPinned: boolean): string[] {
  const problems = refused.map((reason) => `A ledger id that the export names cannot be trusted: ${reason}`);
  if (!trust) {
    return [
      ...problems,
      'It has no ledger id that can be trusted: where its network goes on with a block stream, blocks cannot be verified unless the stream publishes one, or --ledger-id and --ledger-publication of the import name it.',
    ];
  }
  const id = formatLedgerId(trust.ledgerId);
  const why = isPinned
    ? 'which --ledger-id names'
    : `${describeOrigin(trust.origin)}. Compare it with one that you know, or pin it (--ledger-id)`;
  return [...problems, `Blocks of a block stream will be verified as those of ledger ${id}, ${why}.`];
}

/** `freeBytes`: on the disk of the database; null = unknown. */
export function describeEstimate(estimate: LoadEstimate | null, freeBytes: bigint | null): string[] {
  if (!estimate) return ['There is nothing to measure disk and time with.'];
  const { diskBytes, seconds } = estimate;
  const room = freeBytes === null ? '' : `; ${formatBytes(Number(freeBytes))} are free`;
  const sentence = `By the first rows of the largest tables the database takes about ${formatBytes(diskBytes)}${room}, and the load about ${formatDuration(1000 * seconds)}.`;
  if (freeBytes === null || diskBytes < freeBytes) return [sentence];
  return [sentence, 'The disk is too small for that: name a larger one with --data-dir, or choose less.'];
}

function modeText(mode: TransferMode): string {
  switch (mode.kind) {
    case 'state':
      return 'the state without its past is loaded';
    case 'since':
      return `state, and the past since ${new Date(Number(mode.since / 1_000_000n)).toISOString().slice(0, 10)}, is loaded`;
    case 'minimal':
      return 'everything but the files that end in _atma is loaded';
    default:
      return 'everything is loaded';
  }
}

export function describeBootstrapSummary(
  { failed, checks }: BootstrapSummary,
  isAccepted: boolean,
): { sentences: string[]; exitCode: 0 | 1 } {
  if (failed.length > 0) {
    return {
      sentences: [
        `${countText(failed.length, 'file')} could not be loaded:`,
        ...failed.map(({ name, reason }) => `  ${name}: ${reason}`),
        'The others are. The same command loads what is left when they are repaired.',
      ],
      exitCode: 1,
    };
  }
  const marks = { true: 'ok     ', false: 'FAILED ', null: 'unknown' } as const;
  const lines = checks.map(({ name, holds, sentence }) => `${marks[`${holds}`]} ${name}: ${sentence}`);
  const isWrong = checks.some(({ holds }) => holds === false);
  if (!isWrong)
    return { sentences: [...lines, 'The import goes on from the next block: "import", or "start".'], exitCode: 0 };
  const end = isAccepted
    ? 'It is accepted all the same: the import goes on from the next block.'
    : 'The rows are loaded, and no import goes on from them: the same command with --accept allows it.';
  return { sentences: [...lines, end], exitCode: isAccepted ? 0 : 1 };
}
