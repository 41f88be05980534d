/** `npm run dev`: the product on PORT and, beside it, Vite with its own port, which proxies calls there and reloads pages. */
import { spawn } from 'node:child_process'
import { build } from './build.mjs'
import { ensureEngine, ensurePackages, main, root } from './setup.mjs'

await main(async () => {
  ensurePackages()
  process.env.ENGINE_PYTHON = ensureEngine()
  build()
  const vite = spawn('npx', ['vite', 'web', '--config', 'web/vite.config.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  process.on('exit', () => vite.kill())
  await import('../server/bundle/start.js')
})
