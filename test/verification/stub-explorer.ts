// Block explorers on loopback that answer as real ones do: what they say is chosen by the address they are asked for.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export type StubExplorer = {
  url: string;
  /** Requests that came, in order. */
  asked: URL[];
  /** `address` in small letters; the answer stays until another is set. */
  answer(address: string, answer: Answer): void;
  /** The same for the question who created the contract. */
  answerCreation(address: string, answer: Answer): void;
  /** An address without a setting is not verified. */
  close(): Promise<void>;
};

export async function startStubExplorer(): Promise<StubExplorer> {
  const answers = new Map<string, Answer>();
  const creations = new Map<string, Answer>();
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://explorer');
    asked.push(url);
    const created = url.searchParams.get('contractaddresses');
    if (created !== null) return (creations.get(created) ?? json(notOk('No data found')))(response, request);
    const address = url.searchParams.get('address') ?? url.pathname.split('/').at(-1)!;
    (answers.get(address) ?? json(notVerified))(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (address, answer) => void answers.set(address, answer),
    answerCreation: (address, answer) => void creations.set(address, answer),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export function json(content: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(content));
  };
}

export function text(content: string | Buffer, status = 200, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, headers);
    response.end(content);
  };
}

/** Etherscan's way of saying no. */
export const notOk = (result: string) => ({ status: '0', message: 'NOTOK', result });

export const record = (members: Record<string, unknown>) => ({ status: '1', message: 'OK', result: [members] });

export const notVerified = record({
  SourceCode: '',
  ABI: 'Contract source code not verified',
  ContractName: '',
  CompilerVersion: '',
});
