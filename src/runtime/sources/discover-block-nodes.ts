// Discovers registered block nodes for an import: those in the settings, and those that the database has registered.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { anyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { StreamSource } from '../../../packages/sources/stream-source.ts';
import { createRegisteredNodes } from '../../ledger/network/create-registered-nodes.ts';
import { createBlockNodeDiscovery } from './create-block-node-discovery.ts';
import { openPlace, readSourcePlaces, type SourceOptions } from './open-source.ts';

export type DiscoverBlockNodesOptions = {
  /** As in the setting. */
  sourcePath: string;
  sourceOptions: SourceOptions;
  /** Called when the nodes are needed: sources are opened before the database is. */
  db(): Database;
  log: Logger;
};

/** Those with the lowest numbers; later ones are ignored. */
const maxRegistered = 100;

export function discoverBlockNodes(options: DiscoverBlockNodesOptions): () => Promise<readonly StreamSource[]> {
  const { sourcePath, sourceOptions, db, log } = options;
  return createBlockNodeDiscovery({
    named: readSourcePlaces(sourcePath).flatMap((place) => (place.kind === 'blockNode' ? [place.address] : [])),
    async listRegistered() {
      const query = { id: anyRange, type: 'BLOCK_NODE', order: 'asc', limit: maxRegistered } as const;
      return (await createRegisteredNodes({ db: db() }).list(query)).items;
    },
    open: (address) => openPlace({ kind: 'blockNode', address }, sourceOptions),
    log,
  });
}
