// What bytes say by a checked ABI: a call, what it returned or failed with, a log. Absent unless it was asked for.
import { Type } from '@sinclair/typebox';
import type { DecodedCall, DecodedValue } from '../../../../packages/abi/decoded-value.ts';
import { toJsonString } from '../../../api/values/json-text.ts';
import { type Kind, named, orNull, reference } from '../../../api/values/kind.ts';
import { text } from '../../../api/values/kinds.ts';
import { array, members, nullable, optional } from '../../../api/values/members.ts';

const decodedValue: Kind<DecodedValue> = named('DecodedValue', {
  schema: Type.Object({
    name: Type.String({ description: 'Empty if it has none, as items of lists.' }),
    type: Type.String({ description: 'As in signatures.' }),
    value: Type.Union([Type.String(), Type.Array(reference('DecodedValue'))], {
      description:
        'Integers in decimal, addresses with EIP-55 checksum, `true` or `false`, bytes in hex, text; the items of a list, the members of a tuple.',
    }),
    hashed: Type.Optional(Type.Literal(true, { description: 'The value is the hash of it, all that a log has.' })),
    omitted: Type.Optional(
      Type.Integer({ description: 'Items of a list, or bytes, that were left out at the end as there are too many.' }),
    ),
  }),
  write: writeValue,
});

function writeValue({ name, type, value, isHashed, omitted }: DecodedValue): string {
  const shown = typeof value === 'string' ? toJsonString(value) : `[${value.map(writeValue).join(',')}]`;
  const hashed = isHashed ? ',"hashed":true' : '';
  const rest = omitted === undefined ? '' : `,"omitted":${omitted}`;
  return `{"name":${toJsonString(name)},"type":${toJsonString(type)},"value":${shown}${hashed}${rest}}`;
}

const decodedCall: Kind<DecodedCall> = members(
  { name: text, signature: text, arguments: array(decodedValue) },
  { name: 'DecodedCall' },
);

/** Of a result. */
export type DecodedResult = {
  functionParameters: DecodedCall | null;
  /** The arguments are what was returned. */
  callResult: DecodedCall | null;
  error: DecodedCall | null;
};

const decodedResult: Kind<DecodedResult> = members(
  {
    function_parameters: nullable(decodedCall),
    call_result: nullable(decodedCall, 'With what the function returned as arguments.'),
    error: nullable(decodedCall, 'What the contract reverted with.'),
  },
  { name: 'DecodedResult' },
);

/** Of a call inside a transaction. */
export type DecodedAction = { input: DecodedCall | null; resultData: DecodedCall | null };

const decodedAction: Kind<DecodedAction> = members(
  {
    input: nullable(decodedCall),
    result_data: nullable(decodedCall, 'What the function returned as arguments, or what it reverted with.'),
  },
  { name: 'DecodedAction' },
);

/** null = no checked ABI says anything of it. */
export type WithDecoded<T> = { decoded?: T | null | undefined };

const asked = 'With `decode=true`; null if no checked ABI says what the bytes mean.';

/** The member of the answer, for the dialects that have the parameter. */
function decodedMember<T>(kind: Kind<T>) {
  return {
    decoded: optional(orNull(kind), ({ decoded }: WithDecoded<T>) => decoded, asked),
  };
}

export const decodedOfResult = decodedMember(decodedResult);
export const decodedOfLog = decodedMember(decodedCall);
export const decodedOfAction = decodedMember(decodedAction);
