import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'default'] } },
  test: {
    include: ['*.test.ts'],
    setupFiles: ['./on-failure.ts'],
    // One product, one browser at a time: two cores are all there is.
    fileParallelism: false,
    // Tests that say they may: one waits for the server while the others draw.
    maxConcurrency: 3,
    // The steps of a journey build on each other: after a failure the rest only waits.
    bail: 1,
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
})
