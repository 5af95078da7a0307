import { expect, test } from 'vitest';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { createEntityNames } from './entity-lookup.ts';

/** A point of secp256k1: its generator; and its address. */
const ecdsaKey = Buffer.from('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'hex');
const ecdsaAddress = Buffer.from('7e5f4552091a69125d5dfcb7b8c2659029395bdf', 'hex');
const ecdsaAlias = Buffer.from(proto.Key.encode({ ECDSASecp256k1: ecdsaKey }).finish());

function namesOf(stored: Record<string, bigint>, maxNames?: number) {
  const asked: string[] = [];
  const select = async (names: Uint8Array[]) =>
    names.flatMap((name) => {
      const text = Buffer.from(name).toString('hex');
      asked.push(text);
      const id = stored[text];
      return id === undefined ? [] : [{ id, name }];
    });
  return { asked, names: createEntityNames({ selectByEvmAddress: select, selectByAlias: select, maxNames }) };
}

test('an alias that is an ECDSA key is also known by its EVM address', async () => {
  const { names } = namesOf({ [ecdsaAddress.toString('hex')]: 55n });
  const block = names.forBlock(0n);
  // First the alias is found to be unknown, then the address behind it is.
  for (let pass = 0; pass < 2; pass += 1) {
    block.beginPass().account({ alias: ecdsaAlias });
    await block.fetchMissing();
  }
  expect(block.beginPass().account({ alias: ecdsaAlias })).toBe(55n);
  expect(block.hasMissing()).toBe(false);
});

test('numbers and long-zero addresses need no look-up; what is no address is unknown', () => {
  const { names } = namesOf({});
  const block = names.forBlock(0n);
  const lookup = block.beginPass();
  expect(lookup.byEvmAddress(toLongZeroAddress(1234n))).toBe(1234n);
  expect(lookup.contract({ evmAddress: toLongZeroAddress(1234n) })).toBe(1234n);
  expect(lookup.byEvmAddress(Buffer.alloc(19, 1))).toBe(0n);
  expect(lookup.account(null)).toBe(0n);
  expect(block.hasMissing()).toBe(false);
});

test('what a pass learned is forgotten with the pass, and kept when the block is done', () => {
  const address = Buffer.alloc(20, 7);
  const { names } = namesOf({});
  const block = names.forBlock(0n);
  block.beginPass().remember(9n, { evmAddress: address });
  expect(block.beginPass().byEvmAddress(address)).toBe(0n);
  block.beginPass().remember(9n, { evmAddress: address });
  block.keep();
  expect(names.forBlock(0n).beginPass().byEvmAddress(address)).toBe(9n);
});

test('a block may ask for more names than the cache holds, and the least recent ones are asked for again', async () => {
  const addresses = [1, 2, 3].map((fill) => Buffer.alloc(20, fill));
  const stored = Object.fromEntries(addresses.map((address, index) => [address.toString('hex'), BigInt(index + 1)]));
  const { names, asked } = namesOf(stored, 2);
  const idsOf = async () => {
    const block = names.forBlock(0n);
    for (;;) {
      const lookup = block.beginPass();
      const ids = addresses.map((address) => lookup.byEvmAddress(address));
      if (!block.hasMissing()) return ids;
      await block.fetchMissing();
    }
  };
  expect(await idsOf()).toEqual([1n, 2n, 3n]);
  expect(asked).toHaveLength(3);
  expect(await idsOf()).toEqual([1n, 2n, 3n]);
  expect(asked.length).toBeGreaterThan(3);
});

test('an address that is kept does not keep the file that it was read from', async () => {
  const file = Buffer.alloc(65_536, 7);
  const part = file.subarray(100, 120);
  const names = createEntityNames({
    selectByEvmAddress: async () => [],
    selectByAlias: async () => [],
    selectEvmAddresses: async (ids) => ids.map((id) => ({ id, name: part })),
  });
  const first = names.forBlock(0n);
  first.beginPass().remember(9n, { evmAddress: part });
  first.keep();
  const second = names.forBlock(0n);
  second.beginPass().evmAddressOf(10n);
  await second.fetchMissing();
  const lookup = names.forBlock(0n).beginPass();
  for (const id of [9n, 10n]) {
    const address = lookup.evmAddressOf(id);
    expect(Buffer.from(address)).toEqual(part);
    expect(address.buffer).not.toBe(file.buffer);
  }
});
