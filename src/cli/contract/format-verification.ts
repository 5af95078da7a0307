// The result of a verification as lines for people.
import type { ContractVerification } from './verify-contract.ts';

export function* formatVerification(result: ContractVerification): Generator<string> {
  const { address, contract, isVerified, status, message, page } = result;
  yield `${isVerified ? 'ok    ' : 'FAILED'} ${contract} at ${address}: ${isVerified ? describeMatch(result) : status}`;
  if (message) yield `       ${message.trim().replaceAll('\n', '\n       ')}`;
  if (page) yield `       ${page}`;
}

const words: Record<string, string> = { exact_match: 'exact match', match: 'match, but for the metadata' };

function describeMatch({ status, match, creationMatch, runtimeMatch }: ContractVerification): string {
  const word = (side: string | null): string => (side === null ? 'not compared' : (words[side] ?? side));
  return `${status}, ${word(match)} (runtime code: ${word(runtimeMatch)}; creation code: ${word(creationMatch)})`;
}
