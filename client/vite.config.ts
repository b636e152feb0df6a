import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// One script and one style sheet, which the Python side serves, or writes into a single HTML file.
export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/headscope/web/built',
    emptyOutDir: true,
    cssCodeSplit: false,
    target: 'es2022',
    rolldownOptions: {
      input: 'src/main.ts',
      output: { format: 'iife', entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
    },
  },
  test: { include: ['tests/**/*.test.ts'] },
})
