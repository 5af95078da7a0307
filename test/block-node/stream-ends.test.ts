// Every way in which a block node can end a stream, and what is made of it: what may pass is asked for again on the
// same node, then on the next one, and an import that waits for nothing is only complete with the last block that it
// asked for.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { BlockNodeLimits } from '../../packages/sources/block-node/block-node-limits.ts';
import { createBlockNodeSource } from '../../packages/sources/block-node/block-node-source.ts';
import { createPreferredSource, type SourceEvent } from '../../packages/sources/preferred-source.ts';
import { parseBlockNodeAddress } from '../../packages/sources/source-places.ts';
import type { StreamSource } from '../../packages/sources/stream-source.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runHere } from '../support/program/run-here.ts';
import {
  type BlockNodeFault,
  type BlockNodeServer,
  type BlockNodeServerOptions,
  startBlockNodeServer,
} from '../support/servers/block-node-server.ts';
import { takeBlocks } from '../support/tables/take-blocks.ts';

const limits: BlockNodeLimits = {
  answerMs: 60_000,
  stallMs: 60_000,
  confirmMs: 60_000,
  blockMs: 60_000,
  attempts: 4,
  pauseMs: 20,
  blockLimits: { maxBlockBytes: 10_000_000, maxMessageBytes: 10_000_000 },
};
const last = 5;
const all = [0n, 1n, 2n, 3n, 4n, 5n];

