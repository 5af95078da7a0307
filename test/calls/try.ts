import { rerunNetwork } from './rerun-network.ts';
const [seed, blocks, per, format] = process.argv.slice(2);
const done = await rerunNetwork({ seed: seed!, blocks: Number(blocks), transactionsPerBlock: Number(per), mix: 'contracts', network: format ? { format: format as any } : {} });
console.log(done.different.slice(0, 40).join('\n'));
console.log(done.equal, done.different.length, JSON.stringify(done.refused), JSON.stringify(done.kinds));
