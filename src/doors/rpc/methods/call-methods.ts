// Methods that run code.

import type { StateBlockName } from '../../../../packages/store/read/state/select-state-block.ts';
import type { BlockOverrides, StateOverride } from '../../../calls/thread/job.ts';
import type { FoundAccess } from '../machine/machine.ts';
import { blockOfCall } from '../reading/block-kinds.ts';
import { blockOverrides } from '../reading/block-overrides.ts';
import { contractCall } from '../reading/contract-call.ts';
import { optional } from '../reading/kind.ts';
import { type BlockReference, blockNumber } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { stateOverrides } from '../reading/state-overrides.ts';
import { hex, quantity } from '../terms/hex.ts';

/** null = now. */
export function toStateBlock(reference: BlockReference): StateBlockName | null {
  if (reference.kind === 'newest') return null;
  return reference.kind === 'hash' ? { hashPrefix: reference.hash } : { number: reference.number };
}

function toOverrides(overrides: StateOverride[] = [], ofBlock: BlockOverrides | undefined) {
  return { overrides, ...(ofBlock ? { blockOverrides: ofBlock } : {}) };
}

function showAccess({ list, gasUsed, error }: FoundAccess) {
  return {
    accessList: list.map(({ address, slots }) => ({
      address: padded(address, 40),
      storageKeys: slots.map((slot) => padded(slot, 64)),
    })),
    gasUsed: quantity(gasUsed),
    ...(error === null ? {} : { error }),
  };
}

function padded(value: bigint, digits: number): string {
  return `0x${value.toString(16).padStart(digits, '0')}`;
}

export const callMethods: Readonly<Record<string, Method>> = {
  eth_call: about(
    ['call', 'block: tag, number, hash or object', 'state overrides, optional', 'block overrides, optional'],
    'what the contract answers; see Calls',
    method(
      [contractCall, blockOfCall, optional(stateOverrides), optional(blockOverrides)],
      async ({ machine }, call, reference, overrides, ofBlock) =>
        hex(
          Buffer.from(await machine.call(call, { block: toStateBlock(reference), ...toOverrides(overrides, ofBlock) })),
        ),
    ),
  ),
  eth_createAccessList: about(
    ['call', 'block: tag, number, hash or object; optional', 'state overrides, optional'],
    'the access list with which the call would run, and the gas that it then takes; see Calls',
    method(
      [contractCall, optional(blockOfCall), optional(stateOverrides)],
      async ({ machine }, call, reference, overrides) => {
        const block = reference ? toStateBlock(reference) : null;
        return showAccess(await machine.accessList(call, { block, ...toOverrides(overrides, undefined) }));
      },
    ),
  ),
  eth_estimateGas: about(
    ['call', 'number or tag, optional', 'state overrides, optional', 'block overrides, optional'],
    'the gas that the call needs now, whatever block is named; see Calls',
    method(
      [contractCall, optional(blockNumber), optional(stateOverrides), optional(blockOverrides)],
      async ({ machine }, call, _block, overrides, ofBlock) =>
        quantity(await machine.estimate(call, toOverrides(overrides, ofBlock))),
    ),
  ),
};
