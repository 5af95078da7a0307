// Entry of the process that makes one check: one request comes, one answer goes. Nothing it loads may use the network.
import dns from 'node:dns';
import net from 'node:net';
import { answerCheck } from './matching/answer-check.ts';

net.Socket.prototype.connect = refuseNetwork;
dns.lookup = refuseNetwork as unknown as typeof dns.lookup;

process.once('message', async (request) => {
  const answer = await answerCheck(request as Parameters<typeof answerCheck>[0]);
  process.send!(answer);
});

function refuseNetwork(): never {
  throw new Error('The process of a contract check has no network.');
}
