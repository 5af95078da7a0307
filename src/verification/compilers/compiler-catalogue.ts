// Finds a compiler by its exact long version. File names decide the order of trying, its own version() whether it is the
// right one; the answer is cached while the file does not change.
import { VerificationError } from '../terms/verification-error.ts';
import type { CheckAnswer } from './check-protocol.ts';
import { type CompilerFile, listCompilerFiles } from './compiler-files.ts';
import {
  type CompilerVersion,
  compareVersions,
  formatCompilerVersion,
  isVersion,
  parseCompilerVersion,
} from './compiler-version.ts';
import type { ProcessLimits, RunCheck } from './run-check-process.ts';

type FoundCompiler = { path: string; version: CompilerVersion };

export type CompilerCatalogue = {
  /** Throws a VerificationError (`compiler_not_available`) naming the version. */
  find(wanted: CompilerVersion): Promise<FoundCompiler>;
  /** Throws the same if it is certain, without starting anything, that there is none. */
  assertObtainable(wanted: CompilerVersion): Promise<void>;
  list(): Promise<CompilerVersion[]>;
};

/** Fetches a missing compiler into the folder; false = not available there. */
export type CompilerDownload = (wanted: CompilerVersion, folder: string) => Promise<boolean>;

export type CatalogueOptions = {
  folder: string | null;
  /** null = missing compilers are not fetched. */
  download: CompilerDownload | null;
  runCheck: RunCheck;
  log: (line: string) => void;
  /** Ends running processes. */
  signal: AbortSignal;
};

/** For asking a compiler for its version. */
const identifyLimits: ProcessLimits = { cpuMs: 60_000, memoryBytes: 1_073_741_824 };

export function createCompilerCatalogue(options: CatalogueOptions): CompilerCatalogue {
  const { folder, download, runCheck, log, signal } = options;
  /** By path and stamp; null = no usable compiler. */
  const known = new Map<string, CompilerVersion | null>();
  const keyOf = ({ path, stamp }: CompilerFile): string => `${stamp} ${path}`;

  async function identify(file: CompilerFile): Promise<CompilerVersion | null> {
    const remembered = known.get(keyOf(file));
    if (remembered !== undefined) return remembered;
    let version: CompilerVersion | null = null;
    try {
      const answer = await runCheck({ kind: 'identify', compilerPath: file.path }, identifyLimits, signal);
      if (answer.kind === 'identified') version = parseCompilerVersion(answer.version);
      if (version === null) log(`${file.path} is not a usable Solidity compiler. ${describeProblem(answer)}`);
    } catch (error) {
      signal.throwIfAborted();
      log(`${file.path} is skipped: ${(error as Error).message}`);
    }
    known.set(keyOf(file), version);
    return version;
  }

  async function findAmongFiles(wanted: CompilerVersion): Promise<FoundCompiler | null> {
    const files = await listCompilerFiles(folder);
    const named = files.filter((file) => isNamed(file, wanted));
    // Names can be wrong: known versions of other files count too, but no compiler is started just to find that out.
    const others = files.filter((file) => file.claimedNumber === null || known.get(keyOf(file)));
    for (const file of new Set([...named, ...others])) {
      const version = await identify(file);
      if (version === null || !isVersion(version, wanted)) continue;
      return { path: file.path, version: { ...version, commit: version.commit ?? wanted.commit } };
    }
    return null;
  }

  async function notAvailable(wanted: CompilerVersion): Promise<VerificationError> {
    const files = await listCompilerFiles(folder);
    // The known version of each, or the one in its name.
    const versions = files.map((file) => {
      const version = known.get(keyOf(file));
      return version === undefined && file.claimedNumber !== null ? parseCompilerVersion(file.claimedNumber) : version;
    });
    const sorted = versions.filter((version) => version != null).sort(compareVersions);
    const available = [...new Set(sorted.map(formatCompilerVersion))];
    const missing = formatCompilerVersion(wanted);
    return new VerificationError(
      'compiler_not_available',
      `The Solidity compiler ${missing} is not available here. Available: ${available.join(', ') || 'none'}. ` +
        'The operator can put its soljson file into the folder of compilers (verify-compilers) or allow downloads (verify-download).',
      { details: { missing, available } },
    );
  }

  return {
    async list() {
      const versions = new Map<string, CompilerVersion>();
      for (const file of await listCompilerFiles(folder)) {
        const version = await identify(file);
        if (version !== null) versions.set(formatCompilerVersion(version), version);
      }
      return [...versions.values()].sort(compareVersions);
    },
    async find(wanted) {
      const there = await findAmongFiles(wanted);
      if (there !== null) return there;
      if (download !== null && folder !== null && (await download(wanted, folder))) {
        const fetched = await findAmongFiles(wanted);
        if (fetched !== null) return fetched;
      }
      throw await notAvailable(wanted);
    },
    async assertObtainable(wanted) {
      if (download !== null && folder !== null) return;
      const files = await listCompilerFiles(folder);
      const mayBe = (file: CompilerFile): boolean => {
        const version = known.get(keyOf(file));
        if (version === undefined) return isNamed(file, wanted) || file.claimedNumber === null;
        return version !== null && isVersion(version, wanted);
      };
      if (!files.some(mayBe)) throw await notAvailable(wanted);
    },
  };
}

function isNamed({ claimedNumber }: CompilerFile, { number }: CompilerVersion): boolean {
  return claimedNumber === number.replace(/-.*/, '');
}

function describeProblem(answer: CheckAnswer): string {
  if (answer.kind === 'refused') return answer.message;
  return answer.kind === 'identified' ? `It reports the version ${answer.version.slice(0, 80)}.` : '';
}
