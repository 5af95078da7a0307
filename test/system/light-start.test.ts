// What a command loads before it knows what it has to do: each module takes half a millisecond of every start.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Tells the path of each module that is loaded from a file, on standard error. */
const tellModules = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  const paths = new Set();
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) paths.add(url);
      return next(url, context);
    },
  });
  process.on('exit', () => process.stderr.write([...paths].join('\\n')));
`)}`;

async function modulesOf(...args: string[]): Promise<string[]> {
  const run = promisify(execFile)(process.execPath, ['--import', tellModules, main, ...args]);
  // A refused command ends with 2 and has said its modules too.
  const { stderr } = await run.catch((error: { stderr: string }) => error);
  return stderr.split('\n').filter((line) => line.startsWith('file:'));
}

describe('loads neither machine, server nor database', () => {
  test.each([
    { args: ['--version'], most: 200 },
    { args: ['verify', '--help'], most: 400 },
    { args: ['import', '--help'], most: 250 },
    { args: ['serve', '--help'], most: 250 },
    { args: ['start', '--port', '70000'], most: 250 },
  ])('$args', async ({ args, most }) => {
    const modules = await modulesOf(...args);
    expect(modules.some((path) => path.endsWith('/src/cli/main.ts'))).toBe(true);
    expect(modules.filter((path) => /\/(packages\/machine|node_modules\/(fastify|pg))\//.test(path))).toEqual([]);
    expect(modules.length).toBeLessThan(most);
  });
});
