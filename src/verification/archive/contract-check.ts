// One finished check as it is answered and kept: the documented members, then those that Sourcify sends beside them.
import { toChecksumAddress } from '../terms/contract-address.ts';
import { toHex } from '../terms/hex.ts';
import type { OnchainContract } from '../terms/onchain-contract.ts';
import type { Transformation, TransformationValues, VerificationOutcome } from '../terms/verification-outcome.ts';

export type ContractCheck = {
  /** With EIP-55 checksum. */
  address: string;
  chainId: string;
  status: VerificationOutcome['status'];
  message: string;
  libraryMap: Record<string, string>;
  customCode?: string;
  contractName?: string;
  abiEncodedConstructorArguments?: string;
  immutableReferences?: Record<string, { start: number; length: number }[]>;
  runtimeTransformations?: Transformation[];
  creationTransformations?: Transformation[];
  runtimeTransformationValues?: TransformationValues;
  creationTransformationValues?: TransformationValues;
  onchainRuntimeBytecode?: string;
  onchainCreationBytecode?: string;
  creatorTxHash?: string;
  blockNumber?: number;
  txIndex?: number;
  deployer?: string;
};

export function toContractCheck(onchain: OnchainContract, outcome: VerificationOutcome): ContractCheck {
  const { runtime, creation, compilation } = outcome;
  const arguments_ = creation.transformationValues.constructorArguments;
  return {
    ...identityOf(onchain),
    status: outcome.status,
    message: outcome.message,
    libraryMap: outcome.libraryMap,
    ...(outcome.code === 'match' ? {} : { customCode: outcome.code }),
    ...(compilation && {
      contractName: compilation.target.name,
      immutableReferences: compilation.runtimeArtifacts.immutableReferences ?? {},
      runtimeTransformations: runtime.transformations,
      creationTransformations: creation.transformations,
      runtimeTransformationValues: runtime.transformationValues,
      creationTransformationValues: creation.transformationValues,
    }),
    ...(arguments_ === undefined ? {} : { abiEncodedConstructorArguments: arguments_ }),
    ...(creation.onchainCode === null ? {} : { onchainCreationBytecode: creation.onchainCode }),
    ...deploymentOf(onchain),
  };
}

export function identityOf({ address, chainId }: OnchainContract): Pick<ContractCheck, 'address' | 'chainId'> {
  return { address: toChecksumAddress(address), chainId };
}

export function deploymentOf({ runtimeCode, creation }: OnchainContract): Partial<ContractCheck> {
  return {
    ...(runtimeCode && { onchainRuntimeBytecode: toHex(runtimeCode) }),
    ...(creation?.transactionHash && { creatorTxHash: creation.transactionHash }),
    ...(typeof creation?.blockNumber === 'bigint' && { blockNumber: Number(creation.blockNumber) }),
    ...(typeof creation?.transactionIndex === 'number' && { txIndex: creation.transactionIndex }),
    ...(creation?.deployer && { deployer: toChecksumAddress(creation.deployer) }),
  };
}
