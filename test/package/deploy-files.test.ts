// The files in deploy/ are read as their programs read them, and name only what there is.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { createImportHealth } from '../../src/runtime/import/import-health.ts';
import { commandNames } from '../../src/runtime/settings/families/commands.ts';
import { environmentName, loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { readTokens } from '../../src/runtime/settings/read-tokens.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';
import { readRemoteStatus } from '../../src/runtime/status/remote-status.ts';

import { serveHere } from '../support/program/serve-here.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');

/** Label names by metric, of a process that imports and answers. */
const metrics = new Map<string, readonly string[]>();

beforeAll(async () => {
  const database = await createScratchDatabase();
  const dataFolder = mkdtempSync(join(tmpdir(), 'deploy-files-'));
  const registry = new Registry();
  createImportHealth(registry, Date.now);
  const flags = ['--status-service', 'off', '--data-dir', dataFolder];
  const server = await serveHere(database.connectionString, flags, { registry });
  const answer = await fetch(`${server.url}/api/v1/blocks`);
  expect(answer.status).toBe(200);
  const learn = (name: string, labels: readonly string[]): void =>
    void metrics.set(name, [...(metrics.get(name) ?? []), ...labels]);
  for (const metric of registry.getMetricsAsArray() as unknown as { name: string; labelNames?: string[] }[]) {
    const { name, labelNames = [] } = metric;
    for (const suffix of ['', '_bucket', '_sum', '_count']) learn(`${name}${suffix}`, labelNames);
  }
  for (const [, name, labels] of (await registry.metrics()).matchAll(/^(\w+)\{(.*)\} /gm)) {
    learn(
      name!,
      [...labels!.matchAll(/(\w+)="/g)].map(([, label]) => label!),
    );
  }
  await server.close();
  await database.close();
  rmSync(dataFolder, { recursive: true });
});

type Rule = { alert: string; expr: string; annotations: { summary: string; action: string } };
type Panel = { title: string; targets: { expr: string; legendFormat: string }[] };

const rules = (parse(read('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read('grafana/ledger-mirror.json')) as { panels: Panel[] };
const expressions = [
  ...rules.map(
    ({ alert, expr, annotations }) => [alert, expr, `${annotations.summary} ${annotations.action}`] as const,
  ),
  ...panels.flatMap(({ title, targets }) =>
    targets.map(
      ({ expr, legendFormat }) => [title, expr, legendFormat.replaceAll(/\{\{(\w+)\}\}/g, '$labels.$1')] as const,
    ),
  ),
];

/** Those that Prometheus itself adds. */
const ownLabels = ['job', 'instance', 'le'];

test.each(expressions)('%s: every metric and label of %s is there', (_name, expression, text) => {
  const named = expression.match(/\b(?:ledger_mirror|http|process|nodejs)_\w+/g) ?? [];
  if (named.length === 0) expect(expression).toMatch(/^up\{/);
  for (const name of named) expect([...metrics.keys()]).toContain(name);
  const labels = new Set([...ownLabels, ...named.flatMap((name) => metrics.get(name) ?? [])]);
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/));
  const matched = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, name]) => name!);
  const shown = [...text.matchAll(/\$labels\.(\w+)/g)].map(([, name]) => name!);
  for (const label of [...grouped, ...matched, ...shown]) expect([...labels]).toContain(label);
});

test('each alert says what to do', () => {
  expect(rules).not.toEqual([]);
  for (const { annotations } of rules) expect(annotations.action).toMatch(/^.{20,}\.$/);
});

test('Prometheus is given rules that are there', () => {
  const { rule_files: files } = parse(read('prometheus/prometheus.yml')) as { rule_files: string[] };
  for (const file of files) expect(existsSync(join(deploy, 'prometheus', file))).toBe(true);
});

test('commands, flags and variables of the recipes are those of the program', () => {
  const units = readdirSync(deploy).filter((name) => name.endsWith('.service'));
  expect(units).toHaveLength(4);
  const texts = ['Dockerfile', 'compose.yaml', ...units].map(read).join('\n');
  const variables = new Set(Object.keys(settingsTable).map(environmentName));
  for (const [name] of texts.matchAll(/LEDGER_MIRROR_[A-Z_]+/g)) expect([...variables]).toContain(name);
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { command?: string[] }>;
  };
  const { import: importing, serve, status } = services;
  const started = [...texts.matchAll(/^ExecStart=.*ledger-mirror\.mjs (.+)$/gm)].map(([, words]) => words!.split(' '));
  for (const command of [importing!.command!, serve!.command!, status!.command!, ...started]) {
    const [name, ...flags] = command;
    expect(commandNames).toContain(name);
    const known = flags.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
    for (const flag of known) expect(settingsTable).toHaveProperty([flag]);
    for (const flag of known) {
      expect(settingsTable[flag as keyof typeof settingsTable].commands).toContain(name);
    }
  }
  for (const [, path] of texts.matchAll(/COPY (?!--)((?:\S+ )+)\S+$/gm)) {
    for (const file of path!.trim().split(' ')) expect(existsSync(join(deploy, '..', file))).toBe(true);
  }
  expect(readdirSync(deploy)).toContain('Dockerfile.dockerignore');
});

test('the image has every folder of the program that the npm package has', () => {
  const { files } = JSON.parse(readFileSync(join(deploy, '../package.json'), 'utf8')) as { files: string[] };
  const image = read('Dockerfile')
    .split(/^FROM /m)
    .at(-1)!;
  const copied = [...image.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, paths]) => paths!.split(' '));
  const allowed = read('Dockerfile.dockerignore').split('\n');
  const program = files.filter((path) => /^(?:src|packages|clients|scripts)(?:\/|$)/.test(path));
  expect(program.length).toBeGreaterThan(10);
  const isUnder = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  for (const path of program) {
    expect(copied.filter((folder) => isUnder(path, folder))).not.toEqual([]);
    expect(allowed.filter((line) => line.startsWith('!') && isUnder(path, line.slice(1)))).not.toEqual([]);
    expect(allowed.filter((line) => /^\w/.test(line) && isUnder(path, line))).toEqual([]);
  }
});

test('the compose file lets everything report to its status service, with one token', () => {
  type Service = { environment?: Record<string, string> };
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> };
  const text = (name: string, variable: string) => services[name]!.environment![`LEDGER_MIRROR_${variable}`]!;
  const environment = (name: string) =>
    Object.fromEntries(
      Object.entries(services[name]!.environment!).map(([variable, value]) => [
        variable,
        value
          .replaceAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g, 'secret')
          .replaceAll(/\$\{STATUS_TOKEN[^}]*\}/g, 'sixteen-characters')
          .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'),
      ]),
    );
  for (const name of ['import', 'serve'] as const) {
    const remote = readRemoteStatus(loadSettings(name, [], environment(name)))!;
    expect(remote.origin).toBe('http://status:5553');
    const tokens = readTokens('status-reporters', environment('status').LEDGER_MIRROR_STATUS_REPORTERS);
    expect([...tokens.keys()]).toEqual([remote.token]);
    expect(text(name, 'NETWORK')).toBe(text('status', 'NETWORK'));
  }
});
