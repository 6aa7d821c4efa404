/** Fields of forms that call a service, read; what cannot be read is said by its name. */
import { messageOf } from '../../engine/errors';
import type { Params } from '../../engine/types/Params';
import { FieldError } from './fold';

/** A number that is at least 0; `null` where nothing is written. */
export function numberOf(text: string, name: string): number | null {
  if (text === '') return null;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new FieldError(`${name}: expected a number, found ${text}.`);
  return value;
}

/** Further parameters of a request. */
export function extraOf(text: string, whose: string): Params['extra'] {
  if (text.trim() === '') return {};
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new FieldError(`${whose}: this is not JSON. ${messageOf(error)}`, { cause: error });
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new FieldError(`${whose}: expected a JSON object such as {"seed": 1}.`);
  return read as Params['extra'];
}

/** Hosts, written as such or as addresses. */
export function hostsOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((host) => host.replace(/^https?:\/\//, '').replace(/\/.*$/, ''));
}

/** A name that a folder can have, of a service's name of a model. */
export const folderName = (model: string): string => model.replaceAll(/[/\\:*?"<>|]/g, '-');
