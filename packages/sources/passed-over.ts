// Files in a source that cannot be part of the stream: each is reported once and skipped.
import type { StreamBlockFile, StreamSource } from './stream-source.ts';
/** `path`: as the source names it. `reason`: a sentence without its full stop. */
export type PassedOver = { path: string; reason: string };
export type TellPassedOver = (passed: PassedOver) => void;

/** So that a folder full of such names does not fill the log. */
const maxReported = 1_000;

export function tellOnce(tell: TellPassedOver = () => {}): TellPassedOver {
  const reported = new Set<string>();
  return (passed) => {
    if (reported.has(passed.path) || reported.size === maxReported) return;
    reported.add(passed.path);
    tell(passed);
  };
}

/** Which copy of a block to try after one was refused. @param copiesOf in order of preference */
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
