// What the database knows of the ledger.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  selectLedgerTrust,
  selectUnprovedKeys,
  selectUnreadPublication,
} from '../../../packages/store/read/select-ledger-trust.ts';
import type { KnownLedger } from './ledger-change.ts';

export async function loadKnownLedger(db: Database): Promise<KnownLedger> {
  return {
    trust: await selectLedgerTrust(db),
    unread: await selectUnreadPublication(db),
    unprovedKeys: await selectUnprovedKeys(db),
  };
}
