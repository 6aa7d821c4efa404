/** A loopback server over HTTPS, as the page's policy lets nothing else be fetched, with a certificate made on the spot. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A running server. */
export interface Running {
  address: string;
  stop(): Promise<void>;
}

/** Serves on a free port of 127.0.0.1 until stopped. */
export async function serve(listener: RequestListener): Promise<Running> {
  const server = createServer(selfSigned(), listener);
  // A browser connects ahead of its requests, and `closeAllConnections` knows no connection whose handshake goes on.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `https://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** DER: a tag, the length, the content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 255 ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const sequence = (...content: Uint8Array[]) => der(0x30, ...content);
const object = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const time = (text: string) => der(0x18, Buffer.from(text, 'ascii'));

/** An X.509 certificate for 127.0.0.1 with its key (RFC 5280), signed by itself. */
function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(object('2a8648ce3d040302')); // ecdsa-with-SHA256
  const publicDer = publicKey.export({ type: 'spki', format: 'der' });
  const name = sequence(der(0x31, sequence(object('550403'), der(0x0c, Buffer.from('loopback')))));
  const alternative = sequence(object('551d11'), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))));
  const serial = Buffer.concat([Buffer.from([1]), createHash('sha256').update(publicDer).digest().subarray(0, 8)]);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    name,
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    name,
    publicDer,
    der(0xa3, sequence(alternative)),
  );
  const signature = sign('sha256', body, privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
