// A question that waits where the server has no room for it.
import { setTimeout as sleep } from 'node:timers/promises';

/** Comes back where the server refuses for a while (429 and 503 with `Retry-After`, in seconds). */
export async function fetchAdmitted(url: string): Promise<Response> {
  for (;;) {
    const answer = await fetch(url);
    const after = answer.headers.get('retry-after');
    if ((answer.status !== 429 && answer.status !== 503) || after === null) return answer;
    await answer.body?.cancel();
    await sleep(1000 * Number(after));
  }
}
