// Every command of README and guides can be typed: our own are parsed by the program, scripts and files that others
// name are there, and what only another program could judge is listed with the reason. Those that the simulated network
// can answer are run as well, in test/system/guide-commands.long.test.ts.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { readChainFile } from '../../packages/verification/registry/read-chain-file.ts';
import { contractCommand } from '../../src/cli/contract-command.ts';
import { loadCommand } from '../../src/cli/load-command.ts';
import { splitArguments } from '../../src/cli/split-arguments.ts';
import { statusCommand } from '../../src/cli/status-command.ts';
import type { CommandName } from '../../src/runtime/settings/families/commands.ts';
import { environmentName, loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';
import { fillPlaceholders, type GuideCommand, guides, readGuideCommands, root, toWords } from './guide-commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'guide-commands-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const placeholders: Record<string, string> = {
  'address of this repository': 'https://example.org/ledger-mirror.git',
  ...{ folder: './streams', source: './streams', checkout: './before', command: 'start', version: '1.0.0' },
  ...{ file: './book.bin', 'file.ts': 'bench/queries.ts', text: 'text', id: 'x', secret: 'x', password: 'x' },
  ...{ begin: '2999-01-01T18:00:00Z', end: '2999-01-01T19:00:00Z' },
  ...{ token: 'x'.repeat(32), name: 'serve-1', block: '0', 'url of a coordinator': 'postgresql://127.0.0.1/mirror' },
  address: `0x${'0'.repeat(40)}`,
  project: 'a-project',
  'ledger id': '0'.repeat(64),
};

/** What is not run here, by how it begins, and why. Files that it names are looked for all the same. */
const elsewhere: Record<string, string> = {
  'git clone ': 'the address is known to the reader alone',
  'cd ledger-mirror': 'the folder that the line before makes',
  'export AWS_ACCESS_KEY_ID=': 'a command of the shell, with credentials',
  'docker build ': 'needs Docker; test/package/deploy-files.test.ts reads the recipe',
  'docker run ': 'needs Docker and the image',
  'docker compose ': 'needs Docker; test/package/deploy-files.test.ts reads the file',
  'pg_dump ': 'a program of PostgreSQL that the packages do not have',
  'forge ': 'needs Foundry; test/verification/verified-contracts.test.ts sends what it sends',
  'npm install ./book.bin': 'test/package/run-package-check.ts installs the tarball',
  'npm version ': 'changes the number of this program',
  'npm ci ': 'installs packages; test/package/prepared-tree.test.ts does it with one',
  'gcloud ': 'a program of Google, with an account there',
  'curl ': 'test/system/guide-commands.long.test.ts runs it',
};

const commands = readGuideCommands();
const shutdown = { signal: new AbortController().signal, request: () => undefined };
const log = pino({ level: 'silent' });
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
const reasonsUsed = new Set<string>();

test('commands are found in blocks and sentences', () => {
  expect(commands.filter(({ isBlock }) => isBlock).length).toBeGreaterThan(30);
  expect(commands.filter(({ isBlock }) => !isBlock).length).toBeGreaterThan(10);
});

test.each(commands.map((command) => [command.place, command.text, command] as const))(
  '%s: %s',
  async (_p, _t, command) => {
    await judge(command);
  },
);

test('every reason is needed', () => {
  expect([...reasonsUsed].sort()).toEqual(Object.keys(elsewhere).sort());
});

async function judge({ text }: GuideCommand): Promise<void> {
  const filled = fillPlaceholders(text, placeholders);
  const words = toWords(filled);
  const count = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const variables = words.slice(0, count);
  const env = Object.fromEntries(variables.map((word) => word.split(/=(.*)/s) as [string, string]));
  const plain = words.slice(count);
  const [program, first, ...rest] = plain;
  for (const name of Object.keys(env)) if (name.startsWith('LEDGER_MIRROR_')) expectVariable(name);
  for (const word of words) {
    if (/^(?:deploy|docs|scripts|src|test|bench)\/[\w./-]+$/.test(word))
      expect([word, existsSync(join(root, word))]).toEqual([word, true]);
  }
  if (program === 'node' && (first === 'scripts/ledger-mirror.mjs' || first === 'src/cli/main.ts'))
    return judgeOwn(rest, env);
  if (program === 'ledger-mirror') return judgeOwn([first!, ...rest], env);
  if (program === 'npx') {
    expect(first).toBe('ledger-mirror');
    return judgeOwn(rest, env);
  }
  if (program === 'node' && first === 'scripts/run.mjs') return judgeScript(rest);
  if (program === 'node') return judgeScript([first!, ...rest]);
  if (program === 'npm' && (first === 'start' || first === 'test' || first === 'run')) {
    const script = first === 'run' ? rest[0]! : first;
    expect(manifest.scripts).toHaveProperty([script]);
    return;
  }
  const reason = Object.keys(elsewhere).find((beginning) => `${plain.join(' ')} `.startsWith(beginning));
  expect([text, reason]).toEqual([text, expect.any(String)]);
  reasonsUsed.add(reason!);
}

/** The program itself reads it: an unknown command, flag or value is refused. */
async function judgeOwn([name, ...argv]: string[], env: NodeJS.ProcessEnv): Promise<void> {
  if (name === '--help' || name === '--version') return;
  const { flags: ownFlags } = (await loadCommand(name!))!;
  const own = ownFlags ? splitArguments(argv, ownFlags) : { words: [], flags: {}, settings: argv };
  const settings = loadSettings(name as CommandName, own.settings, { ...env, LEDGER_MIRROR_DATA_DIR: folder });
  expect(Object.values(settingsTable).some(({ commands: known }) => (known as readonly string[]).includes(name!))).toBe(
    true,
  );
  const { words, flags } = own;
  if (name === 'contract') return expect(contractCommand.description).toContain(` contract ${words[0]} `);
  if (name !== 'status' || words[0] === 'serve') return;
  // As far as it comes without a service.
  const run = statusCommand.run({ settings, log, shutdown, print: () => undefined, words, flags });
  await expect(run).rejects.toThrow(/^No status service runs for /);
}

/** A script is there, and its text has every flag. */
function judgeScript([script, ...argv]: string[]): void {
  const text = readFileSync(join(root, script!), 'utf8');
  for (const flag of argv.filter((word) => word.startsWith('--'))) {
    expect(text).toMatch(new RegExp(`\\b${flag.slice(2).split('=')[0]}\\b`));
  }
}

function expectVariable(name: string): void {
  expect([...Object.keys(settingsTable).map(environmentName), 'LEDGER_MIRROR_LONG_TESTS']).toContain(name);
}

test('the file of chains is one', () => {
  const guide = readFileSync(join(root, 'docs/guides/verify-contracts.md'), 'utf8');
  const [, yaml] = /^```yaml\n([\s\S]*?)^```$/m.exec(guide)!;
  const path = join(folder, 'chains.yaml');
  writeFileSync(path, yaml!);
  expect(readChainFile(path, { ETHERSCAN_API_KEY: 'x' }).map(({ chainId }) => chainId)).toEqual(['1', '298']);
});

test('links of README and guides lead to files', () => {
  for (const guide of guides) {
    const text = readFileSync(join(root, guide), 'utf8');
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)) {
      expect([guide, target, existsSync(join(root, guide, '..', target!))]).toEqual([guide, target, true]);
    }
  }
});
