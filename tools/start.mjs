/** `npm start`: sets up what is missing, builds what changed, starts the product. Arguments go to server/src/start.ts. */
import { build } from './build.mjs'
import { ensureEngine, ensureFlow, ensurePackages, ensureTesseract, main } from './setup.mjs'

await main(async () => {
  ensurePackages()
  process.env.ENGINE_PYTHON = ensureEngine()
  ensureFlow(process.env.ENGINE_PYTHON)
  ensureTesseract()
  build()
  await import('../server/bundle/start.js')
})
