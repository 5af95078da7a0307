// Pages of topics and messages: what was sent is shown as what it is, and parts are joined.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedPages, openPages } from '../../../packages/test-support/http/open-pages.ts';

const start = 1_700_000_000_000_000_000n;
const whole = `{"text":"${'long '.repeat(50)}"}`;

const chunk = (number: number, text: string) => ({
  message: Buffer.from(text),
  chunk_num: BigInt(number),
  chunk_total: 3n,
  valid_start_timestamp: start,
  payer_account_id: 9n,
});

/** Messages 1 to 8 of topic 0.0.7; 3, 5 and 6 are the parts of one. */
const rows = [
  { message: Buffer.from('<img src=x onerror=alert(1)>') },
  { message: Buffer.from([0xff, 0, 1]) },
  chunk(1, whole.slice(0, 100)),
  { message: Buffer.from('{"a":12345678901234567890}') },
  chunk(2, whole.slice(100, 200)),
  chunk(3, whole.slice(200)),
  { ...chunk(2, 'lost'), valid_start_timestamp: start + 5n },
  { message: Buffer.alloc(0) },
].map((row, index) => ({
  table: 'topic_message',
  row: {
    consensus_timestamp: start + BigInt(index + 1) * 1_000_000_000n,
    topic_id: 7n,
    sequence_number: BigInt(index + 1),
    payer_account_id: 3n,
    running_hash: Buffer.from('hash'),
    running_hash_version: 2n,
    ...row,
  },
}));
const topic = [
  {
    table: 'entity',
    row: {
      id: 7n,
      num: 7n,
      realm: 0n,
      shard: 0n,
      type: 'TOPIC',
      memo: '<b>',
      timestamp_range: '[1,)',
      created_timestamp: 1n,
    },
  },
  { table: 'topic', row: { id: 7n, created_timestamp: 1n, timestamp_range: '[1,)' } },
  {
    table: 'custom_fee',
    row: { entity_id: 7n, timestamp_range: '[1,)', fixed_fees: '[{"amount": 150000000, "collector_account_id": 9}]' },
  },
];

let pages: OpenedPages;
beforeAll(async () => {
  pages = await openPages([...topic, ...rows]);
});
afterAll(() => pages?.close());

const page = (path: string) => pages.page(path);

describe('a topic', () => {
  it('has its facts, its fees and its newest messages first', async () => {
    const shown = await page('topic/0.0.7');
    expect([shown.statusCode, shown.active, shown.errors]).toEqual([200, [], []]);
    expect(shown.facts.get('Memo')).toBe('<b>');
    expect(shown.facts.get('Who may send')).toBe('Everyone');
    expect(shown.text).toContain('1.5 ℏ, for 0.0.9');
    const messages = shown.tables.get('Newest messages')!;
    expect(messages.map((row) => row.Number)).toEqual(['#8', '#7', '#6', '#5', '#4', '#3', '#2', '#1']);
    expect(messages.at(-1)!.Message).toBe('<img src=x onerror=alert(1)>');
    expect(messages.at(-2)!.Message).toBe('0xff0001');
    expect(messages[4]!.Message).toBe('{"a":12345678901234567890}');
    expect(messages[0]!.Message).toBe('empty');
  });

  it('its messages are a list with pages', async () => {
    const shown = await page('topic/0.0.7/messages?limit=3');
    expect(shown.tables.get('Messages of 0.0.7')!.map((row) => row.Number)).toEqual(['#1', '#2', '#3']);
    const next = shown.links.find((link) => link.includes('timestamp='))!;
    const following = await page(next.replace('/demo/', ''));
    expect(following.tables.get('Messages of 0.0.7')!.map((row) => row.Number)).toEqual(['#4', '#5', '#6']);
  });
});

describe('a message', () => {
  it.each(['3', '5', '6'])('in parts is shown whole from part %s', async (number) => {
    const shown = await page(`topic/0.0.7/messages/${number}`);
    expect([shown.statusCode, shown.active, shown.errors]).toEqual([200, [], []]);
    expect(shown.text).toContain(`"text": "${'long '.repeat(50)}"`);
    expect(shown.text).toContain(`${whole.length} bytes of 3 parts, read as JSON`);
    expect(shown.links).toContain(`/proof?of=${encodeURIComponent(`0.0.7/${number}`)}`);
  });

  it('says which parts are missing', async () => {
    const shown = await page('topic/0.0.7/messages/7');
    expect(shown.text).toContain('Parts that were not found near it: 1, 3.');
    expect(shown.text).toContain('lost');
  });

  it.each([
    ['topic/0.0.7/messages/99', 404],
    ['topic/0.0.7/messages/x', 400],
    ['topic/0.0.8', 404],
    ['topic/x', 400],
  ])('%s is %s', async (path, status) => {
    const shown = await page(path);
    expect([shown.statusCode, shown.errors]).toEqual([status, []]);
  });
});
