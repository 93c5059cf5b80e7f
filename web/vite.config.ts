import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
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

/** The font is asked for with the page: text that changes its width later would be laid out twice. */
const fontAhead: Plugin = {
  name: "font-ahead",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle }) => {
      const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght.*\.woff2$/.test(name));
      const attrs = { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${font}` };
      return font ? [{ tag: "link", attrs, injectTo: "head" }] : [];
    },
  },
};

export default defineConfig({
  plugins: [react(), tailwind(), fontAhead],
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
