/** Questions as they cross to the engine, and what has one method for each of them. The list of them is written from Rust. */
import type { Edge, Handle } from './edge';
import { QUESTIONS, type Questions } from './types/questions';

export type QuestionName = keyof Questions;

/** A session of the engine. */
export type Session = Handle & Questions;

/** Whether the page may ask a session this. */
export const isOfPage = (name: string): name is QuestionName => Object.hasOwn(QUESTIONS, name) && !QUESTIONS[name as QuestionName].around.includes('host');

/** Asks a session; a search looks into so many bytes of replies before it answers `null`. */
export function ask(handle: Handle, name: QuestionName, args: readonly unknown[], bytes = Infinity): unknown {
  const { topic, takes } = QUESTIONS[name];
  const given = Object.fromEntries(takes.map((field, at) => [field, args[at]]));
  return handle.ask({ [topic]: { [name]: given } }, bytes);
}

/** A session without files; `free()` ends it. */
export function openSession(edge: Edge): Session {
  const handle = new edge.Session();
  const methods = Object.keys(QUESTIONS).map((name) => [name, (...args: unknown[]) => ask(handle, name as QuestionName, args)] as const);
  return Object.assign(handle, Object.fromEntries(methods) as unknown as Questions);
}
