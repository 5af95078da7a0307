// How the text of each kind of query parameter becomes a value (reference: rest §0.3).
import { type EntityReference, parseEntityReference, type SystemRealm } from './entity-reference.ts';
import { blockHashForm, blockNumberForm, integerForm, timestampForm } from './parameter-forms.ts';
import type { Operator, ParameterReader } from './query-parameters.ts';

const maxInt64 = 2n ** 63n - 1n;
const maxInt32 = 2n ** 31n - 1n;

export type TimestampCondition<O extends Operator = Operator> = { operator: O; timestamp: bigint };

/** `pageSize` decides what becomes of a size above the largest. */
export function readLimit(pageSize: (requested: bigint) => number | undefined): ParameterReader<number> {
  return ({ text }) => {
    if (!integerForm.test(text)) return undefined;
    const requested = BigInt(text);
    return requested >= 1n && requested <= maxInt64 ? pageSize(requested) : undefined;
  };
}

export const readOrder: ParameterReader<'asc' | 'desc'> = ({ text }) => {
  const order = text.toLowerCase();
  return order === 'asc' || order === 'desc' ? order : undefined;
};

/** true or false, `eq` only. Wrapped, because `false` itself is a valid value. */
export const readFlag: ParameterReader<{ value: boolean; raw: string }> = ({ operator, text, raw }) => {
  if (operator !== 'eq' || !/^(?:true|false)$/i.test(text)) return undefined;
  return { value: text.toLowerCase() === 'true', raw };
};

export function readTimestamp<O extends Operator>(accepted: readonly O[]): ParameterReader<TimestampCondition<O>> {
  return ({ operator, text }) => {
    if (!timestampForm.test(text) || !(accepted as readonly Operator[]).includes(operator)) return undefined;
    const [seconds, fraction = ''] = text.split('.');
    return { operator: operator as O, timestamp: BigInt(seconds!) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')) };
  };
}

export const everyOperator = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;

export const readBlockNumber: ParameterReader<bigint> = ({ operator, text }) => {
  if (operator !== 'eq' || !blockNumberForm.test(text)) return undefined;
  const number = BigInt(text);
  return number <= maxInt64 ? number : undefined;
};

/** Without `0x`, as typed. */
export const readBlockHash: ParameterReader<string> = ({ operator, text }) => {
  if (operator !== 'eq' || !blockHashForm.test(text)) return undefined;
  return text.startsWith('0x') ? text.slice(2) : text;
};

export const readTransactionIndex: ParameterReader<bigint> = ({ operator, text }) => {
  if (operator !== 'eq' || !integerForm.test(text)) return undefined;
  const index = BigInt(text);
  return index <= maxInt32 ? index : undefined;
};

export type EntityCondition = { operator: Operator; reference: EntityReference };

export function readEntityId(
  pattern: RegExp,
  system: SystemRealm,
  accepted: readonly Operator[],
): ParameterReader<EntityCondition> {
  return ({ operator, text }) => {
    if (!accepted.includes(operator) || !pattern.test(text)) return undefined;
    return { operator, reference: parseEntityReference(text, system) };
  };
}
