// Written by `cargo xtask bless` from the stores of juror_web; do not edit it.

/** The browser's database. */
export const NAME = 'juror';
/** Grows whenever a store is added. */
export const VERSION = 9;
/** Every store with its key; each has an index by benchmark. */
export const STORES: readonly [string, IDBObjectStoreParameters][] = [
  ['replies', { autoIncrement: true }],
  ['trajectories', { autoIncrement: true }],
  ['pictures', { keyPath: ['benchmark', 'sha256'] }],
  ['generated', { autoIncrement: true }],
  ['outputs', { keyPath: ['benchmark', 'sha256'] }],
  ['ratings', { autoIncrement: true }],
  ['labels', { autoIncrement: true }],
  ['raters', { keyPath: ['benchmark', 'rater'] }],
  ['judges', { keyPath: ['benchmark', 'path'] }],
  ['opened', { keyPath: 'id' }],
  ['making', { keyPath: 'path' }],
  ['packs', { keyPath: 'id' }],
];
