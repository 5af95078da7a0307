// What to do backwards to undo the changes of a frame.
export type Journal = {
  record(undo: () => void): void;
  /** A place to return to. */
  mark(): number;
  revertTo(mark: number): void;
};

export function createJournal(): Journal {
  const undos: (() => void)[] = [];
  return {
    record: (undo) => {
      undos.push(undo);
    },
    mark: () => undos.length,
    revertTo: (mark) => {
      while (undos.length > mark) undos.pop()!();
    },
  };
}
