// Which network it is.
import { commandGroups } from '../command-groups.ts';
import { bigintSetting, textSetting } from '../setting.ts';

const { serving } = commandGroups;

export const networkNameSettings = {
  network: textSetting({
    placeholder: '<name>',
    description:
      'Name of the network: mainnet, testnet, previewnet or any other. It determines the default chain id. The import stores it in the database; later a different name is refused.',
    commands: ['start', 'import', 'serve', 'status', 'network'],
    defaultText: 'what the database was filled for; demo where the network is simulated',
  }),
  'chain-id': bigintSetting({
    hex: true,
    description:
      'Chain id shown for contract results without an Ethereum transaction; stored in the database like --network.',
    commands: [...serving, 'import'],
    defaultText:
      'what the database was filled for; mainnet 0x127, testnet 0x128, previewnet 0x129, demo 0x12a, else 0x128',
  }),
  shard: bigintSetting({
    description:
      'Shard of the network, which short entity ids and the system accounts belong to. Only of use while the database is empty: blocks tell it, and then a different one is refused.',
    commands: serving,
    defaultText: 'that of the stored ledger',
  }),
  realm: bigintSetting({
    description: 'Realm of the network, as --shard.',
    commands: serving,
    defaultText: 'that of the stored ledger',
  }),
};
