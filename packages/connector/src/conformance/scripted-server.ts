import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** `text` is sent as it is, in the place of a body of JSON. */
export type Reply = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> };
/**
 * Returns a response, or undefined for 404. `line` is the method and the decoded path without the query; `nth` counts requests
 * with that line.
 */
export type Answer = (line: string, nth: number, url: URL, body: string) => Reply | undefined;

/** Starts a web service that gives scripted answers, for tests of connectors. */
export async function startScriptedServer(answer: Answer) {
  /** `path` is as it was sent. */
  const requests: { line: string; path: string; body: string; headers: IncomingHttpHeaders }[] = [];
  const lines: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const url = new URL(request.url ?? '', 'http://x');
    const line = `${request.method} ${decodeURIComponent(url.pathname)}`;
    lines.push(line);
    requests.push({ line, path: request.url ?? '', body, headers: request.headers });
    const nth = lines.filter((each) => each === line).length;
    const given = answer(line, nth, url, body) ?? { status: 404, body: {} };
    const { status = 200, body: reply, text: raw, headers } = given;
    response.writeHead(status, headers).end(raw ?? (reply === undefined ? '' : JSON.stringify(reply)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    requests,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
