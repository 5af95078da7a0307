// Every way in which no check can be made: status, code and sentence, in one body that clients of Sourcify's v1 and v2
// both understand. The explorers answer as real ones do at their worst.
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeExplorer } from '../../packages/verification/registry/describe-explorer.ts';
import {
  flatRecord,
  initcodeOf,
  runtimeCodeOf,
  sourceOf,
  standardInput,
} from '../support/contracts/sample-contracts.ts';
import { json, notOk, notVerified, record, type StubExplorer, startStubExplorer, text } from './stub-explorer.ts';
import { startVerificationStack, type VerificationStack } from './verification-stack.ts';

const hastyChainId = '31338';
let explorer: StubExplorer;
let stack: VerificationStack;
let address: string;

beforeAll(async () => {
  explorer = await startStubExplorer();
  const gone = await startStubExplorer();
  await gone.close();
  const said = { name: 'Etherscan', timeoutMs: 60_000, recordBytes: 1_000_000, ratePerSecond: 1000 };
  const hasty = { ...said, timeoutMs: 1500 };
  stack = await startVerificationStack({
    explorers: [describeExplorer({ kind: 'etherscan', location: explorer.url, ...said })],
    chains: [
      {
        chainId: '31337',
        name: 'Nobody at home',
        bytecode: { kind: 'ledger' },
        explorers: [describeExplorer({ kind: 'blockscout', location: gone.url, ...said, name: 'Blockscout' })],
      },
      // Only for explorers that never answer: one that does may take longer on a busy machine.
      {
        chainId: hastyChainId,
        name: 'Soon tired',
        bytecode: { kind: 'ledger' },
        explorers: [describeExplorer({ kind: 'etherscan', location: explorer.url, ...hasty })],
      },
    ],
    notVerifiedMs: 0,
  });
  address = await stack.addContract(5000, { runtime: runtimeCodeOf('Coin'), initcode: initcodeOf('Coin') });
});
afterAll(async () => {
  await stack?.close();
  await explorer?.close();
});

const required = 'required.openapi.validation';
const wrongType = 'type.openapi.validation';

