import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// `npm run build` writes into the package, so that installing it needs no Node. BOARD_OUT builds elsewhere: a test
// compares the two. `npm run dev` serves the page with the API of a server at TASKPILOT (http://127.0.0.1:8000).
const server = process.env.TASKPILOT ?? "http://127.0.0.1:8000";

/** What every page needs, in one file: cut where pages share it, it would come in twenty. */
const CORE =
  /node_modules\/(react|react-dom|scheduler|wouter|regexparam|sonner|cmdk|clsx|lucide-react|radix-ui|@radix-ui|@tanstack)\/|\/src\/(api|data|commands|shell|board|inbox\/(badge|waiting|items)|chat\/conversations|ui\/(?!rendered))/;

/** A page's chunk is called after its folder: `calendar`, not `page`. */
function nameChunk({ facadeModuleId, name }: { facadeModuleId?: string | null; name: string }): string {
  const folder = facadeModuleId?.match(/\/src\/(\w+)\/page\.tsx$/)?.[1];
  return `assets/${folder ?? name}-[hash].js`;
}

export default defineConfig({
  plugins: [react(), tailwind()],
  build: {
    outDir: process.env.BOARD_OUT ?? "../src/taskpilot/surfaces/web/build",
    emptyOutDir: true,
    chunkSizeWarningLimit: 700,
    sourcemap: false,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        chunkFileNames: nameChunk,
        codeSplitting: { groups: [{ name: "core", test: CORE }] },
      },
    },
  },
  server: { proxy: { "/api": server, "/mcp": server } },
  test: { include: ["src/**/*.test.ts"] },
});
