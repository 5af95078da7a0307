// 0x167, 0x16c, and what answers at a token's address.
import type { SystemContract } from '../../frame/system-contract.ts';
import { tokenNum } from '../functions/accounts.ts';
import { systemContractOf } from '../functions/system-contract-of.ts';
import { ercWrites } from '../writes/erc-writes.ts';
import { tokenWrites } from '../writes/token-writes.ts';
import { transferWrites } from '../writes/transfer-functions.ts';
import { allowanceViews, ercViews } from './erc-views.ts';
import { tokenViews } from './token-views.ts';
import { creationsAt, unsupportedAt, unsupportedAtToken } from './unsupported-functions.ts';

function tokenServiceAt(version: 'v1' | 'v2'): SystemContract {
  return systemContractOf({
    functions: [...tokenViews, ...allowanceViews, ...tokenWrites, ...transferWrites, ...unsupportedAt(version)],
    facade: {
      kind: 'token',
      redirect: 'redirectForToken',
      functions: [...ercViews, ...ercWrites, ...unsupportedAtToken],
      numOf: tokenNum,
    },
    payable: creationsAt(version),
  });
}

export const tokenService = tokenServiceAt('v1');
export const tokenServiceV2 = tokenServiceAt('v2');
