/**
 * One job of a kind at a time among all tabs of this browser: what two tabs ask at once is paid for twice.
 *
 * The tab that has the turn holds a lock, which the browser takes back when the tab ends, and tells the others how its job stands.
 */

/** The turn, as long as it is held. */
export interface Turn {
  /** Whether this browser can tell that no other tab has it. */
  isSure: boolean;
  /** Tells those who look on. */
  tell(state: unknown): void;
  end(): void;
}

/** What tabs call the turn of one kind of job, benchmark, and judge or set of agents. */
export const turnName = (kind: 'judge' | 'agents', benchmark: string, who: string): string => `juror ${kind} ${benchmark} ${who}`;

/** Absent where the page came over plain http from another machine; refused to some pages from disk. */
const locksOf = (): LockManager | undefined => (navigator as { locks?: LockManager }).locks;

/** Takes the turn; `null` if another tab has it. */
export async function takeTurn(name: string): Promise<Turn | null> {
  const unsure: Turn = { isSure: false, tell: () => undefined, end: () => undefined };
  const locks = locksOf();
  if (locks === undefined) return unsure;
  let release: () => void = () => undefined;
  let state: 'held' | 'taken' | 'unknown';
  try {
    state = await new Promise((resolve, reject) => {
      locks
        .request(name, { ifAvailable: true }, (lock) => {
          resolve(lock === null ? 'taken' : 'held');
          return lock === null ? undefined : new Promise<void>((done) => (release = done));
        })
        .catch(reject);
    });
  } catch {
    state = 'unknown';
  }
  if (state === 'taken') return null;
  if (state === 'unknown') return unsure;
  const channel = new BroadcastChannel(name);
  return {
    isSure: true,
    tell: (told) => channel.postMessage(told),
    end() {
      channel.close();
      release();
    },
  };
}

/** Hears how the job of another tab stands until that has ended, or nobody looks on any more. */
export async function lookOn(name: string, onState: (state: unknown) => void, signal: AbortSignal): Promise<void> {
  const locks = locksOf();
  if (locks === undefined) return;
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', (event: MessageEvent<unknown>) => onState(event.data));
  try {
    await locks.request(name, { mode: 'shared', signal }, () => undefined);
  } finally {
    channel.close();
  }
}
