// The simulated network as the settings say it, for the commands that run it.
import { createNetwork, type Network, type NetworkOptions } from '../../packages/simulated-network/network.ts';
import { tellFullDisk } from '../runtime/tell-full-disk.ts';
import type { CommandContext } from './command.ts';

/** `run` takes what a command adds to the settings. */
export async function openSimulatedNetwork(
  { settings, log, shutdown }: CommandContext,
  folder: string,
): Promise<Network> {
  const { signal } = shutdown;
  const network = await createNetwork({
    folder,
    seed: settings.find('seed'),
    nodes: settings.find('nodes'),
    keepBlocks: settings.get('keep-blocks'),
    format: settings.get('format') as NetworkOptions['format'],
    cutoverAt: settings.find('cutover-at') ?? null,
    ledgerIdBytes: settings.find('ledger-id-bytes') === '32' ? 32 : 64,
    genesisFees: settings.find('genesis-fees'),
    // README and guides name some of it.
    keepsOpening: true,
    maxGasBack: settings.get('max-gas-refund'),
    onFullDisk: tellFullDisk(log, folder),
    signal,
  });
  return {
    ...network,
    run: (options) =>
      network.run({
        intervalMs: settings.get('block-interval'),
        signEvery: settings.find('sign-every'),
        rotateEvery: settings.get('rotate-every'),
        transactionsPerBlock: settings.find('transactions-per-block'),
        mix: settings.get('mix'),
        signal,
        ...options,
      }),
  };
}
