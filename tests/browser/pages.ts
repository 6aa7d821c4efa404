/** Loopback servers for a page, the viewer's script and its pack, each an origin of its own, that count what they send. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/** How a site's files are named to browsers. */
export const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** A running server. */
export interface Server {
  address: string;
  /** What was asked for, in order: `GET /pack.zip bytes=0-0`. */
  asked: string[];
  /** Everything that was sent so far, headers included. */
  sent(): number;
  stop(): Promise<void>;
}

/** Serves on a free port of this machine until stopped. */
export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void, host = '127.0.0.1'): Promise<Server> {
  const asked: string[] = [];
  const sockets = new Set<{ bytesWritten: number }>();
  const server = createServer((request, response) => {
    asked.push([request.method, request.url, ...(request.headers.range === undefined ? [] : [request.headers.range])].join(' '));
    answer(request, response);
  });
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    address: `http://${host}:${(server.address() as AddressInfo).port}`,
    asked,
    sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** How a server gives files to pages of other origins. */
export interface Giving {
  /** It gives parts of files. */
  ranges: boolean;
  /** Pages of other origins may read how large the file is from the answer for a part. */
  exposes?: boolean;
  /** Pages of other origins may not ask for parts at all. */
  refuses?: boolean;
  /** Bytes of a whole file that are sent before the server waits for `release`. */
  holdAt?: number;
  release?: Promise<void>;
}

/** Serves files by their names to every origin. */
export function serveFiles(files: Record<string, Uint8Array | string>, { ranges, exposes = false, refuses = false, holdAt, release }: Giving): Promise<Server> {
  return serve((request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1).split('?')[0] ?? '');
    const file = files[name];
    if (!refuses || request.headers.range === undefined) response.setHeader('access-control-allow-origin', '*');
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const bytes = Buffer.from(file);
    response.setHeader('content-type', TYPES[extname(name)] ?? 'application/zip');
    const part = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (ranges && part !== null) {
      const [from, to] = [Number(part[1]), Math.min(Number(part[2]), bytes.length - 1)];
      response.setHeader('content-range', `bytes ${from}-${to}/${bytes.length}`);
      if (exposes) response.setHeader('access-control-expose-headers', 'content-range');
      response.setHeader('content-length', to - from + 1);
      response.writeHead(206).end(bytes.subarray(from, to + 1));
      return;
    }
    response.setHeader('content-length', bytes.length);
    response.writeHead(200);
    if (request.method === 'HEAD') response.end();
    else if (holdAt === undefined) response.end(bytes);
    else {
      response.write(bytes.subarray(0, holdAt));
      void release?.then(() => response.end(bytes.subarray(holdAt)));
    }
  });
}

/** Serves a folder as a host does. */
export function serveSite(folder: string, host?: string): Promise<Server> {
  return serve((request, response) => {
    const path = join(folder, decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/').replace(/\/$/, '/index.html'));
    if (existsSync(path)) response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path));
    else response.writeHead(404).end();
  }, host);
}

/** Serves one page under a policy. */
export function servePage(html: string, policy = ''): Promise<Server> {
  return serve((request, response) => {
    if (request.url !== '/') {
      response.writeHead(404).end();
      return;
    }
    if (policy !== '') response.setHeader('content-security-policy', policy);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(html);
  });
}
