// Which network it is.
import { bigint, text } from '../../../../packages/kit/setting.ts';
import { commandGroups, settingsOf } from './commands.ts';

const { serving } = commandGroups;

export const networkNameSettings = {
  ...settingsOf(['start', 'import', 'serve', 'status', 'network', 'bootstrap'], {
    network: text(
      { placeholder: '<name>', defaultText: 'what the database was filled for; demo where the network is simulated' },
      'Name of the network: mainnet, testnet, previewnet or any other. It determines the default chain id. The import stores it in the database; later a different name is refused.',
    ),
  }),
  ...settingsOf([...serving, 'import', 'contract', 'bootstrap'], {
    'chain-id': bigint(
      {
        hex: true,
        defaultText:
          'what the database was filled for; mainnet 0x127, testnet 0x128, previewnet 0x129, demo 0x12a, else 0x128',
      },
      'Chain id shown for contract results without an Ethereum transaction; stored in the database like --network.',
    ),
  }),
  ...settingsOf(serving, {
    shard: bigint(
      { defaultText: 'that of the stored ledger' },
      'Shard of the network, which short entity ids and the system accounts belong to. Only of use while the database is empty: blocks tell it, and then a different one is refused.',
    ),
    realm: bigint({ defaultText: 'that of the stored ledger' }, 'Realm of the network, as --shard.'),
  }),
};
