/** Compiles contract, server and web when a source changed since the last build. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensurePackages, main, root, SetupError } from './setup.mjs'

const sources = [
  'contract/src',
  'contract/wire',
  'contract/locales',
  'server/src',
  'tools/bundle-server.mjs',
  'web/src',
  'web/build',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'tsconfig.base.json',
  'package-lock.json',
]
const outputs = [
  'contract/dist/calls.js',
  'server/bundle/start.js',
  'web/dist/rendered/index.html',
  'web/example/dist/index.html',
]

export function build() {
  const stampFile = join(root, '.cache', 'build')
  const stamp = stampOf(sources.map((path) => join(root, path)))
  const isThere = outputs.every((path) => existsSync(join(root, path)))
  if (isThere && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  process.stdout.write('Building …\n')
  buildServer()
  step('npx', ['vite', 'build', '--logLevel', 'warn', 'web', '--config', 'web/vite.config.ts'])
  mkdirSync(join(root, '.cache'), { recursive: true })
  writeFileSync(stampFile, stamp)
}

/** What has not changed since the last time is not compiled again. */
export function buildServer() {
  step('npx', ['tsc', '-b', 'contract', 'server'])
  step(process.execPath, ['tools/bundle-server.mjs'])
}

/** Paths, sizes and times of all files below: reading contents would cost a second at every start. */
function stampOf(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    const info = statSync(path, { throwIfNoEntry: false })
    if (!info) return
    if (info.isFile()) hash.update(`${path}\0${info.size}\0${info.mtimeMs}\n`)
    else for (const name of readdirSync(path).sort()) add(join(path, name))
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

function step(command, args) {
  // Whoever builds from a test would get libraries in their test form: with the same id for every element.
  const env = { ...process.env, NODE_ENV: 'production' }
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env })
  if (result.status !== 0) throw new SetupError(`The build failed at: ${args.slice(0, 2).join(' ')}.`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(() => {
    ensurePackages()
    build()
  })
}
