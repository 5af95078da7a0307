/**
 * Work that several ask for, where each needs a run that began after it asked: one that is running may have missed what
 * came a moment ago. All who ask during a run share the next.
 */
export function createRunAnew(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function begin(): Promise<void> {
    next = null;
    running = work().finally(() => {
      running = null;
    });
    return running;
  }

  return () => {
    if (!running) return begin();
    next ??= running.then(begin, begin);
    return next;
  };
}
