// Writes blocks into the folder given until it is killed.
import { createNetwork } from '../../packages/simulated-network/network.ts';

const network = await createNetwork({ folder: process.argv[2]!, seed: 'killed', nodes: 2 });
await network.run({ intervalMs: 0, onBlock: () => process.stdout.write('block\n') });
