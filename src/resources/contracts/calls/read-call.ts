// The body of a call: JSON, by the mirror node's rules and in its words. Members that it does not know are ignored,
// null is the default, and every broken rule has its message.

import { isJsonObject } from '../../../../packages/kit/is-json-object.ts';
import type { JsonValue } from '../../../../packages/postgres/wire/values.ts';
import { parseExactJson } from '../../../../packages/store/read/parse-exact-json.ts';
import { type Refusal, RequestError, refuse } from '../../../../packages/web-server/request-error.ts';
import type { ReadingContext } from '../../../api/reading/query/context.ts';
import type { CallQuestion } from '../../../calls/thread/job.ts';
import { readBlockName } from './read-block-name.ts';
import { readOverrides } from './read-overrides.ts';

type JsonMembers = { readonly [name: string]: JsonValue };

const minGas = 21_000n;
const maxInt64 = 2n ** 63n - 1n;
const hexData = /^(?:0[xX])?[0-9a-fA-F]{0,1048576}$/;
const address = /^(?:0[xX])?[0-9a-fA-F]{40}$/;
const addressOrNone = /^(?:(?:0[xX])?[0-9a-fA-F]{40})?$/;
/** At least 14 digits, the beginning of Solidity's code, CODECOPY and RETURN. */
const initCode = /(?:60806040|60606040).*39.*f3/i;
const minInitCode = 14;

/** Throws RequestError. */
export function readCall(bytes: Buffer, { dialect, settings }: ReadingContext): CallQuestion {
  const body = parse(bytes);
  const broken: Refusal[] = [];
  const say = (text: string): void => {
    broken.push({ code: 'invalidCall', data: { text } });
  };
  const block = readBlockName(readText(body, 'block') ?? '');
  const given = {
    data: readText(body, 'data') ?? '',
    from: readText(body, 'from'),
    to: readText(body, 'to') ?? '',
    gas: readInteger(body, 'gas') ?? BigInt(settings.maxCallGas),
    gasPrice: readInteger(body, 'gasPrice') ?? 0n,
    value: readInteger(body, 'value') ?? 0n,
    estimate: readFlag(body, 'estimate'),
  };
  const { data, from, to, gas, gasPrice, value, estimate } = given;
  if (!hexData.test(data)) say('data field invalid hexadecimal string');
  if (from !== null && !address.test(from)) say('from field invalid hexadecimal string');
  if (!addressOrNone.test(to)) say('to field invalid hexadecimal string');
  if (gas < minGas) say(`gas field must be greater than or equal to ${minGas}`);
  if (gasPrice < 0n) say('gasPrice field must be greater than or equal to 0');
  if (value < 0n) say('value field must be greater than or equal to 0');
  if (value > 0n && from === null) say('from field must not be empty');
  if (value > 0n && from !== null && to === '' && !isInitCode(data)) say('to field must not be empty');
  const overrides = readOverrides(body.state_overrides ?? null, { isAllowed: dialect.overridesState, say });
  if (broken.length > 0) throw new RequestError(broken);
  if (gas > BigInt(settings.maxCallGas)) {
    throw refuse('invalidCall', { text: `gas field must be less than or equal to ${settings.maxCallGas}` });
  }
  const digits = withoutPrefix(data);
  if (digits.length % 2 === 1) {
    throw refuse('invalidCall', { text: `data field '${data}' contains invalid odd length characters` });
  }
  return {
    block,
    data: Buffer.from(digits, 'hex'),
    from: from === null ? null : toAddress(from),
    to: to === '' ? null : toAddress(to),
    gas: Number(gas),
    value,
    contractSends: dialect.contractsSend,
    paysValue: settings.checkPayerBalance && (value > 0n || gasPrice > 0n),
    estimate,
    overrides,
  };
}

function parse(bytes: Buffer): JsonMembers {
  let body: JsonValue;
  try {
    body = parseExactJson(bytes.toString());
  } catch (error) {
    throw refuse('invalidCall', { text: `JSON parse error: ${(error as Error).message}` });
  }
  if (!isJsonObject(body)) throw refuse('invalidCall', { text: 'JSON parse error: the body is no object' });
  return body as JsonMembers;
}

/** Numbers and flags count as their texts. */
function readText(body: JsonMembers, name: string): string | null {
  const value = body[name] ?? null;
  if (typeof value === 'object' && value !== null) throw unreadable(name, 'a text');
  return value === null ? null : String(value);
}

function readInteger(body: JsonMembers, name: string): bigint | null {
  const value = body[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'bigint' && value >= -maxInt64 - 1n && value <= maxInt64) return value;
  // As Java reads it: fractions are cut off, texts of integers count as such.
  if (typeof value === 'number' && Math.abs(value) < 2 ** 63) return BigInt(Math.trunc(value));
  if (typeof value === 'string' && /^-?\d{1,18}$/.test(value)) return BigInt(value);
  throw unreadable(name, 'an integer');
}

function readFlag(body: JsonMembers, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') return value === 'true';
  throw unreadable(name, 'true or false');
}

function unreadable(name: string, kind: string): RequestError {
  return refuse('invalidCall', { text: `JSON parse error: ${name} must be ${kind}` });
}

function isInitCode(data: string): boolean {
  return data.length >= minInitCode && initCode.test(data);
}

function withoutPrefix(digits: string): string {
  return /^0[xX]/.test(digits) ? digits.slice(2) : digits;
}

function toAddress(digits: string): bigint {
  return BigInt(`0x${withoutPrefix(digits)}`);
}
