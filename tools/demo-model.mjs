/** `npm run demo-model`: trains the front page's little network anew by the engine alone and measures it; see bench/demo-model.ts. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureEngine, ensurePackages, main, root } from './setup.mjs'

await main(() => {
  ensurePackages()
  const env = { ...process.env, ENGINE_PYTHON: ensureEngine() }
  // The plan of the network is computed by the compiled contract.
  const steps = [
    ['tsc', '-b', 'contract'],
    ['tsx', '--conditions=neuroloom-source', join(root, 'bench', 'demo-model.ts'), ...process.argv.slice(2)],
  ]
  for (const step of steps) {
    const { status } = spawnSync('npx', step, { cwd: root, env, stdio: 'inherit' })
    if (status !== 0) {
      process.exitCode = status ?? 1
      return
    }
  }
})
