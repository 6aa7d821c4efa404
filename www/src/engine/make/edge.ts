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

/** VIBE's Billiards, drawn one case after another. */
export interface Billiards {
  count(): number;
  /** Input and golden answer of the next case; `undefined` after the last. */
  draw(): [path: string, bytes: Uint8Array<ArrayBuffer>][] | undefined;
  /** `BilliardsCase` of the case that was drawn last, as JSON. */
  last(): string;
  list(): [path: string, text: string];
  free(): void;
}

/** Drawn answers, checked against a list. */
export interface DrawnAnswers {
  count(): number;
  /** The name of the picture that answers a case; empty where there is none. */
  wanted(at: number): string;
  /** `BilliardsRow` as JSON. */
  check(at: number, bytes: Uint8Array): string;
  free(): void;
}

/** Items of VIBE, made from files of marks one after another. */
export interface Annotations {
  count(): number;
  /** The file of an item's marks. */
  wanted(at: number): string;
  /** Source and layer. */
  pictures(at: number, bytes: Uint8Array): [path: string, bytes: Uint8Array<ArrayBuffer>][];
  lists(): [path: string, text: string][];
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
  billiards_about(): string;
  Billiards: new (count: string, seed: string, cushions: string) => Billiards;
  annotation_about(): string;
  /** A new item, as a file of marks. */
  annotation_begun(asked: string, bytes: Uint8Array): string;
  annotation_id(style: string, ids: string[]): string;
  annotation_read(name: string, text: string): string;
  annotation_seen(marks: string): string;
  annotation_drawn(asked: string): string;
  Annotations: new (names: string[], texts: string[]) => Annotations;
  DrawnAnswers: new (text: string, list: string, folder: string, names: string[]) => DrawnAnswers;
  Beginning: new (asked: string, paths: string[], textPaths: string[], texts: string[]) => Beginning;
}
