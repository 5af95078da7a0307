// What endpoints and the readers of their parameters can use.
import type { Calls } from '../../../calls/create-calls.ts';
import type { ContractAbis } from '../../../contracts/abi/create-contract-abis.ts';
import type { VerifiedShare } from '../../../contracts/whole-ledger/count-matches.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { HttpSettings } from '../../frame/http-settings.ts';
import type { Dialect } from './dialect.ts';

/** Dialect and settings: what the document depends on. */
export type ReadingContext = { dialect: Dialect; settings: HttpSettings };

export type RouteContext = ReadingContext & {
  ledger: Ledger;
  calls: Calls;
  /** Of contracts whose sources were checked. */
  abis: ContractAbis;
  /** How many contracts of the ledger have sources; null = they are not counted. Cheap. */
  verifiedShare(): Promise<VerifiedShare | null>;
};
