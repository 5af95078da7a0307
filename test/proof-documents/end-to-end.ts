// Ledgers of every stream, a server for each, random items of all kinds asked over HTTP: the package proves each
// document, the page proves the same item in a browser, and no document with a flipped bit is accepted.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type ProvenBlock, type ProvenRecord, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { proto } from '../../packages/protocol/hapi/hapi.ts';
import { formatTimestamp, toTimestamp } from '../../packages/protocol/hapi/timestamp.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { itemKinds, readItem } from '../../packages/streams/block-stream/block-item.ts';
import { readResult } from '../../packages/streams/block-stream/read-result.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { findAcceptedFlips } from './flip-bits.ts';
import { findLedgerId } from './make-block-document.ts';

export type EndToEndOptions = {
  /** Each gets its part of the items. */
  ledgers: readonly LedgerKind[];
  items: number;
  /** Of all documents together. */
  flips: number;
  seed: string;
  /** null = the page is left out. */
  browser: Browser | null;
  say: (line: string) => void;
};

export type EndToEndResult = {
  /** Documents by ledger and kind of item. */
  proved: Record<string, number>;
  /** Of those the page has proved by itself. */
  onPage: number;
  flipped: number;
  /** What went wrong, one sentence each. */
  faults: string[];
  /** Bytes of documents by ledger and kind. */
  sizes: Record<string, number[]>;
};

export const ledgerKinds = ['records', 'wrapped', 'blocks'] as const;
type LedgerKind = (typeof ledgerKinds)[number];
/** What is asked for: what a visitor types, its path in the API, and its time or number. */
type Item = { kind: string; typed: string; path: string; time: string | null; number: string | null };
type Ledger = {
  format: LedgerKind;
  url: string;
  trust: { ledgerId?: string; addressBookHash?: string };
  items: Item[];
};

const transactionsInBlock = 8;

export async function runEndToEnd({
  ledgers,
  items,
  flips,
  seed,
  browser,
  say,
}: EndToEndOptions): Promise<EndToEndResult> {
  const result: EndToEndResult = { proved: {}, onPage: 0, flipped: 0, faults: [], sizes: {} };
  for (const format of ledgers) {
    const own = Math.ceil(items / ledgers.length);
    const opened = await openLedger(format, `${seed} ${format}`, Math.max(8, Math.ceil(own / transactionsInBlock)));
    try {
      say(`${format}: ${opened.ledger.items.length} items at ${opened.ledger.url}`);
      const page = browser && (await openPage(browser, opened.ledger));
      const random = createSeededRandom(`items of ${seed} ${format}`);
      for (let at = 0; at < own; at++) {
        const item = pickItem(opened.ledger.items, random.below);
        const each = Math.ceil(flips / (own * ledgers.length));
        const faults = await checkItem(opened.ledger, item, page, {
          result,
          flips: each,
          seed: `${seed} ${format} ${at}`,
        });
        for (const fault of faults) {
          result.faults.push(`${format} ${item.kind} ${item.typed}: ${fault}`);
          say(result.faults.at(-1)!);
        }
        if ((at + 1) % 50 === 0) say(`${format}: ${at + 1} of ${own}`);
      }
      await page?.context().close();
    } finally {
      await opened.close();
    }
  }
  return result;
}

/** Every kind as often as any other. */
function pickItem(items: readonly Item[], below: (limit: number) => number): Item {
  const kinds = [...new Set(items.map(({ kind }) => kind))];
  const kind = kinds[below(kinds.length)]!;
  const ofKind = items.filter((item) => item.kind === kind);
  return ofKind[below(ofKind.length)]!;
}

type Checks = { result: EndToEndResult; flips: number; seed: string };

