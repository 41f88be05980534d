import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'default'] } },
  test: {
    include: ['*.test.ts'],
    globalSetup: ['./first-start.ts'],
    setupFiles: ['./on-failure.ts'],
    // Each with a product and a browser of its own. A person's journey mostly waits, so two share two cores well.
    maxWorkers: 2,
    // Tests that say they may: one waits for the server while the others draw.
    maxConcurrency: 3,
    // An end for what hangs, not a measure; the few tests that may take longer say so.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
  },
})
