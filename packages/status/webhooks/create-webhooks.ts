// Announces changes to webhooks. The last announced state is stored on disk and compared with the current one, so that
// neither a restart nor a kill between a change and its announcement loses one; messages then wait in a queue.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurableFile } from '../../kit/write-durable-file.ts';
import { createIdentifier } from '../create-identifier.ts';
import { invalid } from '../operator-error.ts';
import type { StatusState } from '../status-state.ts';
import { openDeliveryQueue } from './delivery-queue.ts';
import { assertPublicHost, sendWebhook } from './send-webhook.ts';
import { createWebhookSecret } from './sign-webhook.ts';
import type { Delivery, Outcome, Webhook } from './webhook.ts';
import {
  type Announced,
  createTestMessage,
  listMessages,
  toAnnounced,
  type WebhookMessage,
} from './webhook-messages.ts';

export type WebhooksOptions = {
  /** Exists already; nothing else is in it. */
  folder: string;
  /** ms since 1970 */
  clock(): number;
  /** Also to addresses that are not public, such as those of a local network. */
  allowPrivate: boolean;
  /** Messages for operators. */
  log(sentence: string): void;
  /** ms between attempts, and for one attempt. */
  retryDelaysMs?: readonly number[];
  timeoutMs?: number;
};

export type Webhooks = {
  /** After each change of the state, and once at the start. Cheap if nothing has changed. */
  announce(state: StatusState): void;
  list(): ListedWebhook[];
  /** The secret is shown only once. Throws OperatorError if it cannot be added. */
  add(asked: { url: string; componentIds: string[] | null }, by: string): Webhook;
  /** false if there is none of this id. */
  remove(id: string): boolean;
  /** Sends a test message; false if there is no webhook of this id. */
  test(id: string, state: StatusState): boolean;
  close(): Promise<void>;
};

type ListedWebhook = Omit<Webhook, 'secret'> & {
  waiting: number;
  /** Since this process began. */
  lastAttempt: { at: number; outcome: 'delivered' | 'failed' | 'gone'; reason: string | null } | null;
};

const maxWebhooks = 100;
const maxUrlLength = 2048;
const defaultTimeoutMs = 10_000;

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { folder, clock, allowPrivate, log, timeoutMs = defaultTimeoutMs, retryDelaysMs } = options;
  const webhooks = openWebhookList(join(folder, 'webhooks.json'));
  const attempts = new Map<string, ListedWebhook['lastAttempt']>();
  const queue = openDeliveryQueue({
    folder: join(folder, 'queue'),
    clock,
    retryDelaysMs,
    send,
    onAttempt: noteAttempt,
    onProblem: log,
  });
  const announce = createAnnouncer(join(folder, 'announced.json'), (message) => {
    for (const webhook of webhooks.list()) if (wants(webhook, message)) enqueue(webhook, message);
  });

  async function send(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const webhook = webhooks.find(delivery.webhookId);
    // Its webhook was removed while the process was being killed.
    if (!webhook || webhook.endedAt !== null) return { kind: 'gone' };
    return sendWebhook(webhook, delivery, { allowPrivate, now: clock(), timeoutMs, signal });
  }

  function noteAttempt({ webhookId, attempts: earlier }: Delivery, outcome: Outcome, isLast: boolean): void {
    const reason = outcome.kind === 'failed' ? outcome.reason : null;
    attempts.set(webhookId, { at: clock(), outcome: outcome.kind, reason });
    const webhook = webhooks.find(webhookId);
    if (!webhook) return;
    const name = `Webhook ${webhookId} (${new URL(webhook.url).host})`;
    if (outcome.kind === 'gone' && webhook.endedAt === null) {
      log(`${name} answered 410 Gone: nothing is sent to it any more`);
      webhooks.save(webhooks.list().map((each) => (each.id === webhookId ? { ...each, endedAt: clock() } : each)));
      queue.drop(webhookId);
    }
    if (reason !== null && isLast) log(`${name}: a message was given up after ${earlier + 1} attempts: ${reason}`);
    else if (reason !== null && earlier === 0) log(`${name}: ${reason}; it is tried again`);
  }

  function enqueue({ id }: Webhook, { key, body }: WebhookMessage): void {
    queue.add({ id: `msg_${createIdentifier(`${id}/${key}`)}`, webhookId: id, body: JSON.stringify(body) });
  }

  return {
    announce(state) {
      try {
        announce(state);
      } catch (error) {
        // The status itself continues; what was not announced is announced with the next change.
        log(`Changes could not be announced to webhooks: ${(error as Error).message}`);
      }
    },
    list: () =>
      webhooks.list().map(({ secret: _secret, ...shown }) => ({
        ...shown,
        waiting: queue.waiting(shown.id),
        lastAttempt: attempts.get(shown.id) ?? null,
      })),
    add({ url, componentIds }, by) {
      assertUrl(url, allowPrivate);
      if (webhooks.list().length >= maxWebhooks) {
        throw invalid(`There are ${maxWebhooks} webhooks already, which is the maximum. Remove one first.`);
      }
      const secret = createWebhookSecret();
      const id = createIdentifier(`webhook/${secret}`);
      const webhook = { id, url, secret, componentIds, createdAt: clock(), createdBy: by, endedAt: null };
      webhooks.save([...webhooks.list(), webhook]);
      return webhook;
    },
    remove(id) {
      if (!webhooks.find(id)) return false;
      webhooks.save(webhooks.list().filter((each) => each.id !== id));
      queue.drop(id);
      attempts.delete(id);
      return true;
    },
    test(id, state) {
      const webhook = webhooks.find(id);
      if (webhook) enqueue(webhook, createTestMessage(state, clock()));
      return webhook !== undefined;
    },
    close: () => queue.close(),
  };
}

function openWebhookList(file: string) {
  let webhooks = readJson<Webhook[]>(file) ?? [];
  return {
    list: (): readonly Webhook[] => webhooks,
    find: (id: string): Webhook | undefined => webhooks.find((each) => each.id === id),
    save(next: Webhook[]): void {
      writeDurableFile(file, JSON.stringify(next, null, 2));
      webhooks = next;
    },
  };
}

/** Announces changes since the state in the file. */
function createAnnouncer(file: string, tell: (message: WebhookMessage) => void): (state: StatusState) => void {
  let announced = readJson<Announced>(file);
  let seen: StatusState | null = null;
  return (state) => {
    if (seen && seen.components === state.components && seen.incidents === state.incidents) return;
    const next = toAnnounced(state);
    if (!announced || JSON.stringify(next) !== JSON.stringify(announced)) {
      // The very first state is the starting point, not a change.
      if (announced) listMessages(state, announced).forEach(tell);
      writeDurableFile(file, JSON.stringify(next));
      announced = next;
    }
    seen = state;
  };
}

function wants({ componentIds, endedAt }: Webhook, message: WebhookMessage): boolean {
  if (endedAt !== null) return false;
  if (componentIds === null || message.componentIds.length === 0) return true;
  return message.componentIds.some((id) => componentIds.includes(id));
}

function assertUrl(text: string, allowPrivate: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || text.length > maxUrlLength) {
    throw invalid(
      `The url of a webhook must begin with https:// or http:// and have at most ${maxUrlLength} characters.`,
    );
  }
  if (url.username || url.password) {
    throw invalid('The url of a webhook must not have user and password; the receiver checks the signature instead.');
  }
  try {
    if (!allowPrivate) assertPublicHost(url.hostname);
  } catch (error) {
    throw invalid(`${(error as Error).message}.`);
  }
}

function readJson<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${path} cannot be read (${(error as Error).message}). Put it back from a copy, or take it away.`);
  }
}
