// Small checkouts that were made up, against this program: each difference is found, on its side, and nothing else.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { findDialect } from '../../src/api/dialect/find-dialect.ts';
import { createApiDocument } from '../../src/server/document/api-document.ts';
import { compareClone } from './upstream/compare-clone.ts';
import { describeComparison } from './upstream/describe-comparison.ts';
import type { Finding } from './upstream/finding.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeClone(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const short = ({ section, subject, side, text }: Finding) => `${section} | ${side} | ${subject} | ${text}`;

const root = join(import.meta.dirname, '../..');
const packageFile = (name: string) =>
  readFileSync(join(root, `node_modules/@hashgraph/proto/src/proto/services_${name}.proto`), 'utf8');
const ownFile = (path: string) => readFileSync(join(root, 'packages', path), 'utf8');
const inHapi = (text: string) => `syntax = "proto3";\npackage proto;\n${text}`;

describe('protos', () => {
  const body = (fields: string, beside = '') =>
    inHapi(`message TransactionBody { oneof data { ${fields} } ${beside} }`);

  it('transaction types', () => {
    const clone = makeClone({
      'hapi/transaction.proto': body(
        'bytes contractCall = 7; bytes crypto_transfer = 14; bytes cryptoMove = 15; bytes clpr_new_thing = 4999;',
      ),
    });
    const found = compareClone(clone)
      .findings.filter(({ section }) => section === 'Transaction types')
      .map(short);
    expect(found).toContain('Transaction types | only there | TransactionBody 4999 | clpr_new_thing');
    expect(found).toContain(
      'Transaction types | otherwise | TransactionBody 15 | cryptoMove there, cryptoUpdateAccount here',
    );
    expect(found).toContain('Transaction types | only here | TransactionBody 8 | contractCreateInstance');
    // The same by number and by name, however it is written.
    expect(found.filter((line) => / (7|14) \|/.test(line))).toEqual([]);
  });

  it('functionalities and response codes', () => {
    const clone = makeClone({
      'a.proto': body('bytes contractCall = 7;'),
      'b.proto': inHapi('enum HederaFunctionality { NONE = 0; CryptoTransfer = 1; ClprSendBundle = 4998; }'),
      'c.proto': inHapi('enum ResponseCodeEnum { OK = 0; INVALID_TRANSACTION = 1; CLPR_NOT_THERE = 4997; }'),
    });
    const { findings } = compareClone(clone);
    const sides = (name: string, side: string) =>
      findings
        .filter((one) => one.section === name && one.side === side)
        .map(({ subject, text }) => `${subject} ${text}`);
    expect(sides('Functionalities', 'only there')).toEqual(['HederaFunctionality 4998 ClprSendBundle']);
    expect(sides('Functionalities', 'only here')).toContain('HederaFunctionality 2 CryptoUpdate');
    expect(sides('Response codes', 'only there')).toEqual(['ResponseCodeEnum 4997 CLPR_NOT_THERE']);
    expect(sides('Response codes', 'only here')).toContain('ResponseCodeEnum 22 SUCCESS');
    expect(sides('Response codes', 'otherwise')).toEqual([]);
  });

  it('items of blocks, changes of state, and messages inside of them', () => {
    const own = ownFile('streams/block-stream/block-messages.proto');
    const clone = makeClone({
      'block/item.proto': inHapi(`
        message BlockItem { oneof item { BlockHeader block_header = 1; Future future_item = 4996; StateChanges state_changes = 7; } }
        message Future { Inner inner = 1; repeated Kind kinds = 2; message Inner { string text = 1; } }
        enum Kind { SMALL = 0; }`),
      'block/messages.proto': own
        .replace('uint64 number = 3;', 'string number = 3; uint64 more = 4995;')
        .replace('bool identical = 3;', ''),
    });
    const found = compareClone(clone).findings.map(short);
    for (const line of [
      'Items of blocks | only there | BlockItem 4996 | future_item',
      'Items of blocks | only here | BlockItem 2 | eventHeader',
      'Messages | only there | Future | the message, of 2 fields',
      'Messages | only there | Future.Inner | the message, of 1 fields',
      'Messages | only there | BlockHeader 4995 | more',
      'Messages | otherwise | BlockHeader 3 | number is string there, uint64 here',
      'State changes | only here | MapUpdateChange 3 | identical',
    ]) {
      expect(found).toContain(line);
    }
    expect(found.filter((line) => line.includes('MapChangeValue') || line.includes('EvmTransactionResult'))).toEqual(
      [],
    );
  });

  it('of this program itself have no differences but in what is left out', () => {
    const files = ['transaction', 'basic_types', 'response_code', 'transaction_record'];
    const clone = makeClone({
      ...Object.fromEntries(files.map((name) => [`services/${name}.proto`, packageFile(name)])),
      'newer.proto': ownFile('protocol/hapi/newer-fields.proto'),
    });
    const { findings } = compareClone(clone);
    expect(findings.filter(({ section, side }) => section === 'Messages' && side === 'otherwise').map(short)).toEqual(
      [],
    );
    expect(findings.filter(({ section }) => section === 'Transaction types').map(short)).toEqual([]);
    expect(findings.filter(({ section, side }) => section === 'Functionalities' && side !== 'only here')).toEqual([]);
  });

  it('simple fees are not the fee schedule of the same name', () => {
    const simple = `syntax = "proto3"; package org.hiero.hapi.support.fees; message FeeSchedule { NodeFee node = 1; bytes rates = 4994; } message NodeFee { uint64 base_fee = 1; }`;
    const classic = inHapi(
      'message CurrentAndNextFeeSchedule { FeeSchedule currentFeeSchedule = 1; } message FeeSchedule { bytes transactionFeeSchedule = 1; }',
    );
    const clone = makeClone({
      'a.proto': body('bytes contractCall = 7;'),
      'fees/f.proto': simple,
      'services/basic.proto': classic,
    });
    const found = compareClone(clone).findings.map(short);
    expect(found).toContain('Messages | only there | fees.FeeSchedule 4994 | rates');
    expect(found).toContain('Messages | only here | FeeSchedule 2 | expiryTime');
    expect(found.filter((line) => line.includes('otherwise') && line.includes('FeeSchedule'))).toEqual([]);
  });

  it('tests, builds and dependencies of a checkout are not read, and a broken file is named', () => {
    const clone = makeClone({
      'src/main/proto/transaction.proto': body('bytes contractCall = 7;'),
      'src/main/proto/broken.proto': 'message {',
      'src/test/proto/t.proto': body('bytes onlyInTests = 4993;'),
      'src/testFixtures/proto/t.proto': body('bytes onlyInTests = 4993;'),
      'build/t.proto': body('bytes onlyInTests = 4993;'),
      'node_modules/x/t.proto': body('bytes onlyInTests = 4993;'),
    });
    const { compared, unread, findings } = compareClone(clone);
    expect(compared).toEqual(['2 proto files']);
    expect(unread).toEqual([expect.stringContaining('src/main/proto/broken.proto: ')]);
    expect(findings.map(short).join()).not.toContain('onlyInTests');
  });
});