describe('requests that cannot be understood', () => {
  const good = '0x7BA33456EC00812C6B6BB6C1C3dfF579c34CC2cc';
  it.each<[string, unknown, number, string, string, object?]>([
    [
      'no address',
      { chainId: '298' },
      400,
      'invalid_parameter',
      "request/body must have required property 'address'",
      { path: '/body/address', errorCode: required },
    ],
    [
      'nothing at all',
      {},
      400,
      'invalid_parameter',
      "request/body must have required property 'address'",
      { path: '/body/address', errorCode: required },
    ],
    [
      'no chainId',
      { address: good },
      400,
      'invalid_parameter',
      "request/body must have required property 'chainId'",
      { path: '/body/chainId', errorCode: required },
    ],
    [
      'address is a number',
      { address: 5, chainId: '298' },
      400,
      'invalid_parameter',
      'request/body/address must be string',
      { path: '/body/address', errorCode: wrongType },
    ],
    [
      'chainId is an object',
      { address: good, chainId: {} },
      400,
      'invalid_parameter',
      'request/body/chainId must be string',
      { path: '/body/chainId', errorCode: wrongType },
    ],
    [
      'apiKey is a number',
      { address: good, chainId: '298', apiKey: 5 },
      400,
      'invalid_parameter',
      'request/body/apiKey must be string',
      { path: '/body/apiKey', errorCode: wrongType },
    ],
    [
      'the body is a list',
      [],
      400,
      'invalid_parameter',
      'request/body must be object',
      { path: '/body', errorCode: wrongType },
    ],
    [
      'the body is null',
      'null',
      400,
      'invalid_parameter',
      'request/body must be object',
      { path: '/body', errorCode: wrongType },
    ],
    ['a short address', { address: '0x12', chainId: '298' }, 400, 'invalid_parameter', 'Invalid address: 0x12'],
    [
      'an id of another shard',
      { address: '5.0.1011', chainId: '298' },
      400,
      'invalid_parameter',
      'Invalid address: 5.0.1011',
    ],
    [
      'a wrong checksum',
      { address: '0x7BA33456EC00812C6B6BB6C1C3dfF579c34CC2cC', chainId: '298' },
      400,
      'invalid_parameter',
      'Invalid address: 0x7BA33456EC00812C6B6BB6C1C3dfF579c34CC2cC',
    ],
    [
      'a bad address on an unknown chain',
      { address: 'x', chainId: '5' },
      400,
      'invalid_parameter',
      'Invalid address: x',
    ],
    [
      'an unknown chain',
      { address: good, chainId: '999999' },
      400,
      'unsupported_chain',
      'Chain 999999 not supported for verification!',
    ],
    [
      'a chain by name',
      { address: good, chainId: 'mainnet' },
      400,
      'unsupported_chain',
      'Chain mainnet not supported for verification!',
    ],
    [
      'a chain without explorer',
      { address: good, chainId: '296' },
      400,
      'unsupported_chain',
      'Requested chain 296 is not supported for importing from an explorer: none is configured for it.',
    ],
    [
      'a name of every object as chain',
      { address: good, chainId: '__proto__' },
      400,
      'unsupported_chain',
      'Chain __proto__ not supported for verification!',
    ],
  ])('%s', async (_case, body, status, customCode, message, mistake) => {
    const answer = await stack.check(body);
    expect(answer).toMatchObject({
      status,
      body: { customCode, message, error: message, errorId: expect.any(String) },
    });
    expect(answer.body.errors?.[0]).toEqual(mistake && { ...mistake, message: expect.any(String) });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it.each<[string, string | undefined, string | undefined, number, string]>([
    ['malformed JSON', 'application/json', '{"address"', 400, 'invalid_json'],
    ['empty JSON, which is no body', 'application/json', '', 400, 'invalid_parameter'],
    ['plain text', 'text/plain', 'hello', 415, 'unsupported_media_type'],
    ['a web form', 'application/x-www-form-urlencoded', 'address=0x12', 415, 'unsupported_media_type'],
    ['no body', undefined, undefined, 400, 'invalid_parameter'],
    ['a form without boundary', 'multipart/form-data', 'x', 400, 'invalid_parameter'],
    [
      'a form cut short',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
      400,
      'invalid_parameter',
    ],
  ])('%s', async (_case, type, body, status, customCode) => {
    const response = await fetch(`${stack.url}/verify/explorer`, {
      method: 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      ...(body === undefined ? {} : { body }),
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status, body: { customCode } });
  });

  it('a form without chain', async () => {
    const form = new FormData();
    form.set('address', address);
    expect(await stack.check(form)).toMatchObject({
      status: 400,
      body: { message: "request/body must have required property 'chain'", errors: [{ path: '/body/chain' }] },
    });
  });
});

describe('explorers that give no record', () => {
  const html = '<html><body>502 Bad Gateway</body></html>';
  const rateLimit = 'Max calls per sec rate limit reached (3/sec)';
  const standard = (input: object) => `{${JSON.stringify(input)}}`;
  type Answer = Parameters<StubExplorer['answer']>[1];
  it.each<[string, Answer, number, string, string | RegExp]>([
    ['not verified', json(notVerified), 404, 'not_etherscan_verified', 'This contract is not verified on Etherscan.'],
    [
      'not verified, Blockscout without SourceCode',
      json(record({ Address: '0x' })),
      404,
      'not_etherscan_verified',
      /not verified/,
    ],
    [
      'not verified, as a refusal',
      json(notOk('Contract source code not verified')),
      404,
      'not_etherscan_verified',
      /not verified/,
    ],
    ['rate limit', json(notOk(rateLimit)), 429, 'etherscan_limit', 'Etherscan API rate limit reached, try later.'],
    ['daily limit', json(notOk('Max daily rate limit reached')), 429, 'etherscan_limit', /rate limit/],
    ['HTTP 429', text('slow down', 429, { 'retry-after': '7' }), 429, 'etherscan_limit', /rate limit/],
    [
      'invalid key',
      json(notOk('Invalid API Key')),
      502,
      'etherscan_request_failed',
      'Error in Etherscan API response. Result message: Invalid API Key',
    ],
    [
      'another refusal',
      json(notOk('Missing or unsupported chainid')),
      502,
      'etherscan_request_failed',
      /Result message: Missing or unsupported chainid$/,
    ],
    ['HTTP 500', text('oops', 500), 502, 'etherscan_request_failed', 'Etherscan API returned HTTP 500 error.'],
    ['HTTP 404', text(html, 404), 502, 'etherscan_request_failed', 'Etherscan API returned HTTP 404 error.'],
    ['not JSON', text(html), 502, 'etherscan_request_failed', 'The answer of Etherscan is not JSON that can be read.'],
    ['empty body', text(''), 502, 'etherscan_request_failed', /not JSON/],
    ['empty result', json({ status: '1', message: 'OK', result: [] }), 502, 'etherscan_request_failed', /no result/],
    ['null', json(null), 502, 'etherscan_request_failed', /no result/],
    [
      'SourceCode is no text',
      json(record({ ...flatRecord('Coin'), SourceCode: { a: 1 } })),
      502,
      'etherscan_request_failed',
      /SourceCode .* is not a text/,
    ],
    [
      'redirect',
      text('', 302, { location: 'http://127.0.0.1:1/' }),
      502,
      'etherscan_request_failed',
      /redirects elsewhere/,
    ],
    [
      'connection cut',
      (response) => void response.destroy(),
      502,
      'etherscan_request_failed',
      /^Network error while connecting to Etherscan/,
    ],
    ['never answers', () => {}, 504, 'etherscan_timeout', 'Etherscan did not answer within 1500 ms. Try again later.'],
    [
      'answers a byte at a time',
      (response) => void response.writeHead(200).write('{'),
      504,
      'etherscan_timeout',
      /did not answer/,
    ],
    ['too large', text('x'.repeat(1_000_001)), 502, 'etherscan_request_failed', /larger than 1000000 bytes/],
    [
      'small, and 64 MB when unpacked',
      text(gzipSync(Buffer.alloc(64_000_000)), 200, { 'content-encoding': 'gzip' }),
      502,
      'etherscan_request_failed',
      /larger than 1000000 bytes/,
    ],
    ['a hundred thousand levels deep', text('['.repeat(100_000)), 502, 'etherscan_request_failed', /not JSON/],
    [
      'no compiler named',
      json(record({ ...flatRecord('Coin'), CompilerVersion: '' })),
      400,
      'malformed_etherscan_response',
      /names no compiler/,
    ],
    [
      'no contract named',
      json(record({ ...flatRecord('Coin'), ContractName: '' })),
      400,
      'malformed_etherscan_response',
      /names no contract/,
    ],
    [
      'broken standard JSON',
      json(record({ ...flatRecord('Coin'), SourceCode: '{{"language":}}' })),
      400,
      'malformed_etherscan_response',
      /cannot be read/,
    ],
    [
      'standard JSON without sources',
      json(record({ ...flatRecord('Coin'), SourceCode: '{{"language":"Solidity"}}' })),
      400,
      'malformed_etherscan_response',
      /without sources/,
    ],
    [
      'sources by address only',
      json(
        record({
          ...flatRecord('Coin'),
          SourceCode: standard({ ...standardInput('Coin'), sources: { 'a.sol': { urls: ['file:///etc/passwd'] } } }),
        }),
      ),
      400,
      'malformed_etherscan_response',
      /no content for the source a\.sol/,
    ],
    [
      'a contract that is named in a comment only',
      json(record({ ...flatRecord('Coin'), ContractName: 'Moon', SourceCode: '// Moon\ncontract Coin {}' })),
      400,
      'malformed_etherscan_response',
      /names the contract Moon, which none of its sources has/,
    ],
    [
      'a compiler without commit',
      json(record({ ...flatRecord('Coin'), CompilerVersion: 'latest' })),
      400,
      'invalid_compiler_version',
      /latest/,
    ],
    [
      'Vyper',
      json(record({ ...flatRecord('Coin'), CompilerVersion: 'vyper:0.3.10', SourceCode: 'x: uint256' })),
      503,
      'compiler_not_available',
      /Vyper/,
    ],
    [
      'sources that do not compile',
      json(record({ ...flatRecord('Coin'), SourceCode: 'contract Coin {' })),
      400,
      'compiler_error',
      /^Compiler error/,
    ],
    [
      'a contract that no source has',
      json(record({ ...flatRecord('Coin'), ContractName: 'Moon' })),
      400,
      'malformed_etherscan_response',
      /names the contract Moon, which none of its sources has/,
    ],
    [
      'a contract that is used and not defined',
      json(
        record({
          ...flatRecord('Coin', (source) => `${source}\ncontract Other { function f() external { Moon; } }`),
          ContractName: 'Moon',
        }),
      ),
      400,
      'compiler_error',
      /Undeclared identifier/,
    ],
    [
      'several files, none with the contract',
      json(
        record({
          ...flatRecord('Coin'),
          ContractName: 'Moon',
          SourceCode: JSON.stringify({
            'a.sol': { content: sourceOf('Coin') },
            'b.sol': { content: sourceOf('Vault') },
          }),
        }),
      ),
      400,
      'malformed_etherscan_response',
      /names the contract Moon, which none of its sources has/,
    ],
  ])('%s', async (name, answer, status, customCode, message) => {
    explorer.answer(address, answer);
    // A different key for each, so that no pause after a rate limit reaches the next.
    const chainId = customCode === 'etherscan_timeout' ? hastyChainId : '298';
    const got = await stack.check({ address, chainId, apiKey: `key of ${name}` });
    expect(got).toMatchObject({ status, body: { customCode, error: got.body.message, errorId: expect.any(String) } });
    expect(got.body.message).toMatch(message);
    expect(Number(got.headers.get('retry-after'))).toBe(
      name === 'HTTP 429' ? 7 : status !== 429 ? 0 : name === 'daily limit' ? 3600 : 1,
    );
  });

  it('an explorer that cannot be reached', async () => {
    expect(await stack.check({ address, chainId: '31337' })).toMatchObject({
      status: 502,
      body: {
        message: 'Network error while connecting to Blockscout (ECONNREFUSED).',
        customCode: 'etherscan_request_failed',
      },
    });
  });

  it('the key of a request is nowhere but in the question to the explorer', async () => {
    const apiKey = 'SECRETKEY0123456789';
    explorer.answer(address, json(notOk(`Invalid API Key ${apiKey} (#err2)|${apiKey}`)));
    const answer = await stack.check({ address, chainId: '298', apiKey });
    expect(explorer.asked.at(-1)!.searchParams.get('apikey')).toBe(apiKey);
    expect(answer.body.message).toBe('Error in Etherscan API response. Result message: Invalid API Key');
    explorer.answer(address, (response) => void response.destroy());
    await stack.check({ address, chainId: '298', apiKey });
    const forms = [apiKey, apiKey.toLowerCase(), encodeBytes(apiKey), Buffer.from(apiKey).toString('base64')];
    const answers = forms.flatMap((form) => [
      json(notOk(`The key ${form} is not known`)),
      json(record({ ...flatRecord('Coin'), SourceCode: `contract Coin { ${form} }` })),
      json(record({ ...flatRecord('Coin'), CompilerVersion: form })),
      json(record({ ...flatRecord('Coin'), SourceCode: `{{"language":"Solidity","sources":{"${form}":{}}}}` })),
    ]);
    const escaped = [...apiKey].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('');
    answers.push(
      text(JSON.stringify(record({ ...flatRecord('Coin'), ContractName: 'HERE' })).replace('HERE', escaped)),
    );
    for (const echo of answers) {
      explorer.answer(address, echo);
      const got = await stack.check({ address, chainId: '298', apiKey });
      expect(got).toMatchObject({ status: 502, body: { customCode: 'etherscan_request_failed' } });
      for (const form of forms) expect(JSON.stringify(got.body)).not.toContain(form);
    }
    expect(stack.logged.length).toBeGreaterThan(0);
    for (const form of forms) expect(stack.logged.join('')).not.toContain(form);
  });

  it('errors of the store are reported as such', async () => {
    await stack.query('alter table verification_check rename to hidden');
    await stack.query('create view verification_check as select 1/0 as checked_at');
    const answer = await stack.check({ address, chainId: '298' });
    await stack.query('drop view verification_check');
    await stack.query('alter table hidden rename to verification_check');
    expect(answer).toMatchObject({ status: 503, body: { customCode: 'store_not_available' } });
    expect(answer.headers.get('retry-after')).toBe('5');
  });
});

function encodeBytes(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
}
