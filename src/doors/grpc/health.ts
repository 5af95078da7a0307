// Whether the services answer, as gRPC's health service says it.
import type { Logger } from 'pino';
import { pause } from '../../../packages/kit/pause.ts';
import { ownWork } from '../../../packages/kit/shares/client-line.ts';
import { runAs } from '../../../packages/kit/shares/current-client.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { grpcError } from './grpc-error.ts';

const watchEveryMs = 5000;
/** The database is asked once in this time, however many clients ask and watch. */
const keptMs = 500;
/** HealthCheckResponse.ServingStatus */
const servingStatus = { serving: 1, notServing: 2, unknownService: 3 };
/** Empty: the whole server. */
const services: ReadonlySet<string> = new Set([
  '',
  'com.hedera.mirror.api.proto.ConsensusService',
  'com.hedera.mirror.api.proto.NetworkService',
]);

/** `signal`: aborts when the server ends. */
export function createHealth({ ledger, signal, log }: { ledger: Ledger; signal: AbortSignal; log: Logger }) {
  let known: { status: Promise<number>; atMs: number } | null = null;

  return {
    /** Throws GrpcError for an unknown service. */
    async read(name: string): Promise<number> {
      if (!services.has(name)) throw grpcError.notFound(`unknown service ${name}`);
      return readStatus();
    },
    async *watch(name: string, client: AbortSignal): AsyncGenerator<object> {
      let reported: number | null = null;
      do {
        const status = services.has(name) ? await readStatus() : servingStatus.unknownService;
        if (status !== reported) yield { status };
        reported = status;
      } while (await pause(watchEveryMs, client));
    },
  };

  async function readStatus(): Promise<number> {
    if (signal.aborted) return servingStatus.notServing;
    const now = performance.now();
    if (known === null || now - known.atMs >= keptMs) known = { status: runAs(ownWork, askDatabase), atMs: now };
    return known.status;
  }

  async function askDatabase(): Promise<number> {
    try {
      return (await ledger.isReady()) ? servingStatus.serving : servingStatus.notServing;
    } catch (error) {
      log.warn({ err: error }, 'Not ready: the database does not answer');
      return servingStatus.notServing;
    }
  }
}
