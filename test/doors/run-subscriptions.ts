// node scripts/run.mjs test/doors/run-subscriptions.ts [--blocks <n>] [--reconnects <n>] [--kills <n>] [--subscribers
// <n>] [--seed <text>]: clients of web sockets follow heads and logs through n blocks, lose their connections at random
// moments and fetch what they missed; the server is killed. Exit code 0 only when each saw each head and each log once
// and in order.
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { followSubscriptions } from './follow-subscriptions.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '1000' },
    reconnects: { type: 'string', default: '50' },
    kills: { type: 'string', default: '3' },
    subscribers: { type: 'string', default: '4' },
    seed: { type: 'string', default: 'subscriptions' },
  },
});
const [blocks, reconnects, kills, subscribers] = [
  ...[values.blocks, values.reconnects, values.kills, values.subscribers],
].map(Number) as [number, number, number, number];
const { heads, logs, seen, connections } = await followSubscriptions({
  ...{ blocks, reconnects, kills, subscribers, seed: values.seed },
});
for (const one of seen) assert.deepEqual(one, { heads, logs });
console.log(
  `${seen.length} clients saw ${heads.length} heads and ${logs.length} logs, each once and in order, over ${connections.join(', ')} connections.`,
);
process.exit(0);
