import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readChainFile } from './read-chain-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-chains-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  const path = join(folder, 'chains.yaml');
  writeFileSync(path, text);
  return readChainFile(path, { ETHERSCAN_API_KEY: 'K' });
}

it('chains with code by RPC and several explorers', () => {
  const text = `
chains:
  1:
    name: Ethereum
    bytecode: { rpc: [ "https://rpc.example" ], timeoutMs: 5000 }
    explorers:
      - { kind: etherscan, url: "https://api.etherscan.io/v2/api/", keyEnv: ETHERSCAN_API_KEY, ratePerSec: 5 }
      - { kind: blockscout, url: "https://eth.blockscout.com/api", name: Scout, timeoutMs: 1000, recordBytes: 1e6 }
  "298":
    bytecode: ledger
    explorers: [ { kind: folder, path: ./records } ]
`;
  expect(read(text)).toEqual([
    {
      chainId: '1',
      name: 'Ethereum',
      bytecode: { kind: 'rpc', urls: ['https://rpc.example'], timeoutMs: 5000 },
      explorers: [
        {
          kind: 'etherscan',
          name: 'Etherscan',
          location: 'https://api.etherscan.io/v2/api',
          key: 'K',
          takesKey: true,
          ratePerSecond: 5,
          timeoutMs: 10_000,
          recordBytes: 5_000_000,
        },
        {
          kind: 'blockscout',
          name: 'Scout',
          location: 'https://eth.blockscout.com/api',
          takesKey: true,
          ratePerSecond: 5,
          timeoutMs: 1000,
          recordBytes: 1_000_000,
        },
      ],
    },
    {
      chainId: '298',
      name: 'Chain 298',
      bytecode: { kind: 'ledger' },
      explorers: [expect.objectContaining({ kind: 'folder', location: './records', takesKey: false })],
    },
  ]);
});

it.each([
  ['not YAML', 'a: [', /cannot be read/],
  ['no mapping', '[]', /the file must be a mapping/],
  ['an unknown member', 'chain: {}', /has no member "chain"; it has chains/],
  ['no decimal id', 'chains: { 0x1: {} }', /chains\.0x1|chains\.1\.bytecode/],
  ['a name as id', 'chains: { main: { bytecode: ledger } }', /chains\.main must be a decimal chain id/],
  ['no code', 'chains: { 1: {} }', /chains\.1\.bytecode must be a mapping, not missing/],
  ['no address of code', 'chains: { 1: { bytecode: { rpc: [] } } }', /at least one address/],
  ['a file for code', 'chains: { 1: { bytecode: { rpc: "file:///x" } } }', /begins with http/],
  [
    'an unknown explorer',
    'chains: { 1: { bytecode: ledger, explorers: [ { kind: x } ] } }',
    /explorers\[0\]\.kind must be one of etherscan/,
  ],
  [
    'a rate of nothing',
    'chains: { 1: { bytecode: ledger, explorers: [ { kind: sourcify, url: "http://x", ratePerSec: 0 } ] } }',
    /ratePerSec must be a number above 0/,
  ],
  [
    'a key in the file',
    'chains: { 1: { bytecode: ledger, explorers: [ { kind: sourcify, url: "http://x", key: k } ] } }',
    /has no member "key"/,
  ],
  [
    'aliases without end',
    'a: &a [x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nchains: [*c,*c,*c,*c]',
    /cannot be read/,
  ],
])('%s is refused with its place', (_case, text, message) => {
  expect(() => read(text)).toThrow(message);
});

it('a file that is not there is named', () => {
  expect(() => readChainFile('/nonexistent/chains.yaml', {})).toThrow(
    /\/nonexistent\/chains\.yaml cannot be read: ENOENT/,
  );
});
