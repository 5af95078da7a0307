// Finds a compiler by its exact long version. File names decide the order of trying, its own version() whether it is
// the right one.
import { VerificationError } from '../terms/verification-error.ts';
import { type CompilerFile, listCompilerFiles } from './compiler-files.ts';
import {
  type CompilerVersion,
  compareVersions,
  formatCompilerVersion,
  isVersion,
  parseCompilerVersion,
} from './compiler-version.ts';
import { createCompilerIdentities, type IdentitiesOptions, isNotAsked, type NotAsked } from './identify-compilers.ts';

type FoundCompiler = { path: string; version: CompilerVersion };

export type CompilerCatalogue = {
  /** Throws a VerificationError (`compiler_not_available`) naming the version, with a time if it may be there later. */
  find(wanted: CompilerVersion): Promise<FoundCompiler>;
  /** Throws the same if it is certain, without starting anything, that there is none. */
  assertObtainable(wanted: CompilerVersion): Promise<void>;
  list(): Promise<CompilerVersion[]>;
};

/** Fetches a missing compiler into the folder; false = not available there. */
export type CompilerDownload = (wanted: CompilerVersion, folder: string) => Promise<boolean>;

export type CatalogueOptions = IdentitiesOptions & {
  folder: string | null;
  /** null = missing compilers are not fetched. */
  download: CompilerDownload | null;
};

export function createCompilerCatalogue(options: CatalogueOptions): CompilerCatalogue {
  const { folder, download } = options;
  const { identify, known } = createCompilerIdentities(options);

  /** A file that may be the right one and could not be asked is reported where no other one is. */
  async function findAmongFiles(wanted: CompilerVersion): Promise<FoundCompiler | NotAsked | null> {
    const files = await listCompilerFiles(folder);
    const named = files.filter((file) => isNamed(file, wanted));
    // Names can be wrong: known versions of other files count too, but no compiler is started just to find that out.
    const others = files.filter((file) => file.claimedNumber === null || known(file));
    let notAsked: NotAsked | null = null;
    for (const file of new Set([...named, ...others])) {
      const version = await identify(file);
      if (isNotAsked(version)) notAsked ??= version;
      else if (version !== null && isVersion(version, wanted)) {
        return { path: file.path, version: { ...version, commit: version.commit ?? wanted.commit } };
      }
    }
    return notAsked;
  }

  async function notAvailable(wanted: CompilerVersion): Promise<VerificationError> {
    const files = await listCompilerFiles(folder);
    // The known version of each, or the one in its name.
    const versions = files.map((file) => {
      const version = known(file);
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
        if (version !== null && !isNotAsked(version)) versions.set(formatCompilerVersion(version), version);
      }
      return [...versions.values()].sort(compareVersions);
    },
    async find(wanted) {
      let there = await findAmongFiles(wanted);
      if (there === null && download !== null && folder !== null && (await download(wanted, folder))) {
        there = await findAmongFiles(wanted);
      }
      if (there === null) throw await notAvailable(wanted);
      if ('problem' in there) throw notYetAvailable(wanted, there);
      return there;
    },
    async assertObtainable(wanted) {
      if (download !== null && folder !== null) return;
      const files = await listCompilerFiles(folder);
      const mayBe = (file: CompilerFile): boolean => {
        const version = known(file);
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

/** Why is in the log. */
function notYetAvailable(wanted: CompilerVersion, { againInMs }: NotAsked): VerificationError {
  const retryAfterSeconds = Math.max(1, Math.ceil(againInMs / 1000));
  const missing = formatCompilerVersion(wanted);
  const message = `The Solidity compiler ${missing} could not be started now. Try again in ${retryAfterSeconds} seconds.`;
  return new VerificationError('compiler_not_available', message, { retryAfterSeconds });
}
