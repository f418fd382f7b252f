// The JavaScript is tested as it is published: `pinpack` and its submodules are what package.json's exports name in dist/.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import manifest from './package.json' with { type: 'json' }

const published = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([path, target]) => ({
    find: new RegExp(`^pinpack${path.slice(1)}$`),
    replacement: fileURLToPath(new URL((target as { default: string }).default, import.meta.url)),
  }))

export default defineConfig({
  resolve: { alias: published },
  test: {
    // Node loads dist/ itself, so that `import.meta.url` in it is a file's.
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      { test: { name: 'npm', include: ['tests/npm/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 } },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          testTimeout: 90_000,
          hookTimeout: 120_000,
          // Each file starts a browser and a server; one at a time leaves the processor to the page.
          fileParallelism: false,
        },
      },
    ],
  },
})
