import { expect, it } from 'vitest';
import { createWebhookSecret, signWebhook } from './sign-webhook.ts';

it('signs as the reference library of Standard Webhooks does', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signWebhook(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}');
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('every secret is another, with a key of 24 bytes', () => {
  const secrets = [createWebhookSecret(), createWebhookSecret()];
  expect(secrets[0]).not.toBe(secrets[1]);
  for (const secret of secrets) expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(24);
});
