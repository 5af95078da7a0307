// The whole check of one claim: compile as claimed, compare both sides, and if that is not perfect, try variants that
// the chain can prove to be the original: other line ends, libraries linked by the compiler. The best result counts.
import type { CheckedOutcome, ClaimToCheck } from '../compilers/check-protocol.ts';
import { readAuxdata } from '../explain/auxdata.ts';
import type { ComparedCode, ComparedContract } from '../explain/compared-contract.ts';
import { describeMatch } from '../explain/describe-match.ts';
import { describeMismatch } from '../explain/describe-mismatch.ts';
import type { CompilerInput } from '../terms/source-claim.ts';
import type { OutcomeCode, SideOutcome } from '../terms/verification-outcome.ts';
import { toCompilationResult } from './compilation-result.ts';
import type { StandardOutput } from './create-standard-compiler.ts';
import { findTarget } from './find-target.ts';
import { toLinkedInputs } from './linked-inputs.ts';
import { type CodeMatch, matchCreation, matchRuntime } from './match-code.ts';
import {
  type Compilation,
  compile,
  findOriginalSources,
  locateAuxdata,
  outputSelection,
  type StandardCompiler,
} from './sourcify.ts';

type ClaimCheck = ClaimToCheck & { compiler: StandardCompiler };

type Attempt = {
  compilation: Compilation;
  runtime: CodeMatch | null;
  creation: { onchain: string; match: CodeMatch } | null;
};

/** Throws a VerificationError or lib-sourcify's CompilationError if no comparison could be made. */
export async function checkClaim(check: ClaimCheck): Promise<CheckedOutcome> {
  const started = Date.now();
  const { compiler, compilerVersion, language, input } = check;
  const selecting = { ...input, settings: { ...input.settings, outputSelection } };
  const target = findTarget((await compiler.compile(compilerVersion, selecting)) as StandardOutput, check.target);
  const compileInput = (variant: CompilerInput) =>
    compile({ compiler, compilerVersion, language, input: variant, target });

  const claimed = await compileInput(input);
  if (claimed.runtimeBytecode === '0x' || claimed.creationBytecode === '0x') {
    const attempt = { compilation: claimed, runtime: null, creation: null };
    return toOutcome(check, attempt, 'compiled_bytecode_is_zero', Date.now() - started);
  }
  let best = await compareWithVariants(claimed, check);
  const references = { ...claimed.creationLinkReferences, ...claimed.runtimeLinkReferences };
  for (const linked of toLinkedInputs(input, check.libraries, references, target.path)) {
    if (rank(best) >= perfectRank) break;
    // A form that this compiler refuses is not the original one.
    const compilation = await compileInput(linked).catch(() => null);
    const attempt = compilation && (await compareWithVariants(compilation, check));
    if (attempt !== null && rank(attempt) > rank(best)) best = attempt;
  }
  return toOutcome(check, best, codeOf(best, check), Date.now() - started);
}

async function compareWithVariants(compilation: Compilation, check: ClaimCheck): Promise<Attempt> {
  const first = await compare(compilation, check);
  const { runtimeCode } = check;
  if (runtimeCode === null || rank(first) >= perfectRank) return first;
  if (readAuxdata(runtimeCode)?.hex === readAuxdata(compilation.runtimeBytecode)?.hex) return first;
  const original = await findOriginalSources(compilation, runtimeCode);
  if (original === null) return first;
  const second = await compare(original, check);
  return rank(second) > rank(first) ? second : first;
}

async function compare(compilation: Compilation, check: ClaimCheck): Promise<Attempt> {
  await locateAuxdata(compilation);
  const { runtimeCode, creationCodes } = check;
  const runtime = runtimeCode === null ? null : matchRuntime(compilation, runtimeCode);
  const creation = matchCreation(compilation, creationCodes);
  if (creation && runtimeCode !== null && runtime?.match === null && isOfOtherLength(compilation, runtimeCode)) {
    // The creation code deploys other code: it created another contract.
    return { compilation, runtime, creation: { ...creation, match: { ...creation.match, match: null } } };
  }
  return { compilation, runtime, creation };
}

/** lib-sourcify's early check: only code with metadata is certain to keep its length. */
function isOfOtherLength(compilation: Compilation, runtimeCode: string): boolean {
  const hash = readAuxdata(runtimeCode)?.hash ?? null;
  return hash !== null && runtimeCode.length !== compilation.runtimeBytecode.length;
}

