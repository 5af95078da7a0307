// Whatever a benchmark starts is closed at its end: when it is done, when it fails, and on Ctrl-C or SIGTERM.

export type Close = () => Promise<void>;

/** @param work names what is to be closed; the last named is closed first. */
export async function closeAtEnd(work: (later: (close: Close) => void) => Promise<void>): Promise<void> {
  const closes: Close[] = [];
  let closing: Promise<void> | undefined;
  let isInterrupted = false;
  const closeAll = (): Promise<void> => {
    closing ??= closes.reduceRight((before, close) => before.then(close), Promise.resolve());
    return closing;
  };
  const interrupt = (status: number) => (): void => {
    isInterrupted = true;
    void closeAll().finally(() => process.exit(status));
  };
  const [onInterrupt, onTerminate] = [interrupt(130), interrupt(143)];
  process.once('SIGINT', onInterrupt).once('SIGTERM', onTerminate);
  try {
    await work((close) => closes.push(close));
  } catch (error) {
    // Its servers were taken from it.
    if (!isInterrupted) throw error;
  } finally {
    await closeAll();
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
  }
}
