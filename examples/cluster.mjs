// Several processes over one database: one `import`, two `serve`, and a client that asks the next server where one is lost.
// With Citus as the database (docs/guides/scale.md) or with a single PostgreSQL it is the same.
//
//   DATABASE_URL=postgres://… node examples/cluster.mjs [folder]
//
// The database is an empty one, or what an earlier run left; the folder (./cluster) holds the stream files of a simulated
// network.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endPrograms, startProgram } from './program.mjs';

if (!process.env.DATABASE_URL) throw new Error('Set DATABASE_URL to a database of PostgreSQL that all processes share');
const [folder = './cluster'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const streams = join(folder, 'streams');

try {
  // The address book is there before the first block.
  await startProgram(['network', '--output', streams, '--block-interval', '500']).says(/^block \d/m);
  const book = join(streams, 'addressbook.bin');
  startProgram(['import', '--source', streams, '--address-book', book, '--data-dir', join(folder, 'import')]);
  const servers = ['one', 'two'].map((name) =>
    startProgram(['serve', '--port', '0', '--status-service', 'off', '--data-dir', join(folder, name)]),
  );
  const urls = await Promise.all(servers.map(async ({ says }) => (await says(/Answering on (http:\/\/[^/\s]+)/))[1]));

  await ask(urls, '/api/v1/blocks/2');
  const answers = await Promise.all(urls.map((url) => ask([url], '/api/v1/blocks/2')));
  console.log(
    `Both servers have block 2, and answer ${answers[0].text === answers[1].text ? 'the same' : 'differently'}`,
  );

  servers[0].child.kill('SIGKILL');
  await servers[0].ended;
  const { url } = await ask(urls, '/api/v1/blocks/3');
  console.log(`Server one is killed; server ${url === urls[1] ? 'two' : 'one'} answers for block 3`);
} finally {
  await endPrograms();
}

/** Of the first server that answers 200, within two minutes. A load balancer does this for clients. */
async function ask(places, path) {
  for (const until = Date.now() + 120_000; Date.now() < until; ) {
    for (const url of places) {
      const answer = await fetch(url + path).catch(() => null);
      if (answer?.ok) return { url, text: await answer.text() };
      await answer?.body?.cancel();
    }
    await pause(200);
  }
  throw new Error(`No server answers ${path}`);
}
