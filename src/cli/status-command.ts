// The status service as a command on its own machine. The file beside its journal says where it listens, so that no token
// is needed. Each command becomes one request to its HTTP interface.
import { userInfo } from 'node:os';
import { UsageError } from '../runtime/settings/usage-error.ts';
import { runStatus } from '../runtime/status/run-status.ts';
import {
  askStatusService,
  findRunningStatus,
  type StatusAnswer,
  type StatusQuestion,
  statusFolderOf,
} from '../runtime/status/status-service-file.ts';
import { networkTitleOf } from '../status/status-components.ts';
import type { Command, CommandContext } from './command.ts';
import { formatStatusAnswer } from './format-status-answer.ts';
import type { OwnFlag } from './split-arguments.ts';

const flags: Record<string, OwnFlag> = {
  name: { placeholder: '<text>', description: 'New name of an incident or a maintenance.' },
  body: { placeholder: '<text>', description: 'Public text of the update.' },
  state: {
    placeholder: '<state>',
    description:
      'State of an incident (investigating, identified, monitoring, resolved, postmortem) or of a maintenance (scheduled, in_progress, verifying, completed).',
  },
  impact: { placeholder: '<impact>', description: 'none, maintenance, minor, major or critical.' },
  component: {
    placeholder: '<component[=status]>',
    description: 'An affected component, and its new status. Can be repeated.',
  },
  from: { placeholder: '<time>', description: 'When a maintenance begins, such as 2026-11-21T18:00:00Z.' },
  until: { placeholder: '<time>', description: 'When it ends.' },
  by: { placeholder: '<name>', description: 'Author of the change. Default: the current user.' },
};

type Given = { words: string[]; flags: Record<string, string[]> };

/** `takes`: the arguments after the words, such as the name of the incident. */
type Operation = { takes: string[]; ask(given: Given): StatusQuestion };

const manage = '/status/manage';

const operations: Record<string, Operation> = {
  'component list': { takes: [], ask: () => ({ path: `${manage}/components` }) },
  'component set': {
    takes: ['<component>', '<status>'],
    ask: ({ words }) => ({ method: 'PATCH', path: pathOf('components', words[0]), body: { status: words[1] } }),
  },
  'component release': {
    takes: ['<component>'],
    ask: ({ words }) => ({ method: 'PATCH', path: pathOf('components', words[0]), body: { status: null } }),
  },
  'incident list': { takes: [], ask: () => ({ path: `${manage}/incidents` }) },
  'incident open': {
    takes: ['<name>'],
    ask: ({ words, flags }) => ({
      method: 'POST',
      path: `${manage}/incidents`,
      body: { ...bodyOf(flags), name: words[0] },
    }),
  },
  'incident update': { takes: ['<id>'], ask: (given) => change('incidents', given, {}) },
  'incident resolve': { takes: ['<id>'], ask: (given) => change('incidents', given, { status: 'resolved' }) },
  'incident release': { takes: ['<id>'], ask: (given) => change('incidents', given, { release: true }) },
  'incident delete': {
    takes: ['<id>'],
    ask: ({ words }) => ({ method: 'DELETE', path: pathOf('incidents', words[0]) }),
  },
  'maintenance list': { takes: [], ask: () => ({ path: `${manage}/maintenances` }) },
  'maintenance schedule': {
    takes: ['<name>'],
    ask: ({ words, flags }) => ({
      method: 'POST',
      path: `${manage}/maintenances`,
      body: { ...bodyOf(flags), name: words[0] },
    }),
  },
  'maintenance update': { takes: ['<id>'], ask: (given) => change('maintenances', given, {}) },
  'maintenance complete': { takes: ['<id>'], ask: (given) => change('maintenances', given, { status: 'completed' }) },
  'maintenance cancel': {
    takes: ['<id>'],
    ask: ({ words, flags }) => ({
      method: 'DELETE',
      path: pathOf('maintenances', words[0]),
      body: flags.body?.length ? bodyOf(flags) : undefined,
    }),
  },
  'webhook list': { takes: [], ask: () => ({ path: `${manage}/webhooks` }) },
  'webhook add': {
    takes: ['<url>'],
    ask: ({ words, flags }) => ({
      method: 'POST',
      path: `${manage}/webhooks`,
      body: { url: words[0], components: flags.component?.length ? flags.component : undefined },
    }),
  },
  'webhook test': {
    takes: ['<id>'],
    ask: ({ words }) => ({ method: 'POST', path: `${pathOf('webhooks', words[0])}/test` }),
  },
  'webhook remove': {
    takes: ['<id>'],
    ask: ({ words }) => ({ method: 'DELETE', path: pathOf('webhooks', words[0]) }),
  },
  'reporter list': { takes: [], ask: () => ({ path: `${manage}/reporters` }) },
  'reporter forget': {
    takes: ['<name>'],
    ask: ({ words }) => ({ method: 'DELETE', path: pathOf('reporters', words[0]) }),
  },
  changes: { takes: [], ask: () => ({ path: `${manage}/changes` }) },
};

