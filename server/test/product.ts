/** The built product, started as an operator starts it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const PASSWORD = 'first password 1'

/** What is started is built from these sources; a whole run of the tests has done so. */
export function buildProduct(): void {
  if (process.env.OWN_SCRIPTS === 'built') return
  const script = "const { buildServer } = await import('./tools/build.mjs'); buildServer()"
  const built = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  })
  if (built.status !== 0) throw new Error(built.stdout + built.stderr)
}

export type Product = {
  url: string
  output(): string
  process: ChildProcess
  stop(signal: NodeJS.Signals): Promise<number | string>
}

type Start = { checkout?: string; uid?: number; before?: string[] }

/** Resolves when it says that it is ready, rejects with its output when it ends before. */
export async function start(
  dataFolder: string,
  env: Record<string, string> = {},
  how: Start = {},
): Promise<Product> {
  const { checkout = root, uid, before = [] } = how
  const [command, ...args] = [...before, process.execPath, join(checkout, 'server/bundle/start.js')] as const
  const child = spawn(command, args, {
    ...(uid === undefined ? {} : { uid, gid: uid }),
    cwd: checkout,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataFolder,
      LOG_LEVEL: 'warn',
      ADMIN_PASSWORD: PASSWORD,
      // The test runner has a variable of this name, too.
      MODE: 'trial',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const ready = /Neuroloom is ready at (\S+)/.exec(output)
      if (ready?.[1]) resolve(ready[1])
    })
    child.once('exit', (code) => reject(new Error(`Ended with ${code}: ${output}`)))
  })
  const ended = once(child, 'exit').then(([code, signal]): number | string => code ?? signal)
  return {
    url,
    output: () => output,
    process: child,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}

type Answer = { code: number; data: { id: string; token: string } }

export async function call(product: Product, path: string, body: object, headers = {}): Promise<Answer> {
  const response = await fetch(`${product.url}/AI/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  // The envelope of every answer; tests look at its code first.
  return (await response.json()) as Answer
}

export const login = (product: Product): Promise<Answer> =>
  call(product, 'user/login', { account: 'administrator@neuroloom.local', password: PASSWORD })

/** The supervisor's children by the script they run. */
export async function childrenOf(pid: number | undefined, script: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.split(') ')[1]?.split(' ')[1])
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    if (parent === pid && command.includes(script)) found.push(Number(name))
  }
  return found
}

export const until = (holds: () => Promise<boolean>): Promise<boolean> =>
  vi.waitUntil(() => holds().catch(() => false), { timeout: 120_000, interval: 50 })
