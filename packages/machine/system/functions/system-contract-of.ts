// A system contract made of tables of functions: those of its own address, and those behind facades.

import { parseParameters } from '../../../abi/abi-type.ts';
import { decodeValues } from '../../../abi/decode-values.ts';
import { readSelector, selectorBytes, selectorOf } from '../../../abi/selector.ts';
import { AbiError } from '../../../abi/walk-data.ts';
import { type Halt, halts } from '../../base/halt.ts';
import { addressLength, readWord } from '../../base/word.ts';
import type { SystemCall, SystemContract, SystemOutcome, SystemState } from '../../frame/system-contract.ts';
import type { AccountKind } from '../../state/state-reader.ts';
import type { World } from '../../state/world.ts';
import { type FunctionTable, functionTable, type SystemFunction } from './function.ts';
import { runFunction } from './run.ts';

type Description = {
  functions: readonly SystemFunction[];
  facade?: {
    kind: AccountKind;
    /** The function that gets a facade's address and its call data, as `redirectForToken`. */
    redirect: string;
    functions: readonly SystemFunction[];
    /** 0n: there is nothing with that address. */
    numOf(address: bigint, world: World): bigint;
  };
  /** Signatures of functions that may carry a value. */
  payable?: readonly string[];
};

/** What a facade was called with, and its address. */
type Redirected = { address: bigint; input: Uint8Array };

const redirectArguments = parseParameters('(address,bytes)');
/** Where the ABI has the offset of `bytes`, which is this. */
const offsetPlace = selectorBytes + 32;
const abiOffset = 0x40n;

export function systemContractOf({ functions, facade, payable = [] }: Description): SystemContract {
  const table = functionTable(functions);
  const facadeTable: FunctionTable = functionTable(facade?.functions ?? []);
  const redirect = facade === undefined ? null : selectorOf(`${facade.redirect}(address,bytes)`);
  const payables = new Set(payable.map(selectorOf));
  const redirects = facade === undefined ? [] : [`${facade.redirect}(address,bytes)`];
  return {
    signatures: [...table.values(), ...facadeTable.values()].map(({ signature }) => signature).concat(redirects),
    takesValue: ({ data }) => data.length >= selectorBytes && payables.has(readSelector(data)),
    run,
  };

  function run(call: SystemCall, state: SystemState): SystemOutcome {
    const { world } = state;
    const { data, recipient, isDelegate, isFacade } = call;
    if (isFacade) {
      return isDelegate ? halted() : runFacade(call, state, { address: recipient, input: data });
    }
    if (redirect !== null && data.length >= selectorBytes && readSelector(data) === redirect) {
      const redirected = readRedirect(data);
      if (redirected === null || (isDelegate && !isOwnFacade(redirected.address, recipient, world))) return halted();
      return runFacade(call, state, redirected);
    }
    if (isDelegate) return halted();
    return runFunction(table, data, { ...state, call, facade: null, asker: world.account(call.caller).num });
  }

  function runFacade(call: SystemCall, state: SystemState, { address, input }: Redirected): SystemOutcome {
    const { world } = state;
    const asker = world.account(call.caller).num;
    return runFunction(facadeTable, input, { ...state, call, facade: facade!.numOf(address, world), asker });
  }

  /** Only the proxy at the facade's address may delegate, and no contract can say that it is one. */
  function isOwnFacade(address: bigint, recipient: bigint, world: World): boolean {
    return address === recipient && world.account(recipient).facts?.kind === facade!.kind;
  }
}

/** Address and call data one after the other, as proxies send them, or as the ABI has them. null: neither. */
function readRedirect(data: Uint8Array): Redirected | null {
  if (data.length >= offsetPlace + 32 && readWord(data, offsetPlace, 32) === abiOffset) {
    try {
      const [address, input] = decodeValues(redirectArguments, data.subarray(selectorBytes));
      return { address: address as bigint, input: input as Uint8Array };
    } catch (error) {
      if (error instanceof AbiError) return null;
      throw error;
    }
  }
  const start = selectorBytes + addressLength;
  return data.length < start
    ? null
    : { address: readWord(data, selectorBytes, addressLength), input: data.subarray(start) };
}

function halted(reason: Halt = halts.precompile): SystemOutcome {
  return { kind: 'halt', halt: reason };
}
