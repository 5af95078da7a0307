// The document against the server: what is documented is accepted, what is not is refused, for every parameter of every
// endpoint in both dialects. The ledger has nothing but the account of the examples, so only what requests look like
// matters.

import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultHttpSettings } from '../../../packages/test-support/http/default-settings.ts';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { isLong } from '../../../packages/test-support/run/is-long.ts';
import { findDialect } from '../../api/dialect/find-dialect.ts';
import { dialectOf } from '../../api/endpoint/endpoint.ts';
import { endpoints } from '../../resources/endpoints.ts';
import { createApiDocument } from './api-document.ts';
import type { Parameter } from './endpoint-operation.ts';

let stored: StoredRows;
beforeAll(async () => {
  stored = await storeRows([{ table: 'entity', row: exampleAccount }]);
});
afterAll(() => stored?.close());

const exampleAccount = { id: 1001n, num: 1001n, realm: 0n, shard: 0n, type: 'ACCOUNT', timestamp_range: '[1,)' };

type Schema = { type: string; pattern?: string; enum?: string[]; items?: Schema; minimum?: number; maximum?: number };
type Question = { template: string; path: string; parameter: Parameter; schema: Schema };

const settings = defaultHttpSettings;
const runs = { numRuns: isLong ? 25 : 8 };

describe.each(['spec', 'hiero'] as const)('%s', (name) => {
  const dialect = findDialect(name);
  const document = createApiDocument({ dialect, settings });
  const operations = Object.entries(document.paths).flatMap(([path, { get }]) =>
    path.startsWith('/api/') && get ? [[path, { get }] as const] : [],
  );
  const questions = operations.flatMap(([template, { get }]) => {
    const path = withExamples(template, get.parameters ?? []);
    return (get.parameters ?? []).map((parameter): [string, Question] => {
      const schema = JSON.parse(JSON.stringify(parameter.schema)) as Schema;
      const others = (get.parameters ?? []).filter((other) => other !== parameter);
      const place = parameter.in === 'path' ? withExamples(template, others) : path;
      return [`${template} ${parameter.name}`, { template, path: place, parameter, schema: schema.items ?? schema }];
    });
  });
  const queryQuestions = questions.filter(([, { parameter }]) => parameter.in === 'query');
  let app: FastifyInstance;
  beforeAll(() => {
    app = openServer(stored.db, name, { settings: { prestate: 'on' } });
  });
  afterAll(() => app?.close());

  async function messages(url: string): Promise<string[]> {
    const { statusCode, body } = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
    if (statusCode !== 400) return [];
    const { _status } = JSON.parse(body) as { _status: { messages: { message: string; detail?: string }[] } };
    return _status.messages.map(({ message, detail }) => detail ?? message);
  }

  async function isAccepted({ path, parameter }: Question, value: string): Promise<boolean> {
    const found = await messages(`${path}?${parameter.name}=${encodeURIComponent(value)}`);
    return !found.some((text) => isRefusalOf(parameter.name, text));
  }

  const withPattern = queryQuestions.filter(([, { schema }]) => schema.pattern);
  it.each(withPattern)('%s: what matches is accepted', async (_, question) => {
    const values = fc
      .stringMatching(new RegExp(question.schema.pattern!))
      .filter(
        (value) => isWithinRange(question, value) && (!isJava(question.template) || isWithinClock(question, value)),
      );
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect([value, await isAccepted(question, value)]).toEqual([value, true]);
      }),
      runs,
    );
  });

  it.each(withPattern)('%s: what does not match is refused', async (_, question) => {
    const pattern = new RegExp(question.schema.pattern!);
    // What stands before a second colon is not looked at, which is not worth documenting.
    const asJava = ignoresNames(question.template);
    const values = almost(pattern).filter((value) => {
      if (asJava && (value.includes(',') || value.trim() === '' || pattern.test(value.toLowerCase().trim())))
        return false;
      return !pattern.test(value) && value.split(':').length < 3;
    });
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect([value, await isAccepted(question, value)]).toEqual([value, false]);
      }),
      runs,
    );
  });

  const isAnyText = (schema: Schema) => schema.type === 'string' && !schema.enum;
  it.skipIf(isLong).each(queryQuestions.filter(([, { schema }]) => !schema.pattern && !isAnyText(schema)))(
    '%s: its values and no others',
    async (_, question) => {
      const { good, bad } = valuesOf(question.schema);
      for (const value of good) expect([value, await isAccepted(question, value)]).toEqual([value, true]);
      // To Java an empty value is none, and true and false have several words.
      const isRefused = (value: string): boolean =>
        !isJava(question.template) ||
        (value.trim() !== '' && !(question.schema.type === 'boolean' && dialect.java!.arguments.flags.has(value)));
      for (const value of bad.filter(isRefused))
        expect([value, await isAccepted(question, value)]).toEqual([value, false]);
    },
  );

  it.each(questions.filter(([, { parameter }]) => parameter.in === 'path'))(
    '%s: no other form',
    async (_, question) => {
      const pattern = new RegExp(question.schema.pattern!);
      // Java leaves out spaces around what it converts; of numbers those within, and signs that change nothing. It
      // reads hexadecimal ones, too.
      const isNumber = question.path.includes('{hookId}');
      const toNumber = (value: string) =>
        value
          .replaceAll(/\s/g, '')
          .replace(/(?<=^[+-]?)(?:0x|#)([0-9a-f]{1,40})$/i, (_, digits: string) => String(BigInt(`0x${digits}`)))
          .replace(/^(?:\+|-(?=0+$))/, '');
      const read = (value: string) => (isJava(question.template) ? (isNumber ? toNumber(value) : value.trim()) : value);
      const values = almost(pattern).filter(
        (value) => !pattern.test(read(value)) && !/^\.{0,2}$|^results$|^logs$/.test(value),
      );
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          const found = await messages(question.path.replace(/\{\w+\}/, encodeURIComponent(value)));
          expect([value, ...found]).toEqual([
            value,
            expect.stringMatching(
              /^Invalid (?:parameter: |Transaction id)|^Failed to convert '|^Unsupported ID format: '|^Missing transaction ID or hash$| must be greater than or equal to 0$/,
            ),
          ]);
        }),
        runs,
      );
    },
  );

  /** Java reads what it knows. */
  function ignoresNames(template: string): boolean {
    const endpoint = endpoints.find(({ path }) => path === template)!;
    return dialectOf(endpoint, dialect).query.rule !== null;
  }

  function isJava(template: string): boolean {
    return name === 'hiero' && endpoints.some(({ path, peer }) => path === template && peer.java !== undefined);
  }

  it.skipIf(isLong)('names that an endpoint does not document are unknown to it', async () => {
    const every = new Set(queryQuestions.map(([, { parameter }]) => parameter.name));
    for (const [template, { get }] of operations) {
      const path = withExamples(template, get.parameters ?? []);
      const known = (get.parameters ?? []).map((parameter) => parameter.name);
      for (const other of [...every, 'foo'].filter((candidate) => !known.includes(candidate))) {
        const expected = ignoresNames(template) ? [] : [`Unknown query parameter: ${other}`];
        expect([path, ...(await messages(`${path}?${other}=1`))]).toEqual([path, ...expected]);
      }
    }
  });
});

