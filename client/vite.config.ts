import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// One script and one style sheet, which the Python side serves, or writes into a single HTML file.
export default defineConfig({
  // Every notebook view carries the bundle, and it has 800 names of styles, so these are short.
  plugins: [svelte({ compilerOptions: { cssHash: ({ hash, css }) => `s${hash(css).slice(0, 4)}` } })],
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
