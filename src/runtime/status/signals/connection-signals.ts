// Which share of the connections to the database is in use, where requests are late. Connections that are used are no
// trouble by themselves: one client may use all of them while others find one in time.
import { everySignal, type Signals } from '../../../../packages/status/signal-names.ts';

/** As the rule `api-slow` ends: with quicker answers no request waits long for a connection. */
const lateMs = 1500;

export function toConnectionSignals(
  { max, busy }: { max: number; busy: number },
  p95Ms: number,
): Signals<'connections'> {
  return everySignal<'connections'>()({ 'database.busyShare': p95Ms >= lateMs ? busy / max : 0 });
}
