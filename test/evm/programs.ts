// Random programs that mean something to the machine: most opcodes find arguments that do not halt at once, contracts
// call and create each other, loops end, memory stays small. The same seed makes the same programs.
import { type ForkName, forkNames, hasFork } from '../../packages/machine/rules/forks.ts';

type Random = {
  below(limit: number): number;
  chance(part: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  word(): bigint;
};

export type World = {
  fork: ForkName;
  contracts: { address: bigint; code: Uint8Array; balance: bigint; storage: Map<bigint, bigint> }[];
  sender: bigint;
  to: bigint | null;
  value: bigint;
  data: Uint8Array;
  /** Without what the transaction itself costs. */
  gas: number;
};

export const sender = 0xa11ce00000000000000000000000000000000001n;
export const plainAccount = 0xb0b0000000000000000000000000000000000002n;

const contractBase = 0xc0de000000000000000000000000000000000010n;

function createRandom(seed: number): Random {
  let state = (seed * 0x9e3779b9 + 0x6d2b79f5) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]) => items[below(items.length)]!;
  return { below, pick, chance: (part) => next() < part, word };

  function word(): bigint {
    const kind = below(8);
    if (kind < 3) return BigInt(below(5));
    if (kind === 3) return BigInt(below(300));
    if (kind === 4) return (1n << BigInt(below(256))) - BigInt(below(3) - 1);
    if (kind === 5) return (1n << 256n) - 1n - BigInt(below(300));
    let bytes = 0n;
    for (let count = below(32); count >= 0; count--) bytes = (bytes << 8n) | BigInt(below(256));
    return bytes;
  }
}

export function randomWorld(seed: number): World {
  const random = createRandom(seed);
  const fork = random.pick(forkNames);
  const addresses = Array.from({ length: 2 + random.below(3) }, (_, index) => contractBase + BigInt(index));
  const contracts = addresses.map((address) => ({
    address,
    code: randomCode(random, addresses, fork, 0),
    balance: random.chance(0.5) ? BigInt(random.below(1000)) : 0n,
    storage: new Map(
      Array.from({ length: random.below(4) }, () => [BigInt(random.below(6)), BigInt(1 + random.below(9))] as const),
    ),
  }));
  // The last one runs another's code (EIP-7702), or that of nobody.
  if (random.chance(0.2)) {
    const target = random.pick([...addresses, plainAccount, 4n, 12345n]);
    contracts.at(-1)!.code = Uint8Array.from(Buffer.from(`ef0100${target.toString(16).padStart(40, '0')}`, 'hex'));
  }
  const creates = random.chance(0.15);
  const magnitude = 2 + random.below(19);
  return {
    fork,
    contracts,
    sender,
    to: creates ? null : addresses[0]!,
    value: random.chance(0.3) ? BigInt(random.below(50)) : 0n,
    data: creates
      ? initCode(randomCode(random, addresses, fork, 1), random)
      : Uint8Array.from({ length: random.below(80) }, () => random.below(256)),
    gas: random.chance(0.75) ? 1_500_000 : Math.min(2_000_000, random.below(2 ** (magnitude + 1))),
  };
}

type Writer = { code: number[]; depth: number };

function randomCode(random: Random, addresses: readonly bigint[], fork: ForkName, nesting: number): Uint8Array {
  if (random.chance(0.02)) return Uint8Array.from({ length: random.below(60) }, () => random.below(256));
  const writer: Writer = { code: [], depth: 0 };
  const count = 3 + random.below(nesting === 0 ? 30 : 8);
  for (let index = 0; index < count; index++) writeStatement(writer, random, addresses, fork, nesting);
  if (random.chance(0.9)) showStack(writer, random);
  return Uint8Array.from(writer.code);
}

/** Returns what is on the stack, or keeps it, so that a wrong word is seen. */
function showStack(writer: Writer, random: Random): void {
  const items = Math.min(writer.depth, 6);
  for (let item = 0; item < items; item++) {
    push(writer, random.chance(0.9) ? BigInt(item * 32) : BigInt(20 + item));
    emit(writer, random.chance(0.9) ? 0x52 : 0x55, 2, 0);
  }
  push(writer, random.chance(0.8) ? BigInt(items * 32) : BigInt(random.below(70)));
  push(writer, random.chance(0.8) ? 0n : BigInt(random.below(70)));
  writer.code.push(random.chance(0.75) ? 0xf3 : 0xfd);
}

