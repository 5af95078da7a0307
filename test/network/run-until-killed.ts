// Writes blocks into the folder given until it is killed, of records or of the format that is named.
import { createNetwork, type NetworkOptions } from '../../packages/simulated-network/network.ts';

const [, , folder, format] = process.argv as [string, string, string, NetworkOptions['format']];
const network = await createNetwork({ folder, seed: 'killed', nodes: 2, format });
// Of a block stream two of three blocks wait for a signature.
await network.run({ intervalMs: 0, signEvery: 3, onBlock: () => process.stdout.write('block\n') });