async function checkItem(ledger: Ledger, item: Item, page: Page | null, checks: Checks): Promise<string[]> {
  const { result, flips, seed } = checks;
  const answer = await fetch(`${ledger.url}/spec/api/v1/${item.path}/proof`);
  const text = await answer.text();
  if (answer.status !== 200) return [`status ${answer.status}: ${text.slice(0, 300)}`];
  const document = JSON.parse(text) as object;
  let proven: ProvenBlock | ProvenRecord;
  try {
    proven = verifyProof(document, ledger.trust);
  } catch (error) {
    return [`the package says: ${(error as Error).message}`];
  }
  const wrong = findDifference(proven, item);
  const faults = wrong === null ? [] : [wrong];
  const name = `${ledger.format} ${item.kind}`;
  result.proved[name] = (result.proved[name] ?? 0) + 1;
  result.sizes[name] = [...(result.sizes[name] ?? []), text.length];
  if (page) {
    const verdict = await checkOnPage(page, item.typed);
    const isNamed = !verdict.includes('But nothing in it names');
    if (/^Proved[.] /.test(verdict) && (isNamed || isUnnamed(proven, item))) result.onPage += 1;
    else faults.push(`the page says: ${verdict}`);
  }
  for (const flip of await findAcceptedFlips(document, ledger.trust, flips, seed)) faults.push(`${flip}: ${text}`);
  result.flipped += flips;
  return faults;
}

/** What a proof shows is what the API says of the item. */
function findDifference(proven: ProvenBlock | ProvenRecord, { time, number }: Item): string | null {
  if (number !== null && proven.block !== null && proven.block !== BigInt(number))
    return `it is of block ${proven.block}`;
  if (proven.kind === 'block' && proven.block === null) return 'it does not show the number of its block';
  if (time === null) return null;
  const times = proven.kind === 'block' ? resultTimes(proven) : [recordTime(proven)];
  return times.includes(time) ? null : `it has no result of ${time}, but of ${times}`;
}

/**
 * Files of records say the number of their block where no verifier reads it, and the hash of an Ethereum transaction is
 * made of its call data too, which may be in a file and not in the transaction.
 */
function isUnnamed(proven: ProvenBlock | ProvenRecord, { kind }: Item): boolean {
  if (kind === 'block') return proven.block === null;
  if (kind !== 'contract result') return false;
  const signed =
    proven.kind === 'record'
      ? [proto.Transaction.decode(proven.item.transaction).signedTransactionBytes]
      : proven.items
          .map(({ bytes }) => readItem(Buffer.from(bytes), 0))
          .flatMap(({ kind, content }) => (kind === itemKinds.signedTransaction ? [content] : []));
  return signed.some((bytes) => {
    const body = proto.TransactionBody.decode(proto.SignedTransaction.decode(bytes).bodyBytes);
    return Boolean(body.ethereumTransaction?.callData);
  });
}

function resultTimes({ items }: ProvenBlock): string[] {
  return items.flatMap(({ bytes }) => {
    const { kind, content } = readItem(Buffer.from(bytes), 0);
    return kind === itemKinds.transactionResult ? [formatTimestamp(readResult(content).consensusTimestamp)] : [];
  });
}

function recordTime({ item }: ProvenRecord): string {
  return formatTimestamp(toTimestamp(proto.TransactionRecord.decode(item.record).consensusTimestamp!));
}

