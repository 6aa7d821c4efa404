import type { ScopeInfo } from '../../engine/types/ScopeInfo';

/** Whether a scope has several groups of samples or turns, so that a model's means in them can differ. */
export const isSplit = ({ scope, keys }: ScopeInfo): boolean => scope !== 'overall' && scope !== 'run' && keys.length > 1;