describe('API document', () => {
  const document = createApiDocument({ dialect: findDialect('hiero'), settings: defaultHttpSettings });
  const plain = JSON.parse(JSON.stringify(document));

  it('of this program itself has no differences', () => {
    const clone = makeClone({ 'rest/api/v1/openapi.json': JSON.stringify(plain) });
    expect(compareClone(clone)).toEqual({ compared: ['rest/api/v1/openapi.json'], unread: [], findings: [] });
  });

  it('operations, parameters, words and members', () => {
    const clone = makeClone({
      'rest/api/v1/openapi.yml': `
openapi: 3.1.0
paths:
  /api/v1/network/fees:
    get:
      parameters:
        - $ref: "#/components/parameters/order"
        - { name: mood, in: query, schema: { type: string, enum: [GOOD] } }
      responses:
        200: { $ref: "#/components/responses/Fees" }
    post:
      parameters:
        - { name: mode, in: query, schema: { type: string, enum: [INTRINSIC, STATE, FUTURE] } }
  /api/v1/accounts/{anyName}/moods:
    get: { responses: { 200: { description: OK } } }
components:
  parameters:
    order: { name: order, in: query, schema: { type: string, enum: [asc, desc] } }
  responses:
    Fees:
      content:
        application/json:
          schema:
            allOf:
              - { $ref: "#/components/schemas/Fees" }
              - { type: object, properties: { mood: { type: string } } }
  schemas:
    Fees:
      type: object
      properties:
        fees: { type: array, items: { type: object, properties: { gas: { type: string }, transaction_type: { type: string } } } }
        more: { $ref: "#/components/schemas/Fees" }
`,
    });
    const { findings } = compareClone(clone);
    const found = findings.filter(({ text }) => text !== 'the operation').map(short);
    const of = 'API document | ';
    for (const line of [
      `${of}only there | get /api/v1/network/fees query mood | GOOD`,
      `${of}only here | get /api/v1/network/fees query timestamp | string`,
      `${of}only there | get /api/v1/network/fees mood | string`,
      `${of}only here | get /api/v1/network/fees timestamp | string`,
      `${of}otherwise | get /api/v1/network/fees fees[].gas | string there, integer here`,
      `${of}only there | post /api/v1/network/fees query mode FUTURE | the word`,
    ]) {
      expect(found).toContain(line);
    }
    expect(found.filter((line) => line.includes('order'))).toEqual([]);
    const operations = findings.filter(({ text }) => text === 'the operation').map(short);
    expect(operations).toContain(`${of}only there | get /api/v1/accounts/{}/moods | the operation`);
    expect(operations).toContain(`${of}only here | get /api/v1/transactions | the operation`);
  });

  it('another one is no document of ours, nor is a file that is none', () => {
    const clone = makeClone({ 'openapi.yml': 'paths: { /v2/verify: { get: {} } }', 'docs/openapi.yaml': 'a: [' });
    expect(() => compareClone(clone)).toThrow(/no API document/);
  });
});

describe('the text of a comparison', () => {
  const finding = (subject: string): Finding => ({ section: 'Messages', subject, side: 'only there', text: 'x' });
  const comparison = {
    compared: ['3 proto files'],
    unread: ['a.proto: why'],
    findings: [finding('A 1'), finding('B 2')],
  };
  const leftOut = [{ subject: /^B/, reason: 'no need' }];

  it('leaves out what is left out on purpose, and counts it', () => {
    const { text, open } = describeComparison(comparison, leftOut);
    expect(open).toBe(1);
    expect(text.split('\n')).toEqual([
      ...['Compared: 3 proto files', 'Not read: a.proto: why', '', 'Messages', '  only there  A 1  x', ''],
      '1 differences, and 1 on purpose (--all shows them)',
    ]);
  });

  it('shows it when asked, with the reason', () => {
    const { text, open } = describeComparison(comparison, leftOut, true);
    expect(open).toBe(1);
    expect(text).toContain('  only there  B 2  x  (no need)');
  });
});
