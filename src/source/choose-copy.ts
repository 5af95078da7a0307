// Where one place has a block several times: which copy is tried after one that was refused.
import type { StreamBlockFile, StreamSource } from './stream-source.ts';

/** @param copiesOf in the order in which they are taken */
export function createCopyChooser(
  copiesOf: (number: bigint) => Promise<readonly StreamBlockFile[]>,
): NonNullable<StreamSource['passOver']> {
  let refused: { number: bigint; paths: Set<string> } | null = null;
  return async (file) => {
    const copies = await copiesOf(file.number);
    if (copies.length < 2) return undefined;
    if (refused?.number !== file.number) refused = { number: file.number, paths: new Set() };
    const { paths } = refused;
    paths.add(pathOf(file));
    const next = copies.find((copy) => !paths.has(pathOf(copy))) ?? null;
    // The next time all are tried again.
    if (next === null) refused = null;
    return next;
  };
}

function pathOf({ location, name }: StreamBlockFile): string {
  return `${location}/${name}`;
}
