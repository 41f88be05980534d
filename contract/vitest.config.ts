import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  // Random documents and size probes take a second or two; a shared machine may be ten times slower.
  test: { include: ['test/**/*.test.ts'], maxWorkers: 2, testTimeout: 30_000 },
})
