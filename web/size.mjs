// Measures what a first visit loads, compressed as the server sends it, and fails above the budgets.
// Needs a build: `npx vite build`, then `node size.mjs [folder]`.
//
// Each visit has a goal (what it should weigh one day) and `was`, the size in kB when its budget was last set. The budget
// is `was` and ROOM more, so that the next feature fits; whoever exceeds it looks for savings first, and raises `was` only
// with the reason in the commit. The growth since then is printed in every run.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const dist = resolve(here, process.argv[2] ?? 'dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))
const kilobyte = 1000
const ROOM = 1.03

const workspace = {
  chunks: ['src/app/workspace-layout.tsx', 'src/app/workspace-pages.ts'],
  // Texts of refusals come with the first one.
  texts: ['common', 'levels', 'workspace', 'notices'],
}
const page = (name, was, texts) => ({
  name,
  goal: 400,
  was,
  chunks: [...workspace.chunks, `src/pages/${name}.tsx`],
  texts: [...workspace.texts, ...texts],
})
const networks = (name, was, ownTexts, ...chunks) => {
  const { chunks: around, texts } = page('dripe', was, [
    'dripe',
    'dripe-panels',
    'tasks',
    'layers',
    ...ownTexts,
  ])
  const own = chunks.map((chunk) => `src/features/networks/${chunk}`)
  return { name, goal: 500, was, chunks: [...around, ...own], texts }
}
const homeTexts = ['gallery', 'templates', 'networks']
/** The editor with all layers and networks of the product: canvas, resolver and reader of YAML work in the browser. */
const editor = ['editor/editor.tsx', 'library-texts.ts']
const code = ['panels/code/code-side.tsx', 'panels/code/yaml-editor.tsx']

/** Rendered ahead: its own HTML, in which its styles and texts stand, in the place of the empty page. */
const site = (name, address) => ({
  chunks: ['src/pages/site/layout.tsx', `src/pages/site/${name}.tsx`],
  texts: [],
  html: (language) =>
    `rendered/${[...(language === 'en' ? [] : [language]), ...address].join('/') || 'index'}.html`,
})
const home = site('home', [])

/** What each first visit loads besides the entry: lazy chunks of its route and one language. */
const visits = [
  // A lost line is told, and tried again, in public too.
  { name: 'scripts of /', goal: 140, was: 140, ...home, isScripts: true },
  { name: '/', goal: 150, was: 160, ...home },
  { name: 'a tutorial', goal: 150, was: 164, ...site('tutorial-page', ['tutorial', 'registration']) },
  { name: 'consultation', goal: 150, was: 163, ...site('consult', ['consult']) },
  { name: 'login', goal: 150, was: 171, chunks: ['src/pages/login.tsx'], texts: ['common', 'accounts'] },
  { name: 'workspace shell', goal: 300, was: 327, ...workspace },
  page('manage-home', 390, ['runs', 'files']),
  page('project-home', 443, ['projects', 'tasks', 'files']),
  page('project-detail', 519, ['projects', 'tasks', 'datasets', 'files', 'runs', 'networks']),
  page('cloud/cloud-home', 475, ['files']),
  page('cloud/cloud-file', 474, ['files']),
  page('run', 485, ['runs', 'results', 'networks', 'projects']),
  page('toolbox/home', 390, ['toolbox']),
  {
    ...page('social/social-home', 456, ['social/social', 'social/social-people']),
    chunks: [...workspace.chunks, 'src/pages/social/social-home.tsx', 'src/features/social/chats/chats.tsx'],
  },
  networks('dripe, own networks', 497, homeTexts, 'panels/home/dripe-home.tsx'),
  networks('dripe, one network', 645, [], ...editor),
  networks('yamlCode', 771, [], ...editor, ...code),
  {
    ...page('labelling', 482, ['labelling', 'viewing']),
    name: 'labelling, one image',
    chunks: [...workspace.chunks, 'src/pages/labelling.tsx', 'src/features/labelling/editor/editor.tsx'],
  },
  page('flow', 371, ['flow']),
  page('user-center', 377, ['files', 'account', 'member']),
]

