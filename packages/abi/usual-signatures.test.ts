import { Interface } from 'ethers/abi';
import { describe, expect, it } from 'vitest';
import { readSignatures } from './read-signatures.ts';
import { usualSignatures } from './usual-signatures.ts';

const groups = Object.entries(usualSignatures);
const linesOf = (text = ''): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe.each(groups)('%s', (_, group) => {
  const { functions, events, errors } = readSignatures([group]);

  it('has the functions and errors that ethers reads, with the names of their arguments', () => {
    for (const [kind, text, ours] of [
      ['function', group.functions, functions],
      ['error', group.errors, errors],
    ] as const) {
      const theirs = linesOf(text).map((line) => new Interface([`${kind} ${line}`]).fragments[0]!);
      expect(ours.map(({ signature }) => signature)).toEqual(theirs.map((one) => one.format('sighash')));
      expect(ours.map(({ inputs }) => inputs.map(({ name }) => name))).toEqual(
        theirs.map(({ inputs }) => inputs.map(({ name }) => name)),
      );
    }
    for (const one of functions) {
      const line = linesOf(group.functions)[functions.indexOf(one)]!;
      const theirs = new Interface([`function ${line}`]).getFunction(one.signature)!;
      expect(`0x${one.selector}`).toBe(theirs.selector);
      expect(one.outputs.map(({ type }) => type.text)).toEqual(
        theirs.outputs.map((output) => output.format('sighash')),
      );
    }
  });

  it('has the events that ethers reads, with their topics', () => {
    for (const [place, line] of linesOf(group.events).entries()) {
      const theirs = new Interface([`event ${line}`]).fragments[0] as unknown as {
        topicHash: string;
        inputs: { name: string; indexed: boolean | null }[];
      };
      expect(`0x${events[place]!.topic}`).toBe(theirs.topicHash);
      expect(events[place]!.inputs.map(({ name, isIndexed }) => ({ name, indexed: isIndexed }))).toEqual(
        theirs.inputs.map(({ name, indexed }) => ({ name, indexed: indexed === true })),
      );
    }
  });
});

/** Ids of interfaces are the selectors of their functions, one over the other (EIP-165), as their standards state them. */
it.each([
  [
    'ERC-721',
    '80ac58cd',
    'balanceOf(address) ownerOf(uint256) approve(address,uint256) getApproved(uint256) setApprovalForAll(address,bool) isApprovedForAll(address,address) transferFrom(address,address,uint256) safeTransferFrom(address,address,uint256) safeTransferFrom(address,address,uint256,bytes)',
  ],
  ['ERC-721 metadata', '5b5e139f', 'name() symbol() tokenURI(uint256)'],
  ['ERC-721 enumerable', '780e9d63', 'totalSupply() tokenOfOwnerByIndex(address,uint256) tokenByIndex(uint256)'],
  [
    'ERC-1155',
    'd9b67a26',
    'safeTransferFrom(address,address,uint256,uint256,bytes) safeBatchTransferFrom(address,address,uint256[],uint256[],bytes) balanceOf(address,uint256) balanceOfBatch(address[],uint256[]) setApprovalForAll(address,bool) isApprovedForAll(address,address)',
  ],
  ['ERC-1155 metadata', '0e89341c', 'uri(uint256)'],
  ['ERC-165', '01ffc9a7', 'supportsInterface(bytes4)'],
  ['ERC-2981', '2a55205a', 'royaltyInfo(uint256,uint256)'],
  [
    'access control',
    '7965db0b',
    'hasRole(bytes32,address) getRoleAdmin(bytes32) grantRole(bytes32,address) revokeRole(bytes32,address) renounceRole(bytes32,address)',
  ],
])('the id of %s is %s', (_, id, signatures) => {
  const { functions } = readSignatures(Object.values(usualSignatures));
  const selectors = signatures.split(' ').map((signature) => {
    const found = functions.find((one) => one.signature === signature);
    expect(found, signature).toBeDefined();
    return Number.parseInt(found!.selector, 16);
  });
  expect((selectors.reduce((sum, one) => sum ^ one, 0) >>> 0).toString(16).padStart(8, '0')).toBe(id);
});

it('no line is said twice, and there are some hundreds', () => {
  const all = groups.flatMap(([, { functions, events, errors }]) =>
    [functions, events, errors].flatMap((text, kind) =>
      linesOf(text).map((line) => `${kind} ${kind === 1 ? line : line.replace(/ returns .*/, '')}`),
    ),
  );
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(350);
});

it.each(['transfer', 'transfer(', 'transfer(address to', 'transfer(adress to)', '(uint256)', 'a(uint256) returns b'])(
  'a line such as %s is refused',
  (functions) => {
    expect(() => readSignatures([{ functions }])).toThrow(RangeError);
  },
);
