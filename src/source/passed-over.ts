// What lies in a source and cannot be part of the stream: it is named once and left where it is, and nothing else stops for it.

/** `path`: in the source's own terms. `reason`: a sentence without its end. */
export type PassedOver = { path: string; reason: string };
export type TellPassedOver = (passed: PassedOver) => void;

/** A folder full of such names is none that somebody reads the log of. */
const maxTold = 1_000;

export function tellOnce(tell: TellPassedOver = () => {}): TellPassedOver {
  const told = new Set<string>();
  return (passed) => {
    if (told.has(passed.path) || told.size === maxTold) return;
    told.add(passed.path);
    tell(passed);
  };
}
