// The contracts of the ledger itself (docs/reference/system-contracts.md).
import type { SystemContract } from '../frame/system-contract.ts';
import { accountService } from './accounts/account-service.ts';
import { exchangeRate } from './exchange-rate.ts';
import { messageService } from './message-service.ts';
import { prng } from './prng.ts';
import { scheduleService } from './schedules/schedule-service.ts';
import { tokenService, tokenServiceV2 } from './tokens/token-service.ts';

/** By address. They keep nothing: whatever they read and change is in the transaction's world. */
export const systemContracts: ReadonlyMap<bigint, SystemContract> = new Map([
  [0x167n, tokenService],
  [0x168n, exchangeRate],
  [0x169n, prng],
  [0x16an, accountService],
  [0x16bn, scheduleService],
  [0x16cn, tokenServiceV2],
  [0x16en, messageService],
]);
