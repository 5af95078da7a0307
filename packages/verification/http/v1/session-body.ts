// A session in the shape that Sourcify's verification dialogs read.
import type { Session, SessionContract } from '../../sessions/session.ts';

/** null = there is none, which looks like an empty one. */
export function formatSession(session: Session | null): object {
  if (session === null) return { contracts: [], unused: [], files: [] };
  return {
    contracts: [...session.contracts].map(([id, contract]) => formatContract(id, contract)),
    unused: session.unused,
    files: [...session.files.values()].map(({ path }) => path),
  };
}

function formatContract(verificationId: string, contract: SessionContract): object {
  const { metadata, sources, address, chainId, status, statusMessage, storedAt } = contract;
  // Undefined members are left out.
  return {
    verificationId,
    constructorArgumentsArray: metadata.constructorInputs,
    compiledPath: metadata.target.path,
    name: metadata.target.name,
    compilerVersion: metadata.compilerVersion,
    address,
    chainId,
    files: { found: Object.keys(sources.found), missing: sources.missing, invalid: sources.invalid },
    status,
    statusMessage,
    storageTimestamp: storedAt?.toISOString(),
  };
}
