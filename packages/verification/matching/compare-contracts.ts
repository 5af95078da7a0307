// Contracts compared with a stored compilation, without compiling again: what the compiler wrote, and which places of
// it may differ, was stored with it. The same comparison as after a compile.
import type { ComparedSides, ContractToCompare, StoredCompilation } from '../compilers/check-protocol.ts';
import type { SideOutcome } from '../terms/verification-outcome.ts';
import { type CodeMatch, type Comparable, matchCreation, matchRuntime } from './match-code.ts';
import { solidityAuxdata } from './sourcify.ts';

/** In the order of the contracts; null = it does not match. */
export function compareContracts(
  stored: StoredCompilation,
  contracts: readonly ContractToCompare[],
): (ComparedSides | null)[] {
  const compilation: Comparable = {
    runtimeBytecode: stored.runtimeCode,
    creationBytecode: stored.creationCode,
    immutableReferences: stored.immutableReferences,
    runtimeLinkReferences: {},
    creationLinkReferences: {},
    runtimeBytecodeCborAuxdata: stored.runtimeAuxdata,
    creationBytecodeCborAuxdata: stored.creationAuxdata,
    auxdataStyle: solidityAuxdata,
    contractCompilerOutput: { abi: stored.abi ?? [] },
  };
  return contracts.map(({ runtimeCode, creationCodes }) => {
    const runtime = matchRuntime(compilation, runtimeCode);
    // The code on chain is what counts: a creation code that fits other code created another contract.
    if (runtime.match === null) return null;
    const creation = matchCreation(compilation, creationCodes);
    return {
      runtime: toSide(runtime, runtimeCode, stored.runtimeCode),
      creation: toSide(creation?.match ?? null, creation?.onchain ?? creationCodes[0] ?? null, stored.creationCode),
    };
  });
}

function toSide(match: CodeMatch | null, onchainCode: string | null, compiledCode: string): SideOutcome {
  const isMatch = match !== null && match.match !== null;
  return {
    match: match?.match ?? null,
    transformations: isMatch ? match.transformations : [],
    transformationValues: isMatch ? match.values : {},
    onchainCode,
    compiledCode,
  };
}