function initCode(runtime: Uint8Array, random: Random): Uint8Array {
  // Copies what is behind itself into memory and returns it.
  const length = runtime.length;
  const head = [0x61, length >> 8, length & 255, 0x80, 0x60, 0, 0x60, 0, 0x39, 0x60, 0, 0xf3];
  head[5] = head.length;
  const extra = random.chance(0.3) ? [0x60, random.below(9), 0x60, random.below(4), 0x55] : [];
  head[5] += extra.length;
  return Uint8Array.from([...extra, ...head, ...runtime]);
}

function push(writer: Writer, word: bigint): void {
  const hex = word.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  writer.code.push(0x5f + bytes.length, ...bytes);
  writer.depth += 1;
}

const plain: readonly [code: number, takes: number, leaves: number][] = [
  ...[1, 2, 3, 4, 5, 6, 7, 0x0a, 0x0b].map((code): [number, number, number] => [code, 2, 1]),
  ...[0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d].map((code): [number, number, number] => [
    code,
    2,
    1,
  ]),
  ...[8, 9].map((code): [number, number, number] => [code, 3, 1]),
  ...[0x15, 0x19].map((code): [number, number, number] => [code, 1, 1]),
  ...[0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d].map((code): [number, number, number] => [code, 0, 1]),
  ...[0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x58, 0x59, 0x5a].map((code): [number, number, number] => [
    code,
    0,
    1,
  ]),
];

function writeStatement(
  writer: Writer,
  random: Random,
  addresses: readonly bigint[],
  fork: ForkName,
  nesting: number,
): void {
  const address = () => random.pick([...addresses, plainAccount, sender, BigInt(1 + random.below(10))]);
  const small = () => BigInt(random.chance(0.02) ? random.below(70_000) : random.below(100));
  const kind = random.below(20);
  if (kind < 6) {
    const [code, takes, leaves] = random.pick(plain);
    while (writer.depth < takes || random.chance(0.3)) push(writer, random.word());
    emit(writer, code, takes, leaves);
  } else if (kind === 6) {
    for (const argument of [random.word(), small()]) push(writer, argument);
    emit(writer, random.chance(0.8) ? 0x52 : 0x53, 2, 0);
  } else if (kind === 7) {
    push(writer, small());
    emit(writer, random.pick([0x51, 0x35]), 1, 1);
  } else if (kind === 8) {
    for (const argument of [small(), small()]) push(writer, argument);
    emit(writer, 0x20, 2, 1);
  } else if (kind <= 10) writeStorage(writer, random, fork);
  else if (kind === 11) {
    for (const argument of [small(), small(), small()]) push(writer, argument);
    const hasCopy = hasFork(fork, 'cancun');
    emit(writer, random.pick([0x37, 0x39, hasCopy ? 0x5e : 0x39, random.chance(0.1) ? 0x3e : 0x37]), 3, 0);
  } else if (kind === 12) {
    const topics = random.below(5);
    for (let count = 0; count < topics; count++) push(writer, random.word());
    for (const argument of [small(), small()]) push(writer, argument);
    emit(writer, 0xa0 + topics, topics + 2, 0);
  } else if (kind === 13) {
    push(writer, address());
    emit(writer, random.pick([0x31, 0x3b, 0x3f]), 1, 1);
  } else if (kind === 14) {
    for (const argument of [small(), small(), small(), address()]) push(writer, argument);
    emit(writer, 0x3c, 4, 0);
  } else if (kind === 15) writeShuffle(writer, random);
  else if (kind === 16) writeLoop(writer, random);
  else if (kind <= 18) writeCall(writer, random, address());
  else if (nesting < 2 && random.chance(0.6)) writeCreation(writer, random, addresses, fork, nesting);
  else writeRare(writer, random, address);
}

function emit(writer: Writer, code: number, takes: number, leaves: number): void {
  writer.code.push(code);
  writer.depth = Math.max(0, writer.depth - takes) + leaves;
}

function writeStorage(writer: Writer, random: Random, fork: ForkName): void {
  const isTransient = random.chance(0.2) && hasFork(fork, 'cancun');
  const slot = BigInt(random.below(6));
  if (random.chance(0.6)) {
    push(writer, random.chance(0.4) ? 0n : BigInt(random.below(9)));
    push(writer, slot);
    emit(writer, isTransient ? 0x5d : 0x55, 2, 0);
  } else {
    push(writer, slot);
    emit(writer, isTransient ? 0x5c : 0x54, 1, 1);
  }
}

