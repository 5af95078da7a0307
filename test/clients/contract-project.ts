// A project of one contract of the simulated network, which tools build and verify.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import artifacts from '../../packages/simulated-network/contracts/artifacts.json' with { type: 'json' };

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
