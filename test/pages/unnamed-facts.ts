// What the tables of the program have, and who has to name it: a reference page, and a test.
import { globSync, readFileSync } from 'node:fs';
import { opcodeName } from '../../packages/machine/opcodes/table.ts';
import { forkNames } from '../../packages/machine/rules/forks.ts';
import { signalsOf } from '../../packages/status/signal-names.ts';
import { defaultStatusRules } from '../../packages/status/status-rules.ts';
import { methods } from '../../src/doors/rpc/methods/methods.ts';
import { pages } from '../../src/pages/pages.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';

const root = new URL('../../', import.meta.url).pathname;

type FactTable = {
  kind: string;
  names: readonly string[];
  /** The reference page, or pages, from the root. */
  page: string;
};

export const factTables: readonly FactTable[] = [
  { kind: 'JSON-RPC method', names: [...methods.keys()], page: 'docs/reference/json-rpc.md' },
  { kind: 'setting', names: Object.keys(settingsTable), page: 'docs/reference/configuration.md' },
  { kind: 'status rule', names: Object.keys(defaultStatusRules.levels), page: 'docs/reference/status.md' },
  { kind: 'signal', names: Object.values(signalsOf).flat(), page: 'docs/reference/status.md' },
  { kind: 'fork', names: forkNames, page: 'docs/reference/contract-machine.md' },
  { kind: 'opcode', names: opcodeNames(), page: 'docs/reference/contract-machine.md' },
  { kind: 'page', names: pages.map(({ path }) => path), page: 'docs/reference/*.md' },
];

type Texts = { page: string; tests: string };

/** `<kind> <name>: no page` or `no test` of each that is not named as a whole word. */
export function findUnnamed({ kind, names }: Pick<FactTable, 'kind' | 'names'>, { page, tests }: Texts): string[] {
  return names.flatMap((name) => {
    const word = toPattern(name);
    return [
      ...(word.test(page) ? [] : [`${kind} ${name}: no page`]),
      ...(word.test(tests) ? [] : [`${kind} ${name}: no test`]),
    ];
  });
}

/** The whole word; of a path any values of its parameters, and any address before it. */
export function toPattern(name: string): RegExp {
  const [before, parts] = name.startsWith('/') ? ['', name.split(/:\w+/)] : ['(?<![\\w.]|\\w-)', [name]];
  return new RegExp(
    `${before}${parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^/\\s]+?')}(?![\\w-])`,
    'i',
  );
}

export function readPage(page: string): string {
  return globSync(page, { cwd: root })
    .map((path) => readFileSync(`${root}${path}`, 'utf8'))
    .join('\n');
}

/** All tests, and what they import of `test/`, as one text; without this folder, which names nothing by itself. */
export function readTests(): string {
  const paths = [
    ...globSync('{src,packages,test}/**/*.test.ts', { cwd: root }),
    ...globSync('test/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts')),
  ];
  return paths
    .filter((path) => !path.replaceAll('\\', '/').startsWith('test/pages/') && !path.includes('node_modules'))
    .map((path) => readFileSync(`${root}${path}`, 'utf8'))
    .join('\n');
}

function opcodeNames(): string[] {
  return Array.from({ length: 256 }, (_none, code) => opcodeName(code)).filter((name) => !name.startsWith('0x'));
}
