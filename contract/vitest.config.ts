import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: 2,
    // Reading the catalogue and all templates anew for each file took a third of the whole.
    isolate: false,
    // Random documents and size probes take a second or two; a shared machine may be ten times slower.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
