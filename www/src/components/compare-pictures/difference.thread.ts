/** Compares two pictures off the page's thread. */
import { difference, type Difference } from './difference';

/** What the page asks and what comes back. */
export interface Asked {
  id: number;
  first: Blob;
  second: Blob;
}
export type Answered = { id: number; value: Difference } | { id: number; message: string };

const post = (answer: Answered, transfer: Transferable[] = []): void => {
  (self as unknown as { postMessage(message: Answered, transfer: Transferable[]): void }).postMessage(answer, transfer);
};

self.addEventListener('message', (event: MessageEvent<Asked>) => {
  const { id, first, second } = event.data;
  difference(first, second).then(
    (value) => post({ id, value }, [value.pixels.buffer]),
    (error: unknown) => post({ id, message: error instanceof Error ? error.message : String(error) }),
  );
});
