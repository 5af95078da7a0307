// What a function of a contract answers, asked as `contracts/call` does.

import type { Abi, AbiFunction } from '../../../../packages/abi/abi.ts';
import { encodeCall } from '../../../../packages/abi/encode-call.ts';
import { ledgerAddresses } from '../../../../packages/verification/terms/contract-address.ts';
import { RequestError } from '../../../../packages/web-server/request-error.ts';
import { readBlockName } from '../../../resources/contracts/calls/read-block-name.ts';
import { refuseThrottled } from '../../../resources/contracts/calls/refuse-throttled.ts';
import { refuseUnended } from '../../../resources/contracts/calls/refuse-unended.ts';
import { waitForThread } from '../../../resources/contracts/calls/wait-for-thread.ts';
import type { PageContext } from '../../page/page-context.ts';

export type FunctionQuestion = {
  called: AbiFunction;
  /** As typed, one for each input. */
  texts: readonly string[];
  /** As typed; empty = now. */
  block: string;
};

export type FunctionAnswer =
  | { kind: 'answered'; output: Buffer }
  | { kind: 'failed'; status: string; output: Buffer }
  /** The question makes no sense, or cannot be answered. `status`: of HTTP. */
  | { kind: 'refused'; status: number; sentence: string };

type Asked = Pick<PageContext, 'calls' | 'settings'>;

/** `address`: 0x and 40 hex digits. Throws RequestError if it cannot be answered now. */
export async function askFunction(
  { calls, settings }: Asked,
  address: string,
  abi: Abi,
  { called, texts, block }: FunctionQuestion,
): Promise<FunctionAnswer> {
  const encoded = encodeCall(abi, `0x${called.selector}`, texts, ledgerAddresses(settings.system));
  if ('problem' in encoded) return { kind: 'refused', status: 400, sentence: `argument: ${encoded.problem}` };
  const name = readBlock(block);
  if (name instanceof RequestError) return { kind: 'refused', status: 400, sentence: `block: ${name.message}` };
  const answer = await waitForThread(
    calls.ask({
      ...{ from: null, to: BigInt(address), value: 0n, data: encoded.data, gas: settings.maxCallGas },
      ...{ paysValue: false, estimate: false, block: name, overrides: [] },
    }),
  );
  switch (answer.kind) {
    case 'finished': {
      const { status, output } = answer.run;
      const bytes = Buffer.from(output);
      return status === 'SUCCESS' ? { kind: 'answered', output: bytes } : { kind: 'failed', status, output: bytes };
    }
    case 'noBlock':
      return { kind: 'refused', status: 400, sentence: 'block: this mirror has no such block' };
    case 'throttled':
      throw refuseThrottled(answer);
    case 'estimated':
    case 'traced':
    case 'tracedCalls':
      throw new Error('A call was neither estimated nor traced.');
    default: {
      const { status, message } = refuseUnended(answer, settings.callLimits);
      return { kind: 'refused', status, sentence: message };
    }
  }
}

function readBlock(text: string): ReturnType<typeof readBlockName> | RequestError {
  try {
    return readBlockName(text.trim());
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
}
