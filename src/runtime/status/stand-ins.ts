// Listeners on the ports of killed query services: they answer for the status until a query service needs the port
// again, and everything else with 503.
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { ServingPlace } from '../../../packages/status/http/status-control-routes.ts';

export type StandIns = ReturnType<typeof createStandIns>;

export function createStandIns(createApp: () => FastifyInstance, log: Logger) {
  const standing = new Map<string, { place: ServingPlace; app: FastifyInstance }>();
  const all = () => [...standing.values()];
  return {
    has: ({ url }: ServingPlace) => standing.has(url),
    ports: () => all().map(({ place }) => place.port),
    /** Does nothing if it listens there already, or if the port is not free. */
    async takeOver(place: ServingPlace): Promise<void> {
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
    /** The query service that it replaced; null if it does not listen on this port. */
    async release(port: number): Promise<ServingPlace | null> {
      const found = all().find(({ place }) => place.port === port);
      if (!found) return null;
      standing.delete(found.place.url);
      await found.app.close();
      return found.place;
    },
    async close(): Promise<void> {
      await Promise.all(all().map(({ app }) => app.close()));
    },
  };
}
