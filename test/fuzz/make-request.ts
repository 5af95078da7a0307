// Requests by a grammar of the API: mostly nearly valid, so that they get far, with one or another fault. The same
// randomness makes the same request.
import type { SeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import type { LedgerWords } from './ledger-words.ts';
import { makeBody } from './make-body.ts';
import { makeGoodRequest } from './make-good-request.ts';
import { makePathText, makeValue } from './make-value.ts';

export function makeRequest(random: SeededRandom, words: LedgerWords): FuzzRequest {
  if (random.chance(0.35)) return makeGoodRequest(random, words);
  const endpoint = random.pick(endpoints);
  const request: FuzzRequest = {
    method: random.chance(0.93) ? endpoint.method : random.pick(otherMethods),
    path: random.chance(0.97) ? makePath(endpoint, random, words) : random.pick(otherPaths),
    query: makeQuery(endpoint, random, words),
    headers: random.chance(0.4) ? makeHeaders(random) : [],
    body: random.chance(0.03) ? random.pick(bodies) : '',
  };
  if (endpoint.body && random.chance(0.9)) {
    request.headers.push(['Content-Type', random.pick(endpoint.body.mediaTypes)]);
    request.body = makeBody(endpoint.body.kind, random);
  }
  if (random.chance(0.04)) request.path = `/${breakText(request.path.slice(1), random)}`;
  if (request.query.length > 0 && random.chance(0.08)) {
    const at = random.below(request.query.length);
    request.query[at] = breakText(request.query[at]!, random);
  }
  return request;
}

function makePath({ path, in: kinds }: Endpoint, random: SeededRandom, words: LedgerWords): string {
  const upperCase = () => path.replaceAll(/[a-z]+(?![a-zA-Z]*\})/g, (word) => word.toUpperCase());
  const base = random.chance(0.04)
    ? random.pick([upperCase(), path.replace('/v1', '/V1'), `/${path}`, `/.${path}`])
    : path;
  const full = base.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeText(makePathText(kinds[name]!, random, words), random),
  );
  return random.chance(0.04) ? full + random.pick(['/', '//', '/x', '%2f', '.', ';v=1', '#top']) : full;
}

function makeQuery({ parameters }: Endpoint, random: SeededRandom, words: LedgerWords): string[] {
  const names = Object.keys(parameters);
  const query: string[] = [];
  const count = random.chance(0.25) ? 0 : random.integer(1, 4);
  for (let i = 0; i < count; i++) {
    if (names.length === 0 || random.chance(0.05)) {
      query.push(`${random.pick(strangeNames)}=${encodeText(makeValue('limit', random, words), random)}`);
      continue;
    }
    const name = random.pick(names);
    const value = () => encodeText(makeValue(parameters[name]!.kind, random, words), random);
    const repeats = random.chance(0.02)
      ? random.pick([99, 100, 101, 130, 1001])
      : random.chance(0.1)
        ? random.integer(2, 5)
        : 1;
    for (let n = 0; n < repeats; n++) query.push(`${spellName(name, random)}=${value()}`);
  }
  return query;
}

function spellName(name: string, random: SeededRandom): string {
  if (random.chance(0.9)) return name;
  return random.pick([
    name.toUpperCase(),
    `${name}[]`,
    `${name}[0]`,
    `${name}[99]`,
    `${name}[100]`,
    `${name}[-1]`,
    `${name}[gte]`,
    `${name}[a][b]`,
    `${name}[`,
    `${name}]`,
    `[${name}]`,
    `${name}%5B%5D`,
    name.replace('.', '%2e'),
    name.replace('.', '['),
    ` ${name}`,
    `${name}%00`,
  ]);
}

const strangeNames = [
  '',
  'foo',
  '__proto__',
  'constructor',
  'toString',
  '__proto__[x]',
  'limit.',
  'a.b',
  '[]',
  '%',
  '😀',
  'sql',
  'Link',
];

/** Encoded, raw, encoded twice, or with the escapes of some clients. */
function encodeText(text: string, random: SeededRandom): string {
  if (random.chance(0.9)) return encodeURIComponent(text.toWellFormed());
  return random.pick([
    text.replace(/[^\x21-\x7e]/g, ''),
    encodeURIComponent(encodeURIComponent(text.toWellFormed())),
    text.replace(/./gsu, (character) => percent(Buffer.from(character))),
    `${encodeURIComponent(text.toWellFormed())}${random.pick(['%', '%0', '%zz', '%ff', '%c0%af', '%ed%a0%80', '+', '%00', '%0d%0a', '&', '=', '?', '#', ','])}`,
  ]);
}

