// How the parts of the mirror talk to their status service: reports, questions and the request to end. On loopback
// only, with the secret in the service's folder.
import type { FastifyInstance } from 'fastify';
import { isJsonObject } from '../../kit/is-json-object.ts';
import { readSignalReport, type SignalReport } from '../take-signals.ts';
import type { StatusGate } from './status-gate.ts';

export type StatusControl = {
  gate: StatusGate;
  /** Which service this is. */
  about(): Record<string, unknown>;
  /** Returns which service this is. */
  onReport(report: SignalReport, place: ServingPlace | undefined): { service: string };
  /** A query service ends in order, and must not count as missing. */
  onLeave(place: ServingPlace): void;
  /** Frees the port, or ends if no other process needs the service. Returns whether it continues. */
  onStop(port: number | undefined): Promise<boolean>;
};

/** Where a query service listens, its public address, and its process. */
export type ServingPlace = {
  host: string;
  port: number;
  url: string;
  pid: number;
  /** Distinguishes it from another process with the same id; null if unknown. */
  started: string | null;
};

export const controlRoot = '/control/';

export function addStatusControlRoutes(app: FastifyInstance, control: StatusControl): void {
  const { gate, about, onReport, onLeave, onStop } = control;
  void app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      if (!gate.isOwn(request)) await reply.code(403).send({ message: 'Not for clients.' });
    });
    scope.get(`${controlRoot}about`, async () => about());
    scope.post(`${controlRoot}report`, async (request, reply) => {
      const { place, ...report } = (request.body ?? {}) as { place?: ServingPlace };
      try {
        return onReport(readSignalReport(report), place);
      } catch (error) {
        return reply.code(400).send({ message: (error as Error).message });
      }
    });
    scope.post(`${controlRoot}leave`, async (request, reply) => {
      if (!isJsonObject(request.body)) return reply.code(400).send({ message: 'Who leaves is missing.' });
      onLeave(request.body as ServingPlace);
      return {};
    });
    scope.post(`${controlRoot}stop`, async (request) => {
      const { port } = (request.body ?? {}) as { port?: number };
      return { goesOn: await onStop(port) };
    });
  });
}
