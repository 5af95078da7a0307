// Immutables by name: against a compiler, which numbers them, and for sources and values of any kind.
import { expect, it } from 'vitest';
import { openKeptCompiler, soljsonOf } from '../../../../packages/test-support/verification/kept-compilers.ts';
import { readImmutables, showImmutables } from './immutables.ts';

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
const source = `
pragma solidity ^0.8.20; // uint256 immutable commented;
interface ICounter {}
abstract contract Base { address public immutable owner = msg.sender; /* bool immutable no; */ }
contract Vault is Base {
  string constant text = "uint immutable quoted;";
  uint256
    immutable internal limit;
  ICounter private immutable counter;
  bool immutable open;
  int8 immutable low;
  bytes4 immutable tag;
  constructor(uint256 l) { limit = l; counter = ICounter(address(this)); open = l > 1; low = -1; tag = 0x12345678; }
  function all() external view returns (uint256, ICounter, bool, int8, bytes4) { return (limit, counter, open, low, tag); }
}`;
const values = {
  immutables: {
    '90': word(5n),
    '12': word(0xabcdefn),
    '95': word(0x1234n),
    '101': word(1n),
    '102': word(2n ** 256n - 2n),
    '110': `0xdeadbeef${'00'.repeat(28)}`,
  },
};
const shown = (given: unknown, text: string | null) => {
  const value = showImmutables(readImmutables(given, text));
  return value === null ? null : String((value as { markup: string }).markup);
};

it('names and types are those of the source, in its order', () => {
  expect(readImmutables(values, source).map(({ name, type }) => [name, type])).toEqual([
    ['owner', 'address'],
    ['limit', 'uint256'],
    ['counter', 'ICounter'],
    ['open', 'bool'],
    ['low', 'int8'],
    ['tag', 'bytes4'],
  ]);
  const markup = shown(values, source)!;
  expect(markup).toMatch(/<code>0x0{34}abcdef<\/code>/i);
  for (const text of [
    '<code>5</code>',
    '<code>0x0000000000000000000000000000000000001234</code>',
    '<code>true</code>',
    '<code>-2</code>',
    '<code>0xdeadbeef00',
  ]) {
    expect(markup).toContain(text);
  }
});

type Node = { id?: number; nodeType?: string; mutability?: string; name?: string; nodes?: Node[] };

it('a compiler says the same of its numbers', async () => {
  const compiler = await openKeptCompiler(soljsonOf('0.8.28'));
  const outputSelection = { '*': { '': ['ast'], '*': ['evm.deployedBytecode.immutableReferences'] } };
  const input = { language: 'Solidity', sources: { a: { content: source } }, settings: { outputSelection } };
  const { sources, contracts } = JSON.parse(await compiler.compile(JSON.stringify(input))) as {
    sources: Record<string, { ast: Node }>;
    contracts: Record<string, Record<string, { evm: { deployedBytecode: { immutableReferences: object } } }>>;
  };
  const declared = (node: Node): Node[] => [node, ...(node.nodes ?? []).flatMap(declared)];
  const names = declared(sources.a!.ast).flatMap(({ id, mutability, name }) =>
    mutability === 'immutable' ? [[String(id), name] as const] : [],
  );
  const ids = Object.keys(contracts.a!.Vault!.evm.deployedBytecode.immutableReferences);
  expect(ids.sort()).toEqual(names.map(([id]) => id).sort());
  const given = Object.fromEntries(names.map(([id], place) => [id, word(BigInt(place))]));
  expect(readImmutables({ immutables: given }, source).map(({ name, value }) => [name, value])).toEqual(
    names.map(([, name], place) => [name, word(BigInt(place))]),
  );
});

it.each<[string, unknown, string | null]>([
  ['another number of them', { immutables: { '1': word(7n) } }, source],
  ['no source', { immutables: { '1': word(7n) } }, null],
])('%s: values without names', (_what, given, text) => {
  expect(readImmutables(given, text)).toEqual([{ name: null, type: null, value: word(7n) }]);
});

it.each([
  null,
  [],
  {},
  { immutables: null },
  { immutables: [] },
  { immutables: { x: '0x00', 1: 5, 2: '<b>', 3: '0x0' } },
])('no immutables in %j', (given) => {
  expect(readImmutables(given, source)).toEqual([]);
  expect(shown(given, source)).toBeNull();
});