let failed = false
for (const visit of visits) {
  const { name, goal, was } = visit
  const worst = ['en', 'zh', 'ru']
    .map((language) => ({ language, bytes: weigh(visit, language) }))
    .sort((one, other) => other.bytes - one.bytes)[0]
  const kilobytes = worst.bytes / kilobyte
  const budget = was * ROOM
  const growth = `${kilobytes < was ? '−' : '+'}${Math.abs(kilobytes - was).toFixed(1)} since it was set`
  report(
    kilobytes <= budget,
    `${name}: ${kilobytes.toFixed(1)} kB (${worst.language}), budget ${budget.toFixed(1)}: ${growth}, goal ${goal}`,
  )
}
const fonts = sum([...filesOf([])].filter(isFont)) / kilobyte
report(
  fonts > 0 && fonts <= 50 * ROOM,
  `typeface: ${fonts.toFixed(1)} kB, budget ${50 * ROOM} kB (Latin and Cyrillic)`,
)
for (const name of publicPages()) {
  const found = [...filesOf([name])].filter((file) => file.endsWith('.js') && holdsAntd(file))
  if (found.length > 0) report(false, `${name} brings Ant Design along: ${found.join(', ')}`)
}
process.exitCode = failed ? 1 : 0

function report(isFine, text) {
  failed ||= !isFine
  console.log(`${isFine ? 'ok  ' : 'OVER'} ${text}`)
}

/** Fetched by who reads their script, kept for good: with a limit of their own. */
function isFont(file) {
  return file.endsWith('.woff2')
}

/** Everything that a visitor without an account can open. */
function publicPages() {
  const entrance = ['login', 'register', 'forget'].map((name) => `src/pages/${name}.tsx`)
  return [...Object.keys(manifest).filter((key) => key.startsWith('src/pages/site/')), ...entrance]
}

/** A source map names every module that went into its file. */
function holdsAntd(file) {
  const map = join(dist, `${file}.map`)
  // The bundler's own runtime has none.
  const { sources } = existsSync(map) ? JSON.parse(readFileSync(map, 'utf8')) : { sources: [] }
  return sources.some((source) => /node_modules\/(antd|@ant-design|@rc-component)\//.test(source))
}

/** Texts that the server needs too lie in the contract. */
function textKey(language, text) {
  const ending = `/locales/${language}/${text}.json`
  return Object.keys(manifest).find((key) => key.endsWith(ending)) ?? ending
}

/** Comes before anything is drawn, and is not in the manifest either. */
function isFirst(file) {
  return /^first-[\w-]{8}\.js$/.test(file) && !existsSync(join(dist, 'assets', `${file}.map`))
}

function isWorker(file) {
  return /^solve\.worker-.*\.js$/.test(file)
}

function weigh({ chunks, texts, isScripts = false, html }, language) {
  const list = texts.length > 0 ? [`src/lib/locale-files/${language}.ts`] : []
  const files = filesOf([...chunks, ...list, ...texts.map((text) => textKey(language, text))])
  // The slider's worker: workers are not in the manifest.
  if (chunks.includes('src/pages/login.tsx'))
    files.add(`assets/${readdirSync(join(dist, 'assets')).find(isWorker)}`)
  files.add(`assets/${readdirSync(join(dist, 'assets')).find(isFirst)}`)
  const scripts = [...files].filter((file) => file.endsWith('.js'))
  if (isScripts) return sum(scripts)
  return sum(html === undefined ? [...files].filter((file) => !isFont(file)) : [html(language), ...scripts])
}

function sum(files) {
  return files.reduce((bytes, file) => bytes + wireBytes(file), 0)
}

function filesOf(keys) {
  const files = new Set(['index.html'])
  collect('index.html', files)
  for (const key of keys) collect(key, files)
  return files
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
