// Files that other tools wrote. Every error names the file and what was expected in it.
import { readFileSync, statSync } from 'node:fs';
import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import { UsageError } from '../../runtime/settings/usage-error.ts';

/** A build with the output of every contract; V8's longest text is twice that. */
const maxBuildBytes = 250_000_000;
/** What the mirror takes by default. */
export const maxInputBytes = 10_000_000;

/** `expected`: completes "… was expected". */
export function readJsonFile(path: string, expected: string, maxBytes = maxBuildBytes): Record<string, unknown> {
  const text = readTextFile(path, expected, maxBytes);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw wrongFile(path, expected, `it is not JSON (${(error as Error).message.slice(0, 100)})`);
  }
  if (isJsonObject(content)) return content;
  throw wrongFile(path, expected, 'it is JSON, but not an object');
}

export function readTextFile(path: string, expected: string, maxBytes: number): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw wrongFile(path, expected, 'there is no such file');
  if (!found.isFile()) throw wrongFile(path, expected, 'it is not a file');
  if (found.size > maxBytes) {
    throw wrongFile(path, expected, `it has ${found.size} bytes, and at most ${maxBytes} are read`);
  }
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw wrongFile(path, expected, `it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

export function wrongFile(path: string, expected: string, found: string): UsageError {
  return new UsageError(`${path}: ${found}. Expected was ${expected}.`);
}
