// The log: pino, as JSON lines for programs or as short plain lines for people, always on standard error so that
// standard output carries results alone.
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export type LogOptions = { level: string; format: 'text' | 'json' };

export function createLog({ level, format }: LogOptions): Logger {
  const target: DestinationStream = pino.destination({ dest: 2, sync: true });
  if (format === 'json') return pino({ level, base: undefined }, target);
  return pino({ level, base: undefined }, { write: (line: string) => target.write(formatLogLine(line)) });
}

const levelNames: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** A pino JSON line → `12:34:56 info  message  name=value …`. */
export function formatLogLine(line: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown> & {
    level: number;
    time: number;
  };
  const clock = new Date(time).toISOString().slice(11, 19);
  const facts = Object.entries(rest).map(
    ([name, value]) => `  ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const error = err as { message?: string; stack?: string } | undefined;
  const cause = error ? `: ${level >= 50 && error.stack ? error.stack : error.message}` : '';
  return `${clock} ${(levelNames[level] ?? String(level)).padEnd(5)} ${msg ?? ''}${cause}${facts.join('')}\n`;
}
