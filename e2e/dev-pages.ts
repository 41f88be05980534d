/** Pages for developers, which builds leave out: served from the sources, without the product behind them. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort, root } from './stack.ts'

export type DevPages = { url: string; stop: () => void }

export async function serveDevPages(): Promise<DevPages> {
  const port = await freePort()
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, '--port', String(port), '--strictPort'], {
    cwd: join(root, 'web'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('ready in') && resolve())
    child.on('exit', (code) => reject(new Error(`the pages ended with ${code}`)))
  })
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() }
}
