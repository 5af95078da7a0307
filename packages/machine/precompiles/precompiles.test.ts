// Every precompile against @ethereumjs/evm's, with inputs that are valid, nearly valid and random.

import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { getActivePrecompiles } from '@ethereumjs/evm';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { forkNames } from '../rules/forks.ts';
import { precompilesOf } from './table.ts';

const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague });
const judges = getActivePrecompiles(common);
const prague = precompilesOf('prague');
const gasLimit = 10n ** 12n;

type Answer = { output: string | null; gas: number };

async function judge(address: number, data: Uint8Array): Promise<Answer> {
  const run = judges.get(address.toString(16).padStart(40, '0'))!;
  const evm = evmForJudge as never;
  const { executionGasUsed, returnValue, exceptionError } = await run({ data, gasLimit, common, _EVM: evm });
  return exceptionError === undefined
    ? { output: hex(returnValue), gas: Number(executionGasUsed) }
    : { output: null, gas: 0 };
}

function own(address: number, data: Uint8Array): Answer {
  const { gas, run } = prague.get(BigInt(address))!;
  const output = run(data, () => {});
  return output === null ? { output: null, gas: 0 } : { output: hex(output), gas: gas(data) };
}

let evmForJudge: unknown;
beforeAll(async () => {
  const { createEVM } = await import('@ethereumjs/evm');
  evmForJudge = await createEVM({ common });
});

const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const word = (value: bigint, length = 32) => bytes(value.toString(16).padStart(2 * length, '0'));
const join = (...parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));

/** The same numbers in every run. */
function createNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

async function agree(address: number, inputs: Iterable<Uint8Array>): Promise<void> {
  let count = 0;
  let answered = 0;
  for (const data of inputs) {
    const judged = await judge(address, data);
    expect({ ...own(address, data), data: hex(data) }).toEqual({ ...judged, data: hex(data) });
    count += 1;
    if (judged.output !== null && judged.output !== '') answered += 1;
  }
  expect(answered).toBeGreaterThan(0);
  expect(count).toBeGreaterThan(3);
}

function* flips(valid: Uint8Array, times: number, seed: number): Iterable<Uint8Array> {
  const below = createNumbers(seed);
  yield valid;
  yield new Uint8Array(0);
  yield valid.subarray(0, valid.length - 1);
  yield join(valid, Uint8Array.of(0));
  for (let count = 0; count < times; count++) {
    const flipped = valid.slice();
    flipped[below(valid.length)]! ^= 1 << below(8);
    yield flipped;
  }
}

function* lengths(seed: number): Iterable<Uint8Array> {
  const below = createNumbers(seed);
  for (const length of [0, 1, 31, 32, 33, 55, 64, 128, 1000]) yield Uint8Array.from({ length }, () => below(256));
}

describe('hashes and signatures', () => {
  it.each([2, 3, 4])('0x0%i', async (address) => {
    await agree(address, lengths(address));
  });

  it('0x01', async () => {
    const hash = word(0x1234_5678n << 100n);
    const key = word(0xabcdefn << 150n);
    const signature = secp256k1.Signature.fromBytes(
      secp256k1.sign(hash, key, { prehash: false, format: 'recovered' }),
      'recovered',
    );
    const inputs = [27n, 28n, 29n, 0n, 27n << 8n].map((v) => join(hash, word(v), word(signature.r), word(signature.s)));
    const high = join(hash, word(27n), word(signature.r), word(secp256k1.Point.Fn.ORDER - signature.s));
    const zero = join(hash, word(27n), word(0n), word(1n));
    await agree(1, [...inputs, high, zero, ...flips(inputs[signature.recovery!]!, 20, 1)]);
  });

  it('0x09', async () => {
    const below = createNumbers(9);
    const input = (rounds: number, last: number) => {
      const data = Uint8Array.from({ length: 213 }, () => below(256));
      data.set(word(BigInt(rounds), 4));
      data[212] = last;
      return data;
    };
    await agree(
      9,
      [0, 1, 2, 9, 10, 11, 12, 100].flatMap((rounds) => [input(rounds, 0), input(rounds, 1), input(rounds, 2)]),
    );
    await agree(9, [input(12, 1), input(12, 1).subarray(1), new Uint8Array(0), input(3, 0)]);
  });
});

