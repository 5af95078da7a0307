// What a call says about the state, instead of what the ledger says.
import type { StateOverride } from '../../../../calls/thread/job.ts';
import { isJsonObject } from '../../../../kit/is-json-object.ts';
import type { JsonValue } from '../../../../store/schema/table.ts';

type Options = { isAllowed: boolean; say(text: string): void };

const maxSlots = 100;
const address = /^(?:0[xX])?[0-9a-fA-F]{40}$/;
const quantity = /^(?:0[xX])?[0-9a-fA-F]{1,16}$/;
const bytes = /^(?:0[xX])?(?:[0-9a-fA-F]{2})*$/;
const word = /^(?:0[xX])?[0-9a-fA-F]{64}$/;

/** `say` is told every broken rule. */
export function readOverrides(list: JsonValue, { isAllowed, say }: Options): StateOverride[] {
  if (list === null || (Array.isArray(list) && list.length === 0)) return [];
  if (!Array.isArray(list)) {
    say('state_overrides must be a list');
    return [];
  }
  if (!isAllowed) {
    say('State overrides are not supported.');
    return [];
  }
  return list.flatMap((item) => readOverride(item, say) ?? []);
}

function readOverride(item: JsonValue, say: Options['say']): StateOverride | null {
  if (!isJsonObject(item)) {
    say('state_overrides must be a list of objects');
    return null;
  }
  const given = item as { readonly [name: string]: JsonValue };
  const read = (name: string, form: RegExp): string | undefined => {
    const value = given[name] ?? null;
    if (value === null) return undefined;
    if (typeof value === 'string' && form.test(value)) return value.replace(/^0[xX]/, '');
    say(`${name} field invalid hexadecimal string`);
    return undefined;
  };
  const at = read('address', address);
  if ((given.address ?? null) === null) say('address field must not be empty');
  const [balance, nonce, code] = [read('balance', quantity), read('nonce', quantity), read('code', bytes)];
  const [state, stateDiff] = [readSlots(given.state ?? null, say), readSlots(given.state_diff ?? null, say)];
  if (state && stateDiff) say('state and state_diff are mutually exclusive');
  return {
    address: BigInt(`0x${at ?? '0'}`),
    ...(balance === undefined ? {} : { balance: BigInt(`0x${balance}`) }),
    ...(nonce === undefined ? {} : { nonce: BigInt(`0x${nonce}`) }),
    ...(code === undefined ? {} : { code: Buffer.from(code, 'hex') }),
    ...(state ? { state } : {}),
    ...(stateDiff ? { stateDiff } : {}),
  };
}

function readSlots(list: JsonValue, say: Options['say']): StateOverride['state'] | null {
  if (list === null) return null;
  if (!Array.isArray(list)) {
    say('state must be a list');
    return null;
  }
  if (list.length > maxSlots) say(`state size must be between 0 and ${maxSlots}`);
  return list.slice(0, maxSlots).flatMap((item) => {
    const { key, value } = (isJsonObject(item) ? item : {}) as { readonly [name: string]: JsonValue | undefined };
    if (typeof key === 'string' && typeof value === 'string' && word.test(key) && word.test(value)) {
      return { slot: toWord(key), value: toWord(value) };
    }
    say('state field invalid hexadecimal string');
    return [];
  });
}

function toWord(digits: string): bigint {
  return BigInt(`0x${digits.replace(/^0[xX]/, '')}`);
}
