// ABIs, sources, file names and layouts are written by whoever verified the contract: pages show them as text, and stay
// small.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAbi } from '../../../packages/abi/read-abi.ts';
import {
  blockRow,
  blockTimes,
  entityRow,
  logRow,
  priceRows,
  resultRow,
  wordOf,
} from '../../../packages/test-support/rpc/chain-rows.ts';
import type { StoredMatch } from '../../../packages/test-support/verification/open-checked.ts';
import { type CheckedPages, openCheckedPages } from '../../../packages/test-support/verification/open-checked-pages.ts';

const markup = '</code></pre></ol></li><script>alert(1)</script><img src=x onerror=alert(1)>"\'\u202e';
const { start: at } = blockTimes(1n);
const maxPage = 80_000;

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const input = (place: number, type = 'uint256') => ({ name: place % 10 === 9 ? markup : `a${place}`, type });
const inputs = (count: number, type?: string) => Array.from({ length: count }, (_, place) => input(place, type));
const members = (depth: number): object[] =>
  depth === 0 ? inputs(3) : [{ name: 'inner', type: 'tuple', components: members(depth - 1) }, input(1)];

/** Names are identifiers, or they are no part of an interface; what is long, deep and many is. */
const abi = [
  { type: 'function', name: markup, inputs: [], outputs: [], stateMutability: 'view' },
  { type: 'function', name: 'n'.repeat(10_000), inputs: [], outputs: [], stateMutability: 'view' },
  {
    type: 'function',
    name: 'deep',
    inputs: [{ name: markup, type: 'tuple[]', components: members(6) }],
    outputs: [],
    stateMutability: 'view',
  },
  { type: 'event', name: 'Said', inputs: [{ name: 'what', type: 'string' }, ...inputs(10, 'bytes')] },
  {
    type: 'function',
    name: 'say',
    inputs: [{ name: 'what', type: 'string' }],
    outputs: [{ name: 'what', type: 'string' }],
    stateMutability: 'view',
  },
  ...Array.from({ length: 300 }, (_, place) => ({ type: 'event', name: `E${place}`, inputs: inputs(20) })),
  ...Array.from({ length: 300 }, (_, place) => ({ type: 'error', name: `R${place}`, inputs: inputs(20) })),
  ...Array.from({ length: 1000 }, (_, place) => ({
    type: 'function',
    name: `f${'x'.repeat(120)}${place}`,
    stateMutability: place % 2 === 0 ? 'view' : 'payable',
    inputs: inputs(place % 100 < 30 ? place % 30 : 2),
    outputs: inputs(2, 'string'),
  })),
];

const longNames = Object.fromEntries(
  Array.from({ length: 60 }, (_, place) => [`../../${'d'.repeat(3000)}/${place}${markup}.sol`, markup]),
);
const line = `contract X { string s = "${markup}"; /* ${markup} */ }\n`;
const sources: Record<string, Record<string, string>> = {
  'long text': { 'a.sol': line.repeat(Math.ceil(5_000_000 / line.length)) },
  'one line': { 'a.sol': `${markup}${'y'.repeat(5_000_000)}` },
  'open comment': { 'a.sol': `/*${'*'.repeat(390_000)}` },
  'open text': { 'a.sol': `"${'\\"'.repeat(190_000)}` },
  'empty lines': { 'a.sol': '\n'.repeat(300_000) },
  'hidden characters': { 'a.sol': '\u202e'.repeat(100_000) },
  'many tokens': { 'a.sol': 'if '.repeat(100_000) },
  'an empty file': { 'a.sol': '' },
  'names that lead elsewhere': { 'a.sol': 'contract X {}', ...longNames, constructor: 'x', '': 'nameless' },
};
const cases = Object.entries(sources).map(([what, files], place) => ({ what, files, num: 3000n + BigInt(place) }));

const say = readAbi(abi).functions.find(({ name }) => name === 'say')!;
const said = readAbi(abi).events.find(({ name }) => name === 'Said')!;
const spoken = Buffer.from(markup);
const encoded = Buffer.concat([
  wordOf(32n),
  wordOf(BigInt(spoken.length)),
  spoken,
  Buffer.alloc((32 - (spoken.length % 32)) % 32),
]);
const layout = {
  storage: [
    ...Array.from({ length: 3000 }, (_, place) => ({
      label: `${markup}${place}`,
      slot: '0',
      offset: 0,
      type: 't_uint8',
    })),
    { label: 'loop', slot: '1', offset: 0, type: 't_loop' },
    { label: 'huge', slot: '9'.repeat(78), offset: 0, type: 't_uint8' },
    { label: 'bad', slot: '2', offset: 31, type: 't_wide' },
    null,
  ],
  types: {
    t_uint8: { encoding: 'inplace', label: markup.repeat(100), numberOfBytes: '1' },
    t_wide: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' },
    t_loop: {
      encoding: 'inplace',
      label: 'L',
      numberOfBytes: '32',
      members: [
        { label: 'l', slot: '0', offset: 0, type: 't_loop' },
        { label: 'm', slot: '0', offset: 0, type: 't_loop' },
      ],
    },
  },
};

/** Returns its call data without the selector. */
const code = Buffer.from('600436036004600037600436036000f3', 'hex');

