// The comparison with the relay as text: by method how many are equal, each reason with what it explains, and what has
// none.
import type { Comparison } from './compare-with-relay.ts';
import { type Answer, listUnexplained } from './relay-differences.ts';

/** How many have no reason. `shown`: characters of an answer. */
export function tellComparison(compared: readonly Comparison[], shown: number): number {
  const byMethod = Map.groupBy(compared, ({ request }) => methodOf(request.body));
  console.log('method: equal, different for a reason, different');
  for (const [method, all] of [...byMethod].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const equal = all.filter(({ reasons }) => reasons?.length === 0).length;
    const unknown = all.filter(({ reasons }) => reasons === null).length;
    console.log(`  ${method}: ${equal}, ${all.length - equal - unknown}, ${unknown}`);
  }
  const byReason = new Map<string, string[]>();
  for (const { request, reasons } of compared) {
    for (const reason of reasons ?? []) byReason.set(reason, [...(byReason.get(reason) ?? []), request.name]);
  }
  console.log('reasons, and what they explain');
  for (const [reason, names] of byReason) console.log(`  ${reason} (${names.length}): ${names.slice(0, 3).join('; ')}`);
  const unknown = compared.filter(({ reasons }) => reasons === null);
  for (const { request, relay, own } of unknown) {
    const found = listUnexplained(request, relay, own).slice(0, 5);
    console.log([`DIFFERENT ${request.name}`, ...found.map((line) => line.slice(0, shown))].join('\n  '));
  }
  const reads = compared.filter(({ request }) => request.set === 'read');
  const answered = reads.filter(({ relay }) => relay.status === 200);
  console.log(
    `${compared.length} requests; of ${reads.length} that read, the relay answers ${answered.length} with 200`,
  );
  tellReads(reads, tell);
  return unknown.length;

  function tell({ status, body }: Answer): string {
    const text = JSON.stringify(body);
    return `${status} ${text.length > shown ? `${text.slice(0, shown)}…` : text}`;
  }
}

/**
 * By method, in how many variants relay and mirror together answer with a result, and each error that they answer with.
 */
function tellReads(reads: readonly Comparison[], tell: (answer: Answer) => string): void {
  const byMethod = Map.groupBy(reads, ({ request }) => methodOf(request.body));
  const isResult = ({ relay }: Comparison): boolean =>
    (relay.body as { result?: unknown } | null)?.result !== undefined;
  const answered = [...byMethod.values()].filter((all) => all.some(isResult));
  console.log(`${answered.length} of ${byMethod.size} methods that read have a result through the relay`);
  for (const [method, all] of byMethod) console.log(`  ${method}: ${all.filter(isResult).length} of ${all.length}`);
  console.log('errors of the relay, and what the mirror itself answers');
  for (const one of reads) {
    if (!isResult(one)) console.log(`  ${one.request.name}: ${tell(one.relay)}; ${tell(one.own)}`);
  }
}

function methodOf(body: unknown): string {
  if (Array.isArray(body)) return 'batch';
  const method = (body as { method?: unknown } | null)?.method;
  return typeof method === 'string' && method !== '' ? method : 'envelope';
}
