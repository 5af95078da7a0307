// The price of gas: from the simple fees alone once a network has them, from the fee schedule of before only for the
// time before, and by which exchange rate. In both dialects.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openServer } from '../../../packages/test-support/http/open-server.ts';
import {
  encodeClassicGas,
  encodeRates,
  encodeSimpleGas,
  fileRows,
} from '../../../packages/test-support/rows/encode-prices.ts';
import { storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { findRealData } from '../../../packages/test-support/streams/real-data.ts';

type File = [file: bigint, second: bigint, type: number, content: Buffer];
type Asked = { status: number; body: { fees: { gas: number; transaction_type: string }[]; timestamp: string } };

const dialects = ['spec', 'hiero'] as const;
const types = ['ContractCall', 'ContractCreate', 'EthereumTransaction'];
const never = 9_000_000_000n;
const threeOf = (gas: number) => types.map((transaction_type) => ({ gas, transaction_type }));
const refusal = (dialect: string, file: string) =>
  dialect === 'spec'
    ? { _status: { messages: [{ message: 'Not found' }] } }
    : { _status: { messages: [{ detail: `File ${file} not found`, message: 'Not Found' }] } };

/** Answers of both dialects to each of the queries. */
async function ask(files: File[], queries: readonly string[]): Promise<Record<(typeof dialects)[number], Asked[]>> {
  const stored = await storeRows(fileRows(files));
  const answers = { spec: [] as Asked[], hiero: [] as Asked[] };
  for (const dialect of dialects) {
    const app = openServer(stored.db, dialect);
    for (const query of queries) {
      const { statusCode, payload } = await app.inject(`/api/v1/network/fees${query}`);
      answers[dialect].push({ status: statusCode, body: JSON.parse(payload) });
    }
    await app.close();
  }
  await stored.close();
  return answers;
}

const rateOf = (hbarEquiv: number, centEquiv: number): File => [
  112n,
  90n,
  17,
  encodeRates({ hbarEquiv, centEquiv }, never),
];
const simple = (gas: bigint | null, second = 100n): File => [113n, second, 19, encodeSimpleGas(gas)];

describe('simple fees', () => {
  it.each<[what: string, gas: bigint | null, hbars: number, cents: number, price: number | null]>([
    ['852 tinycents, 12 cents an hbar', 852n, 30_000, 360_000, 71],
    ['852 tinycents, 15 cents an hbar, rounded down', 852n, 1, 15, 56],
    ['twice the price', 1704n, 30_000, 360_000, 142],
    ['less than a tinybar', 852n, 1, 1000, 1],
    ['nothing, which is a tinybar', 0n, 1, 15, 1],
    ['a schedule without gas', null, 30_000, 360_000, null],
    ['no value of an hbar', 852n, 1, 0, null],
    ['more than 2^53 tinybar', 9_007_199_254_740_993n * 15n, 1, 15, Number.NaN],
  ])('%s', async (_what, gas, hbars, cents, price) => {
    const answers = await ask([simple(gas), rateOf(hbars, cents)], ['', '?order=desc']);
    for (const dialect of dialects) {
      const [{ status, body }, reversed] = answers[dialect] as [Asked, Asked];
      expect([status, body.timestamp]).toEqual([200, '100.000000000']);
      if (Number.isNaN(price)) expect(body.fees.map((fee) => fee.gas)).toEqual([2 ** 53, 2 ** 53, 2 ** 53]);
      else expect(body.fees).toEqual(price === null ? [] : threeOf(price));
      expect(reversed.body.fees).toEqual(body.fees.toReversed());
    }
  });

  const data = findRealData('look4/fees.json');
  const cases = data.isAbsent ? [] : (JSON.parse(readFileSync(data.path, 'utf8')) as Case[]);
  type Case = {
    gasTinycents?: number | null;
    hbarEquiv?: number;
    centEquiv?: number;
    gas?: number;
    fees?: [string, number][];
    file113?: null;
    message?: string;
  };
  it.skipIf(data.isAbsent)(`of the worked examples${data.hint}`, async () => {
    for (const { gasTinycents = null, hbarEquiv = 30_000, centEquiv = 360_000, gas, fees, file113, message } of cases) {
      const file = file113 === null ? [] : [simple(gasTinycents === null ? null : BigInt(gasTinycents))];
      const answers = await ask([...file, rateOf(hbarEquiv, centEquiv)], ['']);
      expect(answers.hiero[0]).toMatchObject(
        message
          ? { status: 404, body: { _status: { messages: [{ detail: message }] } } }
          : {
              status: 200,
              body: {
                fees: (fees ?? types.map((type) => [type, gas])).map(([transaction_type, price]) => ({
                  gas: price,
                  transaction_type,
                })),
              },
            },
      );
      expect(answers.spec[0]!.status).toBe(answers.hiero[0]!.status);
      if (!message) expect(answers.spec).toEqual(answers.hiero);
    }
    expect(cases.length).toBeGreaterThan(6);
  });

  const next = encodeRates({ hbarEquiv: 1, centEquiv: 2 }, 150n, { hbarEquiv: 1, centEquiv: 4 });
  it.each<[what: string, query: string, price: number | null]>([
    ['without a bound by the rate of the time of the fees', '', 426],
    ['at a time by the rate of that time', '?timestamp=150', 426],
    ['at a later time by the next rate', '?timestamp=151', 213],
    ['up to a later time by the next rate', '?timestamp=lt:200', 213],
    ['from a time on by the rate of the time of the fees', '?timestamp=gte:50', 426],
    ['from after the newest fees on not at all', '?timestamp=gte:101', null],
    ['before there were any not at all', '?timestamp=lt:100', null],
  ])('%s', async (_what, query, price) => {
    const answers = await ask([simple(852n), [112n, 90n, 17, next]], [query]);
    for (const dialect of dialects) {
      const { status, body } = answers[dialect][0]!;
      if (price === null) expect([status, body]).toEqual([404, refusal(dialect, '0.0.113')]);
      else expect([status, body]).toEqual([200, { fees: threeOf(price), timestamp: '100.000000000' }]);
    }
  });

  it('that cannot be read give way to those before', async () => {
    const changed = encodeSimpleGas(1704n);
    const files: File[] = [
      rateOf(1, 1),
      simple(852n),
      [113n, 200n, 19, changed.subarray(0, 7)],
      [113n, 201n, 16, changed.subarray(7)],
      [113n, 300n, 19, Buffer.from('ffff', 'hex')],
    ];
    const { hiero } = await ask(files, ['?timestamp=200', '?timestamp=201', '']);
    expect(hiero.map(({ body }) => [body.fees[0]!.gas, body.timestamp])).toEqual([
      [852, '100.000000000'],
      [1704, '201.000000000'],
      [1704, '201.000000000'],
    ]);
  });
});

describe('the fee schedule of before', () => {
  const frozen: File = [111n, 10n, 17, encodeClassicGas(852_000, never)];
  const files: File[] = [rateOf(1, 1).with(1, 5n) as File, frozen, simple(900n), simple(1800n, 200n)];
  const queries = ['?timestamp=99', '?timestamp=100', '?timestamp=200', '', '?timestamp=gte:6&timestamp=lte:99'];

  it('has the prices of its time, and none of later times', async () => {
    const answers = await ask(files, queries);
    for (const dialect of dialects) {
      expect(answers[dialect].map(({ body }) => [body.fees?.map(({ gas }) => gas), body.timestamp])).toEqual([
        [[852, 852, 852], '10.000000000'],
        [[900, 900, 900], '100.000000000'],
        [[1800, 1800, 1800], '200.000000000'],
        [[1800, 1800, 1800], '200.000000000'],
        [undefined, undefined],
      ]);
    }
  });

  it('says nothing after simple fees, even where only it was written in the time that is asked for', async () => {
    const late: File = [111n, 500n, 19, encodeClassicGas(1_000_000, never)];
    const rates: File = [112n, 450n, 19, encodeRates({ hbarEquiv: 1, centEquiv: 1 }, never)];
    const answers = await ask([...files, late, rates], ['?timestamp=gte:400', '?timestamp=600']);
    expect(answers.hiero.map(({ status }) => status)).toEqual([404, 200]);
    expect(answers.hiero[0]!.body).toEqual(refusal('hiero', '0.0.113'));
    expect(answers.hiero[1]!.body.fees).toEqual(threeOf(1800));
  });

  it('is what a network without simple fees has', async () => {
    const answers = await ask(files.slice(0, 2), ['']);
    for (const dialect of dialects) expect(answers[dialect][0]!.body.fees).toEqual(threeOf(852));
  });

  it('is not what is missing where both are', async () => {
    const answers = await ask([rateOf(1, 1)], ['']);
    for (const dialect of dialects) {
      expect(answers[dialect][0]).toEqual({ status: 404, body: refusal(dialect, '0.0.113') });
    }
  });
});
