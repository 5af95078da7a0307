import { expect, it } from 'vitest';
import { signatureHash } from '../../../packages/abi/selector.ts';
import { html } from '../../../packages/kit/markup.ts';
import { readPage } from '../../../packages/test-support/http/read-page.ts';
import { createLinks } from '../page/links.ts';
import { table } from '../parts/table.ts';
import { readItems, tokenEventColumns } from './token-event-columns.ts';

type Token = Parameters<typeof tokenEventColumns>[0];
type Context = Parameters<typeof tokenEventColumns>[1];
type Item = Parameters<typeof readItems>[0][number];

const word = (value: bigint | number): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
/** As tables have it: without zeros before it. */
const topic = (value: number): Buffer =>
  value === 0 ? Buffer.alloc(0) : Buffer.from(value.toString(16).padStart(4, '0'), 'hex');
const approval = signatureHash('Approval(address,address,uint256)');
const transfer = signatureHash('Transfer(address,address,uint256)');
const context = { links: createLinks('demo'), settings: { system: { shard: 0n, realm: 0n } } } as unknown as Context;

/** Texts of the cells, the time first. */
function showRow(standard: Token['standard'], topics: Buffer[], data: Buffer): string[] {
  const [topic0, topic1, topic2, topic3 = null] = topics;
  const log = { topic0, topic1, topic2, topic3, data, consensusTimestamp: 1n, index: 0 } as unknown as Item;
  const columns = tokenEventColumns({ standard, decimals: 2, contractId: 1018n } as Token, context);
  const shown = table(columns, readItems([log]), { caption: 'Events', none: 'None.' });
  const page = `<!doctype html><html lang="en"><head><title>t</title></head><body>${html`${shown}`}</body></html>`;
  return Object.values(readPage(page).tables.get('Events')![0]!);
}

it('an approval says whose units who may spend, and how many, as a transfer says who gave what to whom', () => {
  const nothing = Buffer.alloc(0);
  const row = (event: Buffer, data: Buffer) => showRow('ERC-20', [event, topic(1001), topic(1002)], data).slice(1);
  expect(row(transfer, word(250))).toEqual(['Transfer', '0.0.1001', '0.0.1002', '2.5']);
  expect(row(approval, word(250))).toEqual(['Approval', '0.0.1001', '0.0.1002', '2.5']);
  const unique = (to: number) => showRow('ERC-721', [approval, topic(1001), topic(to), topic(7)], nothing).slice(1);
  expect(unique(1002)).toEqual(['Approval', '0.0.1001', '0.0.1002', '#7']);
  // Nobody may any more.
  expect(unique(0)).toEqual(['Approval', '0.0.1001', 'nobody', '#7']);
  // An event of another shape is none of it.
  expect(row(approval, nothing)).toEqual(['another event', '', '', '']);
});
