/** A judge on loopback that speaks the three wire formats, with CORS, faults by script, and a count of what it was paid for. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gate, bodyOf } from './gate';

/** What the server does instead of answering. */
export type Fault =
  | '429'
  | '429-after'
  | '500'
  | '503'
  | 'reset'
  | 'half'
  | 'html'
  | 'empty'
  | 'wrong-json'
  | 'drip'
  | 'refusal'
  | 'filter'
  | 'bad-key'
  | 'quota'
  | 'echo-key'
  | 'hang';

/** Faults that another attempt may get past. */
export const PASSING: Fault[] = ['429', '429-after', '500', '503', 'reset', 'half', 'html', 'empty', 'wrong-json', 'drip'];

/** How a request ends: a fault of the script, or a reply. */
export type Script = (request: { hash: string; attempt: number; text: string }) => Fault | null;

const USAGE = { prompt_tokens: 1000, completion_tokens: 100 };

/** The judge. */
export class JudgeServer {
  /** Replies that were delivered, by the hash of the request's body. */
  readonly paid = new Map<string, number>();
  /** Attempts by the same. */
  readonly attempts = new Map<string, number>();
  /** Every request header that was seen, for the search after keys. */
  readonly keys = new Set<string>();
  readonly bodies: string[] = [];
  /** Every request waits here before it is answered. */
  readonly gate = new Gate();
  script: Script = () => null;
  reply: (text: string) => string = () => '{"score": 7, "reasoning": "As asked."}';
  /** What answers of the OpenAI kind say of their tokens. */
  usage: unknown = USAGE;
  /** Requests that came, whatever became of them. */
  calls = 0;
  /** The most requests that were under way together. */
  together = 0;
  #underWay = 0;
  /** The model that the answers name. */
  model = 'judge';
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Requests whose client waits for an answer. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Replies delivered in all. */
  get total(): number {
    return [...this.paid.values()].reduce((sum, times) => sum + times, 0);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader(
      'access-control-allow-headers',
      'authorization, content-type, x-api-key, x-goog-api-key, anthropic-version, anthropic-dangerous-direct-browser-access',
    );
    response.setHeader('access-control-expose-headers', 'retry-after');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const bytes = await bodyOf(request);
    if (bytes === null) return;
    const body = bytes.toString('utf8');
    for (const name of ['authorization', 'x-api-key', 'x-goog-api-key']) {
      const value = request.headers[name];
      if (typeof value === 'string') this.keys.add(value);
    }
    this.calls += 1;
    if (response.destroyed) return;
    this.#underWay += 1;
    this.together = Math.max(this.together, this.#underWay);
    response.once('close', () => (this.#underWay -= 1));
    const hash = createHash('sha256').update(body).digest('hex');
    const attempt = (this.attempts.get(hash) ?? 0) + 1;
    this.attempts.set(hash, attempt);
    if (this.bodies.length < 50) this.bodies.push(body);
    const wire = (request.url ?? '').includes('generateContent') ? 'gemini' : (request.url ?? '').endsWith('/messages') ? 'anthropic' : 'openai';
    if (!(await this.gate.pass(response))) return;
    const fault = this.script({ hash, attempt, text: body });
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const whole = JSON.stringify(success(wire, this.reply(body), this.model, this.usage));
    switch (fault) {
      case null:
      case 'drip':
        response.once('finish', () => this.paid.set(hash, (this.paid.get(hash) ?? 0) + 1));
        response.writeHead(200, { 'content-type': 'application/json' });
        if (fault === 'drip') {
          for (const piece of [whole.slice(0, 20), whole.slice(20, 60), whole.slice(60)]) {
            response.write(piece);
            await new Promise((resolve) => setTimeout(resolve, 30));
          }
          response.end();
        } else {
          response.end(whole);
        }
        return;
      case '429':
        return json(429, error('Rate limit reached.', 'rate_limit_exceeded'));
      case '429-after':
        response.setHeader('retry-after', '1');
        return json(429, error('Rate limit reached.', 'rate_limit_exceeded'));
      case '500':
        return json(500, error('The server had an error.', 'server_error'));
      case '503':
        response.writeHead(503, { 'content-type': 'text/html' }).end('<html><h1>503 Service Unavailable</h1></html>');
        return;
      case 'html':
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
        return;
      case 'reset':
        request.socket.destroy();
        return;
      case 'half':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(whole.length) });
        // A browser that meets the end before it has read the half drops the half: the request ends with either.
        response.write(whole.slice(0, whole.length / 2), () => request.socket.end());
        return;
      case 'empty':
        return json(200, success(wire, '', this.model, this.usage));
      case 'wrong-json':
        return json(200, { hello: 'world' });
      case 'refusal':
        return json(200, {
          choices: [{ message: { role: 'assistant', content: null, refusal: 'I cannot help with that.' }, finish_reason: 'stop' }],
          usage: USAGE,
        });
      case 'filter':
        return json(200, { choices: [{ message: { role: 'assistant', content: '' }, finish_reason: 'content_filter' }], usage: USAGE });
      case 'bad-key':
        return json(401, error('Incorrect API key provided.', 'invalid_api_key'));
      case 'echo-key':
        return json(401, error(`Incorrect API key provided: ${request.headers.authorization ?? ''}. Check it.`, 'invalid_api_key'));
      case 'quota':
        return json(429, error('You exceeded your current quota.', 'insufficient_quota'));
      case 'hang':
        return;
    }
  }
}

const error = (message: string, code: string) => ({ error: { message, type: code, code } });

function success(wire: 'openai' | 'anthropic' | 'gemini', text: string, model: string, usage: unknown): unknown {
  if (wire === 'anthropic')
    return {
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1000, output_tokens: 100 },
    };
  if (wire === 'gemini')
    return {
      candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100 },
      modelVersion: model,
    };
  return { id: 'x', object: 'chat.completion', model, choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }], usage };
}