it('0x05', async () => {
  const below = createNumbers(5);
  const random = (length: number) => Uint8Array.from({ length }, () => below(256));
  const input = (base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array) =>
    join(...[base, exponent, modulus].map(({ length }) => word(BigInt(length))), base, exponent, modulus);
  const inputs = [
    ...Array.from({ length: 40 }, () => input(random(below(70)), random(below(70)), random(below(70)))),
    ...[0n, 1n, 2n].map((modulus) => input(random(8), random(3), word(modulus))),
    input(random(3), new Uint8Array(40), random(32)),
    input(new Uint8Array(0), new Uint8Array(0), random(4)),
    input(random(4), random(4), random(4)).subarray(0, 99),
    join(word(0n), word(1n << 200n), word(0n)),
  ];
  await agree(5, inputs);
});

describe('BN254', () => {
  const { G1, G2 } = bn254;
  const g1 = (scalar: bigint) => {
    const { x, y } = G1.Point.BASE.multiply(scalar).toAffine();
    return join(word(x), word(y));
  };
  const g2 = (scalar: bigint) => {
    const { x, y } = G2.Point.BASE.multiply(scalar).toAffine();
    return join(word(x.c1), word(x.c0), word(y.c1), word(y.c0));
  };
  const order = bn254.fields.Fr.ORDER;

  /** On the curve, outside of the group. */
  function outsideG2(): Uint8Array {
    const { Fp2 } = bn254.fields;
    const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
    const isSquare = (value: ReturnType<typeof Fp2.mul>) => Fp2.eql(Fp2.pow(value, (Fp2.ORDER - 1n) / 2n), Fp2.ONE);
    for (let c0 = 1n; ; c0++) {
      const x = Fp2.fromBigTuple([c0, 1n]);
      const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b);
      if (!isSquare(square)) continue;
      const y = Fp2.sqrt(square);
      expect(G2.Point.fromAffine({ x, y }).isTorsionFree()).toBe(false);
      return join(word(x.c1), word(x.c0), word(y.c1), word(y.c0));
    }
  }

  it('0x06', async () => {
    await agree(6, [
      join(g1(3n), g1(5n)),
      join(g1(3n), g1(3n)),
      join(g1(3n), g1(order - 3n)),
      g1(4n),
      ...flips(join(g1(7n), g1(9n)), 8, 6),
      join(word(bn254.fields.Fp.ORDER), word(0n)),
    ]);
  });

  it('0x07', async () => {
    const scalars = [0n, 1n, 2n, order, order + 5n, (1n << 256n) - 1n];
    await agree(7, [...scalars.map((scalar) => join(g1(11n), word(scalar))), ...flips(join(g1(3n), word(9n)), 6, 7)]);
  });

  it('0x08', { timeout: 240_000 }, async () => {
    const cancelling = join(g1(6n), g2(5n), g1(order - 30n), g2(1n));
    await agree(8, [
      new Uint8Array(0),
      cancelling,
      join(g1(6n), g2(5n)),
      join(new Uint8Array(64), g2(5n)),
      join(g1(6n), new Uint8Array(128)),
      join(g1(1n), outsideG2()),
      ...flips(cancelling, 4, 8),
    ]);
  });
});

