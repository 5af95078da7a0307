// An explorer's record of an address, in one form for all explorers, and its failures.
import { isJsonObject } from '../../kit/is-json-object.ts';
import type { SourceClaim } from '../terms/source-claim.ts';
import { VerificationError } from '../terms/verification-error.ts';

export type ExplorerRecord = {
  claim: SourceClaim;
  /** For chains that cannot find a contract's creation themselves. */
  creationTransactionHash?: string;
};

/** null = the explorer answered, and has no verified source for the address. */
export type ExplorerAnswer = ExplorerRecord | null;

export type Lookup = {
  chainId: string;
  /** 0x and 40 lower-case hex digits. */
  address: string;
  /** Never in a message, log or store. */
  key: string | undefined;
};

/** The explorer gave neither a record nor "not verified". */
export function requestFailed(message: string): VerificationError {
  return new VerificationError('etherscan_request_failed', message);
}

export function malformed(explorerName: string, what: string): VerificationError {
  const message = `The record of ${explorerName} cannot be checked: ${what}.`;
  return new VerificationError('malformed_etherscan_response', message);
}

/** Sources must be complete: nothing is fetched for them. */
export function readSources(files: Record<string, unknown>, explorerName: string): Record<string, { content: string }> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => {
      const content = isJsonObject(file) ? file.content : undefined;
      if (typeof content === 'string') return [path, { content }];
      throw malformed(explorerName, `it gives no content for the source ${path.slice(0, 200)}`);
    }),
  );
}
