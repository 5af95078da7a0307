// A comparison as text: by section and side, those that are left out on purpose counted.
import type { Comparison } from './compare-clone.ts';
import type { Finding } from './finding.ts';

export type LeftOut = readonly { subject: RegExp; reason: string }[];

export type Described = { text: string /** Findings that are not left out on purpose. */; open: number };

const sides = ['only there', 'only here', 'otherwise'] as const;

/** `all`: those that are left out on purpose are listed as well, with the reason. */
export function describeComparison(
  { compared, unread, findings }: Comparison,
  leftOut: LeftOut,
  all = false,
): Described {
  const reasonOf = ({ subject }: Finding) => leftOut.find((one) => one.subject.test(subject))?.reason ?? null;
  const lines = [`Compared: ${compared.join(', ')}`, ...unread.map((one) => `Not read: ${one}`)];
  let [open, kept] = [0, 0];
  for (const [section, ofSection] of Map.groupBy(findings, ({ section: name }) => name)) {
    const shown = ofSection.filter((finding) => all || reasonOf(finding) === null);
    open += ofSection.filter((finding) => reasonOf(finding) === null).length;
    kept += ofSection.length - ofSection.filter((finding) => reasonOf(finding) === null).length;
    if (shown.length === 0) continue;
    lines.push('', section);
    for (const side of sides) {
      for (const finding of shown.filter((one) => one.side === side)) {
        const reason = reasonOf(finding);
        lines.push(
          `  ${side.padEnd(10)}  ${finding.subject}  ${finding.text}${reason === null ? '' : `  (${reason})`}`,
        );
      }
    }
  }
  lines.push('', `${open} differences, and ${kept} on purpose${all || kept === 0 ? '' : ' (--all shows them)'}`);
  return { text: lines.join('\n'), open };
}
