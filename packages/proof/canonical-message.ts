// Protobuf messages around proofs, read strictly: fields in ascending order, varints as short as they can be, only
// numbers that the message has. So there is one encoding of each proof, and no byte of it that nothing checks.
import { refuse } from './proof-refusal.ts';

/** varint: 64 bits. list: of bytes, any number of times. */
type FieldKind = 'varint' | 'bytes' | 'list';

/** Fields by number. */
export type MessageShape = Readonly<Record<number, FieldKind>>;

export type CanonicalMessage = {
  /** null where the field is absent. */
  varint(number: number): bigint | null;
  bytes(number: number): Uint8Array | null;
  /** Empty where the field is absent. */
  list(number: number): Uint8Array[];
};

const wireVarint = 0;
const wireBytes = 2;
const maxVarint = (1n << 64n) - 1n;
const maxVarintLength = 10;

/** `maxFields`: against lists that never end. Throws ProofRefusal. */
export function readCanonicalMessage(
  message: Uint8Array,
  name: string,
  shape: MessageShape,
  maxFields: number,
): CanonicalMessage {
  const varints = new Map<number, bigint>();
  const values = new Map<number, Uint8Array[]>();
  let offset = 0;
  let previous = 0;

  function varint(): bigint {
    let value = 0n;
    for (let place = 0; place < maxVarintLength; place++) {
      const byte = message[offset++];
      if (byte === undefined) return refuse('message', `the rest of a varint of the ${name}`, 'its end');
      value |= BigInt(byte & 0x7f) << BigInt(7 * place);
      if (byte >= 0x80) continue;
      if (value > maxVarint || (byte === 0 && place > 0)) break;
      return value;
    }
    return refuse('message', `the shortest varint of 64 bits in the ${name}`, `another before byte ${offset}`);
  }

  for (let count = 0; offset < message.length; count++) {
    if (count === maxFields) refuse('message', `at most ${maxFields} fields of the ${name}`, 'more');
    const tag = varint();
    const [number, wireType] = [Number(tag >> 3n), Number(tag & 7n)];
    const kind = shape[number];
    const isExpected = kind !== undefined && wireType === (kind === 'varint' ? wireVarint : wireBytes);
    if (!isExpected || number < previous || (number === previous && kind !== 'list')) {
      refuse(
        'message',
        `fields ${Object.keys(shape).join(', ')} of the ${name}, in order`,
        `field ${number} of wire type ${wireType}`,
      );
    }
    previous = number;
    if (kind === 'varint') {
      varints.set(number, varint());
      continue;
    }
    const length = varint();
    if (length > BigInt(message.length - offset)) {
      refuse('message', `field ${number} of the ${name} within it`, `a length of ${length}`);
    }
    const end = offset + Number(length);
    const list = values.get(number) ?? [];
    list.push(message.subarray(offset, end));
    values.set(number, list);
    offset = end;
  }
  return {
    varint: (number) => varints.get(number) ?? null,
    bytes: (number) => values.get(number)?.[0] ?? null,
    list: (number) => values.get(number) ?? [],
  };
}
