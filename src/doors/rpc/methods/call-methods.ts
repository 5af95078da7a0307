// Methods that run code, or send a transaction.
import type { StateBlockName } from '../../../store/read/state/select-state-block.ts';
import { blockOfCall } from '../reading/block-kinds.ts';
import { contractCall } from '../reading/contract-call.ts';
import { type Kind, optional } from '../reading/kind.ts';
import { type BlockReference, blockNumber } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { stateOverrides } from '../reading/state-overrides.ts';
import { hex, quantity } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

/** null = now. */
function toStateBlock(reference: BlockReference): StateBlockName | null {
  if (reference.kind === 'newest') return null;
  return reference.kind === 'hash' ? { hashPrefix: reference.hash } : { number: reference.number };
}

/** Any text: what it is, the relay says. */
const rawTransaction: Kind<string> = {
  error: 'Expected 0x prefixed hexadecimal value',
  read: (value) => (typeof value === 'string' && /^0[xX][a-fA-F0-9]+$/.test(value) ? value : undefined),
};

export const callMethods: Readonly<Record<string, Method>> = {
  eth_call: about(
    ['call', 'block: tag, number, hash or object', 'state overrides, optional'],
    'what the contract answers; see Calls',
    method([contractCall, blockOfCall, optional(stateOverrides)], async ({ machine }, call, reference, overrides) =>
      hex(Buffer.from(await machine.call(call, { block: toStateBlock(reference), overrides: overrides ?? [] }))),
    ),
  ),
  eth_estimateGas: about(
    ['call', 'number or tag, optional', 'state overrides, optional'],
    'the gas that the call needs now, whatever block is named; see Calls',
    method(
      [contractCall, optional(blockNumber), optional(stateOverrides)],
      async ({ machine }, call, _block, overrides) => quantity(await machine.estimate(call, overrides ?? [])),
    ),
  ),
  eth_sendRawTransaction: about(
    ['signed transaction'],
    'handed on to the relay of `--relay-url`; without one −32610',
    method([rawTransaction], (context, transaction) => {
      if (context.relay) return context.relay([transaction]);
      throw rpcError.onlyReading('This mirror only reads; --relay-url names a JSON-RPC relay that sends transactions.');
    }),
  ),
};
