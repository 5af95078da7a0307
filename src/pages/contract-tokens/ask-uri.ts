// What a contract answers when it is asked where a unit is described.

import { RequestError } from '../../../packages/web-server/request-error.ts';
import { readText } from '../../contracts/token-index/ask-token.ts';
import { callOf } from '../../contracts/token-index/recognise-token.ts';
import type { ContractToken } from '../../ledger/tokens/create-contract-tokens.ts';
import { waitForThread } from '../../resources/contracts/calls/wait-for-thread.ts';
import type { PageContext } from '../page/page-context.ts';

const maxBytes = 300_000;
/** Pictures that a contract draws take a million. */
const gas = 3_000_000;

/** null = it says nothing, or cannot be asked now. `address`: 0x and 40 hex digits. */
export async function askUri(
  { calls }: Pick<PageContext, 'calls'>,
  address: string,
  { standard }: Pick<ContractToken, 'standard'>,
  serialNumber: bigint,
): Promise<string | null> {
  const signature = standard === 'ERC-721' ? 'tokenURI(uint256)' : 'uri(uint256)';
  try {
    const answer = await waitForThread(
      calls.ask({
        ...{ from: null, to: BigInt(address), value: 0n, data: callOf(signature, serialNumber), gas },
        ...{ paysValue: false, estimate: false, block: null, overrides: [] },
      }),
    );
    if (answer.kind !== 'finished' || answer.run.status !== 'SUCCESS') return null;
    const text = readText(Buffer.from(answer.run.output), maxBytes);
    // ERC-1155: clients put the number in its place.
    return text?.replaceAll('{id}', serialNumber.toString(16).padStart(64, '0')) ?? null;
  } catch (error) {
    if (error instanceof RequestError) return null;
    throw error;
  }
}
