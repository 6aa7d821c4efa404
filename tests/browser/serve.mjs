/**
 * Serves the built page on a free port of 127.0.0.1, which it names on its output, for as long as the test run lives that asked
 * for it.
 *
 * A run that is killed cannot stop its server, so the server looks after its run.
 * Usage: node serve.mjs DIST PID
 */
import { preview } from '../../www/node_modules/vite/dist/node/index.js';

const [outDir, run] = process.argv.slice(2);

/** Vite looks for a free port and then listens on it, so another process may come in between. */
async function serve(tries) {
  try {
    return await preview({ configFile: false, root: outDir, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  } catch (error) {
    if (tries === 1) throw error;
    return serve(tries - 1);
  }
}

const { httpServer } = await serve(5);
console.log(`listens on ${httpServer.address().port}`);

setInterval(() => {
  try {
    process.kill(Number(run), 0);
  } catch {
    process.exit();
  }
}, 1000);