function writeShuffle(writer: Writer, random: Random): void {
  const place = 1 + random.below(16);
  const isSwap = random.chance(0.5);
  while (writer.depth < place + 1 && random.chance(0.998)) push(writer, random.word());
  emit(writer, (isSwap ? 0x8f : 0x7f) + place, 0, isSwap ? 0 : 1);
  if (random.chance(0.3)) emit(writer, 0x50, 1, 0);
}

/** Counts down from a small number; now and then jumps to a place that is no destination. */
function writeLoop(writer: Writer, random: Random): void {
  push(writer, BigInt(1 + random.below(12)));
  const start = writer.code.length;
  writer.code.push(0x5b);
  if (random.chance(0.5)) writer.code.push(0x80, 0x60, random.below(90), 0x52);
  else writer.code.push(0x80, 0x54, 0x50);
  writer.code.push(0x60, 1, 0x90, 0x03, 0x80);
  const target = random.chance(0.02) ? start + 1 : start;
  writer.code.push(0x61, target >> 8, target & 255, 0x57);
}

function writeCall(writer: Writer, random: Random, to: bigint): void {
  const code = random.pick([0xf1, 0xf1, 0xf1, 0xf2, 0xf4, 0xfa]);
  const area = () => BigInt(random.below(200));
  for (const argument of [area(), area(), area(), area()]) push(writer, argument);
  const hasValue = code === 0xf1 || code === 0xf2;
  if (hasValue) push(writer, random.chance(0.4) ? BigInt(random.below(30)) : 0n);
  push(writer, to);
  if (random.chance(0.5)) push(writer, BigInt(random.below(200_000)));
  else emit(writer, 0x5a, 0, 1);
  emit(writer, code, hasValue ? 7 : 6, 1);
}

function writeCreation(
  writer: Writer,
  random: Random,
  addresses: readonly bigint[],
  fork: ForkName,
  nesting: number,
): void {
  const created = initCode(randomCode(random, addresses, fork, nesting + 1), random);
  // In pieces of 32 bytes from memory 0 on.
  for (let at = 0; at < created.length; at += 32) {
    const piece = new Uint8Array(32);
    piece.set(created.subarray(at, at + 32));
    push(writer, BigInt(`0x${Buffer.from(piece).toString('hex')}`));
    push(writer, BigInt(at));
    emit(writer, 0x52, 2, 0);
  }
  const isSalted = random.chance(0.4);
  if (isSalted) push(writer, BigInt(random.below(3)));
  push(writer, BigInt(created.length));
  push(writer, 0n);
  push(writer, random.chance(0.3) ? BigInt(random.below(20)) : 0n);
  emit(writer, isSalted ? 0xf5 : 0xf0, isSalted ? 4 : 3, 1);
  if (random.chance(0.5)) {
    // Calls what it made: the address is on the stack, the six other arguments are zeros.
    for (let count = 0; count < 5; count++) push(writer, 0n);
    writer.code.push(0x85);
    push(writer, 100_000n);
    emit(writer, 0xf1, 6, 1);
  }
}

function writeRare(writer: Writer, random: Random, address: () => bigint): void {
  const choice = random.below(30);
  if (choice === 0) emit(writer, random.pick([0xfe, 0x0c, 0xef, 0x21, 0x00]), 0, 0);
  else if (choice === 1) {
    push(writer, address());
    emit(writer, 0xff, 1, 0);
  } else if (choice === 2) emit(writer, 0x5f, 0, 1);
  else if (choice === 3) emit(writer, 0x4a, 0, 1);
  else if (choice === 4) {
    push(writer, random.word());
    emit(writer, 0x51, 1, 1);
  } else if (choice === 5) emit(writer, random.below(256), 0, 0);
  else if (choice === 6) {
    push(writer, 3n);
    emit(writer, 0x56, 1, 0);
  } else if (choice === 7) {
    // The block is 1000: of it and of those at both ends of the 256 before it.
    push(writer, random.pick([1000n, 999n, 744n, 743n, random.word()]));
    emit(writer, 0x40, 1, 1);
  } else if (choice === 8) {
    push(writer, random.word());
    emit(writer, 0x49, 1, 1);
  } else {
    push(writer, random.pick([0n, 1n, 0xffn, random.word()]));
    emit(writer, random.pick([0x15, 0x19]), 1, 1);
  }
}
