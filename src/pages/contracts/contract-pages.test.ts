// The pages of a contract over a small ledger, with a checked contract: every fact is the API's, answers are those of
// its code.

import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAbi } from '../../../packages/abi/read-abi.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { shownText } from '../../../packages/test-support/http/read-page.ts';
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

const at = (block: bigint, position = 0n): bigint => blockTimes(block).start + position;
/** Answers every call with its first argument. */
const echo = Buffer.from('6004355f5260205ff3', 'hex');
const fails = Buffer.from('5f5ffd', 'hex');
/** EIP-1167, to 0.0.2001. */
const clone = Buffer.from(
  `363d3d373d3d3d363d73${(2001).toString(16).padStart(40, '0')}5af43d82803e903d91602b57fd5bf3`,
  'hex',
);

const uint = (name: string) => ({ name, type: 'uint256' });
const json = [
  { type: 'constructor', inputs: [uint('start')] },
  { type: 'function', name: 'twice', stateMutability: 'view', inputs: [uint('value')], outputs: [uint('result')] },
  { type: 'function', name: 'set', stateMutability: 'nonpayable', inputs: [uint('value')], outputs: [] },
  { type: 'event', name: 'Set', inputs: [{ ...uint('value'), indexed: true }, { ...uint('before') }] },
  { type: 'error', name: 'TooMuch', inputs: [uint('value')] },
];
const abi = readAbi(json);
const selector = (name: string): string => abi.functions.find((one) => one.name === name)!.selector;
const call = (name: string, value: bigint): Buffer =>
  Buffer.concat([Buffer.from(selector(name), 'hex'), wordOf(value)]);

const text = `// SPDX-License-Identifier: MIT
contract Echo { /* says
what it hears */ uint256 public kept; string constant s = "// no comment"; }
`;
const layout = {
  storage: [
    { label: 'kept', slot: '0', offset: 0, type: 't_uint128' },
    { label: 'owner', slot: '1', offset: 0, type: 't_address' },
    { label: 'on', slot: '1', offset: 20, type: 't_bool' },
    { label: 'title', slot: '2', offset: 0, type: 't_string_storage' },
    { label: 'seen', slot: '3', offset: 0, type: 't_mapping(t_uint256,t_uint128)' },
  ],
  types: {
    t_uint128: { encoding: 'inplace', label: 'uint128', numberOfBytes: '16' },
    t_address: { encoding: 'inplace', label: 'address', numberOfBytes: '20' },
    t_bool: { encoding: 'inplace', label: 'bool', numberOfBytes: '1' },
    't_mapping(t_uint256,t_uint128)': {
      ...{ encoding: 'mapping', label: 'mapping(uint256 => uint128)', numberOfBytes: '32' },
      ...{ key: 't_uint256', value: 't_uint128' },
    },
    t_uint256: { encoding: 'inplace', label: 'uint256', numberOfBytes: '32' },
    t_string_storage: { encoding: 'bytes', label: 'string', numberOfBytes: '32' },
  },
};
const slotRow = (slot: bigint, value: string) => ({
  table: 'contract_state',
  row: {
    contract_id: 2001n,
    slot: wordOf(slot),
    value: Buffer.from(value, 'hex'),
    created_timestamp: 1n,
    modified_timestamp: at(3n),
  },
});

