// Immutables by name: against compilers, which number the declarations in their syntax tree, and for input of any kind.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openKeptCompiler, soljsonOf } from '../../test-support/verification/kept-compilers.ts';
import { nameImmutables } from './name-immutables.ts';

const sources: Record<string, string> = {
  'Base.sol': `pragma solidity >=0.6.5;
interface ICounter { function n() external view returns (uint256); }
abstract contract Base {
  address public immutable owner = msg.sender; /* bool immutable no; */
  uint256 private immutable unread = 7;
  uint256 private immutable twice;
  bytes32 internal immutable tag;
  constructor(bytes32 t) { tag = t; twice = uint256(t); }
  modifier only() { require(msg.sender == owner, "uint immutable quoted;"); _; }
  function first() public view returns (uint256) { return twice; }
}`,
  'Main.sol': `pragma solidity >=0.6.5;
import "./Base.sol";
contract Other {
  uint256 immutable foreign = 3; bool immutable also = true;
  function f() external view returns (uint256, bool) { return (foreign, also); }
}
contract Main is Base {
  enum Phase { Open, Closed }
  uint256 // äöü
    immutable limit;
  int128 private immutable twice_; ICounter private immutable counter; int8 immutable low; bool immutable open;
  bytes4 immutable b4; uint256 immutable never; Phase immutable phase;
  uint256 public total;
  constructor(bytes32 t, uint256 l) Base(t) {
    limit = l; twice_ = int128(uint128(l)); counter = ICounter(address(this)); low = -1; open = l > 1; b4 = 0x12345678;
    never = 9; phase = Phase.Closed;
  }
  function add(uint256 v) external only returns (uint256) {
    require(v < limit && open, "no"); /* é */ total += v * limit + first(); return total;
  }
  function second() external view returns (int128) { return twice_; }
  function ask() external view returns (uint256) { return counter.n() + counter.n() / limit; }
  function all() external view returns (bytes32, int8, bytes4, Phase) { return (Base.tag, low, b4, phase); }
}`,
};

const expected: Record<string, [type: string, plainType: string]> = {
  owner: ['address', 'address'],
  twice: ['uint256', 'uint256'],
  tag: ['bytes32', 'bytes32'],
  limit: ['uint256', 'uint256'],
  twice_: ['int128', 'int128'],
  counter: ['ICounter', 'address'],
  low: ['int8', 'int8'],
  open: ['bool', 'bool'],
  b4: ['bytes4', 'bytes4'],
  phase: ['Phase', 'uint8'],
};

type Node = { id: number; name: string; nodeType: string; mutability?: string };
type Output = {
  sources: Record<string, { id: number; ast: unknown }>;
  contracts: Record<string, Record<string, { evm: { deployedBytecode: DeployedCode } }>>;
};
type DeployedCode = { object: string; sourceMap: string; immutableReferences: Record<string, unknown> };

async function compile(version: string, texts: Record<string, string>, settings: object) {
  const compiler = await openKeptCompiler(soljsonOf(version));
  const outputSelection = { '*': { '': ['ast'], '*': ['evm.deployedBytecode'] } };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(texts).map(([path, content]) => [path, { content }])),
    settings: { ...settings, outputSelection },
  };
  const output = JSON.parse(await compiler.compile(JSON.stringify(input))) as Output;
  const { object, sourceMap, immutableReferences } = output.contracts['Main.sol']!.Main!.evm.deployedBytecode;
  return {
    declared: new Map(declarationsOf(output.sources)),
    compiled: {
      code: Buffer.from(object, 'hex'),
      references: immutableReferences,
      sourceMap,
      sourceIds: output.sources,
      sources: new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)])),
    },
  };
}

/** Name by number, wherever in the tree. */
function declarationsOf(value: unknown): [id: string, name: string][] {
  if (typeof value !== 'object' || value === null) return [];
  const { id, name, nodeType, mutability } = value as Partial<Node>;
  const isOne = nodeType === 'VariableDeclaration' && mutability === 'immutable';
  return [...(isOne ? [[String(id), name!] as [string, string]] : []), ...Object.values(value).flatMap(declarationsOf)];
}

/** Constructors of 0.6 say that they are public. */
const asOf06 = (text: string) => text.replace(/(constructor\([^)]*\)(?: Base\(t\))?) \{/, '$1 public {');
const optimizer = { enabled: true, runs: 200 };

