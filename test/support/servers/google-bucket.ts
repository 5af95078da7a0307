// A bucket whose reader pays, by the JSON API of Google Cloud Storage (storage/v1: objects.list, objects.get), over a
// folder.
import { once } from 'node:events';
import { createReadStream, readdirSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative } from 'node:path';

export type GoogleBucket = {
  endpoint: string;
  /** Answers of objects that end before their length, while it is above 0. */
  cuts: number;
  /** `userProject` of each request. */
  payers: Set<string | null>;
  close(): void;
};

const pageSize = 7;

export async function serveGoogleBucket(folder: string, { bucket, prefix }: Record<'bucket' | 'prefix', string>) {
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [prefix + relative(folder, path), path] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const served: GoogleBucket = { endpoint: '', cuts: 0, payers: new Set(), close: () => server.close() };
  const root = `/storage/v1/b/${bucket}/o`;

  const server = createServer(({ url, headers }, answer) => {
    const { pathname, searchParams } = new URL(url!, 'http://bucket');
    served.payers.add(searchParams.get('userProject'));
    if (!searchParams.has('userProject')) {
      return refuse(answer, 400, 'required', 'Bucket is a requester pays bucket but no user project provided.');
    }
    if (pathname === root) return list(searchParams, answer);
    const path = files.get(decodeURIComponent(pathname.slice(root.length + 1)));
    if (path === undefined) return refuse(answer, 404, 'notFound', 'No such object');
    send(path, headers.range, answer);
  });

  function list(asked: URLSearchParams, answer: ServerResponse): void {
    const from = asked.get('pageToken') ?? asked.get('startOffset') ?? '';
    const found = [...files].filter(([name]) => name.startsWith(asked.get('prefix') ?? '') && name >= from);
    const [page, next] = [found.slice(0, pageSize), found[pageSize]];
    const items = page.map(([name, path]) => ({ name, size: String(statSync(path).size) }));
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.end(JSON.stringify({ items, ...(next && { nextPageToken: next[0] }) }));
  }

  function send(path: string, range: string | undefined, answer: ServerResponse): void {
    const { size } = statSync(path);
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    answer.writeHead(range ? 206 : 200, {
      'content-length': size - start,
      ...(range && { 'content-range': `bytes ${start}-${size - 1}/${size}` }),
    });
    const isCut = served.cuts > 0 && size - start > 1000;
    if (!isCut) return void createReadStream(path, { start }).pipe(answer);
    served.cuts -= 1;
    const half = createReadStream(path, { start, end: start + Math.floor((size - start) / 2) });
    half.on('end', () => answer.destroy()).pipe(answer, { end: false });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  served.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return served;
}

function refuse(answer: ServerResponse, status: number, reason: string, message: string): void {
  answer.writeHead(status, { 'content-type': 'application/json' });
  answer.end(JSON.stringify({ error: { code: status, message, errors: [{ reason, message }] } }));
}
