import { readSampledNetwork, type SampledNetwork } from '../../../packages/store/transfer/read-sampled-network.ts';
import { takeSample } from '../../transfer/take-sample.ts';
import type { BootstrapPlan } from './run-bootstrap.ts';

/** The network that the export says it is of; null = it does not say: Hiero mirror nodes write none. */
export async function findExportedNetwork(
  { place, files }: BootstrapPlan,
  { connectionString, signal }: { connectionString: string; signal: AbortSignal },
): Promise<SampledNetwork | null> {
  const file = files.find(({ table, path }) => table === 'mirrored_network' && path !== null);
  const sample = file && (await takeSample(place, file, signal));
  return sample ? readSampledNetwork(connectionString, sample) : null;
}
