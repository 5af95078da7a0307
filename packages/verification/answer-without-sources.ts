// Addresses without source code to compare: no contract, tokens and system contracts with code of the network,
// contracts without known code.
import type { OnchainContract } from './terms/onchain-contract.ts';
import type { OutcomeCode, SideOutcome, VerificationOutcome } from './terms/verification-outcome.ts';

export function answerWithoutSources(onchain: OnchainContract): VerificationOutcome | null {
  const { address, chainId, kind } = onchain;
  switch (kind) {
    case 'none':
      return answer('contract_not_deployed', `Chain #${chainId} does not have a contract deployed at ${address}.`);
    case 'system':
      return answer(
        'system_contract',
        `${address} is a system contract of the network itself: there is no code to verify.`,
      );
    case 'token':
      return answer(
        'token_proxy',
        `${address} is a token. Its code is the network's own redirect to the token service (HIP-719), the same for every token: there is no source to verify.`,
      );
    case 'contract': {
      const { runtimeCode, creationCodes } = onchain.implementation ?? onchain;
      const isKnown = (runtimeCode !== null && runtimeCode.length > 0) || creationCodes.length > 0;
      return isKnown ? null : answer('onchain_bytecode_not_available', whyUnknown(onchain));
    }
  }
}

function whyUnknown({ address, implementation, deleted, chainId }: OnchainContract): string {
  if (implementation !== null) {
    const { kind, address: target } = implementation;
    const why = kind === 'none' ? 'where no contract is' : 'whose code is not known here';
    return `${address} is a minimal proxy (EIP-1167) of ${target}, ${why}.`;
  }
  const why = deleted
    ? 'it was deleted'
    : 'it was created before code was published with transactions, or the sidecar files were not imported';
  return `Chain #${chainId} has a contract at ${address}, but its code is not known here: ${why}.`;
}

function answer(code: OutcomeCode, message: string): VerificationOutcome {
  const side: SideOutcome = {
    match: null,
    transformations: [],
    transformationValues: {},
    onchainCode: null,
    compiledCode: null,
  };
  const [runtime, creation] = [side, { ...side }];
  return { status: 'null', code, message, runtime, creation, libraryMap: {}, compilation: null, proxy: null };
}