async function openLedger(format: LedgerKind, seed: string, blocks: number) {
  const folder = mkdtempSync(join(tmpdir(), `end-to-end-${format}-`));
  const { addressBook } = await writeNetwork({
    folder,
    seed,
    format,
    nodes: 4,
    blocks,
    transactions: transactionsInBlock,
  });
  const scratch = await createScratchDatabase();
  const env = { DATABASE_URL: scratch.connectionString };
  const dataFolder = ['--data-dir', join(folder, 'data'), '--log-level', 'warn'];
  const source = ['--source', folder];
  const book = format === 'blocks' ? [] : ['--address-book', join(folder, 'addressbook.bin')];
  const done = runMirror(['import', '--once', ...source, ...book, ...dataFolder], { env });
  if ((await done.ended) !== 0) throw new Error(done.output());
  const server = runMirror(['serve', '--port', '0', ...source, ...dataFolder], { env });
  const [, address] = await server.says(/Answering on (http:\S+)/);
  const url = address!.replace(/[/]$/, '');
  const trust =
    format === 'blocks'
      ? { ledgerId: findLedgerId(readBlocks(join(folder, 'blocks'))[0]!) }
      : { addressBookHash: createHash('sha384').update(addressBook).digest('hex') };
  const ledger: Ledger = { format, url, trust, items: await listItems(url) };
  return {
    ledger,
    async close() {
      server.child.kill('SIGTERM');
      await server.ended;
      await scratch.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Rows = Record<string, string | number | boolean | null>[];

async function listItems(url: string): Promise<Item[]> {
  const transactions = await readAll(url, '/spec/api/v1/transactions?limit=100&order=asc', 'transactions');
  // Of several of one id, the first is proved.
  const first = new Map(transactions.toReversed().map((row) => [row.transaction_id, row]));
  const calls = new Set(
    transactions
      .filter(({ name }) => /^CONTRACT|^ETHEREUM/.test(`${name}`))
      .map(({ consensus_timestamp: time }) => time),
  );
  // Results of other transactions have no page of their own.
  const listed = await readAll(url, '/spec/api/v1/contracts/results?limit=100&order=asc', 'results');
  const results = listed.filter(({ timestamp }) => calls.has(timestamp!));
  const topics = new Set(
    transactions.filter(({ name }) => name === 'CONSENSUSSUBMITMESSAGE').map(({ entity_id: topic }) => topic),
  );
  const messages: Rows = [];
  for (const topic of topics)
    messages.push(...(await readAll(url, `/spec/api/v1/topics/${topic}/messages?limit=100&order=asc`, 'messages')));
  const blocks = await readAll(url, '/spec/api/v1/blocks?limit=100&order=asc', 'blocks');
  return [
    ...[...first.values()].map((row) => ({
      kind: 'transaction',
      typed: `${row.transaction_id}`,
      path: `transactions/${row.transaction_id}`,
      time: `${row.consensus_timestamp}`,
      number: null,
    })),
    ...results.map(({ hash, timestamp }) => ({
      kind: 'contract result',
      typed: `${hash}`,
      path: `contracts/results/${hash}`,
      time: `${timestamp}`,
      number: null,
    })),
    ...messages.map(({ topic_id: topic, sequence_number: number, consensus_timestamp: time }) => ({
      kind: 'topic message',
      typed: `${topic}/${number}`,
      path: `topics/${topic}/messages/${number}`,
      time: `${time}`,
      number: null,
    })),
    ...blocks.map(({ number }) => ({
      kind: 'block',
      typed: `${number}`,
      path: `blocks/${number}`,
      time: null,
      number: `${number}`,
    })),
  ];
}

/** Every page of a list. */
async function readAll(url: string, path: string, member: string): Promise<Rows> {
  const rows: Rows = [];
  for (let next: string | null = path; next; ) {
    const answer = await fetch(url + next);
    if (answer.status !== 200) throw new Error(`${next}: status ${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as { links: { next: string | null } } & Record<string, Rows>;
    rows.push(...page[member]!);
    next = page.links.next;
  }
  return rows;
}

async function openPage(browser: Browser, { url, trust }: Ledger): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(240_000);
  await page.goto(`${url}/proof`);
  await page.locator('#form').waitFor();
  // Who compared it elsewhere has it as an own one.
  if (trust.addressBookHash) await page.fill('#book-hash', trust.addressBookHash);
  if (trust.ledgerId) {
    for (let at = 0; at < 200 && (await page.inputValue('#ledger-id')) !== trust.ledgerId; at++)
      await page.waitForTimeout(50);
    await page.check('#compared');
  }
  return page;
}

async function checkOnPage(page: Page, typed: string): Promise<string> {
  await page.fill('#what', typed);
  await page.getByRole('button', { name: 'Check' }).click();
  await page.locator('#result.proved, #result.unsure, #result.refused').waitFor();
  return (await page.textContent('#verdict'))!;
}
