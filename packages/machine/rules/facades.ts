// The code at the address of an entity that has none of its own: it hands calls to the system contract of its kind.
import { readSelector, selectorBytes, selectorOf, signatureHash } from '../../abi/selector.ts';
import { delegationCode } from '../base/code.ts';
import { writeWord } from '../base/word.ts';
import type { AccountFacts, AccountKind } from '../state/state-reader.ts';
import type { Rules } from './rules.ts';

/** `redirect`: the function of the system contract that gets address and call data. */
type Facade = { contract: number; redirect: string };

const facades: Partial<Record<AccountKind, Facade>> = {
  token: { contract: 0x167, redirect: 'redirectForToken(address,bytes)' },
  schedule: { contract: 0x16b, redirect: 'redirectForScheduleTxn(address,bytes)' },
};
const accountFacade: Facade = { contract: 0x16a, redirect: 'redirectForAccount(address,bytes)' };
/** HIP-906 and HIP-904. */
const accountFunctions: ReadonlySet<number> = new Set(
  ['hbarAllowance(address)', 'hbarApprove(address,int256)', 'setUnlimitedAutomaticAssociations(bool)'].map(selectorOf),
);

/** Of the address 0x00…00 in between: puts redirect, address and call data together and delegates them. */
const proxyStart = '6080604052348015600f57600080fd5b50600061';
const proxyEnd =
  '600052366000602037600080366018016008845af43d806000803e8160008114605857816000f35b816000fdfea2646970667358221220' +
  'd8378feed472ba49a0005514ef7087017f707b45fb9bf56bb81bb93ff19a238b64736f6c634300080b0033';

/** null: the entity's own code, or none. */
export function facadeOf({ kind, address }: Pick<AccountFacts, 'kind' | 'address'>, rules: Rules): Uint8Array | null {
  const facade = facades[kind];
  return facade ? facadeCode(facade, address, rules) : null;
}

/** What runs when an account without code is called: null for most functions. */
export function accountFacadeOf(address: bigint, data: Uint8Array, rules: Rules): Uint8Array | null {
  if (data.length < selectorBytes) return null;
  return accountFunctions.has(readSelector(data)) ? facadeCode(accountFacade, address, rules) : null;
}

const made = new Map<string, Uint8Array>();
const maxMade = 1000;

/** The same object for the same code, so that it is analysed once. */
function facadeCode({ contract, redirect }: Facade, address: bigint, { facades: form }: Rules): Uint8Array {
  const key = `${form} ${contract} ${form === 'proxies' ? address : ''}`;
  let code = made.get(key);
  if (code === undefined) {
    if (made.size >= maxMade) made.clear();
    code = form === 'delegations' ? delegationCode(writeWord(BigInt(contract), 20)) : proxyCode();
    made.set(key, code);
  }
  return code;

  function proxyCode(): Uint8Array {
    const number = contract.toString(16).padStart(4, '0');
    const ofAddress = address.toString(16).padStart(40, '0');
    const selector = signatureHash(redirect).toString('hex', 0, selectorBytes);
    return Uint8Array.from(Buffer.from(`${proxyStart}${number}905077${selector}${ofAddress}${proxyEnd}`, 'hex'));
  }
}
