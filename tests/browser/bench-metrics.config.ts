/** Image metrics beside other tools: `cargo xtask bench metrics`, which builds what it needs; not a test. */
import { defineConfig } from '../../www/node_modules/@playwright/test';
import { shared } from './server';

// The page is the bench's own.
const { webServer: _, ...rest } = shared('bench-metrics');

export default defineConfig({ ...rest, testMatch: ['bench-metrics.spec.ts'], timeout: 3_600_000 });
