// A private network and its mirror: three simulated nodes write and sign stream files into a folder, the mirror verifies them
// against the network's own address book, and is asked who the nodes are and what there is.
//
//   node examples/private-network.mjs [folder] [blocks]
//
// Everything lies in the folder (./private-network); the next run goes on from there. It ends after so many blocks (3).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { get } from './exact-json.mjs';
import { endPrograms, startProgram } from './program.mjs';

const [folder = './private-network', blocks = '3'] = process.argv.slice(2);
// As root PostgreSQL runs as another user, who must come through.
mkdirSync(folder, { recursive: true, mode: 0o711 });
const streams = join(folder, 'streams');
const name = ['--network', 'private', '--chain-id', '1337'];

try {
  const network = ['network', '--output', streams, '--nodes', '3', '--block-interval', '500', '--network', 'private'];
  // The address book is there before the first block.
  await startProgram(network).says(/^block \d/m);
  const book = join(streams, 'addressbook.bin');
  const from = ['--source', streams, '--address-book', book, '--data-dir', join(folder, 'mirror'), '--port', '0'];
  const mirror = startProgram(['start', ...name, ...from]);
  const [, url] = await mirror.says(/Answering on (http:\/\/[^/\s]+)/);

  const { blocks: stored } = await get(`${url}/api/v1/blocks?limit=1`);
  let next = stored.length === 0 ? 0 : stored[0].number + 1;
  for (const end = next + Number(blocks); next < end; await pause(200)) {
    const { blocks: found } = await get(`${url}/api/v1/blocks?block.number=gte:${next}&order=asc&limit=${end - next}`);
    for (const { number, count, hash } of found) {
      console.log(`Block ${number}: ${count} transactions, ${hash.slice(0, 18)}…`);
      next = number + 1;
    }
  }
  const { nodes } = await get(`${url}/api/v1/network/nodes`);
  console.log(`Nodes: ${nodes.map(({ node_id, node_account_id }) => `${node_id} (${node_account_id})`).join(', ')}`);
  const { total_supply } = await get(`${url}/api/v1/network/supply`);
  console.log(`Supply: ${BigInt(total_supply) / 100_000_000n} hbar`);
} finally {
  await endPrograms();
}
