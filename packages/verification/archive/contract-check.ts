// One finished check as it is answered and stored: the documented members, then those that Sourcify adds; undefined
// ones are left out.
import { toChecksumAddress } from '../../abi/checksum-address.ts';
import { toHex } from '../terms/hex.ts';
import type { OnchainContract } from '../terms/onchain-contract.ts';
import type { VerificationOutcome } from '../terms/verification-outcome.ts';

export type ContractCheck = ReturnType<typeof identityOf> &
  Pick<VerificationOutcome, 'status' | 'message' | 'libraryMap'> &
  Partial<ReturnType<typeof comparisonOf>> &
  ReturnType<typeof deploymentOf>;

export function toContractCheck(onchain: OnchainContract, outcome: VerificationOutcome): ContractCheck {
  const { status, message, libraryMap } = outcome;
  return {
    ...identityOf(onchain),
    status,
    message,
    libraryMap,
    ...comparisonOf(outcome),
    ...deploymentOf(onchain),
  };
}

/** The address with EIP-55 checksum. */
export function identityOf({ address, chainId }: OnchainContract) {
  return { address: toChecksumAddress(address), chainId };
}

function comparisonOf({ code, runtime, creation, compilation }: VerificationOutcome) {
  return {
    customCode: code === 'match' ? undefined : code,
    ...(compilation && {
      contractName: compilation.target.name,
      immutableReferences: compilation.runtimeArtifacts.immutableReferences ?? {},
      runtimeTransformations: runtime.transformations,
      creationTransformations: creation.transformations,
      runtimeTransformationValues: runtime.transformationValues,
      creationTransformationValues: creation.transformationValues,
    }),
    abiEncodedConstructorArguments: creation.transformationValues.constructorArguments,
    onchainCreationBytecode: creation.onchainCode ?? undefined,
  };
}

export function deploymentOf({ runtimeCode, creation }: OnchainContract) {
  const { transactionHash, blockNumber, transactionIndex, deployer } = creation ?? {};
  return {
    onchainRuntimeBytecode: runtimeCode ? toHex(runtimeCode) : undefined,
    creatorTxHash: transactionHash ?? undefined,
    blockNumber: typeof blockNumber === 'bigint' ? Number(blockNumber) : undefined,
    txIndex: transactionIndex ?? undefined,
    deployer: deployer ? toChecksumAddress(deployer) : undefined,
  };
}
