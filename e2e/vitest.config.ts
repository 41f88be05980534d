import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['neuroloom-source'] },
  ssr: { resolve: { conditions: ['neuroloom-source', 'node', 'import', 'default'] } },
  test: {
    include: ['*.test.ts'],
    globalSetup: ['./first-start.ts'],
    setupFiles: ['./on-failure.ts'],
    // Each with a product and a browser of its own. A person's journey mostly waits, so two share two cores well.
    maxWorkers: 3,
    // Tests that say they may: one waits for the server while the others draw.
    maxConcurrency: 3,
    // An end for what hangs: all pages in a language take five minutes on a busy machine of two slow cores.
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 50 } },
  },
})
