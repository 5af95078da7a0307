// How `serve` and `import` on other machines report to a shared status service, with a token of --status-reporters.
// Nothing in a report is trusted: size, names, numbers and texts are limited, and a reporter's name begins with that of
// its token, so that none can report as one of another token.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isJsonObject } from '../../kit/is-json-object.ts';
import { formatErrorBody } from '../../web-server/request-error.ts';
import { OperatorError } from '../operator-error.ts';
import type { Reporter, ReporterKind } from '../reporter-roll.ts';
import { restrictReport } from '../restrict-report.ts';
import { readSignalReport, type SignalReport } from '../take-signals.ts';
import { addManageOperations, writePrivate } from './manage-operations.ts';
import { forwardHeader, type StatusGate } from './status-gate.ts';

type ReportedBy = { name: string; kind: ReporterKind };

export type StatusReporting = {
  /** The body of every answer: which service this is, and how often to report. */
  about(): { service: string; everyMs: number };
  /** null = the name of any network is accepted. */
  network: string | null;
  /** Returns false if there is no room for another reporter. */
  onReport(by: ReportedBy, report: SignalReport): boolean;
  /** It ends, and must not count as missing. */
  onLeave(by: ReportedBy): void;
  /** Its connection has ended and no report came over another one. */
  onLost(by: ReportedBy): void;
  list(): Reporter[];
  /** An operator no longer waits for it. Returns whether it was listed. */
  forget(name: string): boolean;
};

export const reportPath = '/status/report';
export const leavePath = `${reportPath}/leave`;

const maxBodyBytes = 64 * 1024;
const namePattern = /^[\w.:@-]{1,100}$/;

export function addStatusReportRoutes(
  app: FastifyInstance,
  { gate, reporting }: { gate: StatusGate; reporting: StatusReporting },
): void {
  /** The connection of each reporter's last report. */
  const connections = new Map<string, Socket>();
  const heldBy = new WeakMap<Socket, Map<string, ReportedBy>>();

  app.post(reportPath, { bodyLimit: maxBodyBytes }, (request, reply) =>
    take(request, reply, (by, body) => {
      const report = restrictReport(readSignalReport({ values: body.values, facts: body.facts }));
      if (!reporting.onReport(by, report)) throw new Refusal(429, 'There are too many reporters already.');
      if (isDirect(request)) hold(request.raw.socket, by);
      else connections.delete(by.name);
    }),
  );
  app.post(leavePath, { bodyLimit: maxBodyBytes }, (request, reply) =>
    take(request, reply, (by) => {
      connections.delete(by.name);
      reporting.onLeave(by);
    }),
  );

  addManageOperations(app, gate, [
    { method: 'GET', path: '/reporters', run: () => reporting.list() },
    {
      method: 'DELETE',
      path: '/reporters/:id',
      run({ id }) {
        if (!reporting.forget(id)) throw new OperatorError('notFound', 'No reporter has this name.');
        return { forgotten: id };
      },
    },
  ]);

  async function take(
    request: FastifyRequest,
    reply: FastifyReply,
    run: (by: ReportedBy, body: Record<string, unknown>) => void,
  ): Promise<FastifyReply> {
    const author = gate.authorizeReporter(request, reply);
    if (!author) return reply;
    try {
      const body = readBody(request.body);
      run(readReporter(body, author.by, reporting.network), body);
      await writePrivate(request, reply, 200, JSON.stringify(reporting.about()));
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 400;
      await writePrivate(request, reply, status, formatErrorBody([(error as Error).message]));
    }
    return reply;
  }

  function hold(socket: Socket, by: ReportedBy): void {
    connections.set(by.name, socket);
    const held = heldBy.get(socket);
    if (held) return void held.set(by.name, by);
    const all = new Map([[by.name, by]]);
    heldBy.set(socket, all);
    socket.once('close', () => {
      for (const each of all.values()) {
        if (connections.get(each.name) !== socket) continue;
        connections.delete(each.name);
        reporting.onLost(each);
      }
    });
  }
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Behind a proxy the end of a connection does not mean the end of the reporter. */
function isDirect({ headers }: FastifyRequest): boolean {
  return [forwardHeader, 'via', 'forwarded', 'x-forwarded-for'].every((name) => headers[name] === undefined);
}

function readBody(body: unknown): Record<string, unknown> {
  if (isJsonObject(body)) return body;
  throw new Error('a report is a JSON object with "reporter", "kind", "network", "values" and "facts"');
}

function readReporter(body: Record<string, unknown>, tokenName: string, wanted: string | null): ReportedBy {
  const { reporter, kind, network } = body;
  if (typeof reporter !== 'string' || !namePattern.test(reporter)) {
    throw new Error('"reporter" must be a name of at most 100 letters, digits and . : @ _ -');
  }
  if (kind !== 'serve' && kind !== 'import') throw new Error('"kind" must be serve or import');
  if (typeof network !== 'string') throw new Error('"network" must be the name of the network');
  if (wanted !== null && network !== wanted) {
    throw new Error(`this service shows the network ${wanted}, and the report is of another one`);
  }
  return { name: `${tokenName}/${reporter}`, kind };
}
