/** What the package that makes benchmarks offers; JSON goes in and out. */

/** A project that is carried on. */
export interface Maker {
  kind(): string;
  text(): string;
  due(): string;
  progress(): string;
  things(): string;
  files(): string;
  /** Why a reply could not be used; empty where it can be. */
  lacks(hash: string, text: string): string;
  reply(hash: string, text: string, by: string, time: string): void;
  sheet(kind: string): string;
  /** `MakeTaken` as JSON, then pictures. */
  take(text: string, time: string): [told: string, ...pictures: [path: string, bytes: Uint8Array<ArrayBuffer>][]];
  picture(hash: string, bytes: Uint8Array, by: string, time: string): void;
  decide(thing: string, isIn: boolean, reason: string, by: string, time: string): void;
  free(): void;
}

/** How a project begins: what it is made of is taken in one after the other. */
export interface Beginning {
  count(): number;
  wanted(): string[];
  take(paths: string[], files: Uint8Array[]): [path: string, bytes: Uint8Array<ArrayBuffer>][];
  /** Begins; what it was called on is gone afterwards. */
  begin(): Maker;
  free(): void;
}

/** A batch file under way. */
export interface CallBatch {
  /** The number of the file, and the line. */
  line(request: string, paths: string[], files: Uint8Array[]): [file: number, line: string];
  free(): void;
}

export interface MakeEdge {
  default(): Promise<unknown>;
  kinds(): string;
  matrix(): string;
  /** The files of a ZIP. */
  unzip(bytes: Uint8Array, name: string): [path: string, bytes: Uint8Array<ArrayBuffer>][];
  Maker: { read(text: string): Maker; name(): string };
  CallBatch: new (how: string) => CallBatch;
  Beginning: new (asked: string, paths: string[], textPaths: string[], texts: string[]) => Beginning;
}
