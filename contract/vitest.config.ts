import { defineConfig } from 'vitest/config'
import { isLong } from './test/gates/sample.ts'

export default defineConfig({
  resolve: { conditions: ['neuroloom-source'] },
  ssr: { resolve: { conditions: ['neuroloom-source'] } },
  test: {
    include: [isLong ? 'test/**/*.long.test.ts' : 'test/**/*.test.ts'],
    exclude: isLong ? [] : ['**/*.long.test.ts'],
    maxWorkers: 2,
    // Reading the catalogue and all templates anew for each file took a third of the whole.
    isolate: false,
    // Random documents and size probes take a second or two; a shared machine may be ten times slower.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