function percent(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

const breakers = [
  '%',
  '%00',
  '&',
  '=',
  '?',
  '/',
  '..',
  '[',
  ']',
  ':',
  ';',
  ',',
  '0',
  '9',
  'x',
  '-',
  '+',
  '%20',
  '.',
  '{',
  '|',
  '~',
  '%E2%80%8D',
];

function breakText(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  const length = random.integer(0, 3);
  const inserted = random.chance(0.2) ? text.slice(at).slice(0, 40) : random.pick(breakers);
  return text.slice(0, at) + inserted + text.slice(at + length);
}

const otherMethods = [
  'HEAD',
  'HEAD',
  'OPTIONS',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'QUERY',
];

const otherPaths = [
  '/',
  '//',
  '/api',
  '/api/v1',
  '/api/v1/',
  '/api/v2/summary.json',
  '/api/v1/accounts',
  '/api/v1/tokens',
  '/api/v1/contracts',
  '/api/v1/contracts/results/',
  '/api/v1/contracts/RESULTS',
  '/api/v1/contracts/%72esults',
  '/api/v1/contracts/results/0.0.1',
  '/api/v1/accounts//',
  '/api/v1//schedules',
  '/api/v1/../v1/schedules',
  '/api/v1/%2e%2e/schedules',
  '/api/v1/accounts/%',
  '/health/liveness',
  '/health/readiness',
  '/health/nothing',
  '/metrics',
  '/docs',
  '/docs/',
  '/docs/swagger-ui.css',
  '/docs/../package.json',
  '/docs/%2e%2e%2fpackage.json',
  '/api/v1/docs/openapi.json',
  '/api/v1/docs/openapi.yml',
  '/favicon.ico',
  '/favicon.svg',
  '/.env',
  '/api/v1/accounts/0.0.2/tokens',
];

const headerMakers: Record<string, (random: SeededRandom) => string> = {
  'Accept-Encoding': (random) =>
    random.pick([
      'gzip',
      'br',
      'deflate',
      'gzip, br',
      'identity',
      '*',
      'br;q=0',
      'gzip;q=x',
      'zstd',
      '*;q=0',
      ',,,',
      'br;q=1;q=0',
      'GZIP',
    ]),
  Accept: (random) => random.pick(['*/*', 'application/json', 'text/html', 'image/png', '', 'x']),
  'If-None-Match': (random) => random.pick(['*', '"x"', 'W/"1-abc"', 'W/"', '"a", W/"b"', ',', ' * ', '"'.repeat(500)]),
  'If-Modified-Since': () => 'Thu, 01 Jan 1970 00:00:00 GMT',
  'Cache-Control': (random) => random.pick(['no-cache', 'max-age=0', 'no-store', '=']),
  Range: (random) => random.pick(['bytes=0-10', 'bytes=-1', 'x']),
  Authorization: (random) =>
    random.pick([
      'Basic YW5uOnNlY3JldA==',
      'basic YW5uOnNlY3JldA==',
      'Basic',
      'Basic !',
      'Basic eDp5',
      'Bearer x',
      'Digest',
      '',
      'Basic  YW5uOnNlY3JldA==  ',
    ]),
  Origin: (random) => random.pick(['https://example.com', 'null', 'x']),
  'Access-Control-Request-Headers': (random) => random.pick(['x-a', 'a, b', '']),
  'Access-Control-Request-Method': () => 'GET',
  Host: (random) => random.pick(['localhost', 'evil.example:99999', '[::1]', 'a b']),
  'Content-Type': (random) =>
    random.pick(['application/json', 'text/plain', 'multipart/form-data', 'x/y; charset=\u00ff', '']),
  'X-Forwarded-For': () => '10.0.0.1, 10.0.0.2',
  'X-HTTP-Method-Override': () => 'DELETE',
  Cookie: () => `a=${'b'.repeat(500)}`,
  'User-Agent': (random) => random.pick(['', 'x'.repeat(3000)]),
};

function makeHeaders(random: SeededRandom): FuzzRequest['headers'] {
  const names = Object.keys(headerMakers);
  return Array.from({ length: random.integer(1, 4) }, () => {
    const name = random.pick(names);
    return [name, headerMakers[name]!(random)];
  });
}

const bodies = ['{}', '{', '[]', 'x=1', '\u0000\u0001', 'null', `{"a":${'['.repeat(2000)}`, 'a'.repeat(20_000)];
