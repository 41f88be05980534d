/** `npm run pictures [-- check]`: takes pictures of the running product in Chromium; see e2e/pictures.ts. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { ensureChromium, ensureEngine, ensurePackages, main, root } from './setup.mjs'

await main(() => {
  ensurePackages()
  const env = { ...process.env, ENGINE_PYTHON: ensureEngine(), CHROMIUM: ensureChromium() }
  build()
  const script = join(root, 'e2e', 'pictures.ts')
  const { status } = spawnSync(
    'npx',
    ['tsx', '--conditions=neuroloom-source', script, ...process.argv.slice(2)],
    {
      cwd: root,
      env,
      stdio: 'inherit',
    },
  )
  process.exitCode = status ?? 1
})
