// A receiver of webhooks on loopback. It verifies every signature by the documented program, and records what it got.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadDocumentedPrograms } from './documented-programs.ts';

export interface Received {
  readonly id: string;
  readonly type: string;
  readonly isSigned: boolean;
  readonly revisions: readonly number[];
  readonly answered: number | 'hang';
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Numbers of the accepted messages. */
  accepted(): readonly number[];
  setSecret(secret: string): void;
  /** What it answers to the next requests, by their order; then 204. */
  answer(...next: ReadonlyArray<Answer>): void;
  /** What it answers to every request from now on. */
  answerAlways(answer: Answer): void;
  close(): void;
}

export type Answer = number | 'hang' | { readonly redirectTo: string };

export async function createReceiver(): Promise<Receiver> {
  const { isFromPinakes } = await loadDocumentedPrograms();
  const received: Received[] = [];
  let secret = '';
  let queue: Answer[] = [];
  let always: Answer = 204;
  const server = createServer((request, response) => void receive(request, response));

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part as string;
    const answer = queue.shift() ?? always;
    const status = typeof answer === 'object' ? 307 : answer;
    const { type, data } = JSON.parse(body) as {
      type: string;
      data: { changes?: ReadonlyArray<{ revision: number }> };
    };
    received.push({
      id: String(request.headers['webhook-id']),
      type,
      isSigned:
        isFromPinakes(secret, request.headers, body) &&
        !isFromPinakes(secret, request.headers, `${body} `) &&
        !isFromPinakes(`whsec_${btoa('another')}`, request.headers, body),
      revisions: (data.changes ?? []).map(({ revision }) => revision),
      answered: status,
    });
    if (status === 'hang') return;
    response.writeHead(status, typeof answer === 'object' ? { location: answer.redirectTo } : {}).end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    accepted: () =>
      received.flatMap(({ answered, revisions }) => (typeof answered === 'number' && answered < 300 ? revisions : [])),
    setSecret: (provided) => void (secret = provided),
    answer: (...next) => void (queue = [...next]),
    answerAlways: (answer) => void (always = answer),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
