import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { areas } from './build/areas.ts'

export default defineConfig({
  plugins: [react(), areas()],
  resolve: {
    // Not by the condition "source": Node would take it for other packages too, and meet their TypeScript.
    alias: [
      {
        find: /^@neuroloom\/contract\/((?!wire|locales)[\w/-]+)$/,
        replacement: `${import.meta.dirname}/../contract/src/$1.ts`,
      },
    ],
  },
  // The network texts of the contract stand beside this room; started from above, Vite would not read them.
  server: { fs: { allow: [`${import.meta.dirname}/..`] } },
  test: {
    environment: 'happy-dom',
    // A desk's window: narrower ones are tested in Chromium.
    environmentOptions: { happyDOM: { width: 1440, height: 900 } },
    include: ['test/**/*.test.{ts,tsx}', 'src/**/*.test.{ts,tsx}'],
    setupFiles: ['test/setup.ts'],
    // The first test of a file pays for loading antd; two busy cores need the room.
    testTimeout: 20_000,
    maxWorkers: 2,
  },
})
