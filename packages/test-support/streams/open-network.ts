// A simulated network with keys that the run has already: making one of RSA-3072 takes 0.2 s of processor time.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadSigningNodes } from '../../simulated-network/files/node-keys.ts';
import { createNetwork, type Network, type NetworkOptions } from '../../simulated-network/network.ts';
import { makeOnce } from '../run/make-once.ts';

/** As `createNetwork`. Every network of the run has the same keys, so that one seed writes the same bytes in each. */
export async function openNetwork(options: NetworkOptions): Promise<Network> {
  if (!existsSync(join(options.folder, 'keys'))) await giveKeys(options.folder, options.nodes ?? 4);
  return createNetwork(options);
}

async function giveKeys(folder: string, nodes: number): Promise<void> {
  const count = Math.max(nodes, 4);
  const made = await makeOnce(`keys-${count}`, async (place) => {
    await loadSigningNodes(place, count);
  });
  mkdirSync(join(folder, 'keys'), { recursive: true });
  for (let node = 0; node < nodes; node++) {
    const name = join('keys', `node${node}.pem`);
    copyFileSync(join(made, name), join(folder, name));
  }
}