/** The path with a right value for each of these parameters. */
function withExamples(template: string, parameters: readonly { name: string; in: string; schema: object }[]): string {
  return parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (path, { name, schema }) => path.replace(`{${name}}`, (schema as { examples: string[] }).examples[0]!),
      template,
    );
}

/** Texts of the form, some of them changed in one place, and any texts. */
function almost(pattern: RegExp): fc.Arbitrary<string> {
  const right = fc.stringMatching(pattern);
  const changed = fc
    .tuple(right, fc.nat(), fc.nat({ max: 2 }), fc.string({ maxLength: 2 }))
    .map(([text, at, length, inserted]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + inserted + text.slice(start + length);
    });
  return fc.oneof({ weight: 4, arbitrary: changed }, { weight: 1, arbitrary: fc.string() });
}

// Ranges are no part of a form: int64 for numbers, the ids' own for senders.
/** int64, as nanoseconds. */
function isWithinClock({ parameter }: Question, value: string): boolean {
  return parameter.name !== 'timestamp' || Number(value.slice(value.lastIndexOf(':') + 1)) < 9_223_372_036;
}

function isWithinRange({ parameter }: Question, value: string): boolean {
  const text = value.slice(value.lastIndexOf(':') + 1);
  if (parameter.name === 'name') return Buffer.byteLength(text) >= 3 && Buffer.byteLength(text) <= 100;
  if (parameter.name === 'account.balance') return BigInt(text) < 2n ** 63n;
  if (parameter.name === 'block.number') return BigInt(text) < 2n ** 63n;
  if (parameter.name === 'nonce') return BigInt(text) < 2n ** 31n;
  if (parameter.name === 'contract.id' && /^(?:\d+\.){0,2}[0-9a-f]{40}$/i.test(text))
    return /^(?:eq:)?[^:]*$/.test(value);
  if (['sequencenumber', 'serialnumber'].includes(parameter.name)) return BigInt(text) > 0n && BigInt(text) < 2n ** 63n;
  if (!/^from$|\.id$/.test(parameter.name) || /[a-z]/i.test(text)) return true;
  const [num = 0n, realm = 0n, shard = 0n] = text.split('.').map(BigInt).reverse();
  // A sign is one too many, that of `-0` included.
  return !text.includes('-') && num < 2n ** 38n && realm < 2n ** 16n && shard < 2n ** 10n;
}

function valuesOf(schema: Schema): { good: string[]; bad: string[] } {
  const never = ['', ' ', 'x', '1.5', 'null', '-1', '5x'];
  if (schema.enum) return { good: schema.enum, bad: [...never, `${schema.enum[0]}S`] };
  if (schema.type === 'boolean') return { good: ['true', 'false'], bad: [...never, '0', '1', 'yes'] };
  const { minimum = 0, maximum } = schema;
  const least = minimum > 0 ? [String(minimum - 1)] : [];
  if (maximum === undefined) return { good: [minimum, 7, 1_000_000].map(String), bad: [...never, ...least] };
  return { good: [minimum, 7, maximum].map(String), bad: [...never, ...least, String(maximum + 1)] };
}

/** As all endpoints say it, or as those of the mirror node's Java. */
function isRefusalOf(name: string, text: string): boolean {
  return (
    text === `Invalid parameter: ${name}` ||
    text === `Failed to convert '${name}'` ||
    text.startsWith(`Invalid ${name} parameter value: `) ||
    text.startsWith(`${name} must be`)
  );
}
