/** `npm run admin -- level <account> <level>`: what an operator does before the back-office exists. */
import { build } from './build.mjs'
import { ensurePackages, main } from './setup.mjs'

await main(async () => {
  ensurePackages()
  build()
  await import('../server/dist/admin.js')
})
