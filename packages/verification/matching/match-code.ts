// Compares one side, runtime or creation code: places that may differ are filled from the chain and recorded, the rest
// must be equal byte for byte. Perfect = equal without filling a metadata hash, and all of them are hashes.
import { readAuxdata } from '../explain/auxdata.ts';
import type { Transformation, TransformationValues } from '../terms/verification-outcome.ts';
import { type Compilation, fill } from './sourcify.ts';

/** What is compared with the chain. */
export type Comparable = Pick<
  Compilation,
  | 'runtimeBytecode'
  | 'creationBytecode'
  | 'immutableReferences'
  | 'runtimeLinkReferences'
  | 'creationLinkReferences'
  | 'runtimeBytecodeCborAuxdata'
  | 'creationBytecodeCborAuxdata'
  | 'auxdataStyle'
> & { contractCompilerOutput: { abi?: Compilation['contractCompilerOutput']['abi'] } };

export type CodeMatch = {
  match: 'perfect' | 'partial' | null;
  transformations: Transformation[];
  values: TransformationValues;
  libraryMap: Record<string, string>;
  /** The compiled code with all fillable places filled; equal to the chain's if it matched. */
  filled: string;
};

/** Both codes are 0x hex. */
export function matchRuntime(compilation: Comparable, onchain: string): CodeMatch {
  const protection = fill.callProtection(compilation.runtimeBytecode, onchain);
  const references = compilation.immutableReferences;
  const immutables = fill.immutables(
    protection.populatedRecompiledBytecode,
    onchain,
    references,
    compilation.auxdataStyle,
  );
  const places = Object.values(references);
  const match = areSame(onchain, places)
    ? matchRest({ compilation, side: 'runtime', template: immutables.populatedRecompiledBytecode, onchain })
    : noMatch(immutables.populatedRecompiledBytecode);
  return {
    ...match,
    transformations: [...protection.transformations, ...immutables.transformations, ...match.transformations],
    values: { ...protection.transformationValues, ...immutables.transformationValues, ...match.values },
  };
}

/** The first of several creation codes that matches; the bytes after it are read as constructor arguments. */
export function matchCreation(
  compilation: Comparable,
  onchainCodes: readonly string[],
): { onchain: string; match: CodeMatch } | null {
  let unmatched: { onchain: string; match: CodeMatch } | null = null;
  for (const onchain of onchainCodes) {
    const match = matchOneCreation(compilation, onchain);
    if (match.match !== null) return { onchain, match };
    unmatched ??= { onchain, match };
  }
  return unmatched;
}

function matchOneCreation(compilation: Comparable, onchain: string): CodeMatch {
  const template = compilation.creationBytecode;
  const match = matchRest({ compilation, side: 'creation', template, onchain });
  if (match.match === null) return match;
  try {
    const args = fill.constructorArguments(match.filled, onchain, compilation.contractCompilerOutput.abi ?? []);
    return {
      ...match,
      transformations: [...match.transformations, ...(args.transformations as Transformation[])],
      values: { ...match.values, ...args.transformationValues },
    };
  } catch {
    // The bytes after the code are not valid constructor arguments.
    return noMatch(match.filled, match.values);
  }
}

type Comparison = { compilation: Comparable; side: 'runtime' | 'creation'; template: string; onchain: string };

function matchRest({ compilation, side, template, onchain }: Comparison): CodeMatch {
  const linkReferences = side === 'runtime' ? compilation.runtimeLinkReferences : compilation.creationLinkReferences;
  const auxdata = auxdataOf(compilation, side);
  const libraries = fill.libraries(template, onchain, linkReferences);
  const filled = libraries.populatedRecompiledBytecode;
  const isEqual = (code: string) => (side === 'runtime' ? onchain === code : onchain.startsWith(code));
  const places = Object.values(linkReferences).flatMap((file) => Object.values(file));
  if (!areSame(onchain, places)) return noMatch(filled);
  const found = {
    transformations: libraries.transformations as Transformation[],
    values: libraries.transformationValues,
    libraryMap: libraries.libraryMap,
  };
  if (isEqual(filled)) return { ...found, match: isHashed(auxdata) ? 'perfect' : 'partial', filled };
  if (Object.keys(auxdata).length === 0) return noMatch(filled, found.values);
  try {
    const hashes = fill.auxdata(filled, onchain, auxdata);
    if (!isEqual(hashes.populatedRecompiledBytecode)) {
      return noMatch(hashes.populatedRecompiledBytecode, found.values);
    }
    return {
      match: 'partial',
      transformations: [...found.transformations, ...(hashes.transformations as Transformation[])],
      values: { ...found.values, ...hashes.transformationValues },
      libraryMap: found.libraryMap,
      filled: hashes.populatedRecompiledBytecode,
    };
  } catch {
    // Where the compiled code has metadata, the chain has something else.
    return noMatch(filled, found.values);
  }
}

/** `values`: what was filled in so far, for the explanation. */
function noMatch(filled: string, values: TransformationValues = {}): CodeMatch {
  return { match: null, transformations: [], values, libraryMap: {}, filled };
}

type AuxdataPlaces = Record<string, { offset: number; value: string }>;

export function auxdataOf(compilation: Comparable, side: 'runtime' | 'creation'): AuxdataPlaces {
  try {
    return side === 'runtime' ? compilation.runtimeBytecodeCborAuxdata : compilation.creationBytecodeCborAuxdata;
  } catch {
    return {}; // lib-sourcify throws if the places could not be found.
  }
}

function isHashed(auxdata: AuxdataPlaces): boolean {
  const values = Object.values(auxdata);
  return values.length > 0 && values.every(({ value }) => (readAuxdata(value)?.hash ?? null) !== null);
}

/** One variable (or library) has one value wherever it is used; else the code was changed by hand. */
function areSame(onchain: string, variables: { start: number; length: number }[][]): boolean {
  return variables.every((places) => {
    const values = places.map(({ start, length }) => onchain.slice(2 + start * 2, 2 + (start + length) * 2));
    return new Set(values).size <= 1;
  });
}
