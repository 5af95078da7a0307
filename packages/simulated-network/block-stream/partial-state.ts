// A value of the network's state as the difference to the one before: nodes since HAPI 0.79 write it where it is much
// shorter.
import { visitWireFields, wireVarint } from '../../protocol/wire-fields.ts';
import { bytesField, encodeVarint, intField, type WireField } from '../../protocol/wire-writer.ts';
import { joinFields, noBytes } from './message-fields.ts';

/** saving: as nodes write it, where it saves 64 bytes. always: wherever there is a value before. */
export type StateForm = 'whole' | 'saving' | 'always';

const minSaving = 64;

/**
 * MapUpdateChange.value and what belongs to it; `field`: of the value in its oneof.
 * @param before the value before the change; null: there was none
 */
export function writeValue(field: number, value: Uint8Array, before: Uint8Array | null, form: StateForm): WireField[] {
  const whole = [bytesField(2, joinFields([bytesField(field, value)]))];
  if (before === null || form === 'whole') return whole;
  const { changed, cleared } = difference(before, value);
  const partial = [
    bytesField(2, joinFields([bytesField(field, changed)])),
    intField(4, 1),
    cleared.length > 0 ? bytesField(5, Buffer.concat(cleared.map((number) => encodeVarint(BigInt(number))))) : [],
  ];
  const saving = joinFields(whole).length - joinFields(partial).length;
  return form === 'always' || saving >= minSaving ? partial : whole;
}

function difference(before: Uint8Array, after: Uint8Array): { changed: Buffer; cleared: number[] } {
  const [old, now] = [splitByNumber(before), splitByNumber(after)];
  const changed = [...now].filter(([number, bytes]) => !(old.get(number) ?? noBytes).equals(bytes));
  const cleared = [...old.keys()].filter((number) => !now.has(number)).sort((left, right) => left - right);
  return { changed: Buffer.concat(changed.map(([, bytes]) => bytes)), cleared };
}

/** A node staked to may have the number 0: it is a member of a oneof. */
const stakedNodeField = 11;

/** The bytes of all fields of a number, without numbers of 0, which a node does not write. */
function splitByNumber(message: Uint8Array): Map<number, Buffer> {
  const buffer = Buffer.from(message.buffer, message.byteOffset, message.length);
  const fields = new Map<number, Buffer>();
  let fieldStart = 0;
  visitWireFields(buffer, (number, wireType, start, end) => {
    const field = buffer.subarray(fieldStart, end);
    fieldStart = end;
    if (wireType === wireVarint && buffer[start] === 0 && number !== stakedNodeField) return;
    fields.set(number, Buffer.concat([fields.get(number) ?? noBytes, field]));
  });
  return fields;
}
