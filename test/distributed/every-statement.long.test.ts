// Every statement of store/read is asked here of a distributed database, on a stand-in for Citus, and none has a form
// that a cluster
// refuses: a new one that is not asked fails, and so does one that is refused.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { asDistributed } from '../../packages/store/read/distributed/as-distributed.ts';
import { recordQueries } from '../../packages/test-support/postgres/record-queries.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { runOn } from '../../packages/test-support/postgres/scratch-server.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { readLedgerWords } from '../fuzz/ledger-words.ts';
import { madeQuestions } from '../plans/made-questions.ts';
import { planQuestions } from '../plans/plan-questions.ts';
import { addCitusStandIn } from '../support/servers/citus-stand-in.ts';
import { askChain, readChainWords } from './cluster/chain-questions.ts';
import { directQuestions, readDirectWords } from './direct-questions.ts';
import { judgeStatement } from './judge-statement.ts';

let stream: SimulatedStream;
let scratch: ScratchDatabase;
let plain: Database;
let distributed: Database;
/** By name; of the distributed database with what was refused. */
const asked = new Set<string>();
const refused = new Map<string, string>();

function judge({ name, text }: { name: string; text: string }): void {
  asked.add(name);
  const faults = judgeStatement(text);
  if (faults.length > 0) refused.set(name, `${name}: ${faults.join('; ')}\n${text}`);
}

beforeAll(async () => {
  stream = await writeSimulatedStream({
    seed: 'every statement',
    blocks: 24,
    transactionsPerBlock: 30,
    network: { cutoverAt: 12n },
  });
  scratch = await createScratchDatabase();
  await addCitusStandIn(scratch.connectionString);
  await migrate({ ...scratch, distributed: true });
  await stream.importInto(scratch.connectionString, { onQuery: judge });
  // As rows are that the Hiero mirror node wrote.
  await runOn(
    scratch.connectionString,
    'update transaction set packed_transfers = null where consensus_timestamp % 2 = 0',
  );
  plain = openDatabase(scratch);
  distributed = openDatabase(scratch);
}, 240_000);
afterAll(async () => {
  await plain?.close();
  await distributed?.close();
  await scratch?.close();
  stream?.close();
});

test('of REST, JSON-RPC, calls, traces, proofs and the import', { timeout: 600_000 }, async () => {
  const [one, other] = [
    recordQueries(plain, ({ name }) => asked.add(name)),
    recordQueries(asDistributed(distributed), judge),
  ];
  const words = await readLedgerWords(plain);
  const questions = [...madeQuestions(words, { ofEach: 24 }), ...planQuestions(words.timestamps[0]!)];
  for (const db of [one, other]) {
    const ledger = createLedger({ db, clock: () => 1_800_000_000_000_000_000n, system: usualRealm });
    for (const [, ask] of questions) await ask(ledger);
  }
  const chain = await readChainWords(plain, { every: 6, runs: 40 });
  const [expected, actual] = [await askChain(one, chain), await askChain(other, chain)];
  const different = [...expected].filter(([question, answer]) => actual.get(question) !== answer);
  for (const [question, ask] of directQuestions(await readDirectWords(plain))) {
    expect([question, await ask(other)]).toEqual([question, await ask(one)]);
  }
  expect(different).toEqual([]);
  expect([...refused.values()].join('\n\n')).toBe('');
  expect(notAsked()).toEqual([]);
});

function notAsked(): string[] {
  const names = [...asked];
  return namesOfStatements().filter((name) => {
    const pattern = new RegExp(
      `^${name
        .split(/\$\{[^}]*\}?/)
        .map((part) => part.replaceAll(/[^\w-]/g, ''))
        .join('.+')}(-page|-by-number|-by-hash)?$`,
    );
    return !names.some((one) => pattern.test(one));
  });
}

/** As the sources have them; what varies is `${…}`. */
function namesOfStatements(): string[] {
  const folder = join(import.meta.dirname, '../../packages/store/read');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /['`]((?:select|find|count|has|knows|spreads|name)-[^'`.]*(?:\$\{[^}]*\}[^'`.]*)?)['`]/g,
        ),
      ].map(([, name]) => name!),
    );
}
