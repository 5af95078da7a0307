// What a call says about the state, instead of what the ledger says.

import { isJsonObject } from '../../../../packages/kit/is-json-object.ts';
import type { JsonValue } from '../../../../packages/postgres/wire/values.ts';
import type { StateOverride } from '../../../calls/thread/job.ts';

type Options = { isAllowed: boolean; say(text: string): void };

const maxSlots = 100;
const address = /^(?:0[xX])?[0-9a-fA-F]{40}$/;
const quantity = /^(?:0[xX])?[0-9a-fA-F]{1,16}$/;
const bytes = /^(?:0[xX])?(?:[0-9a-fA-F]{2})*$/;
const maxInt64 = 2n ** 63n - 1n;
const word = /^(?:0[xX])?[0-9a-fA-F]{64}$/;

/** `say` is called with every broken rule. */
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
  return list.flatMap((item, index) => readOverride(item, { path: `state_overrides[${index}]`, say }) ?? []);
}

type Place = { path: string; say: Options['say'] };

function readOverride(item: JsonValue, { path, say }: Place): StateOverride | null {
  if (!isJsonObject(item)) {
    say(`${path} must be an object`);
    return null;
  }
  const given = item as { readonly [name: string]: JsonValue };
  const read = (name: string, form: RegExp) => readHex(given[name] ?? null, form, { path: `${path}.${name}`, say });
  const at = read('address', address);
  if ((given.address ?? null) === null) say(`${path}.address field must not be null`);
  const count = (name: string) => readQuantity(given[name] ?? null, { path: `${path}.${name}`, say });
  const [balance, nonce, code] = [count('balance'), count('nonce'), read('code', bytes)];
  const slotsOf = (name: string) => readSlots(given[name] ?? null, { path: `${path}.${name}`, say });
  const [state, stateDiff] = [slotsOf('state'), slotsOf('state_diff')];
  if (state && stateDiff) say('state and state_diff are mutually exclusive');
  return {
    address: BigInt(`0x${at ?? '0'}`),
    ...(balance === undefined ? {} : { balance }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(code === undefined ? {} : { code: Buffer.from(code, 'hex') }),
    ...(state ? { state } : {}),
    ...(stateDiff ? { stateDiff } : {}),
  };
}

/** A number, or text in hexadecimal; undefined: not given, or refused. */
function readQuantity(value: JsonValue, { path, say }: Place): bigint | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') {
    if (value >= 0 && value <= maxInt64 && typeof value === 'bigint') return value;
    say(`${path} field must be ${value < 0 ? 'greater than or equal to 0' : 'an integer of 64 bits'}`);
    return undefined;
  }
  const digits = readHex(value, quantity, { path, say });
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
}

/** Digits without `0x`; undefined: not given, or refused. */
function readHex(value: JsonValue, form: RegExp, { path, say }: Place): string | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string' && form.test(value)) return value.replace(/^0x/i, '');
  say(`${path} field invalid hexadecimal string`);
  return undefined;
}

/** An empty list is none. */
function readSlots(list: JsonValue, { path, say }: Place): StateOverride['state'] | null {
  if (list === null) return null;
  if (!Array.isArray(list)) {
    say(`${path} must be a list`);
    return null;
  }
  if (list.length === 0) return null;
  if (list.length > maxSlots) say(`${path} size must be between 0 and ${maxSlots}`);
  return list.slice(0, maxSlots).map((item, index) => {
    const given = (isJsonObject(item) ? item : {}) as { readonly [name: string]: JsonValue | undefined };
    const read = (name: string): bigint => {
      const place = { path: `${path}[${index}].${name}`, say };
      if ((given[name] ?? null) === null) say(`${place.path} field must not be null`);
      return BigInt(`0x${readHex(given[name] ?? null, word, place) ?? '0'}`);
    };
    return { slot: read('key'), value: read('value') };
  });
}
