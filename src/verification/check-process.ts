// Entry of the process that makes one check: one request comes, one answer goes. Before the compiler, a program from
// outside, is evaluated, the service is asked to close every door that is still open. The answer carries the secret that
// came with the request; what the compiler could write by itself does not.
import { once } from 'node:events';
import type { CheckEnvelope } from './compilers/check-protocol.ts';
import { answerCheck } from './matching/answer-check.ts';

process.once('message', async ({ secret, request }: CheckEnvelope) => {
  const answer = await answerCheck(request, async () => {
    const closed = once(process, 'message');
    process.send!({ secret, message: { kind: 'ready' } });
    await closed;
  });
  process.send!({ secret, message: answer });
});
