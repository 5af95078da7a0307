// Clients that ask the same questions about the past all along: each answer must be the one that was given first, or an
// honest refusal. Every request has a separate connection, as a client has that comes back after trouble.
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

type Tally = {
  /** Answers with status 200 and the right body. */
  right: number;
  /** 503 with Retry-After. */
  refused: number;
  /** No connection, or one that ended before the answer. */
  cut: number;
  /** What is neither: the first of them in full. */
  wrong: string[];
  slowestMs: number;
};

export type Asking = {
  /** Counts from zero from here on. */
  begin(): Tally;
  /** Question → its answer. */
  answers: ReadonlyMap<string, string>;
  /** Answers of the newest block that were older than one given before. */
  backwards(): number;
  stop(): Promise<void>;
};

export function askAllAlong(url: string, questions: readonly string[], clients = 4): Asking {
  const answers = new Map<string, string>();
  let tally = newTally();
  let newest = 0;
  let backwards = 0;
  let isOver = false;

  async function ask(client: number): Promise<void> {
    for (let turn = client; !isOver; turn++) {
      const isNewest = turn % 10 === 0;
      const question = isNewest ? newestBlock : questions[turn % questions.length]!;
      const began = performance.now();
      const before = newest;
      const { status, body, retryAfter } = await fetchOnce(url + question);
      if (isOver) return;
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - began);
      if (status === 0) tally.cut += 1;
      else if (status === 503 && retryAfter) tally.refused += 1;
      else if (status !== 200) tally.wrong.push(`${question}: ${status} ${body}`);
      else if (isNewest) {
        tally.right += 1;
        const number = (JSON.parse(body) as { blocks: { number: number }[] }).blocks[0]?.number ?? 0;
        if (number < before) backwards += 1;
        newest = Math.max(newest, number);
      } else if ((answers.get(question) ?? body) !== body) {
        tally.wrong.push(`${question}: ${body}, and not ${answers.get(question)}`);
      } else {
        answers.set(question, body);
        tally.right += 1;
      }
      await sleep(status === 200 ? 5 : 100);
    }
  }
  const asking = Promise.all(Array.from({ length: clients }, (_, client) => ask(client)));
  return {
    begin() {
      tally = newTally();
      return tally;
    },
    answers,
    backwards: () => backwards,
    async stop() {
      isOver = true;
      await asking;
    },
  };
}

const newestBlock = '/api/v1/blocks?limit=1';

function newTally(): Tally {
  return { right: 0, refused: 0, cut: 0, wrong: [], slowestMs: 0 };
}

type OneAnswer = { status: number; body: string; retryAfter: boolean };

/** Status 0 where there was no answer. */
export function fetchOnce(url: string, timeoutMs = 60_000): Promise<OneAnswer> {
  return new Promise((resolve) => {
    const none = (): void => resolve({ status: 0, body: '', retryAfter: false });
    const request = get(url, { agent: false, timeout: timeoutMs }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('error', none);
      response.on('end', () =>
        resolve({ status: response.statusCode!, body, retryAfter: response.headers['retry-after'] !== undefined }),
      );
    });
    request.on('timeout', () => request.destroy());
    request.on('error', none);
  });
}
