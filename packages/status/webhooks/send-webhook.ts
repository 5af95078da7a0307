// One attempt to deliver one message. No redirect is followed, only the status of the answer is read, and unless
// allowed no connection is made to an address that is not public. The addresses of the actual connection are checked,
// so that a name that resolves to another address between check and use gains nothing.
import { type LookupAddress, lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../kit/is-public-address.ts';
import { isPublicName } from '../../kit/is-public-name.ts';
import { signWebhook } from './sign-webhook.ts';
import type { Delivery, Outcome, Webhook } from './webhook.ts';

export type SendOptions = {
  /** Also to addresses that are not public. */
  allowPrivate: boolean;
  /** ms since 1970, for the signature. */
  now: number;
  timeoutMs: number;
  /** Ends the attempt. */
  signal: AbortSignal;
};

/** Never rejects. */
export async function sendWebhook(
  { url, secret }: Webhook,
  delivery: Delivery,
  options: SendOptions,
): Promise<Outcome> {
  const { allowPrivate, now, timeoutMs } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const target = new URL(url);
    if (!allowPrivate) assertPublicAddress(target.hostname);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(delivery.body)),
      'user-agent': 'Ledger-Mirror-Status/1',
      ...signWebhook(secret, delivery.id, Math.floor(now / 1000), delivery.body),
    };
    const signal = AbortSignal.any([options.signal, timeout]);
    return toOutcome(await post(target, headers, delivery.body, signal, allowPrivate));
  } catch (error) {
    const reason = timeout.aborted ? `no answer within ${timeoutMs / 1000} s` : describe(error as Error);
    return { kind: 'failed', reason };
  }
}

/**
 * Throws if the host is an address, in any notation, or a name that is not public. Addresses of a name are checked on
 * use.
 */
export function assertPublicHost(hostname: string): void {
  assertPublicAddress(hostname);
  const host = withoutBrackets(hostname);
  if (!isIP(host) && !isPublicName(host)) {
    throw new Error(
      `${host} is not a name of the public internet, but one that only this machine, its network or its cluster knows; the setting status-webhook-private allows it`,
    );
  }
}

function assertPublicAddress(hostname: string): void {
  const host = withoutBrackets(hostname);
  if (isIP(host) && !isPublicAddress(host)) throw refuseAddress(host);
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function post(
  target: URL,
  headers: Record<string, string>,
  body: string,
  signal: AbortSignal,
  allowPrivate: boolean,
): Promise<number> {
  const request = target.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      target,
      // A new connection: a pooled one may have been made under other rules.
      { method: 'POST', headers, agent: false, signal, lookup: allowPrivate ? undefined : lookupPublic },
      (response) => {
        resolve(response.statusCode!);
        response.on('error', () => {});
        outgoing.destroy();
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const hidden = (addresses ?? []).find(({ address }) => !isPublicAddress(address));
    const first = addresses?.[0];
    if (error) callback(error, '');
    else if (hidden) callback(refuseAddress(`${hostname} (${hidden.address})`), '');
    else if (options.all) callback(null, addresses as LookupAddress[]);
    else callback(null, first!.address, first!.family);
  });
};

function refuseAddress(host: string): Error {
  return new Error(`${host} is not a public address; the setting status-webhook-private allows it`);
}

function toOutcome(status: number): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 410) return { kind: 'gone' };
  return {
    kind: 'failed',
    reason: `answered ${status}${status >= 300 && status < 400 ? ' (redirects are not followed)' : ''}`,
  };
}

/** Node wraps the attempts on several addresses of one name. */
function describe(error: Error & { code?: string }): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describe(error.errors[0] as Error);
  return error.message || error.code || error.name;
}