const rows = [
  ...Array.from({ length: 6 }, (_, n) => blockRow(BigInt(n))),
  ...priceRows(5n, 50),
  entityRow(1001n, { balance: 100_000_000n }),
  ...[2001n, 2002n, 2003n, 2004n].map((id) =>
    entityRow(id, {
      type: 'CONTRACT',
      created_timestamp: at(1n),
      timestamp_range: `[${at(id === 2001n ? 4n : 1n)},)`,
      memo: id === 2001n ? 'newer' : '',
      balance: id,
      auto_renew_period: 7_776_000n,
    }),
  ),
  entityRow(2001n, {
    type: 'CONTRACT',
    created_timestamp: at(1n),
    timestamp_range: `[${at(2n)},${at(4n)})`,
    memo: 'new',
  }),
  entityRow(2001n, {
    type: 'CONTRACT',
    created_timestamp: at(1n),
    timestamp_range: `[${at(1n)},${at(2n)})`,
    memo: 'old',
  }),
  { table: 'contract', row: { id: 2001n, runtime_bytecode: echo, initcode: Buffer.from('6001', 'hex') } },
  { table: 'contract', row: { id: 2002n, runtime_bytecode: fails } },
  { table: 'contract', row: { id: 2003n, runtime_bytecode: clone } },
  { table: 'contract', row: { id: 2004n, runtime_bytecode: echo } },
  resultRow(at(2n, 1n), { contract_id: 2001n, function_parameters: call('set', 7000n), gas_used: 31_000n }),
  resultRow(at(2n, 2n), {
    contract_id: 2001n,
    function_parameters: Buffer.from('deadbeef', 'hex'),
    transaction_result: 33,
  }),
  resultRow(at(1n), { contract_id: 2001n, function_parameters: wordOf(5n), created_contract_ids: [2001n] }),
  logRow(at(2n, 1n), 0, {
    topic0: Buffer.from(abi.events[0]!.topic, 'hex'),
    topic1: wordOf(7n),
    data: wordOf(5n),
    root_contract_id: 2001n,
  }),
  logRow(at(2n, 1n), 1, { topic0: Buffer.of(9), data: Buffer.from('cafe', 'hex'), root_contract_id: 2004n }),
  slotRow(0n, '2a'),
  slotRow(1n, `01${(1001).toString(16).padStart(40, '0')}`),
  slotRow(2n, `${Buffer.from('Hi').toString('hex').padEnd(62, '0')}04`),
  slotRow(9n, '05'),
  // Of the mapping, by the argument of a call, and by that of the constructor.
  slotRow(BigInt(`0x${keccak256(Buffer.concat([wordOf(7000n), wordOf(3n)])).toString('hex')}`), '2b'),
  slotRow(BigInt(`0x${keccak256(Buffer.concat([wordOf(5005n), wordOf(3n)])).toString('hex')}`), '2c'),
];

let pages: CheckedPages;
let app: CheckedPages['app'];
beforeAll(async () => {
  const constructorArguments = `0x${wordOf(5005n).toString('hex')}`;
  const settings = {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'cancun',
    libraries: { 'L.sol': { L: '0xab' } },
  };
  const matches: StoredMatch[] = [
    {
      ...{ num: 2001n, name: 'Echo', abi: json, storageLayout: layout, settings, constructorArguments },
      sources: { 'src/Echo.sol': text, 'src/../other.sol': 'contract Other {}' },
    },
    { num: 2002n, name: 'Fails', abi: json, sources: { 'Fails.sol': 'contract Fails {}' }, match: 'partial' },
  ];
  pages = await openCheckedPages(rows, matches);
  app = pages.app;
});
afterAll(() => pages?.close());

async function page(path: string) {
  const { body, statusCode, headers } = await app.inject({ url: `/demo/contract/${path}` });
  return { body, statusCode, headers, text: shownText(body) };
}

const answers = async (url: string) => JSON.parse((await app.inject({ url })).body);

