/** Errors of the engine, of its host, and of whatever else was thrown. */

/** An error with the stable code that callers branch on. */
export interface PlainError {
  message: string;
  code: string;
}

/** An error of the engine or of its host. */
export class EngineError extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}

/** What whoever waits for an earlier session is told. */
export const superseded = (): EngineError => new EngineError('Everything was closed in the meantime.', 'superseded');

/** The code of whatever was thrown; `unknown` for foreign errors. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unknown';
}

/** The words of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether an error only says that nobody waits any more. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
