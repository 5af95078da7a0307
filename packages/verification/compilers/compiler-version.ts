// Long compiler versions, `0.8.19+commit.7dd6d404`. The commit decides: packages have been published under a wrong
// number (solc@0.8.7 holds 0.7.5), so a number alone never identifies a compiler.

export type CompilerVersion = {
  /** `0.8.19`, nightlies with their suffix: `0.8.20-nightly.2023.4.5`. */
  number: string;
  /** Lower-case hex digits, 7 or more; null if only a number was given. */
  commit: string | null;
};

/** Reads `v0.8.19+commit.7dd6d404`, also with suffixes of compilers (`.Emscripten.clang`); null = no version. */
export function parseCompilerVersion(text: string): CompilerVersion | null {
  const match = pattern.exec(text.trim());
  if (!match) return null;
  const [, number, suffix = '', commit = null] = match;
  return { number: `${number}${suffix}`, commit: commit?.toLowerCase() ?? null };
}

export function formatCompilerVersion({ number, commit }: CompilerVersion): string {
  return commit === null ? number : `${number}+commit.${commit}`;
}

/** Whether a compiler is the wanted one. */
export function isVersion(compiler: CompilerVersion, wanted: CompilerVersion): boolean {
  if (compiler.number !== wanted.number) return false;
  if (wanted.commit === null) return true;
  if (compiler.commit === null) return releasesWithoutCommit.has(compiler.number);
  return compiler.commit.startsWith(wanted.commit) || wanted.commit.startsWith(compiler.commit);
}

/** Releases that report no commit (`0.3.5-0/…`): there is one build of each, and it reports its number only. */
const releasesWithoutCommit: ReadonlySet<string> = new Set(['0.1.3', '0.3.5']);

/** Newest first. */
export function compareVersions(a: CompilerVersion, b: CompilerVersion): number {
  return b.number.localeCompare(a.number, 'en', { numeric: true });
}

const pattern = /^v?(\d{1,3}\.\d{1,3}\.\d{1,3})(-[0-9a-z.]{1,40})?(?:\+commit\.([0-9a-f]{7,40})(?:\.|$)|$)/i;
