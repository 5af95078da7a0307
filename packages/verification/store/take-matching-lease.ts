// Only one process at a time searches for the sources of contracts.
import { type Lease, takeLease } from '../../postgres/wire/take-lease.ts';

/** null = another process has it. */
export function takeMatchingLease(connectionString: string): Promise<Lease | null> {
  return takeLease(connectionString, { application: 'search for sources', work: 'ledger-mirror contract matches' });
}
