// Serves the built page with Vite's preview server, which sends the headers of vite.config.
// It ends when its stdin closes, so that no server outlives the task runner, however that ended.
import { preview } from "vite";

const port = Number(process.argv.at(-1));
process.stdin.on("end", () => process.exit(0)).resume();
try {
  await preview({ logLevel: "warn", preview: { host: "127.0.0.1", port, strictPort: true, open: false } });
  console.log("listening");
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