let pages: CheckedPages;
let app: CheckedPages['app'];
beforeAll(async () => {
  const ids = [2001n, ...cases.map(({ num }) => num)];
  const rows = [
    blockRow(0n),
    blockRow(1n),
    ...priceRows(5n, 50),
    ...ids.map((id) => entityRow(id, { type: 'CONTRACT', memo: markup, key: Buffer.from('beef', 'hex') })),
    ...ids.map((id) => ({
      table: 'contract',
      row: { id, runtime_bytecode: Buffer.concat([code, Buffer.from(`fe${id}`)]) },
    })),
    ...Array.from({ length: 30 }, (_, place) =>
      resultRow(at + BigInt(place), {
        contract_id: 2001n,
        function_parameters: Buffer.concat([Buffer.from(say.selector, 'hex'), encoded]),
        error_message: markup,
      }),
    ),
    ...Array.from({ length: 30 }, (_, place) =>
      logRow(at + BigInt(place), place, { topic0: Buffer.from(said.topic, 'hex'), data: Buffer.alloc(100_000, 7) }),
    ),
    ...Array.from({ length: 3 }, (_, slot) => ({
      table: 'contract_state',
      row: {
        contract_id: 2001n,
        slot: wordOf(BigInt(slot)),
        value: Buffer.alloc(32, 255),
        created_timestamp: 1n,
        modified_timestamp: at,
      },
    })),
  ];
  const settings = { optimizer: markup, evmVersion: markup, libraries: { [markup]: { [markup]: markup }, x: markup } };
  const whole: StoredMatch = {
    ...{ num: 2001n, name: markup.repeat(50), abi, storageLayout: layout, settings, version: markup, match: 'partial' },
    sources: { 'a.sol': line },
    constructorArguments: `0x${'ab'.repeat(50_000)}`,
  };
  pages = await openCheckedPages(rows, [
    whole,
    ...cases.map(({ num, files }) => ({ num, name: 'X', abi: [], sources: files })),
  ]);
  app = pages.app;
}, 120_000);
afterAll(() => pages?.close());

async function assertHarmless(path: string, status = 200): Promise<string> {
  const { body, statusCode } = await app.inject({ url: `/demo/contract/${path}` });
  expect([path, statusCode]).toEqual([path, status]);
  expect(body.length).toBeLessThan(maxPage);
  expect(body.match(/<script/g)).toEqual(['<script']);
  // What somebody typed stays in its field as it was typed.
  const shown = body.replaceAll(/ value="[^"]*"/g, '');
  expect(/<img src=x|\u202e/.test(shown)).toBe(false);
  expect(/<[^>]+\son\w+=/.test(shown)).toBe(false);
  const links = [...body.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, target]) => target!);
  expect(links.filter((target) => !/^[/#]/.test(target) || target.startsWith('//'))).toEqual([]);
  return body;
}

it.each(['', '/calls', '/events', '/source', '/abi', '/bytecode', '/state'])('the page%s', async (end) => {
  await assertHarmless(`0.0.2001${end}`);
});

it.each(['reads', 'writes', 'events', 'errors'])('every part of the list of %s', async (list) => {
  for (const start of [15, 250, 490, 100_000]) await assertHarmless(`0.0.2001/abi?${list}=${start}`);
});

it('a form of many and deep arguments, and an answer of markup', async () => {
  const { functions } = readAbi(abi);
  for (const { selector, mutability } of [functions[28]!, functions.find(({ name }) => name === 'deep')!]) {
    expect(mutability).toBe('view');
    await assertHarmless(`0.0.2001/abi?function=0x${selector}`);
  }
  const body = await assertHarmless(`0.0.2001/abi?function=0x${say.selector}&argument=${encodeURIComponent(markup)}`);
  expect(body).toContain('&#60;script&#62;alert(1)&#60;/script&#62;');
  expect(body).toContain('U+202E');
});

it('an argument of a megabyte is refused or shown in part', async () => {
  await assertHarmless(`0.0.2001/abi?function=0x${say.selector}&argument=${'x'.repeat(9_000)}`);
});

describe.each(cases)('$what', ({ num, files }) => {
  it('is shown in parts', async () => {
    const body = await assertHarmless(`0.0.${num}/source`);
    const next = /href="([^"]*&#38;line=(\d+))#file" rel="next"/.exec(body);
    if (next) await assertHarmless(next[1]!.replaceAll('&#38;', '&').replace('/demo/contract/', ''));
    await assertHarmless(`0.0.${num}/source?line=99999999`);
  });

  it('every file is read as text', async () => {
    for (const [path, text] of Object.entries(files).slice(0, 4)) {
      const file = encodeURIComponent(path);
      const { body, headers } = await app.inject({ url: `/demo/contract/0.0.${num}/source/text?file=${file}` });
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(body === text).toBe(true);
    }
  });
});

it('a list of files goes on', async () => {
  const { num } = cases.at(-1)!;
  const seen = new Set<string>();
  let path = `0.0.${num}/source`;
  for (let part = 0; part < 5; part++) {
    const body = await assertHarmless(path);
    for (const [, file] of body.matchAll(/<a href="[^"]*source\?file=([^"]*)#file"/g))
      seen.add(decodeURIComponent(file!));
    const next = /href="\/demo\/contract\/([^"]*\?files=[^"]*)#files" rel="next"/.exec(body);
    if (!next) break;
    path = next[1]!;
  }
  const names = Object.keys(cases.at(-1)!.files).map((path) => (path.length > 200 ? `md5:${md5(path)}` : path));
  expect([...seen].sort()).toEqual(names.sort());
  for (const name of names) {
    const { statusCode } = await app.inject({
      url: `/demo/contract/0.0.${num}/source/text?file=${encodeURIComponent(name)}`,
    });
    expect(statusCode).toBe(200);
  }
});
