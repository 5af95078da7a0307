// The messages between the workers of one `serve` and the process that started them. Both ends are the same program.
import type { MetricObject, MetricObjectWithValues, MetricValue } from 'prom-client';
import type { OutcomesTaken } from '../../../packages/kit/shares/client-outcomes.ts';
import type { SchemaGap } from '../../../packages/schema/migration/schema-gaps.ts';
import type { Network } from '../database/settle-network.ts';

/** What a worker needs to begin; made once for all. */
export type WorkerStart = {
  connectionString: string;
  schemaGaps: readonly SchemaGap[];
  network: Network;
  /** Number of workers that share the limits of the settings. */
  workers: number;
};

/** Where the status service listens, and the secret that identifies this program. */
export type StatusContact = { port: number; secret: string };

export type MetricSnapshot = (MetricObject & MetricObjectWithValues<MetricValue<string>>)[];

export type ToWorker =
  | { kind: 'begin'; start: WorkerStart; port: number }
  | { kind: 'status'; contact: StatusContact | null }
  /** The metrics of all workers, as text. */
  | { kind: 'allMetrics'; id: number; text: string }
  | { kind: 'tellMetrics'; id: number }
  | { kind: 'read'; command: ToReader }
  | { kind: 'stop' };

/** With replicas: messages of the process that chooses among them. See place-reader.ts. */
export type ToReader =
  | { do: 'hold'; id: number; withinMs: number }
  | { do: 'go' | 'lose' | 'regain'; place: number }
  /** Newest block of each place, null if it does not answer. */
  | { do: 'tell'; ends: readonly (bigint | null)[]; epoch: number }
  /** At the place that failed. */
  | { do: 'looked'; id: number };

export type FromReader =
  | { says: 'held'; id: number; isDrained: boolean }
  | { says: 'failed'; id: number; place: number };

export type FromWorker =
  /** It listens for messages. */
  | { kind: 'ready' }
  /** It answers requests. */
  | { kind: 'answering'; host: string; port: number; url: string }
  | {
      kind: 'metrics';
      id: number | null;
      metrics: MetricSnapshot;
      connections: { max: number; busy: number };
      /** Since its last message. */
      outcomes: OutcomesTaken;
    }
  | { kind: 'askAllMetrics'; id: number }
  | { kind: 'read'; said: FromReader };
