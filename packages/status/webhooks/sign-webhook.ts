// The headers by which a receiver recognizes a message as ours and fresh, as in https://www.standardwebhooks.com/:
// libraries for it exist in most languages.
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const keyBytes = 24;

/** A new secret: `whsec_` and a random key in base64. */
export function createWebhookSecret(): string {
  return prefix + randomBytes(keyBytes).toString('base64');
}

/** HMAC-SHA256 over id, time and body; the time, in seconds, prevents replays of old messages. */
export function signWebhook(secret: string, id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
