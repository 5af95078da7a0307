// Progress of long work: one line that is rewritten in a terminal, a plain line now and then where there is none.

export type ProgressLine = {
  /** Shows the newest state; may be called as often as it changes. */
  update(text: string): void;
  /** Leaves the last state standing. */
  end(): void;
};

export type ProgressLineOptions = {
  stream: NodeJS.WriteStream;
  /** Between plain lines; a terminal is redrawn every 200 ms. */
  plainIntervalMs?: number;
  now?: () => number;
};

export function createProgressLine({
  stream,
  plainIntervalMs = 5000,
  now = Date.now,
}: ProgressLineOptions): ProgressLine {
  const isTerminal = stream.isTTY === true;
  const intervalMs = isTerminal ? 200 : plainIntervalMs;
  let shownAt = Number.NEGATIVE_INFINITY;
  let latest = '';
  let shown = '';
  const show = (): void => {
    shownAt = now();
    shown = latest;
    if (isTerminal) stream.write(`\r\u001b[2K${latest.slice(0, (stream.columns ?? 120) - 1)}`);
    else stream.write(`${latest}\n`);
  };
  return {
    update(text) {
      latest = text;
      if (now() - shownAt >= intervalMs) show();
    },
    end() {
      if (latest !== shown) show();
      if (isTerminal && shown !== '') stream.write('\n');
    },
  };
}
