// A project of one contract of the simulated network, which tools build and verify.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };
import { patienceMs } from './patience.ts';

export const compilerNumber = artifacts.compiler.split('+')[0]!;

export function copyContract(folder: string, sources: string, name: string): void {
  mkdirSync(join(folder, sources), { recursive: true });
  const source = new URL(`../../packages/simulated-network/contracts/${name}.sol`, import.meta.url);
  copyFileSync(fileURLToPath(source), join(folder, sources, `${name}.sol`));
}

/** `exact_match`, `match`, or null: what the mirror itself says. */
export async function findMatch(mirrorUrl: string, address: string): Promise<string | null> {
  const response = await fetch(`${mirrorUrl}/v2/contract/298/${address}`);
  return ((await response.json()) as { match: string | null }).match;
}

/**
 * Opens what a tool has printed, as its user does: every link to the mirror leads to something, and a page shows the
 * sources of the contract `name`. Returns how many pages there were.
 */
export async function openPrinted(output: string, mirrorUrl: string, name: string): Promise<number> {
  const links = new Set(output.match(/https?:\/\/[^\s'"<>`]+/g)?.filter((link) => link.startsWith(mirrorUrl)) ?? []);
  let pages = 0;
  for (const link of links) {
    const response = await fetch(link.replace(/[.,)]+$/, ''), { headers: { accept: 'text/html' } });
    assert.equal(response.status, 200, `${link}, which was printed, is ${response.status}`);
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    const page = await response.text();
    if (page.includes('<h1>The API of this mirror</h1>')) continue;
    assert.match(page, new RegExp(`\\b${name}\\b`), `${link} does not show ${name}`);
    assert.match(page, /Verified/, `${link} does not say that it is verified`);
    pages += 1;
  }
  return pages;
}

export type Verified = { name: string; address: string };

/** `run` verifies a contract that is not verified, says so, and prints links that open. */
export async function verifyNew(
  mirrorUrl: string,
  { name, address }: Verified,
  run: () => Promise<{ code: number | null; output: string }>,
  says: RegExp,
): Promise<number> {
  assert.equal(await findMatch(mirrorUrl, address), null, `${name} is verified already`);
  const { code, output } = await run();
  assert.equal(code, 0, output);
  assert.match(output, says);
  assert.match(String(await findMatch(mirrorUrl, address)), /^(exact_)?match$/);
  return openPrinted(output, mirrorUrl, name);
}

/** With the settings with which it was compiled. Resolves once the mirror has it. */
export async function verifyContract(mirrorUrl: string, name: string, address: string): Promise<void> {
  const path = `${name}.sol`;
  const source = new URL(`../../packages/simulated-network/contracts/${path}`, import.meta.url);
  const { compiler, settings } = artifacts;
  const input = { language: 'Solidity', sources: { [path]: { content: readFileSync(source, 'utf8') } }, settings };
  const response = await fetch(`${mirrorUrl}/v2/verify/298/${address}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({
      ...{ stdJsonInput: input, contractIdentifier: `${path}:${name}` },
      compilerVersion: compiler.replace('.Emscripten.clang', ''),
    }),
  });
  // 409: it is verified already.
  if (!response.ok && response.status !== 409) throw new Error(await response.text());
  for (const until = Date.now() + patienceMs; (await findMatch(mirrorUrl, address)) === null; await sleep(500)) {
    if (Date.now() > until) throw new Error(`${name} is not verified after ten minutes: ${await response.text()}`);
  }
}
