/** `npm run admin -- …`: what an operator does at the console before the back-office exists. */
import { build } from './build.mjs'
import { ensurePackages, main } from './setup.mjs'

await main(async () => {
  ensurePackages()
  build()
  await import('../server/bundle/admin.js')
})
