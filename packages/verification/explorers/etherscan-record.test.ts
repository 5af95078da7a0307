import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VerificationError } from '../terms/verification-error.ts';
import { readEtherscanAnswer } from './etherscan-answer.ts';
import { etherscanRecord } from './etherscan-record.ts';

const common = {
  ContractName: 'Vault',
  CompilerVersion: 'v0.8.19+commit.7dd6d404',
  OptimizationUsed: '1',
  Runs: '200',
};
const source = 'contract Vault { }';
const read = (members: Record<string, unknown>, sourceCode = source) =>
  etherscanRecord({ ...common, ...members }, sourceCode, 'Etherscan').claim;

describe('one flat file', () => {
  it('is named after the contract; settings come from the members', () => {
    expect(read({ EVMVersion: 'Default', Library: '' })).toEqual({
      language: 'Solidity',
      compilerVersion: 'v0.8.19+commit.7dd6d404',
      input: {
        language: 'Solidity',
        sources: { 'Vault.sol': { content: source } },
        settings: { optimizer: { enabled: true, runs: 200 } },
      },
      target: { path: 'Vault.sol', name: 'Vault' },
      libraries: [],
    });
  });

  it.each<[string, Record<string, unknown>, object]>([
    ['an EVM version', { EVMVersion: 'London' }, { optimizer: { enabled: true, runs: 200 }, evmVersion: 'london' }],
    ['no optimizer', { OptimizationUsed: '0' }, { optimizer: { enabled: false, runs: 200 } }],
    [
      'Blockscout',
      { OptimizationUsed: 'true', Runs: undefined, OptimizationRuns: 99 },
      { optimizer: { enabled: true, runs: 99 } },
    ],
    ['Blockscout, off', { OptimizationUsed: 'false', Runs: '' }, { optimizer: { enabled: false } }],
    ['nonsense runs', { Runs: 'many' }, { optimizer: { enabled: true } }],
    ['whole settings', { CompilerSettings: { viaIR: true } }, { viaIR: true }],
  ])('%s', (_case, members, settings) => {
    expect(read(members).input.settings).toEqual(settings);
  });

  it('Blockscout: with a separate name and additional files', () => {
    const { input, target } = read({
      FileName: 'src/Vault.sol',
      AdditionalSources: [{ Filename: 'src/Lib.sol', SourceCode: 'library Lib { }' }, { Filename: 5 }, null],
    });
    expect(Object.keys(input.sources)).toEqual(['src/Vault.sol', 'src/Lib.sol']);
    expect(target).toEqual({ path: 'src/Vault.sol', name: 'Vault' });
  });

  it('Vyper', () => {
    expect(read({ CompilerVersion: 'vyper:0.3.10' }, 'x: uint256\r\n')).toMatchObject({
      language: 'Vyper',
      compilerVersion: '0.3.10',
      input: { sources: { 'Vault.vy': { content: 'x: uint256\n' } } },
    });
  });

  it('may begin with a brace', () => {
    const content = '{ not JSON, but contract Vault {}';
    expect(read({}, content).input.sources).toEqual({ 'Vault.sol': { content } });
    expect(() => read({}, '{}')).toThrow('names the contract Vault, which none of its sources has');
  });
});

const files = {
  'src/a/Vault.sol': { content: '// contract Other\ncontract Vault is Base {}' },
  'src/Base.sol': { content: '/* contract Vault */ abstract contract Base {}' },
};
const standard = { language: 'Solidity', sources: files, settings: { viaIR: true, remappings: ['a=b'] } };

describe('several files', () => {
  it.each([
    ['standard JSON in doubled braces', `{${JSON.stringify(standard)}}`, standard.settings],
    ['with white space', `{ ${JSON.stringify(standard, null, 2)}\r\n}`, standard.settings],
    ['standard JSON as it is', JSON.stringify(standard), standard.settings],
    ['files alone', JSON.stringify(files), { optimizer: { enabled: true, runs: 200 } }],
  ])('%s', (_case, sourceCode, settings) => {
    expect(read({}, sourceCode)).toMatchObject({
      input: { sources: files, settings },
      target: { path: 'src/a/Vault.sol', name: 'Vault' },
    });
  });

  it.each([
    ['named whole', { ContractFileName: 'src/Base.sol' }, 'src/Base.sol'],
    ['named by its last part', { ContractFileName: 'Vault.sol' }, 'src/a/Vault.sol'],
    ['named in the contract name', { ContractName: 'src/Base.sol:Vault' }, 'src/Base.sol'],
    ['named wrongly', { ContractFileName: 'nowhere.sol' }, 'src/a/Vault.sol'],
    ['found by its definition', {}, 'src/a/Vault.sol'],
    ['not to be found: the compiler will say', { ContractName: 'is' }, ''],
  ])('the file of the contract, %s', (_case, members, path) => {
    expect(read(members, JSON.stringify(files)).target.path).toBe(path);
  });

  it.each(['Moon', 'Other', 'Vaul', '.*'])('no source knows the contract %s', (ContractName) => {
    expect(() => read({ ContractName }, JSON.stringify(files))).toThrow(
      expect.objectContaining({ code: 'malformed_etherscan_response', message: expect.stringContaining(ContractName) }),
    );
  });
});

it.each<[string, Record<string, unknown>, object[]]>([
  ['one', { Library: `Math:${'AB'.repeat(20)}` }, [{ name: 'Math', address: `0x${'ab'.repeat(20)}` }]],
  [
    'two, with paths and prefix',
    { Library: `src/M.sol:Math:0x${'01'.repeat(20)};Strings:${'02'.repeat(20)}` },
    [
      { name: 'Math', address: `0x${'01'.repeat(20)}`, path: 'src/M.sol' },
      { name: 'Strings', address: `0x${'02'.repeat(20)}` },
    ],
  ],
  [
    'Blockscout',
    { ExternalLibraries: [{ name: 'Math', address_hash: `0x${'03'.repeat(20)}` }] },
    [{ name: 'Math', address: `0x${'03'.repeat(20)}` }],
  ],
  ['nonsense', { Library: 'Math;:;Math:xyz', ExternalLibraries: 'x' }, []],
])('libraries: %s', (_case, members, libraries) => {
  expect(read(members).libraries).toEqual(libraries);
});

it('whatever an explorer says is a record, nothing, or a refusal of ours', () => {
  const member = fc.oneof(
    fc.string(),
    fc.jsonValue(),
    fc.constantFrom('{{}}', '{"a":{"content":"x"}}', '{{"sources":{}}}', null),
  );
  const names = [
    'SourceCode',
    'ContractName',
    'CompilerVersion',
    'Library',
    'Runs',
    'EVMVersion',
    'ContractFileName',
    'AdditionalSources',
    'ExternalLibraries',
    'CompilerSettings',
  ];
  const result = fc.dictionary(fc.constantFrom(...names), member);
  const answer = fc.oneof(
    fc.jsonValue(),
    fc.record({
      status: fc.constantFrom('0', '1', 1),
      message: fc.string(),
      result: fc.oneof(fc.string(), fc.array(result), fc.jsonValue()),
    }),
  );
  fc.assert(
    fc.property(answer, (content) => {
      try {
        const record = readEtherscanAnswer(content, { name: 'Etherscan', key: 'k' });
        if (record !== null) expect(Object.keys(record.claim.input.sources).length).toBeGreaterThanOrEqual(0);
      } catch (error) {
        expect(error).toBeInstanceOf(VerificationError);
      }
    }),
    { numRuns: 500 },
  );
});
