// Messages as trees: ids, times, texts and bytes by what they are; of hostile messages a bounded part.
import { expect, it } from 'vitest';
import { proto, toLong } from '../../../packages/protocol/hapi/hapi.ts';
import { createLinks } from '../page/links.ts';
import { messageTree } from './message-tree.ts';
import { valueTree } from './value-tree.ts';

const links = createLinks('demo');

function show(body: proto.ITransactionBody): string {
  const decoded = proto.TransactionBody.decode(proto.TransactionBody.encode(body).finish());
  return valueTree(messageTree(decoded, links), 'Body').markup;
}

it('fields are shown by what they are', () => {
  const tree = show({
    transactionFee: toLong(250_000_000n),
    transactionValidDuration: { seconds: toLong(180n) },
    transactionID: {
      accountID: { accountNum: toLong(1001n) },
      transactionValidStart: { seconds: toLong(1n), nanos: 5 },
    },
    tokenCreation: { name: 'Bead', tokenType: 1, treasury: { accountNum: toLong(7n) }, metadata: Buffer.of(0xab) },
  });
  for (const part of [
    'transaction fee</span> <span class="amount">2.5 <abbr',
    '<a href="/demo/account/0.0.1001">0.0.1001</a>',
    '1970-01-01 00:00:01.000000005 UTC',
    '3 minutes',
    '<bdi>Bead</bdi>',
    'NON_FUNGIBLE_UNIQUE',
    '>0xab</code>',
  ]) {
    expect(tree).toContain(part);
  }
});

it('addresses of nodes are as people write them', () => {
  const tree = show({ nodeUpdate: { serviceEndpoint: [{ ipAddressV4: Buffer.of(10, 0, 0, 255), port: 50_211 }] } });
  expect(tree).toContain('10.0.0.255, <span class="name">port</span> 50211');
});

it('small items of a list are one line each', () => {
  const accountAmounts = [1n, 2n].map((num) => ({ accountID: { accountNum: toLong(num) }, amount: toLong(-1500n) }));
  const tree = show({ cryptoTransfer: { transfers: { accountAmounts } } });
  expect(tree).toMatch(/account ID<\/span> <a [^>]+>0\.0\.2<\/a>, <span class="name">amount<\/span> &#8722;1,500</);
});

it('text is text, and long text is cut', () => {
  const tree = show({ memo: '<img src=x onerror=alert(1)>\u202e', fileCreate: { memo: 'a'.repeat(900_000) } });
  expect(tree).not.toContain('<img');
  expect(tree).toContain('U+202E');
  expect(tree.length).toBeLessThan(3000);
});

it('what is deep or long is left out, and that is said', () => {
  let key: proto.IKey = { ed25519: Buffer.alloc(32) };
  for (let depth = 0; depth < 300; depth++) key = { keyList: { keys: [key] } };
  const keys = Array.from({ length: 5000 }, () => ({ ed25519: Buffer.alloc(32, 1) }));
  for (const hostile of [key, { keyList: { keys } }]) {
    const tree = show({ cryptoUpdateAccount: { key: hostile } });
    expect(tree).toContain('left out here');
    expect(tree.length).toBeLessThan(60_000);
  }
});

it('ids beyond what the ledger can store are no links', () => {
  const tree = show({ cryptoDelete: { deleteAccountID: { shardNum: toLong(-1n), accountNum: toLong(2n ** 62n) } } });
  expect(tree).toContain(`-1.0.${2n ** 62n}`);
  expect(tree).not.toContain('href');
});
