// Values that a block stream sends in part, laid over those before them: in the items of the second decoder, block
// after block.
import type { Plain, SecondDecoder } from './second-decoder.ts';

/** In the items of the next block: parts of values become the values. Returns how many there were. */
export type LayOverParts = (items: readonly Plain[]) => number;

export function createLayOverParts(decoder: SecondDecoder): LayOverParts {
  const values = new Map<string, Plain>();

  /** Absent members of a plain object are those that are absent in the bytes. */
  function layOver(type: string, name: string, holder: Plain, { partial, clearedFields = [] }: Plain): boolean {
    const [kind] = Object.keys(holder);
    const field = decoder.type(type).fields[kind!]!.resolve();
    const before = values.get(name);
    if (partial) {
      if (before === undefined) throw new Error(`A part of ${name}, which nothing was before`);
      const message = field.resolvedType as { fieldsById: Record<number, { name: string }> };
      const after = { ...before, ...holder[kind!] };
      for (const number of clearedFields) delete after[message.fieldsById[number]!.name];
      holder[kind!] = after;
    } else if (clearedFields.length > 0) throw new Error(`Cleared fields of ${name}, which is whole`);
    values.set(name, holder[kind!]);
    return partial === true;
  }

  return (items) => {
    let parts = 0;
    for (const { stateId, mapUpdate, mapDelete, singletonUpdate } of items.flatMap(
      (item) => item.stateChanges?.stateChanges ?? [],
    )) {
      const name = `${stateId} ${JSON.stringify((mapUpdate ?? mapDelete)?.key ?? null)}`;
      if (mapDelete) values.delete(name);
      if (mapUpdate && layOver('MapChangeValue', name, mapUpdate.value, mapUpdate)) parts += 1;
      if (singletonUpdate) {
        const { partial, clearedFields, ...holder } = singletonUpdate;
        if (layOver('SingletonUpdateChange', name, holder, { partial, clearedFields })) parts += 1;
        Object.assign(singletonUpdate, holder);
      }
    }
    return parts;
  };
}
