// Orderly shutdown: the first signal asks every part to finish, the second ends the process at once.

export type Shutdown = {
  signal: AbortSignal;
  request(reason: string): void;
};

/** Listens for SIGINT, SIGTERM and SIGHUP until the process ends. */
export function createShutdown(options: { onRequest(reason: string): void }): Shutdown {
  const controller = new AbortController();
  const request = (reason: string): void => {
    if (controller.signal.aborted) return;
    options.onRequest(reason);
    controller.abort(new Error(reason));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted && signal === 'SIGINT') process.exit(130);
      request(signal);
    });
  }
  stopWithLauncher(request);
  return { signal: controller.signal, request };
}

// scripts/run.mjs keeps a channel open to the process it starts; when the launcher is killed, the channel closes.
function stopWithLauncher(request: (reason: string) => void): void {
  if (!process.env.LEDGER_MIRROR_LAUNCHER || !process.channel) return;
  process.on('disconnect', () => request('the launcher is gone'));
  process.channel.unref();
}