describe.each<[version: string, settings: object]>([
  ['0.6.12', {}],
  ['0.6.12', { optimizer }],
  ['0.7.6', { optimizer }],
  ['0.8.4', {}],
  ['0.8.19', { optimizer, viaIR: true }],
  ['0.8.28', {}],
  ['0.8.28', { optimizer }],
  ['0.8.28', { viaIR: true }],
  ['0.8.28', { optimizer, viaIR: true }],
])('%s with %j', (version, settings) => {
  it('names are those of the syntax tree, whatever else the files declare', async () => {
    const texts = Object.entries(sources).map(([path, text]) => [path, version === '0.6.12' ? asOf06(text) : text]);
    const { declared, compiled } = await compile(version, Object.fromEntries(texts), settings);
    expect(declared.size).toBe(14);
    const named = nameImmutables(compiled);
    expect([...named.keys()].sort()).toEqual(Object.keys(compiled.references).sort());
    for (const [id, one] of named) {
      expect(one.name).toBe(declared.get(id));
      expect([one.type, one.plainType]).toEqual(expected[one.name]);
    }
    expect(new Set([...named.values()].map(({ name }) => name))).toEqual(new Set(Object.keys(expected)));
  });
});

const alone = {
  'Main.sol': `pragma solidity ^0.8.0;
type Price is uint128;
contract Main {
  Price immutable price = Price.wrap(7); address payable immutable to = payable(msg.sender);
  function all() external view returns (Price, address) { return (price, to); }
}`,
};

describe('without a source map', () => {
  it('one source that declares what the code has: names in its order', async () => {
    const { declared, compiled } = await compile('0.8.28', alone, {});
    const named = nameImmutables({ ...compiled, sourceMap: null });
    expect([...named]).toEqual(
      [...declared].map(([id, name]) => [
        id,
        name === 'price'
          ? { name, type: 'Price', plainType: 'uint128' }
          : { name, type: 'address', plainType: 'address' },
      ]),
    );
    expect(named).toEqual(nameImmutables(compiled));
  });

  it('a source that is too long, or two that declare as many together: no names', async () => {
    const { compiled } = await compile('0.8.28', alone, {});
    const withOther = (bytes: Buffer | null) =>
      nameImmutables({ ...compiled, sourceMap: null, sources: new Map([...compiled.sources, ['Other.sol', bytes]]) });
    expect(withOther(Buffer.from('contract Other {}')).size).toBe(2);
    expect(withOther(null).size).toBe(0);
    expect(withOther(Buffer.from('contract Other { bool immutable open = true; }')).size).toBe(0);
  });
});

it('places that disagree, and places of something else, have no name', async () => {
  const { compiled } = await compile('0.8.28', sources, {});
  const { references } = compiled;
  const [one, other, ...rest] = Object.keys(references);
  const mixed = [...(references[one!] as unknown[]), ...(references[other!] as unknown[])];
  const named = nameImmutables({ ...compiled, references: { ...references, [one!]: mixed, [other!]: [{ start: 5 }] } });
  expect([...named.keys()].sort()).toEqual(rest.sort());
});

it('a private name that is used twice: types that only the declaration would say are not guessed', async () => {
  const text = `pragma solidity ^0.8.0;
contract Base { int8 private immutable n = -1; function a() external view returns (int8) { return n; } }
contract Main is Base { uint256 private immutable n = 5; function b() external view returns (uint256) { return n; } }
contract Other { bool immutable open = true; }`;
  const { compiled } = await compile('0.8.28', { 'Main.sol': text }, {});
  expect(nameImmutables(compiled).size).toBe(0);
});

it('input of any kind is read', () => {
  const texts = fc.string({ unit: fc.constantFrom(...' ;:=.{}/*"\'-012', 'immutable', 'uint256', 'a', 'type', 'is') });
  const compiled = fc.record({
    code: fc.uint8Array(),
    references: fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.stringMatching(/^\d$/), fc.array(fc.record({ start: fc.nat(40) }))),
    ),
    sourceMap: fc.option(texts),
    sourceIds: fc.oneof(fc.jsonValue(), fc.constant({ a: { id: 0 } })),
    sources: texts.map((text) => new Map([['a', Buffer.from(text)]])),
  });
  fc.assert(fc.property(compiled, (given) => void nameImmutables(given)));
});