const levels = { perfect: 2, partial: 1 } as const;
const perfectRank = 2 * 3;

/** The better side counts first, as in the status. */
function rank({ runtime, creation }: Attempt): number {
  const level = (match: CodeMatch | undefined | null) => (match?.match ? levels[match.match] : 0);
  const [a, b] = [level(runtime), level(creation?.match)];
  return Math.max(a, b) * 3 + Math.min(a, b);
}

/** In lib-sourcify's order: metadata equal but code not, then the length, then anything else. */
function codeOf(attempt: Attempt, { runtimeCode }: ClaimCheck): OutcomeCode {
  if (rank(attempt) > 0) return 'match';
  if (runtimeCode === null) return 'no_match';
  const onchain = readAuxdata(runtimeCode);
  const compiled = readAuxdata(attempt.compilation.runtimeBytecode);
  const { optimizer } = attempt.compilation.jsonInput.settings as CompilerInput['settings'];
  // Without a hash equal metadata proves nothing.
  if (onchain?.hash && onchain.hex === compiled?.hex && optimizer?.enabled) return 'extra_file_input_bug';
  return isOfOtherLength(attempt.compilation, runtimeCode) ? 'bytecode_length_mismatch' : 'no_match';
}

function toOutcome(check: ClaimCheck, attempt: Attempt, code: OutcomeCode, durationMs: number): CheckedOutcome {
  const { compilation, creation } = attempt;
  const creationCode = creation?.onchain ?? check.creationCodes[0] ?? null;
  const compared: ComparedContract = {
    code,
    runtime: toCompared(attempt.runtime, check.runtimeCode, compilation.runtimeBytecode),
    creation: toCompared(creation?.match ?? null, creationCode, compilation.creationBytecode),
    compilerVersion: check.compilerVersion,
    settings: compilation.jsonInput.settings as CompilerInput['settings'],
    libraries: check.libraries,
    openLibraries: openLibraries(compilation),
    addresses: check.addresses,
  };
  const isPerfect = compared.runtime.match === 'perfect' || compared.creation.match === 'perfect';
  const linked = compared.creation.match === null ? attempt.runtime : creation?.match;
  return {
    status: code === 'match' ? (isPerfect ? 'perfect' : 'partial') : statusOf(code),
    code,
    message: code === 'match' ? describeMatch(compared) : describeMismatch(compared),
    runtime: toSide(attempt.runtime, compared.runtime, compilation.runtimeLinkReferences),
    creation: toSide(creation?.match ?? null, compared.creation, compilation.creationLinkReferences),
    libraryMap: linked?.match ? linked.libraryMap : {},
    compilation: toCompilationResult(compilation, check.compilerVersion, durationMs),
  };
}

function statusOf(code: OutcomeCode): 'extra-file-input-bug' | 'null' {
  return code === 'extra_file_input_bug' ? 'extra-file-input-bug' : 'null';
}

function toCompared(match: CodeMatch | null, onchain: string | null, compiled: string): ComparedCode {
  return { match: match?.match ?? null, onchain, compiled, filled: match?.filled ?? null, values: match?.values ?? {} };
}

function toSide(match: CodeMatch | null, compared: ComparedCode, linkReferences: LinkReferences): SideOutcome {
  const isMatch = match !== null && match.match !== null;
  return {
    match: compared.match,
    transformations: isMatch ? match.transformations : [],
    transformationValues: isMatch ? match.values : {},
    onchainCode: compared.onchain,
    compiledCode: withoutPlaceholders(compared.compiled, linkReferences),
  };
}

type LinkReferences = Record<string, Record<string, { start: number; length: number }[]>>;

/** The hex text with zeros in place of library addresses. */
function withoutPlaceholders(code: string, linkReferences: LinkReferences): string {
  let hex = code;
  for (const { start, length } of Object.values(linkReferences).flatMap((file) => Object.values(file).flat())) {
    hex = `${hex.slice(0, 2 + start * 2)}${'00'.repeat(length)}${hex.slice(2 + (start + length) * 2)}`;
  }
  return hex;
}

function openLibraries({ runtimeLinkReferences, creationLinkReferences }: Compilation): string[] {
  const names = [runtimeLinkReferences, creationLinkReferences].flatMap((references) =>
    Object.entries(references).flatMap(([file, inFile]) => Object.keys(inFile).map((name) => `${file}:${name}`)),
  );
  return [...new Set(names)];
}
