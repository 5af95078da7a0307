import { closeSync, mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { emptyWhereFull, openServerLog } from './server-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'server-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a log that is full is kept once and goes on from its beginning, while its server writes', async () => {
  const file = join(folder, 'postgres.log');
  const server = openServerLog(file);
  const write = (line: string): void => void writeSync(server, `${line}\n`);
  try {
    write('first');
    await emptyWhereFull(file, 10);
    expect(readFileSync(file, 'utf8')).toBe('first\n');
    write('second');
    await emptyWhereFull(file, 10);
    write('third');
    expect(readFileSync(file, 'utf8')).toBe('third\n');
    expect(readFileSync(`${file}.old`, 'utf8')).toBe('first\nsecond\n');
    write('fourth');
    await emptyWhereFull(file, 10);
    expect(readFileSync(`${file}.old`, 'utf8')).toBe('third\nfourth\n');
    expect(statSync(file).size).toBe(0);
    // What a query says is for its operator alone.
    expect(statSync(`${file}.old`).mode & 0o777).toBe(0o600);
  } finally {
    closeSync(server);
  }
});
