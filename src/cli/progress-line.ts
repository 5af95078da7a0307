// Progress of long work: one line that is rewritten in a terminal, a plain line now and then where there is none, a line of
// the log where that is JSON.

import type { CommandContext } from './command.ts';

export type ProgressLine = {
  /** Shows the newest state; may be called as often as it changes. */
  update(text: string): void;
  /** Leaves the last state standing. */
  end(): void;
};

export type ProgressLineOptions = {
  stream: NodeJS.WriteStream;
  /** Takes the place of the stream. */
  say?: (text: string) => void;
  /** Between plain lines; a terminal is redrawn every 200 ms. */
  plainIntervalMs?: number;
  now?: () => number;
};

export function createProgressLine({
  stream,
  say,
  plainIntervalMs = 5000,
  now = Date.now,
}: ProgressLineOptions): ProgressLine {
  const isTerminal = !say && stream.isTTY === true;
  const intervalMs = isTerminal ? 200 : plainIntervalMs;
  let shownAt = Number.NEGATIVE_INFINITY;
  let latest = '';
  let shown = '';
  const show = (): void => {
    shownAt = now();
    shown = latest;
    if (say) say(latest);
    else if (isTerminal) stream.write(`\r\u001b[2K${latest.slice(0, (stream.columns ?? 120) - 1)}`);
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

/** On standard error, in the form of the log. */
export function openProgressLine({ settings, log }: Pick<CommandContext, 'settings' | 'log'>, plainIntervalMs = 5000) {
  const stream = process.stderr;
  if (settings.get('log-format') === 'text') return createProgressLine({ stream, plainIntervalMs });
  // No more often than the log takes lines of one kind.
  const intervalMs = Math.max(plainIntervalMs, 15_000);
  return createProgressLine({ stream, plainIntervalMs: intervalMs, say: (text) => log.info(text) });
}
