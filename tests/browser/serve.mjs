/**
 * Serves the built page on 127.0.0.1 for as long as the test run lives that asked for it.
 *
 * A run that is killed cannot stop its server, so the server looks after its run.
 * Usage: node serve.mjs PORT DIST PID
 */
import { preview } from '../../www/node_modules/vite/dist/node/index.js';

const [port, outDir, run] = process.argv.slice(2);
await preview({ configFile: false, root: outDir, build: { outDir }, preview: { host: '127.0.0.1', port: Number(port), strictPort: true } });

setInterval(() => {
  try {
    process.kill(Number(run), 0);
  } catch {
    process.exit();
  }
}, 1000);
