/** Base64 of bytes, by the browser where it can. */
export function encodeBase64(bytes: Uint8Array): string {
  const native = bytes as Uint8Array & { toBase64?: () => string };
  if (native.toBase64 !== undefined) return native.toBase64();
  let text = '';
  // A multiple of three bytes, so that the pieces join without padding.
  const piece = 3 * 8192;
  for (let at = 0; at < bytes.length; at += piece) text += btoa(String.fromCharCode(...bytes.subarray(at, at + piece)));
  return text;
}
