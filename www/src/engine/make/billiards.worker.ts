/** Starts `billiards.thread.ts`: the entry of a worker holds no code of its own, as WebKit runs it a second time for whatever imports from it. */
import './billiards.thread';
