/** A planner and a generator on loopback: chat completions, image edits and generations, Gemini with pictures; with CORS, faults by script, and a count of what was paid. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Gate, bodyOf } from './gate';
import { png } from './helpers';

/** What the server does instead of answering. */
export type AgentFault = '429' | '500' | 'reset' | 'filter' | 'echo-key' | 'no-picture' | 'half-picture' | 'empty';

/** One call, as it was understood. */
export interface AgentCall {
  what: 'picture' | 'plan';
  /** The path that was posted to. */
  path: string;
  text: string;
  /** SHA-256 of each picture that came along, in order. */
  pictures: string[];
  /** The plain fields of a form, or the keys of a JSON body. */
  fields: Record<string, string>;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Both services; a picture's colours are its call's, so each is told from every other. */
export class AgentServer {
  /** Calls that were answered with what they asked for, in order. */
  readonly answered: AgentCall[] = [];
  /** Every attempt. */
  attempts = 0;
  readonly keys = new Set<string>();
  script: (call: AgentCall, attempt: number) => AgentFault | null = () => null;
  plan: (call: AgentCall) => string = ({ pictures }) => `Prompt after ${pictures.at(-1)?.slice(0, 6) ?? ''}.`;
  /** The server where pictures lie instead of in the answer, and its address. */
  pictures: { at: AgentServer; address: string } | null = null;
  /** Every call waits here before it is answered. */
  readonly gate = new Gate();
  readonly #files = new Map<string, Buffer>();
  readonly #tries = new Map<string, number>();
  #underWay = 0;
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

  /** Calls whose client waits for an answer. */
  get underWay(): number {
    return this.#underWay;
  }

  /** How often each distinct call was answered. */
  get paid(): number[] {
    const times = new Map<string, number>();
    for (const call of this.answered) times.set(JSON.stringify(call), (times.get(JSON.stringify(call)) ?? 0) + 1);
    return [...times.values()];
  }

