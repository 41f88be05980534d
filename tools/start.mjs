/** `npm start`: sets up what is missing, builds what changed, starts the product. Arguments go to server/src/start.ts. */
import { build } from './build.mjs'
import { ensureEngine, ensurePackages, main } from './setup.mjs'

await main(async () => {
  ensurePackages()
  process.env.ENGINE_PYTHON = ensureEngine()
  build()
  await import('../server/dist/start.js')
})
