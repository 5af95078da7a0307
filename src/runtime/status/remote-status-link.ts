// A program's link to a status service on another machine: reports over one connection that stays open, so that the
// service notices at once when this program is killed. A report that cannot be sent is dropped: the next one is newer.
import { Agent, type IncomingMessage, request as sendRequest } from 'node:http';
import { request as sendTlsRequest, Agent as TlsAgent } from 'node:https';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { leavePath, reportPath } from '../../../packages/status/http/status-report-routes.ts';
import type { ReporterKind } from '../../../packages/status/reporter-roll.ts';
import { networkFact } from '../../../packages/status/set-up-status.ts';
import type { SignalReport } from '../../../packages/status/take-signals.ts';
import { type RemoteStatus, reporterNameOf } from './remote-status.ts';
import type { StatusLink } from './status-link.ts';

export type RemoteStatusLinkOptions = {
  remote: RemoteStatus;
  kind: ReporterKind;
  networkName: string;
  log: Logger;
};

const answerWithinMs = 5000;
const maxAnswerBytes = 64 * 1024;
const minEveryMs = 50;
const maxEveryMs = 60_000;

type Answer = { status: number; body: { service?: unknown; everyMs?: unknown; _status?: unknown } };

export function openRemoteStatusLink({ remote, kind, networkName, log }: RemoteStatusLinkOptions): StatusLink {
  const url = new URL(remote.origin);
  const isTls = url.protocol === 'https:';
  const agent = new (isTls ? TlsAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  let everyMs: number | null = null;
  /** Why the last report was not accepted. */
  let problem: string | null = null;
  /** The name under which it is known there. */
  let reportedAs: string | null = null;
  if (remote.isReadable) {
    log.warn(
      `${remote.origin} is reached without TLS: anyone who can read the network traffic can read the token. Let it answer over https (--status-tls-cert).`,
    );
  }

  function tell(next: string | null): void {
    if (next === problem) return;
    if (next === null) log.info(`The status service at ${remote.origin} accepts reports again`);
    else log.warn(`The status service at ${remote.origin} does not accept reports: ${next}`);
    problem = next;
  }

  async function send(path: string, reporter: string, report: Partial<SignalReport>): Promise<Answer> {
    const body = JSON.stringify({ reporter, kind, network: report.facts?.[networkFact] ?? networkName, ...report });
    const outgoing = (isTls ? sendTlsRequest : sendRequest)(new URL(path, url), {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${remote.token}`,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
      signal: AbortSignal.timeout(answerWithinMs),
      ...(remote.ca !== undefined && { ca: remote.ca }),
    });
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('error', reject).on('response', resolve).end(body);
    });
    return { status: incoming.statusCode!, body: await readJson(incoming) };
  }

  return {
    find: () => remote,
    everyMs: () => everyMs,
    async report(report, place) {
      try {
        reportedAs = reporterNameOf(remote, place ? String(place.port) : kind);
        const { status, body } = await send(reportPath, reportedAs, report);
        tell(status === 200 ? null : `it answers ${status}${describe(body)}`);
        if (status !== 200) return null;
        const asked = Number(body.everyMs);
        everyMs = Number.isFinite(asked) ? Math.min(Math.max(asked, minEveryMs), maxEveryMs) : null;
        return typeof body.service === 'string' ? { service: body.service } : null;
      } catch (error) {
        tell((error as Error).message);
        return null;
      }
    },
    async leave() {
      if (reportedAs === null) return;
      await send(leavePath, reportedAs, {}).catch((error: Error) =>
        log.debug({ err: error }, 'The status service was not reached'),
      );
    },
    async close() {
      agent.destroy();
    },
  };
}

async function readJson(incoming: IncomingMessage): Promise<Answer['body']> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) {
    text += chunk;
    if (text.length > maxAnswerBytes) throw new Error('its answer is too long');
  }
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw new Error(`it answers ${incoming.statusCode} without JSON, so it is no status service`);
  }
}

function describe({ _status: status }: Answer['body']): string {
  const messages = (status as { messages?: { message?: unknown }[] } | undefined)?.messages;
  const [first] = Array.isArray(messages) ? messages : [];
  return typeof first?.message === 'string' ? `: ${first.message.slice(0, 300)}` : '';
}
