// A client that others wrote, as `run-clients.ts` needs it: the package, how it is pointed at a mirror, and its calls.
import type { LoadModule } from '../support/program/install-client.ts';
import type { ClientExamples } from './client-examples.ts';

export type ClientCall = {
  /** As the client names it. */
  name: string;
  /** Rejects when the client fails, or returns something else than the mirror answers. */
  run(): Promise<void>;
  /** Why this call cannot be right here; it is then expected to fail. */
  unserved?: string;
};

type ClientPackage = {
  packageName: string;
  version: string;
  /** Versions of its dependencies, where its own are not in the registry. */
  overrides?: Record<string, string>;
  /** Further packages, with their versions. */
  beside?: readonly string[];
  /** How a user points it at a mirror, for the report. */
  pointedBy: string;
};

export type OutsideClient = ClientPackage & { listCalls(context: ClientContext): Promise<ClientCall[]> };

/** It verifies contracts that are not verified yet, on a mirror of its own. */
export type VerifyingClient = ClientPackage & {
  verifies: true;
  listCalls(context: MirrorPlace): Promise<ClientCall[]>;
};

export type ClientContext = MirrorPlace & { examples: ClientExamples };

export type MirrorPlace = {
  /** Origin of the mirror, without a slash at the end. */
  mirrorUrl: string;
  /** Of its port of JSON-RPC, likewise. */
  rpcUrl: string;
  load: LoadModule;
  /** In which it is installed. */
  folder: string;
};