export const statusCommand: Command = {
  name: 'status',
  summary: 'Shows the status of the mirror and changes it: components, incidents, maintenances, webhooks.',
  description: `
"start" and "serve" run a status service that answers /status and /api/v2. Without arguments this command prints
the status; its exit code is 1 unless everything is operational. "status serve" runs the service alone, for a separate
machine or supervisor.

  ledger-mirror status
  ledger-mirror status serve --status-port 5552
${Object.entries(operations)
  .map(([words, { takes }]) => `  ledger-mirror status ${[words, ...takes].join(' ')}`)
  .join('\n')}

  ledger-mirror status incident open "Slow answers" --body "We are looking into it." --component api=degraded_performance
  ledger-mirror status maintenance schedule "New disks" --body "Answers may be slow." --component database \\
    --from 2026-11-21T18:00:00Z --until 2026-11-21T19:00:00Z`,
  flags,
  async run(context) {
    const { words, print } = context;
    if (words[0] === 'serve') return serve(context);
    const [question, isSummary] =
      words.length === 0 ? [{ path: '/api/v2/summary.json' }, true] : [toQuestion(context), false];
    const { status, body } = await ask(context, question);
    if (status >= 400) throw new Error(messageOf(body));
    for (const line of formatStatusAnswer(body)) print(line);
    return isSummary && (body as { status?: { indicator?: string } }).status?.indicator !== 'none' ? 1 : 0;
  },
};

async function serve({ settings, log, shutdown, print }: CommandContext): Promise<0> {
  await runStatus({
    settings,
    log,
    shutdown,
    onReady({ port, secret, publicUrl }) {
      process.send?.({ port, secret });
      const title = settings.find('status-title') ?? networkTitleOf(settings.find('network') ?? 'other');
      print(`Status of ${title}: ${publicUrl ?? `http://127.0.0.1:${port}`}/status`);
    },
  });
  return 0;
}

function toQuestion({ words, flags: given }: CommandContext): StatusQuestion {
  const name = [`${words[0]} ${words[1]}`, `${words[0]}`].find((candidate) => candidate in operations);
  if (!name)
    throw new UsageError(`"status ${words.join(' ')}" is not a command. "ledger-mirror status --help" lists them.`);
  const operation = operations[name]!;
  const rest = words.slice(name.split(' ').length);
  if (rest.length !== operation.takes.length) {
    throw new UsageError(`Usage: ledger-mirror status ${[name, ...operation.takes].join(' ')}`);
  }
  return { ...operation.ask({ words: rest, flags: given }), by: given.by?.at(-1) ?? userInfo().username };
}

async function ask({ settings }: CommandContext, question: StatusQuestion): Promise<StatusAnswer> {
  const folder = statusFolderOf(settings.get('data-dir'));
  const found = await findRunningStatus(folder);
  if (!found) {
    throw new Error(
      `No status service runs for ${settings.get('data-dir')}. "ledger-mirror start" and "ledger-mirror status serve" run one; --data-dir names another folder.`,
    );
  }
  return askStatusService(found.address, question);
}

function change(kind: string, { words, flags: given }: Given, fixed: Record<string, unknown>): StatusQuestion {
  return { method: 'PATCH', path: pathOf(kind, words[0]), body: { ...bodyOf(given), ...fixed } };
}

function pathOf(kind: string, id = ''): string {
  return `${manage}/${kind}/${encodeURIComponent(id)}`;
}

/** Flag → member of the request's body. */
const members: Record<string, string> = {
  name: 'name',
  body: 'body',
  state: 'status',
  impact: 'impact',
  from: 'scheduled_for',
  until: 'scheduled_until',
};

function bodyOf(given: Given['flags']): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [flag, member] of Object.entries(members)) {
    const value = given[flag]?.at(-1);
    if (value !== undefined) body[member] = value;
  }
  const components = given.component ?? [];
  if (components.length > 0) {
    body.components = Object.fromEntries(
      components.map((text) => {
        const [reference, status] = text.split('=');
        return [reference, status ?? null];
      }),
    );
  }
  return body;
}

function messageOf(body: unknown): string {
  const { _status: refusal } = body as { _status?: { messages?: { message: string }[] } };
  return refusal?.messages?.map(({ message }) => message).join(' ') ?? JSON.stringify(body);
}
