// Measures what a first visit loads, compressed as the server sends it, and fails above the limits.
// Needs a build: `npx vite build`, then `node size.mjs [folder]`.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const dist = resolve(here, process.argv[2] ?? 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
const kilobyte = 1000

/** What each first visit loads besides the entry: lazy chunks of its route and one language. */
const visits = [
  { name: 'home', limit: 160, chunks: ['src/pages/home.tsx'], texts: ['common', 'site'] },
  { name: 'login', limit: 170, chunks: ['src/pages/login.tsx'], texts: ['common', 'accounts'] },
  {
    name: 'workspace shell',
    limit: 320,
    chunks: ['src/app/workspace-layout.tsx', 'src/pages/manage-home.tsx'],
    texts: ['common', 'accounts', 'workspace', 'runs', 'files'],
  },
]

let failed = false
for (const { name, limit, chunks, texts } of visits) {
  const worst = ['en', 'zh', 'ru']
    .map((language) => ({
      language,
      bytes: weigh([...chunks, ...texts.map((text) => `src/locales/${language}/${text}.json`)]),
    }))
    .sort((one, other) => other.bytes - one.bytes)[0]
  const kilobytes = worst.bytes / kilobyte
  const isOver = kilobytes > limit
  failed ||= isOver
  console.log(
    `${isOver ? 'OVER' : 'ok  '} ${name}: ${kilobytes.toFixed(1)} kB of ${limit} kB (${worst.language})`,
  )
}
process.exitCode = failed ? 1 : 0

function isWorker(file) {
  return /^solve\.worker-.*\.js$/.test(file)
}

function weigh(keys) {
  const files = new Set(['index.html'])
  collect('index.html', files)
  for (const key of keys) collect(key, files)
  // The slider's worker: workers are not in the manifest.
  if (keys.includes('src/pages/login.tsx'))
    files.add(`assets/${readdirSync(join(dist, 'assets')).find(isWorker)}`)
  return [...files].reduce((sum, file) => sum + wireBytes(file), 0)
}

function collect(key, files) {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The build has no ${key}`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const file of [...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(file)
  for (const next of chunk.imports ?? []) collect(next, files)
}

/** gzip, because every client takes it; brotli is smaller still. */
function wireBytes(file) {
  return gzipSync(readFileSync(join(dist, file)), { level: 9 }).length
}
