// The log: pino, as JSON lines or as short plain lines, on standard error, so that standard output has only results. A
// repeated line is written a few times a minute, with the number of those left out; that PostgreSQL is unreachable,
// once a minute.
import { type DestinationStream, type Logger, pino } from 'pino';
import { escapeControls } from '../escape-controls.ts';
import { createRepeatLimit } from '../limit-repeats.ts';

export type { Logger };

export type LogOptions = {
  level: string;
  format: 'text' | 'json';
  /** Default: standard error. */
  target?: DestinationStream;
  /** Monotonic, ms. */
  now?: () => number;
};

const periodMs = 60_000;
const maxRepeats = 5;

export function createLog({
  level,
  format,
  target = openStandardError(),
  now = () => performance.now(),
}: LogOptions): Logger {
  const limit = createRepeatLimit<LogLine>({ periodMs, now });
  const write = (line: LogLine, unsaid: number): void => {
    const whole = unsaid > 0 ? { ...line, alsoLeftOut: unsaid } : line;
    target.write(format === 'json' ? `${JSON.stringify(whole)}\n` : formatLogLine(whole));
  };
  const tellOverdue = (): void => {
    for (const { message, unsaid } of limit.overdue()) write(message, unsaid);
  };
  setInterval(tellOverdue, periodMs / 4).unref();
  const limited: DestinationStream = {
    write(text) {
      const line = JSON.parse(text) as LogLine;
      // A more verbose level shows every line.
      const admitted = isVerbose(level) ? { unsaid: 0 } : admit(line);
      if (admitted) write(line, admitted.unsaid);
    },
  };
  const admit = (line: LogLine) => limit.admit(kindOf(line), line, isOutage(line) ? 1 : maxRepeats);
  return pino({ level, base: undefined }, limited);
}

function openStandardError(): DestinationStream {
  const target = pino.destination({ dest: 2, sync: true });
  // The reader may be gone; there is no other place to report it.
  target.on('error', () => {});
  return target;
}

function isVerbose(level: string): boolean {
  return level === 'debug' || level === 'trace';
}

type LoggedError = { type?: string; message?: string; stack?: string; code?: unknown };

/** What pino writes. */
export type LogLine = { level: number; time: number; msg?: string; err?: LoggedError } & Record<string, unknown>;

/** Lines of one kind differ only in numbers and facts. */
function kindOf(line: LogLine): string {
  if (isOutage(line)) return 'outage';
  return `${line.level} ${line.msg} ${line.err?.message}`.replaceAll(/\d+/g, '#');
}

/** SQLSTATE classes of lost connections and operator interventions; socket errors. */
const outageCodes = /^(08|57P0|ECONN|EPIPE|ETIMEDOUT|ENOENT$)/;
const outageTexts =
  /connect E[A-Z]+|ECONNRESET|connection (was )?(lost|terminated)|lost the connection|PostgreSQL (ended|did not start)/i;

/** Whether a line says that PostgreSQL is unreachable, whichever part reports it. */
function isOutage({ level, msg = '', err, query }: LogLine): boolean {
  const isOfDatabase = err?.type === 'QueryError' || query !== undefined || /PostgreSQL|database/i.test(msg);
  if (level < 40 || !isOfDatabase) return false;
  return (typeof err?.code === 'string' && outageCodes.test(err.code)) || outageTexts.test(`${msg} ${err?.message}`);
}

const levelNames: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/**
 * `2026-11-23T12:34:56Z info  message  name=value …`, UTC. Further lines are indented: only a log line begins with a
 * time.
 */
export function formatLogLine(line: LogLine): string {
  const { level, time, msg, err, ...rest } = line;
  const clock = `${new Date(time).toISOString().slice(0, 19)}Z`;
  const facts = Object.entries(rest).map(
    ([name, value]) => `  ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  // If PostgreSQL is unreachable, the stack says nothing.
  const hasStack = level >= 50 && err?.stack && !isOutage(line);
  const cause = err ? `: ${hasStack ? err.stack : err.message}` : '';
  const text = escapeControls(`${msg ?? ''}${cause}${facts.join('')}`).replaceAll(/\n(?! )/g, '\n  ');
  return `${clock} ${(levelNames[level] ?? String(level)).padEnd(5)} ${text}\n`;
}
