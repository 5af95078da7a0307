import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rulesAtMainnetBlock, rulesOf, versionNames } from '../../packages/machine/rules/versions.ts';
import { withOpcodes } from './opcodes-page.ts';

const page = new URL('../../docs/reference/contract-machine.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the table.
test('the page of the machine lists every opcode as the table has it', () => {
  const text = readFileSync(page, 'utf8');
  if (process.env.UPDATE_PAGES) writeFileSync(page, withOpcodes(text));
  expect(readFileSync(page, 'utf8')).toBe(withOpcodes(text));
});

/** Name, first block and fork of each version that the table of versions has. */
function readVersions(text: string): { name: string; fromBlock: bigint; fork: string }[] {
  const section = text.split('\n## Versions\n')[1]!.split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => /^\| \d/.test(line));
  return rows.flatMap((row) => {
    const [, names, blocks, fork] = row.split('|').map((cell) => cell.trim());
    const firsts = blocks!.split(' · ');
    return names!.split(', ').map((name, place) => ({
      name,
      fromBlock: BigInt((firsts[place] ?? '').replaceAll(',', '')),
      fork: fork!.toLowerCase(),
    }));
  });
}

test('the page of the machine has every version, with its first block and its fork', () => {
  const listed = readVersions(readFileSync(page, 'utf8'));
  expect(listed.map(({ name }) => name)).toEqual(versionNames);
  for (const { name, fromBlock, fork } of listed) {
    expect([name, rulesAtMainnetBlock(fromBlock).name]).toEqual([name, name]);
    expect([name, fromBlock === 0n || rulesAtMainnetBlock(fromBlock - 1n).name !== name]).toEqual([name, true]);
    expect([name, rulesOf(name).fork.name]).toEqual([name, fork]);
  }
});
