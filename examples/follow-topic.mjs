// Follows the messages of a topic, from its first one on.
//
//   node examples/follow-topic.mjs [topic id] [messages]
//
// Without an id (or with '') it takes the topic of the newest message. With a number it ends after so many messages, else with Ctrl-C.
// MIRROR=<url> names the mirror; http://127.0.0.1:5551 unless said otherwise. Needs a mirror that runs: npm start.
import { setTimeout as pause } from 'node:timers/promises';
import { get } from './exact-json.mjs';

const mirror = process.env.MIRROR ?? 'http://127.0.0.1:5551';
const [named, most = Number.POSITIVE_INFINITY] = process.argv.slice(2);
const topic = named || (await newestTopic());

let seen = 0;
// A link leads to the next page; after the last page the same question is asked again, from the last message on.
let link = `/api/v1/topics/${topic}/messages?order=asc&limit=100`;
while (seen < most) {
  const page = await get(mirror + link);
  if (page === null) throw new Error(`There is no topic ${topic}`);
  for (const { sequence_number, consensus_timestamp, payer_account_id, message } of page.messages.slice(
    0,
    most - seen,
  )) {
    const text = Buffer.from(message, 'base64').toString();
    console.log(
      `${topic} #${sequence_number} at ${consensus_timestamp} by ${payer_account_id}: ${JSON.stringify(text)}`,
    );
    link = `/api/v1/topics/${topic}/messages?sequencenumber=gt:${sequence_number}&order=asc&limit=100`;
    seen += 1;
  }
  if (page.links.next) link = page.links.next;
  else if (seen < most) await pause(1000);
}

async function newestTopic() {
  const { transactions } = await get(
    `${mirror}/api/v1/transactions?transactiontype=CONSENSUSSUBMITMESSAGE&result=success&limit=1`,
  );
  if (transactions.length === 0) throw new Error('No message was ever submitted');
  return transactions[0].entity_id;
}
