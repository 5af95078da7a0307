// How the parts of the mirror talk to its status service: reports of signals, who is there, and the wish that it ends. On
// loopback only, and only with the secret that lies beside the service's files.
import type { FastifyInstance } from 'fastify';
import type { StatusService } from '../../status/create-status-service.ts';
import { readSignalReport } from '../../status/take-signals.ts';
import type { StatusGate } from './status-gate.ts';

export type StatusControl = {
  service: StatusService;
  gate: StatusGate;
  /** What is said to whoever asks who is there. */
  about(): Record<string, unknown>;
  /** Where the queries are answered, as the reporting process says. */
  onPlace(place: ServingPlace): void;
  onStop(): Promise<void>;
};

/** Where the query service listens, and under which address it is known. */
export type ServingPlace = { host: string; port: number; url: string };

export const controlRoot = '/control/';

export function addStatusControlRoutes(app: FastifyInstance, control: StatusControl): void {
  const { service, gate, about, onPlace, onStop } = control;
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!gate.isOwn(request)) await reply.code(403).send({ message: 'Not for clients.' });
    });
    scope.get(`${controlRoot}about`, async () => about());
    scope.post(`${controlRoot}report`, async (request, reply) => {
      const { place, ...report } = request.body as { place?: ServingPlace };
      try {
        if (place) onPlace(place);
        service.report(readSignalReport(report));
      } catch (error) {
        return reply.code(400).send({ message: (error as Error).message });
      }
      return {};
    });
    scope.post(`${controlRoot}stop`, async () => {
      await onStop();
      return {};
    });
  });
}