describe('BLS12-381', () => {
  const { G1, G2, fields } = bls12_381;
  const order = fields.Fr.ORDER;
  const element = (value: bigint) => word(value, 64);
  const g1 = (scalar: bigint) => {
    const { x, y } = G1.Point.BASE.multiply(scalar).toAffine();
    return join(element(x), element(y));
  };
  const g2 = (scalar: bigint) => {
    const { x, y } = G2.Point.BASE.multiply(scalar).toAffine();
    return join(element(x.c0), element(x.c1), element(y.c0), element(y.c1));
  };
  const zero = (length: number) => new Uint8Array(length);
  /** On the curve, outside of the group: y² = 0 + 4. */
  const outside = join(element(0n), element(2n));

  it('0x0b and 0x0d', async () => {
    await agree(0x0b, [
      join(g1(3n), g1(5n)),
      join(g1(3n), g1(3n)),
      join(g1(3n), g1(order - 3n)),
      join(outside, outside),
      join(zero(128), g1(2n)),
      ...flips(join(g1(7n), g1(8n)), 8, 11),
    ]);
    await agree(0x0d, [
      join(g2(3n), g2(5n)),
      join(g2(3n), g2(order - 3n)),
      join(zero(256), g2(2n)),
      ...flips(join(g2(7n), g2(8n)), 8, 13),
    ]);
  });

  it('0x0c and 0x0e', async () => {
    const sum1 = join(g1(3n), word(5n), g1(7n), word(order + 1n), zero(128), word(9n));
    const sum2 = join(g2(3n), word(5n), g2(7n), word((1n << 256n) - 1n));
    await agree(0x0c, [join(g1(2n), word(0n)), join(outside, word(1n)), ...flips(sum1, 6, 12)]);
    await agree(0x0e, [join(g2(2n), word(0n)), ...flips(sum2, 6, 14)]);
    // A discount for each number of products.
    const many = (count: number) => join(...Array.from({ length: count }, () => join(zero(128), word(1n))));
    await agree(0x0c, [2, 3, 50, 127, 128, 129, 200].map(many));
  });

  it('0x0f', { timeout: 240_000 }, async () => {
    const cancelling = join(g1(6n), g2(5n), g1(order - 30n), g2(1n));
    await agree(0x0f, [
      join(g1(6n), g2(5n)),
      join(zero(128), g2(5n)),
      join(g1(6n), zero(256)),
      join(outside, g2(1n)),
      ...flips(cancelling, 4, 15),
    ]);
  });

  it('0x10 and 0x11', async () => {
    await agree(0x10, [
      element(0n),
      element(5n),
      element(fields.Fp.ORDER),
      ...flips(element(fields.Fp.ORDER - 1n), 5, 16),
    ]);
    await agree(0x11, [
      join(element(0n), element(0n)),
      join(element(fields.Fp.ORDER), element(1n)),
      ...flips(join(element(3n), element(4n)), 5, 17),
    ]);
  });
});

describe('0x0a', () => {
  /**
   * Hash, z, y, commitment and proof of a blob: the value at z can be proved with no other τ. From core/vm/testdata of
   * ethereum/go-ethereum.
   */
  const vector =
    '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d3630624d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a18f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a';
  const right =
    '000000000000000000000000000000000000000000000000000000000000100073eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001';

  it('accepts a proof of a blob, and no changed one', () => {
    const valid = bytes(vector);
    expect(own(0x0a, valid)).toEqual({ output: right, gas: 50_000 });
    for (const place of [0, 31, 40, 70, 100, 143, 144, 191]) {
      const changed = valid.slice();
      changed[place]! ^= 1;
      expect(own(0x0a, changed).output).toBeNull();
    }
    expect(own(0x0a, valid.subarray(1)).output).toBeNull();
  });

  it('accepts the constant 0, whose commitment and proof are infinity', () => {
    const infinity = Uint8Array.from({ length: 48 }, (_, place) => (place === 0 ? 0xc0 : 0));
    const hash = bytes('010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014');
    expect(own(0x0a, join(hash, word(12n), word(0n), infinity, infinity)).output).toBe(right);
    expect(own(0x0a, join(hash, word(12n), word(1n), infinity, infinity)).output).toBeNull();
    expect(own(0x0a, join(hash, word(fieldOrder), word(0n), infinity, infinity)).output).toBeNull();
  });
  const fieldOrder = bls12_381.fields.Fr.ORDER;
});

it('are there from their fork on', () => {
  expect(forkNames.map((fork) => [...precompilesOf(fork).keys()].length)).toEqual([9, 9, 9, 10, 17]);
});