describe('the summary', () => {
  it('has the facts of the API', async () => {
    const { text, statusCode } = await page('0.0.2001');
    const { evm_address, memo } = await answers('/api/v1/contracts/0.0.2001');
    expect(statusCode).toBe(200);
    expect(text).toContain(evm_address);
    expect(text).toContain(memo);
    expect(text).toContain('Verified: exact match');
    expect(text).toContain('Echo has 2 functions, of which 1 can be asked, and one event.');
    expect(text).toContain('0.00002001');
  });

  it('says what changed and when, and leads to earlier versions', async () => {
    const { text } = await page('0.0.2001');
    expect(text).toMatch(/Memo newer.*Memo new .*created, or the first that is known/);
    const earlier = await page(`0.0.2001?versions=${at(4n)}`);
    expect(earlier.text).not.toMatch(/What changed.*Memo newer/);
    expect(earlier.text).toContain('Memo new');
    expect(earlier.body).toContain('#versions">Newest versions</a>');
  });

  it.each(['x', '-1', '9'.repeat(19)])('versions=%s is refused by name', async (value) => {
    const { statusCode, text } = await page(`0.0.2001?versions=${value}`);
    expect([statusCode, text]).toEqual([400, expect.stringContaining('Invalid parameter: versions')]);
  });

  it.each([
    ['2001', 200],
    ['0x00000000000000000000000000000000000007d1', 200],
    ['0.0.1001', 302],
    ['0.0.999999', 404],
    ['0xffffffffffffffffffffffffffffffffffffffff', 404],
    ['nonsense', 400],
  ])('%s: %d', async (id, status) => {
    expect((await page(id)).statusCode).toBe(status);
  });

  it('tells whose sources the same code has, and where a clone sends its calls', async () => {
    expect((await page('0.0.2004')).text).toMatch(/Its code is that of 0x0{37}7D1 , whose sources were checked/);
    const { text } = await page('0.0.2003');
    expect(text).toContain('Minimal proxy');
    expect(text).toMatch(/Calls go on to 0x0{37}7D1 , Echo/);
  });

  it('works where nothing is checked', async () => {
    const bare = openServer(pages.stored.db, 'spec');
    for (const end of ['', '/calls', '/events', '/source', '/abi', '/bytecode', '/state']) {
      const { statusCode, body } = await bare.inject({ url: `/demo/contract/0.0.2001${end}` });
      expect([end, statusCode]).toEqual([end, 200]);
      expect(body).toContain('Not verified');
      expect(body).not.toContain('enctype');
    }
    await bare.close();
  });
});

