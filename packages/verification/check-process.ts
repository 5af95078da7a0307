// Entry of the process of one check: one request, one answer. Before the compiler, an untrusted program, is evaluated,
// the service removes the process's remaining rights. The answer carries the request's secret; the compiler's messages
// cannot.
import { once } from 'node:events';
import { type CheckEnvelope, firstWord } from './compilers/check-protocol.ts';
import { answerCheck } from './matching/answer-check.ts';

process.once('message', async ({ secret, request }: CheckEnvelope) => {
  const answer = await answerCheck(request, async () => {
    const closed = once(process, 'message');
    process.send!({ secret, message: { kind: 'ready' } });
    await closed;
  });
  process.send!({ secret, message: answer });
});
process.send!(firstWord);