  of(what: 'picture' | 'plan'): AgentCall[] {
    return this.answered.filter((call) => call.what === what);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type, x-goog-api-key');
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    const path = request.url ?? '';
    const file = this.#files.get(path);
    if (file !== undefined) {
      // Whoever serves pictures must not be handed a key.
      for (const name of ['authorization', 'x-goog-api-key'])
        if (request.headers[name] !== undefined) this.keys.add(`with a picture: ${String(request.headers[name])}`);
      response.writeHead(200, { 'content-type': 'image/png' }).end(file);
      return;
    }
    const body = await bodyOf(request);
    if (body === null) return;
    for (const name of ['authorization', 'x-goog-api-key']) {
      const value = request.headers[name];
      if (typeof value === 'string') this.keys.add(value);
    }
    const call = read(path, request.headers['content-type'] ?? '', body);
    const name = JSON.stringify(call);
    const attempt = (this.#tries.get(name) ?? 0) + 1;
    this.#tries.set(name, attempt);
    this.attempts += 1;
    if (response.destroyed) return;
    this.#underWay += 1;
    response.once('close', () => (this.#underWay -= 1));
    if (!(await this.gate.pass(response))) return;
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    const fault = this.script(call, attempt);
    switch (fault) {
      case '429':
        response.setHeader('retry-after', '0');
        return json(429, { error: { message: 'Rate limit reached.', code: 'rate_limit_exceeded' } });
      case '500':
        return json(500, { error: { message: 'The server had an error.', code: 'server_error' } });
      case 'reset':
        request.socket.destroy();
        return;
      case 'filter':
        return json(400, { error: { message: 'Your request was rejected by the safety system.', code: 'moderation_blocked' } });
      case 'echo-key':
        return json(401, {
          error: {
            message: `Incorrect API key provided: ${request.headers.authorization ?? String(request.headers['x-goog-api-key'])}.`,
            code: 'invalid_api_key',
          },
        });
      case 'no-picture':
        return json(200, path.includes('generateContent') ? gemini([{ text: 'I cannot draw this.' }], 'NO_IMAGE') : { data: [] });
      case 'half-picture':
      case 'empty':
      case null:
        break;
    }
    response.once('finish', () => {
      if (fault !== 'half-picture') this.answered.push(call);
    });
    if (call.what === 'plan') {
      const text = fault === 'empty' ? '' : this.plan(call);
      return json(
        200,
        path.includes('generateContent')
          ? gemini([{ text }])
          : { choices: [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }], usage: { prompt_tokens: 1000, completion_tokens: 100 } },
      );
    }
    const digest = createHash('sha256').update(name).update(String(attempt)).digest();
    const whole = png(48, 32, [digest[0] ?? 0, digest[1] ?? 0, digest[2] ?? 0]);
    const picture = fault === 'half-picture' ? whole.subarray(0, whole.length / 2) : whole;
    if (this.pictures !== null) {
      const at = `/files/${sha256(picture)}.png`;
      this.pictures.at.#files.set(at, picture);
      return json(200, { created: 1, data: [{ url: this.pictures.address + at }] });
    }
    const base64 = picture.toString('base64');
    return json(
      200,
      path.includes('generateContent')
        ? gemini([{ text: 'Here it is.' }, { inlineData: { mimeType: 'image/png', data: base64 } }])
        : { created: 1, data: [{ b64_json: base64 }], usage: { input_tokens: 500, output_tokens: 4000 } },
    );
  }
}

function gemini(parts: unknown[], finishReason = 'STOP'): unknown {
  return { candidates: [{ content: { role: 'model', parts }, finishReason }], usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 1290 } };
}

function read(path: string, type: string, body: Buffer): AgentCall {
  if (type.startsWith('multipart/form-data')) return readForm(path, /boundary=(.+)$/.exec(type)?.[1] ?? '', body);
  const json = JSON.parse(body.toString('utf8')) as {
    model?: string;
    prompt?: string;
    messages?: { content: { type: string; text?: string; image_url?: { url: string } }[] }[];
    contents?: { parts: { text?: string; inlineData?: { data: string } }[] }[];
    generationConfig?: { responseModalities?: string[] };
  };
  const fields = Object.fromEntries(
    Object.entries(json)
      .filter(([key]) => !['messages', 'contents', 'prompt'].includes(key))
      .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const hash = (base64: string): string => sha256(Buffer.from(base64, 'base64'));
  if (json.contents !== undefined) {
    const parts = json.contents.flatMap(({ parts }) => parts);
    const what = json.generationConfig?.responseModalities?.includes('IMAGE') === true ? 'picture' : 'plan';
    return {
      what,
      path,
      fields,
      text: parts.map(({ text }) => text ?? '').join(''),
      pictures: parts.flatMap(({ inlineData }) => (inlineData === undefined ? [] : [hash(inlineData.data)])),
    };
  }
  const content = (json.messages ?? []).flatMap(({ content }) => content);
  if (json.messages === undefined) return { what: 'picture', path, fields, text: json.prompt ?? '', pictures: [] };
  const urls = content.flatMap(({ image_url }) => (image_url === undefined ? [] : [image_url.url.split(',')[1] ?? '']));
  return { what: 'plan', path, fields, text: content.map(({ text }) => text ?? '').join(''), pictures: urls.map(hash) };
}

function readForm(path: string, boundary: string, body: Buffer): AgentCall {
  const fields: Record<string, string> = {};
  const pictures: string[] = [];
  const mark = Buffer.from(`--${boundary}`);
  for (let at = body.indexOf(mark); ;) {
    const next = body.indexOf(mark, at + mark.length);
    if (next === -1) break;
    const part = body.subarray(at + mark.length + 2, next - 2);
    const head = part.subarray(0, part.indexOf('\r\n\r\n')).toString('utf8');
    const content = part.subarray(part.indexOf('\r\n\r\n') + 4);
    const name = / name="([^"]*)"/.exec(head)?.[1] ?? '';
    if (head.includes('filename=')) {
      pictures.push(sha256(content));
      fields[name] = `${fields[name] ?? ''}${/filename="([^"]*)"/.exec(head)?.[1] ?? ''} `;
    } else fields[name] = content.toString('utf8');
    at = next;
  }
  const { prompt = '', ...rest } = fields;
  return { what: 'picture', path, text: prompt, pictures, fields: rest };
}
