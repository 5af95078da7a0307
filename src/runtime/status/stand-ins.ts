// Listeners in the places of query services that were killed: they answer for the status until a query service wants the
// place back, and say of everything else that it is not running.
import type { FastifyInstance } from 'fastify';
import type { ServingPlace } from '../../http/status/status-control-routes.ts';
import type { Logger } from '../process/log.ts';

export type StandIns = {
  /** Does nothing where it stands already, or where the port is not free. */
  takeOver(place: ServingPlace): Promise<void>;
  has(place: ServingPlace): boolean;
  ports(): number[];
  /** The place that it stood in; null where it stood in none with this port. */
  release(port: number): Promise<ServingPlace | null>;
  close(): Promise<void>;
};

export function createStandIns(createApp: () => FastifyInstance, log: Logger): StandIns {
  const standing = new Map<string, { place: ServingPlace; app: FastifyInstance }>();
  const all = () => [...standing.values()];
  return {
    has: ({ url }) => standing.has(url),
    ports: () => all().map(({ place }) => place.port),
    async takeOver(place) {
      const { host, port, url } = place;
      if (standing.has(url)) return;
      const app = createApp();
      try {
        await app.listen({ host, port, listenTextResolver: () => `answering in the place of the mirror on ${url}` });
        standing.set(url, { place, app });
      } catch (error) {
        await app.close();
        log.debug({ err: error }, 'the port of the mirror is not free yet');
      }
    },
    async release(port) {
      const found = all().find(({ place }) => place.port === port);
      if (!found) return null;
      standing.delete(found.place.url);
      await found.app.close();
      return found.place;
    },
    async close() {
      await Promise.all(all().map(({ app }) => app.close()));
    },
  };
}
