// SPDX-License-Identifier: Apache-2.0
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const SERVER = "http://127.0.0.1:8080"; // of `fixaccel dashboard`, for `npm run dev`

export default defineConfig({
  plugins: [svelte()],
  base: "./",
  build: {
    outDir: "../compiler/fixaccel/dashboard/static",
    emptyOutDir: true,
    target: "es2022",
    // The page's content security policy knows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/ws": { target: SERVER, ws: true } } },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
