// Progress of long work: one line that is rewritten in a terminal; elsewhere a plain line now and then, through the log
// if that is JSON. Each pause is twice as long as the one before, up to ten minutes.

import type { CommandContext } from './command.ts';

export type ProgressLineOptions = {
  stream: NodeJS.WriteStream;
  /** Replaces the stream. */
  say?: (text: string) => void;
  /** Between the first plain lines; a terminal is redrawn every 200 ms. */
  plainIntervalMs?: number;
  /** Between later ones. */
  maxPlainIntervalMs?: number;
  now?: () => number;
};

export function createProgressLine({
  stream,
  say,
  plainIntervalMs = 5000,
  maxPlainIntervalMs = 600_000,
  now = Date.now,
}: ProgressLineOptions) {
  const isTerminal = !say && stream.isTTY === true;
  let intervalMs = isTerminal ? 200 : plainIntervalMs;
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
    /** Shows the newest state; may be called as often as it changes. */
    update(text: string): void {
      latest = text;
      if (now() - shownAt < intervalMs) return;
      if (!isTerminal && Number.isFinite(shownAt)) intervalMs = Math.min(intervalMs * 2, maxPlainIntervalMs);
      show();
    },
    /** Takes the line away, for results that follow. */
    clear(): void {
      if (isTerminal && shown !== '') stream.write('\r\u001b[2K');
      shown = latest = '';
    },
    /** Leaves the last state visible. */
    end(): void {
      if (latest !== shown) show();
      if (isTerminal && shown !== '') stream.write('\n');
    },
  };
}

/** On standard error, in the format of the log. */
export function openProgressLine({ settings, log }: Pick<CommandContext, 'settings' | 'log'>, plainIntervalMs = 5000) {
  const stream = process.stderr;
  // At level debug the pauses stay short.
  const maxPlainIntervalMs = log.isLevelEnabled('debug') ? plainIntervalMs : 600_000;
  if (settings.get('log-format') === 'text') return createProgressLine({ stream, plainIntervalMs, maxPlainIntervalMs });
  // No more often than the log accepts lines of one kind.
  const intervalMs = Math.max(plainIntervalMs, 15_000);
  return createProgressLine({
    stream,
    plainIntervalMs: intervalMs,
    maxPlainIntervalMs: Math.max(intervalMs, maxPlainIntervalMs),
    say: (text) => log.info(text),
  });
}
