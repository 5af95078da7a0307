// A compiler from a list in the form that the Solidity project publishes: list.json names every build and its SHA-256.
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBounded } from '../terms/read-bounded.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { type CompilerVersion, formatCompilerVersion, isVersion, parseCompilerVersion } from './compiler-version.ts';

type Build = { path: string; longVersion: string; sha256: string };

const maxListBytes = 20_000_000;
const maxCompilerBytes = 100_000_000;
const timeoutMs = 120_000;

/** false = the list does not have it. Throws a VerificationError if the list or the file is unavailable or wrong. */
export async function downloadFromList(
  url: string,
  wanted: CompilerVersion,
  folder: string,
  log: (line: string) => void,
): Promise<boolean> {
  const base = url.replace(/\/+$/, '');
  const build = readBuilds(await get(`${base}/list.json`, maxListBytes)).find(({ longVersion }) => {
    const version = parseCompilerVersion(longVersion);
    return version !== null && isVersion(version, wanted);
  });
  if (build === undefined) return false;
  if (!/^[\w.+-]+$/.test(build.path)) throw unusable(`${base}/list.json names a file ${JSON.stringify(build.path)}`);
  const file = await get(`${base}/${build.path}`, maxCompilerBytes);
  const sha256 = `0x${createHash('sha256').update(file).digest('hex')}`;
  if (sha256 !== build.sha256) {
    throw unusable(`${base}/${build.path} has SHA-256 ${sha256}, the list promises ${build.sha256}`);
  }
  await mkdir(folder, { recursive: true });
  const target = join(folder, `soljson-v${formatCompilerVersion(wanted)}.js`);
  await writeFile(`${target}.part`, file);
  await rename(`${target}.part`, target);
  log(`Compiler ${build.longVersion} was fetched from ${base}.`);
  return true;
}

function readBuilds(list: Buffer): Build[] {
  try {
    const { builds } = JSON.parse(list.toString('utf8')) as { builds: Build[] };
    return builds.filter(({ path, longVersion, sha256 }) =>
      [path, longVersion, sha256].every((text) => typeof text === 'string'),
    );
  } catch (error) {
    throw unusable(`The list of compilers cannot be read: ${(error as Error).message}`);
  }
}

async function get(url: string, maxBytes: number): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok || response.body === null) throw new Error(`HTTP status ${response.status}`);
    const body = await readBounded(response, maxBytes);
    if (body !== null) return body;
    throw new Error(`more than ${maxBytes} bytes`);
  } catch (error) {
    throw unusable(`${url} cannot be fetched: ${(error as Error).message}`);
  }
}

function unusable(what: string): VerificationError {
  return new VerificationError('compiler_not_available', `${what}. The compiler is not available here.`);
}
