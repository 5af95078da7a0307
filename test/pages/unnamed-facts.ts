// What the tables of the program have, and who has to name it: a reference page, and a test.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { opcodeName } from '../../packages/machine/opcodes/table.ts';
import { forkNames } from '../../packages/machine/rules/forks.ts';
import { signalsOf } from '../../packages/status/signal-names.ts';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { findDialect } from '../../src/api/dialect/find-dialect.ts';
import { methods } from '../../src/doors/rpc/methods/methods.ts';
import { pages } from '../../src/pages/pages.ts';
import { endpoints } from '../../src/resources/endpoints.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';
import { createApiDocument } from '../../src/server/document/api-document.ts';

const root = join(import.meta.dirname, '../..');

type FactTable = {
  kind: string;
  names: readonly string[];
  /** The reference page, or pages, from the root; 'the API document', which is made of the members. */
  page: string;
  /** Tests that do not count: they name every one, or run elsewhere. */
  notIn?: RegExp;
};

export const factTables: readonly FactTable[] = [
  { kind: 'member', names: memberNames(), page: 'the API document' },
  { kind: 'endpoint', names: endpoints.map(({ path }) => path), page: 'docs/reference/endpoints.md' },
  {
    kind: 'JSON-RPC method',
    names: [...methods.keys()],
    page: 'docs/reference/json-rpc.md',
    // Lists of methods, and what only the relay is asked.
    notIn: /^test\/clients\/|kept-results\.test\.ts$/,
  },
  { kind: 'setting', names: Object.keys(settingsTable), page: 'docs/reference/configuration.md' },
  { kind: 'status rule', names: Object.keys(defaultStatusRules.levels), page: 'docs/reference/status.md' },
  {
    kind: 'signal',
    names: Object.values(signalsOf).flat(),
    page: 'docs/reference/status.md',
    // There every rule has a test, with its signal; these are about the parts that report it.
    notIn: /^packages\/status\//,
  },
  { kind: 'fork', names: forkNames, page: 'docs/reference/contract-machine.md' },
  { kind: 'opcode', names: opcodeNames(), page: 'docs/reference/contract-machine.md' },
  { kind: 'page', names: pages.map(({ path }) => path), page: 'docs/reference/*.md' },
];

type Texts = { page: string; tests: string };

/** `<kind> <name>: no page` or `no test` of each that is not named as a whole word. */
export function findUnnamed({ kind, names }: Pick<FactTable, 'kind' | 'names'>, { page, tests }: Texts): string[] {
  return names.flatMap((name) => {
    const word = toPattern(name, kind);
    return [
      ...(word.test(page) ? [] : [`${kind} ${name}: no page`]),
      ...(word.test(tests) ? [] : [`${kind} ${name}: no test`]),
    ];
  });
}

/**
 * The whole word; of a path the whole address, with any values of its parameters; of a setting its environment variable,
 * too.
 */
export function toPattern(name: string, kind?: string): RegExp {
  if (name.startsWith(apiPath)) return endpointPattern(name);
  if (kind === 'setting') return wordPattern(`${name}|LEDGER_MIRROR_${name.toUpperCase().replaceAll('-', '_')}`);
  return name.startsWith('/') ? pathPattern(name) : wordPattern(escapeForPattern(name));
}

function wordPattern(word: string): RegExp {
  return new RegExp(`(?<![\\w.]|\\w-)(?:${word})(?![\\w-])`, 'i');
}

/**
 * Behind a network, or alone between quotes: `/api/v1/accounts` is no name of the page `/accounts`, nor is
 * `/mainnet/account/0.0.5/tokens` one of `/account/:accountId`. A query may follow.
 */
function pathPattern(path: string): RegExp {
  const end = '\\s?#\'"`|,<>)\\]\\\\';
  const parts = path.split(/:\w+/).map(escapeForPattern);
  const network = '/(?:\\{network\\}|\\$\\{[\\w.]+\\}|mainnet|testnet|previewnet|demo)';
  return new RegExp(`(?:${network}|(?<=['"\`]))${parts.join(`[^/${end}]+`)}(?=[${end}]|[.;:]\\s|$)`, 'im');
}

const apiPath = '/api/v1';

/** Below `/api/v1`, or alone in a text of a test, which has the beginning elsewhere. */
function endpointPattern(path: string): RegExp {
  const parts = path
    .slice(apiPath.length)
    .split(/\{\w+\}/)
    .map(escapeForPattern);
  const value = '(?:\\$?\\{[^{}]*\\}|[^/\\s?\'"`])+';
  const [first = '', ...others] = parts;
  return new RegExp(`(?:/v1/|(?<=['"\`}])/?)${[first.slice(1), ...others].join(value)}(?=[\\s?'"\`]|$)`, 'm');
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

export function readPage(page: string): string {
  if (page === 'the API document') return memberNames().join('\n');
  return globSync(page, { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
}

/**
 * All tests, and what they import of `test/`, as one text; without this folder, which names nothing by itself, and
 * without what does not count.
 */
export function readTests(notIn?: RegExp): string {
  const paths = [
    ...globSync('{src,packages,test}/**/*.test.ts', { cwd: root }),
    ...globSync('test/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts')),
  ];
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('test/pages/') && !notIn?.test(path) && !path.includes('node_modules'))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
}

/** Names of settings that no part of the program takes by its name, outside of the tables that describe them. */
export function findUnreadSettings(names: readonly string[], sources: string): string[] {
  return names.filter((name) => {
    const member = name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
    return !new RegExp(`'${name}'(?!:)|[.{,]\\s*${member}\\b`).test(sources);
  });
}

/** The program without its tests and without the tables of settings, as one text. */
export function readSources(): string {
  return globSync('src/**/*.ts', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(
      (path) => !/\.test\.ts$|^src\/runtime\/settings\/families\/|^src\/api\/frame\/http-settings\.ts$/.test(path),
    )
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
}

/** Of all answers, in both dialects. */
function memberNames(): string[] {
  const names = new Set<string>();
  const look = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties } = schema as { properties?: Record<string, unknown> };
    for (const name of Object.keys(properties ?? {})) names.add(name);
    for (const part of Object.values(schema)) look(part);
  };
  for (const name of ['spec', 'hiero'] as const) {
    const { components } = createApiDocument({ dialect: findDialect(name), settings: defaultHttpSettings });
    look(components.schemas);
  }
  return [...names];
}

function opcodeNames(): string[] {
  return Array.from({ length: 256 }, (_none, code) => opcodeName(code)).filter((name) => !name.startsWith('0x'));
}
