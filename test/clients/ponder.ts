// ponder: indexes the events of a contract, and of all tokens, from the first block on and then what comes. What it has
// stored is compared with REST.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/program/free-port.ts';
import { readMirror } from './client-examples.ts';
import type { ClientCall, ClientContext, OutsideClient } from './outside-client.ts';
import { patienceMs } from './patience.ts';
import { counterAbi } from './solidity-interfaces.ts';
import { readIncrements, readToolFacts } from './tool-facts.ts';

type Indexed = { block: string; hash: string; count: string; seen: string; gas: string };

export const ponder: OutsideClient = {
  packageName: 'ponder',
  version: '0.16.10',
  beside: ['viem@2.57.20', 'hono@4'],
  pointedBy: "chains: { mirror: { id: 298, rpc: '<address of --rpc-port>' } }",
  async listCalls(context): Promise<ClientCall[]> {
    const facts = await readToolFacts(context.mirrorUrl);
    const until = await facts.newest();
    writeProject(context, facts.counter.address);
    const compare = async (table: string, read: () => Promise<Indexed[]>) => {
      for (const end = Date.now() + patienceMs; ; await sleep(500)) {
        const found = await read();
        // It goes on: what came since is compared by a later call.
        const own = found.filter(({ block }) => BigInt(block) <= until);
        const expected = await readIncrements(facts, until);
        if (own.length < expected.length && Date.now() < end) continue;
        assert.deepEqual(
          own.map(({ block, hash, count }) => `${block} ${hash} 0x${BigInt(count).toString(16).padStart(64, '0')}`),
          expected,
          table,
        );
        return;
      }
    };
    return [
      {
        name: 'events of a contract, from the first block on',
        run: () => running(context, (ask) => compare('increments', () => ask('increments'))),
      },
      {
        name: 'the same again, from what it has kept, and what comes',
        run: () =>
          running(context, async (ask) => {
            const { length } = await ask('blocks');
            for (const end = Date.now() + patienceMs; (await ask('blocks')).length <= length; await sleep(500)) {
              assert.ok(Date.now() < end, 'No block came');
            }
            await compare('increments', () => ask('increments'));
          }),
      },
      {
        name: 'receipts and calls of them',
        run: () =>
          running(context, async (ask) => {
            const found = await ask('increments');
            assert.ok(found.length > 0);
            for (const { hash, gas, seen, count } of found.slice(-5)) {
              const result = await readMirror<{ gas_used: number }>(context.mirrorUrl, `/contracts/results/${hash}`);
              assert.equal(Number(gas), result.gas_used);
              // At the end of its block.
              assert.ok(BigInt(seen) >= BigInt(count), `${seen} ${count}`);
            }
          }),
      },
    ];
  },
};

function writeProject({ folder, rpcUrl }: ClientContext, address: string): void {
  rmSync(join(folder, '.ponder'), { recursive: true, force: true });
  mkdirSync(join(folder, 'src/api'), { recursive: true });
  const abi = counterAbi.map((line) => JSON.stringify(line)).join(', ');
  const files: Record<string, string> = {
    'ponder.config.ts': `import { createConfig } from 'ponder';
import { parseAbi } from 'viem';
const abi = parseAbi([${abi}]);
export default createConfig({
  ordering: 'multichain',
  chains: { mirror: { id: 298, rpc: '${rpcUrl}', ws: '${rpcUrl.replace('http', 'ws')}', pollingInterval: 500 } },
  contracts: { Counter: { chain: 'mirror', abi, address: '${address}', startBlock: 0, includeTransactionReceipts: true } },
  blocks: { Every: { chain: 'mirror', interval: 1, startBlock: 'latest' } },
});
`,
    'ponder.schema.ts': `import { onchainTable } from 'ponder';
export const increments = onchainTable('increments', (t) => ({
  id: t.text().primaryKey(), block: t.bigint(), hash: t.hex(), count: t.bigint(), by: t.hex(),
  seen: t.bigint(), gas: t.bigint(),
}));
export const blocks = onchainTable('blocks', (t) => ({ id: t.text().primaryKey(), block: t.bigint() }));
`,
    'src/index.ts': `import { ponder } from 'ponder:registry';
import { blocks, increments } from 'ponder:schema';
ponder.on('Counter:Incremented', async ({ event, context }) => {
  const { abi, address } = context.contracts.Counter;
  const seen = await context.client.readContract({ abi, address, functionName: 'count' });
  await context.db.insert(increments).values({
    id: event.id, block: event.block.number, hash: event.transaction.hash, count: event.args.count,
    by: event.args.by, seen, gas: event.transactionReceipt.gasUsed,
  });
});
ponder.on('Every:block', async ({ event, context }) => {
  await context.db.insert(blocks).values({ id: event.id, block: event.block.number });
});
`,
    'src/api/index.ts': `import { Hono } from 'hono';
import { db } from 'ponder:api';
import schema from 'ponder:schema';
const app = new Hono();
const shown = (rows) => JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
app.get('/of/increments', async (c) => c.body(shown(await db.select().from(schema.increments).orderBy(schema.increments.id))));
app.get('/of/blocks', async (c) => c.body(shown(await db.select().from(schema.blocks))));
export default app;
`,
  };
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
}

/** Runs it until it is ready. */
async function running(
  { folder }: ClientContext,
  use: (ask: (table: string) => Promise<Indexed[]>) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  const program = join(folder, 'node_modules/ponder/dist/esm/bin/ponder.js');
  const args = [
    'start',
    '--schema',
    'indexed',
    '--port',
    String(port),
    '--hostname',
    '127.0.0.1',
    '--log-format',
    'json',
  ];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PONDER_TELEMETRY_DISABLED: 'true', CI: 'true' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000);
    });
  }
  const ended = once(child, 'close');
  const ask = async (path: string): Promise<Response | null> => {
    try {
      return await fetch(`http://127.0.0.1:${port}/${path}`);
    } catch {
      // It does not listen yet.
      return null;
    }
  };
  try {
    for (const until = Date.now() + patienceMs; !(await ask('ready'))?.ok; await sleep(250)) {
      assert.ok(Date.now() < until && child.exitCode === null, output);
    }
    await use(async (table) => {
      const answer = await ask(`of/${table}`);
      assert.ok(answer?.ok, output);
      return (await answer.json()) as Indexed[];
    });
    assert.doesNotMatch(output, /"level":50/, output);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
