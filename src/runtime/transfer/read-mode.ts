import type { TransferMode } from '../../transfer/choose-files.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

/** State, unless another choice is made. Throws UsageError if several are. */
export function readTransferMode({ get, find }: Settings): TransferMode {
  const since = find('since');
  const given: TransferMode[] = [
    ...(get('state') ? [{ kind: 'state' } as const] : []),
    ...(since === undefined ? [] : [{ kind: 'since', since } as const]),
    ...(get('minimal') ? [{ kind: 'minimal' } as const] : []),
    ...(get('full') ? [{ kind: 'full' } as const] : []),
  ];
  if (given.length > 1) throw new UsageError('Of --state, --since, --minimal and --full only one can be chosen.');
  return given[0] ?? { kind: 'state' };
}
