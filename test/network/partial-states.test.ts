// The state of a simulated ledger from its state changes, by a reader of the tests' own: the same after every block,
// whether the network writes values as a whole or in part.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import protobuf from 'protobufjs/minimal.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StateForm } from '../../packages/simulated-network/block-stream/partial-state.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';

const forms: StateForm[] = ['whole', 'saving', 'always'];
const blocks = 25;
let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'partial-states-'));
  for (const form of forms) {
    const folder = join(root, form);
    if (form !== 'whole') cpSync(join(root, 'whole', 'keys'), join(folder, 'keys'), { recursive: true });
    const start = 1_750_000_000_000_000_000n;
    const size = { blocks, transactions: 25, signEvery: 8, start };
    await writeNetwork({ folder, seed: 'states', format: 'blocks', stateForm: form, ...size });
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Field numbers with all that a message has under them, as hex. */
type Fields = Map<number, string>;

function readFields(message: Uint8Array): Fields {
  const reader = protobuf.Reader.create(message);
  const fields: Fields = new Map();
  while (reader.pos < reader.len) {
    const at = reader.pos;
    const tag = reader.uint32();
    const contentAt = reader.pos;
    reader.skipType(tag & 7);
    // A number of 0 is as good as none, but for the node that is staked to.
    if ((tag & 7) === 0 && message[contentAt] === 0 && tag >>> 3 !== 11) continue;
    const bytes = Buffer.from(message.subarray(at, reader.pos)).toString('hex');
    fields.set(tag >>> 3, (fields.get(tag >>> 3) ?? '') + bytes);
  }
  return fields;
}

function bytesOf(message: Uint8Array, wanted: number): Uint8Array[] {
  const reader = protobuf.Reader.create(message);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === wanted * 8 + 2) found.push(reader.bytes());
    else reader.skipType(tag & 7);
  }
  return found;
}

function numbersOf(message: Uint8Array, wanted: number): number[] {
  const reader = protobuf.Reader.create(message);
  const found: number[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    if (tag === wanted * 8) found.push(reader.uint32());
    else if (tag === wanted * 8 + 2) {
      const packed = protobuf.Reader.create(reader.bytes());
      while (packed.pos < packed.len) found.push(packed.uint32());
    } else reader.skipType(tag & 7);
  }
  return found;
}

/** Takes a block's changes into the state, by number of the map and key. Returns how many of them were parts. */
function apply(state: Map<string, Fields>, block: Uint8Array): number {
  let parts = 0;
  const changes = bytesOf(block, 1)
    .flatMap((item) => bytesOf(item, 7))
    .flatMap((content) => bytesOf(content, 2));
  for (const change of changes) {
    const [update] = bytesOf(change, 5);
    const [removed] = bytesOf(change, 6);
    if (!update && !removed) continue;
    const name = `${numbersOf(change, 1)[0]} ${Buffer.from(bytesOf((update ?? removed)!, 1)[0]!).toString('hex')}`;
    if (!update) {
      state.delete(name);
      continue;
    }
    const [value] = bytesOf(update, 2);
    const reader = protobuf.Reader.create(value!);
    reader.uint32();
    const fields = readFields(reader.bytes());
    const cleared = numbersOf(update, 5);
    if (numbersOf(update, 4)[0] !== 1) {
      expect(cleared).toEqual([]);
      state.set(name, fields);
      continue;
    }
    parts += 1;
    const before = state.get(name);
    expect(before, `a value before the part of ${name}`).toBeDefined();
    expect(cleared.filter((number) => !before!.has(number) || fields.has(number))).toEqual([]);
    state.set(name, new Map([...before!, ...fields].filter(([number]) => !cleared.includes(number))));
  }
  return parts;
}

const toText = (state: Map<string, Fields>) =>
  [...state].map(([name, fields]) => `${name}: ${[...fields].sort(([one], [other]) => one - other).join(' ')}`).sort();

test('parts of values lead to the values', () => {
  const streams = forms.map((form) => ({
    state: new Map<string, Fields>(),
    parts: 0,
    files: readBlocks(join(root, form, 'blocks')),
  }));
  for (let block = 0; block < blocks; block++) {
    for (const stream of streams) stream.parts += apply(stream.state, stream.files[block]!);
    const [whole, ...others] = streams.map(({ state }) => toText(state));
    for (const other of others) expect({ block, state: other }).toEqual({ block, state: whole });
  }
  const [whole, saving, always] = streams.map(({ parts }) => parts);
  expect(whole).toBe(0);
  expect(saving).toBeGreaterThan(100);
  expect(always).toBeGreaterThan(saving! + 100);
});
