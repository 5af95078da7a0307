// node scripts/run.mjs test/doors/run-topics.ts [--messages <n>] [--subscribers <n>] [--followers <n>] [--kills <n>]
// [--folder <folder>]: messages of a topic are imported while clients follow it over gRPC, as server-sent events and
// with the Hiero SDK (installed into the folder), and the server is killed. Exit code 0 only when each client got each
// message once and in order.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installClient } from '../support/program/install-client.ts';
import { followTopics } from './follow-topics.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '100000' },
    subscribers: { type: 'string', default: '20' },
    followers: { type: 'string', default: '5' },
    kills: { type: 'string', default: '5' },
    folder: { type: 'string', default: join(mkdtempSync(join(tmpdir(), 'ledger-mirror-topics-')), 'sdk') },
  },
});
const sdk = await installClient({ packageName: '@hiero-ledger/sdk', version: '2.87.0' }, values.folder);
if ('skipped' in sdk) console.log(`Without the SDK: ${sdk.skipped}`);
const { seen, ...result } = await followTopics({
  // A tenth of the texts comes in three parts.
  texts: Math.ceil(Number(values.messages) / 1.2),
  ...{ subscribers: Number(values.subscribers), followers: Number(values.followers), kills: Number(values.kills) },
  load: 'load' in sdk ? sdk.load : null,
  onProgress: console.log,
});
console.log(`${seen.length} clients, each got each message once and in order.`, result);
