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

const workspace = {
  chunks: ['src/app/workspace-layout.tsx'],
  texts: ['common', 'accounts', 'workspace', 'errors'],
}
const page = (name, texts) => ({
  name,
  limit: 500,
  chunks: [...workspace.chunks, `src/pages/${name}.tsx`],
  texts: [...workspace.texts, ...texts],
})

/** What each first visit loads besides the entry: lazy chunks of its route and one language. */
const visits = [
  { name: 'home', limit: 160, chunks: ['src/pages/home.tsx'], texts: ['common', 'site'] },
  { name: 'login', limit: 170, chunks: ['src/pages/login.tsx'], texts: ['common', 'accounts'] },
  { name: 'workspace shell', limit: 320, ...workspace },
  page('manage-home', ['runs', 'files']),
  page('project-home', ['projects', 'files']),
  page('project-detail', ['projects', 'datasets', 'files', 'runs', 'networks']),
  page('cloud-home', ['files']),
  page('cloud-file', ['files']),
  page('run', ['runs', 'networks', 'projects']),
  page('user-center', ['files']),
]

let failed = false
for (const { name, limit, chunks, texts } of visits) {
  const worst = ['en', 'zh', 'ru']
    .map((language) => ({
      language,
      bytes: weigh([...chunks, ...texts.map((text) => textKey(language, text))]),
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

/** Texts that the server needs too lie in the contract. */
function textKey(language, text) {
  const ending = `/locales/${language}/${text}.json`
  return Object.keys(manifest).find((key) => key.endsWith(ending)) ?? ending
}

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
