// What an import of contract matches did, in lines, and its exit code: 1 if something could not be checked.
import type { ContractImport } from '../runtime/contracts/run-contract-import.ts';

export function describeContractImport(
  { description, chains, summary, problems }: ContractImport,
  isDryRun: boolean,
): { lines: string[]; exitCode: 0 | 1 } {
  const { stored, missingCompilers } = summary;
  const missing = [...missingCompilers.values()].reduce((sum, count) => sum + count, 0);
  const matches = (count: number, what: string): string[] =>
    count === 0 ? [] : [`  ${count.toLocaleString('en')} ${what}`];
  const listOf = (findings: Findings, what: string): string[] => [
    ...matches(findings.count, what),
    ...findings.first.map(({ chainId, address, reason }) => `    ${address} on chain ${chainId}: ${oneLine(reason)}`),
    ...andMore(findings.count - findings.first.length),
  ];
  const ofChains = `${chains.length === 1 ? 'chain' : 'chains'} ${chains.join(', ')}`;
  const lines = [
    `Read ${description}: ${summary.listed.toLocaleString('en')} matches of ${ofChains}.`,
    ...matches(summary.checkable, 'would be checked'),
    ...matches(stored.perfect, 'verified and stored as perfect'),
    ...matches(stored.partial, 'verified and stored as partial'),
    ...listOf(summary.lower, 'of these are less than the export says:'),
    ...listOf(summary.notMatched, 'do not match and were not stored:'),
    ...matches(summary.already, 'are verified here already, as well or better'),
    ...matches(summary.checkedBefore, 'were checked by an earlier import (--again checks what it refused)'),
    ...matches(summary.unknown, 'are of contracts that this mirror does not have'),
    ...matches(summary.withoutCode, 'are of contracts whose code this mirror does not have'),
    ...matches(missing, 'need compilers that are not here; --verify-download fetches them:'),
    ...[...missingCompilers].sort().map(([version, count]) => `    ${version}: ${count.toLocaleString('en')}`),
    ...listOf(summary.failed, 'could not be checked:'),
    ...listOf(summary.unreadable, 'have no whole record in the export:'),
    ...matches(summary.left, 'are left for the next run'),
    ...matches(problems.count, `${problems.count === 1 ? 'place' : 'places'} of the export could not be read:`),
    ...problems.first.map((sentence) => `    ${oneLine(sentence)}`),
    ...andMore(problems.count - problems.first.length),
    ...(isDryRun ? ['Nothing was compiled and nothing was stored (--dry-run).'] : []),
  ];
  const isWhole = [missing, summary.failed.count, summary.unreadable.count, summary.left, problems.count].every(
    (count) => count === 0,
  );
  return { lines, exitCode: isWhole ? 0 : 1 };
}

type Findings = ContractImport['summary']['failed'];

function andMore(count: number): string[] {
  return count > 0 ? [`    and ${count.toLocaleString('en')} more`] : [];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
