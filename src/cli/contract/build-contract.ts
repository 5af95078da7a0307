// One contract of a build, as whatever made the build says: what every reader of builds gives.

export type BuildContract = {
  /** Of the source, as the compiler was given it. */
  path: string;
  name: string;
  /** As people call it, where that differs: Hardhat 3 puts `project/` before paths. */
  knownAs: string;
  compilerVersion: string;
  /** Interfaces and abstract contracts have no code, and are on no chain. */
  hasCode: boolean;
  /** The file that says so. */
  file: string;
  /** Throws a UsageError if a source is missing, or has been changed since. */
  readInput(): StandardInput;
};

export type StandardInput = {
  language: string;
  sources: Record<string, { content: string }>;
  settings: Record<string, unknown>;
};

export type Build = {
  /** `Hardhat 3`, for messages. */
  kind: string;
  place: string;
  contracts: BuildContract[];
};

/** `path:Name`. */
export function fullNameOf({ path, name }: Pick<BuildContract, 'path' | 'name'>): string {
  return `${path}:${name}`;
}
