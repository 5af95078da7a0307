import { expect, test } from 'vitest';
import { html } from '../../../packages/kit/markup.ts';
import { encodeEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { createLinks } from './links.ts';

const links = createLinks('demo');
const contractCall = 7;
const success = 22;

test.each([
  [encodeEntityId(0n, 0n, 1001n), '<a href="/demo/contract/0.0.1001">0.0.1001</a>'],
  [encodeEntityId(1n, 2n, 5000n), '<a href="/demo/contract/1.2.5000">1.2.5000</a>'],
  // System contracts have no page.
  [0x167n, '0.0.359'],
  [encodeEntityId(1n, 2n, 0x168n), '1.2.360'],
  [1n, '0.0.1'],
  [0n, ''],
])('contract %d is shown as %s', (id, shown) => {
  expect(html`${links.contract(id)}`.markup).toBe(shown);
  expect(html`${links.subject({ type: contractCall, entityId: id, result: success })}`.markup).toBe(shown);
});

test('a system account has a page', () => {
  expect(html`${links.account(98n)}`.markup).toBe('<a href="/demo/account/0.0.98">0.0.98</a>');
});
