import { formatLedgerId } from '../../packages/kit/format-ledger-id.ts';
import type { Command } from './command.ts';
import { openSimulatedNetwork } from './open-simulated-network.ts';
import { openProgressLine } from './progress-line.ts';
import { simulatedFolder } from './simulated-folder.ts';

export const networkCommand: Command = {
  name: 'network',
  summary: 'Runs a small simulated network that writes signed stream files.',
  description: `
A few nodes sign the transactions of a ledger that begins with genesis: transfers, tokens, contracts run in an EVM,
schedules. After a stop or a kill the next start continues the same chain. The address book is written beside the files; the
ledger id, which the blocks of a block stream are signed for, follows from --seed and --nodes, and is printed.

  ledger-mirror network --output ./streams --blocks 100 --block-interval 0
  ledger-mirror verify --source ./streams --address-book ./streams/addressbook.bin`,
  async run(context) {
    const { settings, print } = context;
    const folder = settings.find('output') ?? simulatedFolder(settings);
    const network = await openSimulatedNetwork(context, folder);
    print(`Ledger id ${formatLedgerId(network.ledgerId())}`);
    const line = openProgressLine(context);
    let blocks = 0;
    let transactions = 0;
    try {
      await network.run({
        blocks: settings.find('blocks'),
        onBlock(block) {
          blocks += 1;
          transactions += block.transactions;
          line.update(`block ${block.number} · ${block.transactions} transactions · ${block.name}`);
        },
      });
    } finally {
      line.end();
      await network.close();
    }
    print(`Wrote ${blocks} blocks with ${transactions} transactions to ${folder}`);
    return 0;
  },
};