describe('lists', () => {
  it('calls have names and values', async () => {
    const { text } = await page('0.0.2001/calls');
    expect(text).toContain('set value 7,000');
    expect(text).toContain('0xdeadbeef');
    expect(text).toContain('created constructor start 5');
    expect(text).toContain('31,000');
  });

  it('and are a file', async () => {
    const { body } = await page('0.0.2001/calls.csv');
    const lines = parse(body, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
    expect(lines.map((line) => [line.function, line.arguments, line.result])).toEqual([
      ['', '', 'CONTRACT_REVERT_EXECUTED'],
      ['set(uint256)', '{"value":"7000"}', 'SUCCESS'],
      ['constructor(uint256)', '{"start":"5"}', 'SUCCESS'],
    ]);
  });

  it('events have names and values, and what is unknown its topic', async () => {
    const { text } = await page('0.0.2001/events');
    expect(text).toContain('Set value 7 , before 5');
    expect(text).toContain(`0x${'9'.padStart(64, '0')}`);
    const { body } = await page('0.0.2001/events.csv');
    const lines = parse(body, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[];
    expect(lines.map(({ event, arguments: values, data }) => [event, values, data])).toEqual([
      ['', '', '0xcafe'],
      ['Set(uint256,uint256)', '{"value":"7","before":"5"}', `0x${wordOf(5n).toString('hex')}`],
    ]);
  });

  it.each([
    ['assets', '/demo/account/0.0.2001/assets'],
    ['results', '/demo/contract/0.0.2001/calls'],
    ['logs', '/demo/contract/0.0.2001/events'],
  ])('%s leads on', async (end, target) => {
    const { statusCode, headers } = await page(`0.0.2001/${end}`);
    expect([statusCode, headers.location]).toEqual([302, target]);
  });
});

it('a text is found in the lines of a source, as it is, in any case of letters', async () => {
  const found = await page('0.0.2001/source?find=CONTRACT%20echo');
  expect(found.text).toContain('Line 2 contract Echo { /* says');
  expect(found.body).toMatch(/href="[^"]*line=1#L2">Line 2</);
  expect((await page('0.0.2001/source?find=%3Cb%3E')).text).toContain('No line of this file has it.');
  expect((await page(`0.0.2001/source?find=${'x'.repeat(101)}`)).statusCode).toBe(400);
});

describe('functions', () => {
  const twice = `function=0x${selector('twice')}`;

  it('are listed: to ask, to change, events, errors', async () => {
    const { body, text } = await page('0.0.2001/abi');
    expect(body).toContain(`name="function" value="0x${selector('twice')}"`);
    expect(body).not.toContain(`value="0x${selector('set')}"`);
    expect(text).toContain('Functions that change something 1');
    expect(text).toContain(`0x${abi.events[0]!.topic}`);
    expect(text).toContain('TooMuch');
  });

  it('are answered by the code, also after a block', async () => {
    expect((await page(`0.0.2001/abi?${twice}&argument=12345678`)).text).toContain('result uint256 12,345,678');
    expect((await page(`0.0.2001/abi?${twice}&argument=3&block=2`)).text).toContain('After block 2');
    expect((await page(`0.0.2003/abi?${twice}&argument=44`)).text).toContain('result uint256 44');
  });

  it('without arguments a form is shown', async () => {
    const { text, statusCode } = await page(`0.0.2001/abi?${twice}`);
    expect(statusCode).toBe(200);
    expect(text).not.toContain('Answer');
  });

  it('a failure is one', async () => {
    const { text, statusCode } = await page(`0.0.2002/abi?${twice}&argument=1`);
    expect(statusCode).toBe(200);
    expect(text).toContain('contract revert executed');
  });

  it.each([
    [`${twice}&argument=x`, 'argument: value (uint256): "x" is no integer'],
    [`${twice}&argument=1&argument=2`, 'twice(uint256) takes 1 argument, not 2'],
    [`${twice}&argument=1&block=nine`, 'block: Invalid block value: nine'],
    [`${twice}&argument=1&block=99`, 'block: this mirror has no such block'],
    ['function=0x00000000', 'Invalid parameter: function'],
    [`function=0x${selector('set')}&argument=1`, 'Invalid parameter: function'],
    ['reads=x', 'Invalid parameter: reads'],
  ])('%s is refused', async (query, sentence) => {
    const { text, statusCode } = await page(`0.0.2001/abi?${query}`);
    expect([statusCode, text]).toEqual([400, expect.stringContaining(sentence)]);
  });
});

describe('code and storage', () => {
  it('storage has the values of variables', async () => {
    const { text } = await page('0.0.2001/state');
    expect(text).toContain('kept uint128 42');
    expect(text).toMatch(/owner address 0x0{37}3E9 number 1001/i);
    expect(text).toContain('on bool true');
    expect(text).toContain('title string Hi');
    expect(text).toContain('seen[7000] uint128 43');
    expect(text).toContain('seen[5005] uint128 44');
    const { body } = await page('0.0.2001/state.csv');
    expect(body).toContain(`0x${wordOf(9n).toString('hex')},,`);
  });

  it('code has its size, hash and opcodes', async () => {
    const { text } = await page('0.0.2001/bytecode');
    expect(text).toContain('9 bytes');
    expect(text).toContain(`0x${echo.toString('hex')}`);
    expect(text).toMatch(/0000 PUSH1 0x04 0002 CALLDATALOAD/);
    expect((await page('0.0.2001/bytecode?opcode=2')).text).toMatch(/Pushes 0002 CALLDATALOAD/);
    expect((await page('0.0.2001/bytecode?opcode=x')).statusCode).toBe(400);
  });
});

describe('sources', () => {
  it('tell how they were checked', async () => {
    const { text, body } = await page('0.0.2001/source');
    expect(text).toContain('src/Echo.sol:Echo');
    expect(text).toContain('on, for 200 runs');
    expect(text).toContain('cancun');
    expect(text).toContain('L.sol:L 0xab');
    expect(text).toContain('start uint256 5,005');
    expect(body).toContain('href="/v2/contract/298/0x00000000000000000000000000000000000007d1?fields=stdJsonInput"');
  });

  it('have numbered lines with comments, texts and keywords apart', async () => {
    const { body } = await page('0.0.2001/source');
    expect(body).toContain('<li id="L1"><i>// SPDX-License-Identifier: MIT</i></li>');
    expect(body).toContain('<li id="L2"><b>contract</b> Echo { <i>/* says</i></li>');
    expect(body).toContain('<li id="L3"><i>what it hears */</i>');
    expect(body).toContain('<u>&#34;// no comment&#34;</u>');
    expect(body).not.toContain('id="L4"');
  });

  it('of a minimal proxy are those of what it forwards to', async () => {
    expect((await page('0.0.2003/source')).body).toContain('<b>contract</b> Echo');
    expect((await page('0.0.2003/source/text?file=src/Echo.sol')).body).toBe(text);
  });

  it('are shown one by one, and as text', async () => {
    const file = encodeURIComponent('src/../other.sol');
    expect((await page(`0.0.2001/source?file=${file}`)).body).toContain('<b>contract</b> Other {}');
    const plain = await page('0.0.2001/source/text?file=src/Echo.sol');
    expect(plain.body).toBe(text);
    expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['source?file=/etc/passwd', 404],
    ['source/text?file=../../../../etc/passwd', 404],
    ['source/text', 400],
    ['source?file=%00', 400],
    ['source?line=0', 400],
    ['source?job=x', 400],
    ['source?job=00000000-0000-0000-0000-000000000000', 404],
  ])('%s: %d', async (path, status) => {
    expect((await page(`0.0.2001/${path}`)).statusCode).toBe(status);
  });
});

describe('the search field', () => {
  const suggest = async (text: string, from = '192.0.2.1') => {
    const url = `/search/suggest?q=${encodeURIComponent(text)}`;
    const { statusCode, body } = await app.inject({ url, remoteAddress: from });
    const lines = [...body.matchAll(/<li data-page="([^"]+)">(.*?)<\/li>/gs)].map(([, path, line]) => [
      path,
      shownText(line!),
    ]);
    return { statusCode, lines };
  };
  const echoAddress = '0x00000000000000000000000000000000000007D1';
  const ofEcho = `/demo/contract/${echoAddress}/source`;

  it.each<[string, string[]]>([
    ['ec', [`Contract Echo ${echoAddress}, sources checked`]],
    ['ECHO', [`Contract Echo ${echoAddress}, sources checked`]],
    ['cho', []],
    ['e%', []],
    ['_cho', []],
    ['3', []],
    ['x', []],
    ['x'.repeat(101), []],
    ['0.0.2001', ['Contract 0.0.2001 0.00002001 ℏ newer']],
  ])('suggests what %s may mean', async (text, lines) => {
    const found = await suggest(text);
    expect([found.statusCode, found.lines.map(([, line]) => line!.replace(/\s+/g, ' ').trim())]).toEqual([200, lines]);
    if (lines[0]?.includes('Echo')) expect(found.lines[0]![0]).toBe(ofEcho);
  });

  it('looks a contract up by its name', async () => {
    const { statusCode, headers } = await app.inject('/search?q=echo');
    expect([statusCode, headers.location]).toEqual([302, ofEcho]);
    const asProgram = await app.inject({ url: '/search?q=echo', headers: { accept: 'application/json' } });
    expect((await app.inject(asProgram.headers.location as string)).json()).toMatchObject({ contract_id: '0.0.2001' });
  });

  it('answers a client so often in a second, and others still', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => suggest('echo', '192.0.2.7')));
    const refused = answers.filter(({ statusCode }) => statusCode === 429).length;
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(40);
    expect((await suggest('echo', '192.0.2.8')).statusCode).toBe(200);
  });
});
