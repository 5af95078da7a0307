// Definitions of sources: against a compiler, whose tree has the place of each; and links and folds that change no
// character.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openKeptCompiler, soljsonOf } from '../../../../packages/test-support/verification/kept-compilers.ts';
import { sourceLines } from './source-lines.ts';
import { outlineOf } from './source-outline.ts';

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20; /* contract Commented { */
type Price is uint128;
struct Pair { uint a; uint b; }
error TooMuch(uint256 amount);
enum Phase { One, Two }
function free(uint256 x) pure returns (uint256) { return x; }
interface ICoin {
  event Moved(address indexed to);
  function move(address to) external;
}
library Math {
  function twice(uint256 x) internal pure returns (uint256) { if (x > 1) { x = x * 2; } return x; }
}
abstract contract Base is
  ICoin
{
  string constant text = "contract Quoted { function no() }";
  function(uint256) external returns (uint256) pointer;
  modifier once() { _; }
  constructor(uint256 y) { Math.twice(y); }
  receive() external payable {}
  fallback() external {}
  function move(address to) external override once { emit Moved(to); if (false) revert TooMuch(1); }
}
contract Coin is Base { constructor() Base(1) {} }
`;

type Node = { nodeType?: string; name?: string; kind?: string; src?: string; nodes?: Node[]; contractKind?: string };

it('definitions and their lines are those of the compiler', async () => {
  const compiler = await openKeptCompiler(soljsonOf('0.8.28'));
  const settings = { outputSelection: { '*': { '': ['ast'] } } };
  const input = { language: 'Solidity', sources: { a: { content: source } }, settings };
  const { sources, errors } = JSON.parse(await compiler.compile(JSON.stringify(input)));
  expect(errors?.filter(({ severity }: { severity: string }) => severity === 'error') ?? []).toEqual([]);
  const kinds: Record<string, string> = {
    ...{ StructDefinition: 'struct', ErrorDefinition: 'error', EnumDefinition: 'enum', EventDefinition: 'event' },
    ...{ ModifierDefinition: 'modifier', UserDefinedValueTypeDefinition: 'type' },
  };
  const lineOf = (place: number): number => source.slice(0, place).split('\n').length;
  const expected: object[] = [];
  const visit = (node: Node, depth: number): void => {
    const [start = 0, length = 0] = node.src!.split(':').map(Number);
    const isFunction = node.nodeType === 'FunctionDefinition';
    const kind = isFunction
      ? node.kind === 'freeFunction'
        ? 'function'
        : node.kind!
      : (node.contractKind ?? kinds[node.nodeType!]);
    const skipped = source.slice(start).startsWith('abstract ') ? 9 : 0;
    if (kind) {
      const text = source.slice(start, start + length);
      expected.push({
        kind,
        name: node.name || kind,
        line: lineOf(start + skipped),
        depth,
        endLine: text.endsWith('}') ? lineOf(start + length) : null,
      });
    }
    for (const inner of node.nodes ?? []) visit(inner, kind ? depth + 1 : depth);
  };
  visit(sources.a.ast, 0);
  expect(expected.length).toBeGreaterThan(15);
  expect(outlineOf(source, 'Solidity')).toEqual(expected);
});

it('Yul and Vyper', () => {
  const yul = 'object "A" { code { function f() {} } object "B" { code {} } }';
  expect(outlineOf(yul, 'Yul').map(({ kind, name, depth }) => [kind, name, depth])).toEqual([
    ['object', 'A', 0],
    ['function', 'f', 2],
    ['object', 'B', 1],
  ]);
  expect(outlineOf('# def no():\ndef yes():\n  pass', 'Vyper').map(({ name, line }) => [name, line])).toEqual([
    ['yes', 2],
  ]);
});

const links = (text: string) => ({
  definitions: outlineOf(text, 'Solidity'),
  hrefOf: (line: number) => `?line=${line}#L${line}`,
});

it('names that are used lead to the line that defines them', () => {
  const { markup } = sourceLines(source, 'Solidity', 1, links(source))!.shown;
  expect(markup).toContain('emit</b> <a href="?line=9#L9">Moved</a>(to)');
  expect(markup).toContain('<a href="?line=12#L12">Math</a>.<a href="?line=13#L13">twice</a>(y)');
  // Defined twice, and where it is defined.
  expect(markup).not.toMatch(/<a [^>]*>move</);
  expect(markup).not.toMatch(/library<\/b> <a/);
  expect(markup).not.toMatch(/>Quoted</);
});

it('contracts of a long file are folded, and no line is lost', () => {
  const long = Array.from({ length: 8 }, (_, n) => `contract C${n} {\n${'  uint256 x;\n'.repeat(12)}}\n`).join(
    '// between\n',
  );
  for (const from of [1, 20, 100]) {
    const part = sourceLines(long, 'Solidity', from, links(long))!;
    const numbers = [...part.shown.markup.matchAll(/id="L(\d+)"/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: long.split('\n').length - from }, (_, n) => n + from));
    if (from === 1) expect(part.shown.markup.match(/<details open><summary>contract <bdi>C\d<\/bdi>/g)).toHaveLength(8);
  }
});

const piece = fc.constantFrom(
  ...'contract interface function struct event error type object constructor { } ; ( ) x1 A B Moved " // /* */ < & is mapping 🙂'.split(
    ' ',
  ),
  '\n',
);

it('whatever a source is, links and folds change no character of it', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const text = pieces.join(' ');
      const plain = sourceLines(text, 'Solidity', 1)?.shown.markup ?? '';
      const linked = sourceLines(text, 'Solidity', 1, links(text))?.shown.markup ?? '';
      const linesOf = (markup: string) =>
        [...markup.matchAll(/<li id="L\d+">(.*?)<\/li>/gs)].map(([, line]) => line!.replaceAll(/<\/?a[^>]*>/g, ''));
      expect(linesOf(linked)).toEqual(linesOf(plain));
    }),
    { numRuns: 300 },
  );
});