let folder: string;
let blocks: Buffer[];
const servers: BlockNodeServer[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stream-ends-'));
  await writeNetwork({ folder, seed: 'ends', format: 'blocks', blocks: last + 1, transactions: 2 });
  blocks = readBlocks(join(folder, 'blocks'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(options: Partial<BlockNodeServerOptions> = {}): Promise<BlockNodeServer> {
  const server = await startBlockNodeServer({
    block: (number) => blocks[Number(number)]!,
    available: () => ({ first: 0n, last: BigInt(last) }),
    ...options,
  });
  servers.push(server);
  return server;
}

const node = ({ address }: BlockNodeServer, changed: Partial<BlockNodeLimits> = {}): StreamSource =>
  createBlockNodeSource(parseBlockNodeAddress(address), { ...limits, ...changed });

/** Ends after so many blocks, in as many subscriptions as are said. */
function ending(fault: BlockNodeFault, after: number, times = Number.POSITIVE_INFINITY) {
  let left = times;
  return () => (left-- > 0 ? { fault, after } : null);
}

const passing: BlockNodeFault[] = ['endUnknown', 'endSuccess', 'endError', 'endNotAvailable', 'endWithoutStatus'];
const final: [BlockNodeFault, RegExp][] = [
  ['endInvalidRequest', /says that the request is invalid \(INVALID_REQUEST, block 2\)\./],
  ['endInvalidStart', /does not begin at the block that is due \(INVALID_START_BLOCK_NUMBER, block 2\)\./],
  ['endInvalidEnd', /refuses the end that was asked for \(INVALID_END_BLOCK_NUMBER, block 2\)\./],
  ['endUnknownCode', /ended the stream \(code 77, block 2\)\./],
];

describe('not live', () => {
  it.each(passing)(
    '%s after each block: the rest is asked for again, with the end that was there first',
    async (fault) => {
      let newest = BigInt(last);
      const server = await serve({ nextFault: ending(fault, 1), available: () => ({ first: 0n, last: newest }) });
      const numbers = await takeBlocks(node(server), 0n, {
        live: false,
        // What comes while it reads is not waited for.
        onUnit: () => {
          newest = BigInt(last) + 1n;
        },
      });
      expect(numbers).toEqual(all);
      expect(server.requests).toEqual(all.map((from) => ({ from, to: 5n })));
    },
  );

  it.each(passing)('%s again and again without a block: says which are missing', async (fault) => {
    const server = await serve({ nextFault: () => ({ fault, after: server.requests.length === 1 ? 2 : 0 }) });
    const numbers: bigint[] = [];
    const began = performance.now();
    await expect(takeBlocks(createPreferredSource([node(server)]), 0n, { live: false, numbers })).rejects.toThrow(
      /^Blocks 1 to 5 are missing: grpc:\S+ .*, block 1\), 4 times in a row\. /,
    );
    // Nothing says yet that block 1 is what the network made.
    expect(numbers).toEqual([0n]);
    // 20, 40 and 80 ms between four subscriptions.
    expect(performance.now() - began).toBeGreaterThan(130);
    expect(server.requests.slice(0, 4).map(({ from }) => from)).toEqual([0n, 2n, 2n, 2n]);
  });

  it.each(final)('%s is not tried again', async (fault, error) => {
    const server = await serve({ nextFault: ending(fault, 2) });
    await expect(takeBlocks(node(server), 0n, { live: false })).rejects.toThrow(error);
    expect(server.requests).toHaveLength(1);
  });

  it('what one node does not give comes from the next, and then nothing is missing', async () => {
    const broken = await serve({ nextFault: ending('endSuccess', 2) });
    const whole = await serve();
    const source = createPreferredSource([node(broken, { attempts: 1 }), node(whole)]);
    expect(await takeBlocks(source, 0n, { live: false })).toEqual(all);
  });

  it('a block that only the node which broke off had is missing', async () => {
    const broken = await serve({ nextFault: ending('endError', 1) });
    const behind = await serve({ available: () => ({ first: 0n, last: 3n }) });
    const source = createPreferredSource([node(broken, { attempts: 1 }), node(behind)]);
    const numbers: bigint[] = [];
    const taken = takeBlocks(source, 0n, {
      live: false,
      numbers,
      onUnit: ({ kind }) => {
        if (kind === 'block' && numbers.length === 2) broken.close();
      },
    });
    await expect(taken).rejects.toThrow(/^Blocks 4 to 5 are missing: grpc/);
    expect(numbers).toEqual([0n, 1n, 2n, 3n]);
  });

  it('a node that breaks off, and is away for a while, is asked again', async () => {
    const server = await serve({ nextFault: ending('breakOffInBlock', 1, 3) });
    expect(await takeBlocks(node(server), 0n, { live: false })).toEqual(all);
    expect(server.requests.map(({ from }) => from)).toEqual([0n, 1n, 2n, 3n]);

    const restarted = await serve({ nextFault: ending('endSuccess', 2, 1) });
    let again: Promise<BlockNodeServer> | null = null;
    const taken = takeBlocks(node(restarted, { attempts: 20, pauseMs: 50 }), 0n, {
      live: false,
      onUnit: () => {
        restarted.close();
        again ??= new Promise((done) => setTimeout(done, 200)).then(() => serve({ port: restarted.port }));
      },
    });
    expect(await taken).toEqual(all);
    await again;
  });

  it('a node that has lost its blocks since', async () => {
    let newest = 5n;
    const server = await serve({ available: () => ({ first: 0n, last: newest }), nextFault: ending('endSuccess', 2) });
    const taken = takeBlocks(node(server), 0n, {
      live: false,
      onUnit: () => {
        newest = 1n;
      },
    });
    await expect(taken).rejects.toThrow(/^Blocks 2 to 5 are missing: .* has the blocks 0 to 1, and block 2 is due/);
  });
});

describe('live', () => {
  it.each(passing)('%s after each block: the node is followed on', async (fault) => {
    const server = await serve({ nextFault: ending(fault, 1) });
    const other = await serve();
    const events: SourceEvent[] = [];
    const source = createPreferredSource([node(server), node(other)], { onEvent: (event) => events.push(event) });
    // The newest one would wait for the next.
    expect(await takeBlocks(source, 0n, { until: ({ length }) => length === last })).toEqual(all.slice(0, last));
    expect(events).toEqual([{ kind: 'followed', source: server.address }]);
    expect(other.requests).toEqual([]);
  });

  it.each(passing)('%s for a while: waited for, and no other node is asked', async (fault) => {
    const server = await serve({ nextFault: ending(fault, 0, 3) });
    const other = await serve();
    const source = createPreferredSource([node(server), node(other)]);
    expect(await takeBlocks(source, 0n, { until: ({ length }) => length === last })).toEqual(all.slice(0, last));
    expect(server.requests).toHaveLength(4);
    expect(other.requests).toEqual([]);
  });

  it.each([...passing, ...final.map(([fault]) => fault)])('%s for good: the next node has it', async (fault) => {
    const server = await serve({ nextFault: ending(fault, 0) });
    const other = await serve();
    const events: SourceEvent[] = [];
    const source = createPreferredSource([node(server), node(other)], { onEvent: (event) => events.push(event) });
    expect(await takeBlocks(source, 0n, { until: ({ length }) => length === last })).toEqual(all.slice(0, last));
    expect(events.map(({ kind, source }) => [kind, source])).toEqual([
      ['failed', server.address],
      ['followed', other.address],
    ]);
    expect(server.requests).toHaveLength(passing.includes(fault) ? 4 : 1);
  });

  it('a block before the end is handed out with the next one, though that comes in another stream', async () => {
    const server = await serve({ nextFault: ending('endSuccess', 1) });
    await takeBlocks(node(server), 0n, {
      until: ({ length }) => length === last,
      onUnit: (unit) => {
        expect(unit).toMatchObject({
          kind: 'block',
          successor: { number: (unit.kind === 'block' ? unit.block.number : 0n) + 1n },
        });
      },
    });
  });

  it('a stream that ends at the newest block hands that out', async () => {
    let newest = 2n;
    const server = await serve({
      available: () => ({ first: 0n, last: newest }),
      nextFault: ending('endSuccess', 3, 1),
    });
    const taken = takeBlocks(node(server), 0n, { until: ({ length }) => length === 3 });
    // The fault comes before the newest block: one more, which is gone when the stream has ended.
    newest = 3n;
    expect(await taken).toEqual([0n, 1n, 2n]);
  });
});

describe('import --once', { timeout: 300_000 }, () => {
  const importOnce = async (server: BlockNodeServer) => {
    const database = await createScratchDatabase({ empty: true });
    try {
      const book = join(folder, 'addressbook.bin');
      const { code, output } = await runHere(
        ['import', '--once', '--source', server.address, '--source-timeout', '2', '--address-book', book],
        { env: { DATABASE_URL: database.connectionString } },
      );
      return [code, output] as const;
    } finally {
      await database.close();
    }
  };

  it('is complete although every stream ends with SUCCESS after one block', async () => {
    const [exitCode, output] = await importOnce(await serve({ nextFault: ending('endSuccess', 1) }));
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/6 blocks/)]);
  });

  it('fails and says what is missing when a node ends with SUCCESS after two blocks of six, and gives no more', async () => {
    const server = await serve({
      nextFault: () => ({ fault: 'endSuccess', after: server.requests.at(-1)?.from === 0n ? 2 : 0 }),
    });
    const [exitCode, output] = await importOnce(server);
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /Blocks 1 to 5 are missing: grpc:\S+ ended the stream before the block that is due \(SUCCESS, block 1\), 5 times in a row/,
    );
  });
});
