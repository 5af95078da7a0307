// The status service as a command on its own machine. The file beside its journal has its address, so that no token is
// needed. Each command becomes one request to its HTTP interface.
import { userInfo } from 'node:os';
import { networkTitleOf } from '../../packages/status/status-components.ts';
import { UsageError } from '../runtime/settings/usage-error.ts';
import {
  askStatusService,
  findRunningStatus,
  type StatusAnswer,
  type StatusQuestion,
  statusFolderOf,
} from '../runtime/status/status-service-file.ts';
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
type Body = Record<string, unknown>;

/** `takes`: the arguments after the words, such as the name of the incident. */
type Operation = { takes: string[]; ask(given: Given): StatusQuestion };

const manage = '/status/manage';

/** PATCH and DELETE apply to the one that the first argument names. */
function operation(
  method: NonNullable<StatusQuestion['method']>,
  kind: string,
  takes: string[] = [],
  toBody: (given: Given) => Body | undefined = () => undefined,
): Operation {
  const isOfOne = method === 'PATCH' || method === 'DELETE';
  const pathFor = ({ words }: Given): string => (isOfOne ? pathOf(kind, words[0]) : `${manage}/${kind}`);
  return { takes, ask: (given) => ({ method, path: pathFor(given), body: toBody(given) }) };
}

const named = ({ words, flags }: Given): Body => ({ ...bodyOf(flags), name: words[0] });
const changed =
  (fixed: Body = {}) =>
  ({ flags }: Given): Body => ({ ...bodyOf(flags), ...fixed });

const operations: Record<string, Operation> = {
  'component list': operation('GET', 'components'),
  'component set': operation('PATCH', 'components', ['<component>', '<status>'], ({ words }) => ({ status: words[1] })),
  'component release': operation('PATCH', 'components', ['<component>'], () => ({ status: null })),
  'incident list': operation('GET', 'incidents'),
  'incident open': operation('POST', 'incidents', ['<name>'], named),
  'incident update': operation('PATCH', 'incidents', ['<id>'], changed()),
  'incident resolve': operation('PATCH', 'incidents', ['<id>'], changed({ status: 'resolved' })),
  'incident release': operation('PATCH', 'incidents', ['<id>'], changed({ release: true })),
  'incident delete': operation('DELETE', 'incidents', ['<id>']),
  'maintenance list': operation('GET', 'maintenances'),
  'maintenance schedule': operation('POST', 'maintenances', ['<name>'], named),
  'maintenance update': operation('PATCH', 'maintenances', ['<id>'], changed()),
  'maintenance complete': operation('PATCH', 'maintenances', ['<id>'], changed({ status: 'completed' })),
  'maintenance cancel': operation('DELETE', 'maintenances', ['<id>'], ({ flags }) =>
    flags.body?.length ? bodyOf(flags) : undefined,
  ),
  'webhook list': operation('GET', 'webhooks'),
  'webhook add': operation('POST', 'webhooks', ['<url>'], ({ words, flags }) => ({
    url: words[0],
    components: flags.component?.length ? flags.component : undefined,
  })),
  'webhook test': {
    takes: ['<id>'],
    ask: ({ words }) => ({ method: 'POST', path: `${pathOf('webhooks', words[0])}/test` }),
  },
  'webhook remove': operation('DELETE', 'webhooks', ['<id>']),
  'reporter list': operation('GET', 'reporters'),
  'reporter forget': operation('DELETE', 'reporters', ['<name>']),
  changes: operation('GET', 'changes'),
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

/** Loaded late: what only asks the service starts without it in half of the time. */
async function serve({ settings, log, shutdown, print }: CommandContext): Promise<0> {
  const { runStatus } = await import('../runtime/status/run-status.ts');
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
