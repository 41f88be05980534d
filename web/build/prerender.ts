/** Renders every public page in every language into dist/rendered, with its own head, links and texts. It needs no browser. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defaultServerConditions, type Manifest, type Plugin } from 'vite'
import { ownAddresses } from '../src/app/own-paths.ts'
import type { Rendered } from '../src/app/prerender.tsx'
import { areas } from './areas.ts'
import { addFirstScript, fontLink } from './first-script.ts'

/** Stands where the server puts the address it is reached at. */
const ORIGIN = 'https://neuroloom.invalid'

export function prerender(): Plugin {
  let root = ''
  let folder = ''
  return {
    name: 'prerender',
    apply: 'build',
    configResolved(config) {
      root = config.root
      folder = resolve(config.root, config.build.outDir)
    },
    // Not when the bundle closes: that happens after an error too, and would hide it.
    writeBundle: {
      // Before the files are compressed.
      order: 'pre',
      sequential: true,
      async handler() {
        const pages = await renderAll(root)
        await writePages(folder, pages)
        await write(join(folder, 'rendered/sitemap.xml'), sitemapOf(pages))
        await write(join(folder, 'rendered/robots.txt'), robots)
        await write(join(folder, 'rendered/pages.json'), JSON.stringify(ownAddresses))
      },
    },
  }
}

/** Builds the pages a second time, for Node, and lets them render themselves. */
async function renderAll(root: string): Promise<Rendered[]> {
  // Below the project, so that Node finds its packages.
  await mkdir(join(root, 'node_modules'), { recursive: true })
  const made = await mkdtemp(join(root, 'node_modules/.prerender-'))
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [react(), areas()],
      ssr: {
        noExternal: [/^@neuroloom\//],
        resolve: { conditions: ['neuroloom-source', ...defaultServerConditions] },
      },
      build: { ssr: 'src/app/prerender.tsx', outDir: made, target: 'node20', copyPublicDir: false },
    })
    // Built from src/app/prerender.tsx a moment ago.
    const { renderSite } = (await import(pathToFileURL(join(made, 'prerender.js')).href)) as {
      renderSite: (origin: string) => Promise<Rendered[]>
    }
    return await renderSite(ORIGIN)
  } finally {
    await rm(made, { recursive: true })
  }
}

async function writePages(folder: string, pages: Rendered[]): Promise<void> {
  const shell = await addFirstScript(folder)
  // Vite's own format.
  const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  for (const page of pages) {
    const html = await fill(shell, { folder, page, manifest })
    await write(join(folder, 'rendered', `${page.address === '/' ? '/index' : page.address}.html`), html)
  }
}

type Filling = { folder: string; page: Rendered; manifest: Manifest }

async function fill(whole: string, { folder, page, manifest }: Filling): Promise<string> {
  const { scripts, styles } = chunksOf(page, manifest)
  // Styles stand in the page itself, so that it is drawn before anything else has been fetched. Vite's loader finds
  // their files named here and waits for none of them; as files for printing they hold nothing up.
  const entryStyles = [...whole.matchAll(styleLink)].map(([, file = '']) => file)
  const files = [...new Set([...entryStyles, ...styles])]
  // The page is drawn without its scripts: they give way to it.
  const shell = whole
    .replaceAll(styleLink, '')
    .replaceAll(/<(?=link rel="modulepreload"|script type="module")(\w+)/g, '<$1 fetchpriority="low"')
  const css = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const ownHead = [
    ...(page.language === 'ru' ? [await fontLink(folder, 'cyrillic')] : []),
    page.head,
    ...[...scripts]
      .filter((file) => !whole.includes(`"/${file}"`))
      .map((file) => `<link fetchpriority="low" rel="modulepreload" crossorigin href="/${file}">`),
    `<style>${css.join('').trim()}</style>`,
  ]
  return replaceOnce(shell, [
    ['<html lang="en">', `<html lang="${page.tag}"${page.language === 'en' ? ' data-languages' : ''}>`],
    [
      /<title>[^<]*<\/title>/,
      `<title>${page.title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`,
    ],
    [/\s*<meta\s+name="description"[^>]*>/, ''],
    ['</head>', `  ${ownHead.join('\n    ')}\n  </head>`],
    ['<div id="root"></div>', `<div id="root">${page.html}</div>\n    ${textsOf(page)}`],
    [
      '</body>',
      `${files.map((file) => `<link rel="stylesheet" media="print" crossorigin href="/${file}">`).join('\n    ')}\n  </body>`,
    ],
  ])
}

function replaceOnce(text: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce((before, [from, to]) => {
    // As a function, because a text may hold "$&".
    const after = before.replace(from, () => to)
    if (after === before) throw new Error(`index.html has no ${from}`)
    return after
  }, text)
}

const styleLink = /\s*<link rel="stylesheet" crossorigin href="\/([^"]+)">/g

type Chunks = { scripts: Set<string>; styles: Set<string> }

/** Everything that the page's own script will ask for, told to the browser at once. */
function chunksOf({ path }: Rendered, manifest: Manifest): Chunks {
  const chunks = ['src/pages/site/layout.tsx', `src/pages/site/${chunkOf(path)}.tsx`]
  const found: Chunks = { scripts: new Set(), styles: new Set() }
  for (const chunk of chunks) collect(manifest, chunk, found)
  return found
}

const chunkOf = (path: string): string =>
  path === '/' ? 'home' : path.startsWith('/tutorial/') ? 'tutorial-page' : path.slice(1)

/** Data and not script: the policy of the page lets no script stand in it. */
const textsOf = ({ texts }: Rendered): string =>
  `<script type="application/json" id="texts">${JSON.stringify(texts).replaceAll('<', '\\u003c')}</script>`

function collect(manifest: Manifest, key: string, found: Chunks): void {
  const chunk = manifest[key]
  if (chunk === undefined) throw new Error(`The build has no ${key}`)
  // The entry itself is in the shell, with all that it needs.
  if (chunk.isEntry || found.scripts.has(chunk.file)) return
  found.scripts.add(chunk.file)
  for (const style of chunk.css ?? []) found.styles.add(style)
  for (const next of chunk.imports ?? []) collect(manifest, next, found)
}

/** Each page with its other languages, as search engines want it. */
function sitemapOf(pages: Rendered[]): string {
  const entries = pages.map(({ address, path }) => {
    const others = pages
      .filter((one) => one.path === path)
      .map((one) => `<xhtml:link rel="alternate" hreflang="${one.language}" href="${ORIGIN}${one.address}"/>`)
    return `<url><loc>${ORIGIN}${address}</loc>${others.join('')}</url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`
}

const robots = `User-agent: *
Disallow: /AI/
Disallow: /api/
Disallow: /dev/
Sitemap: ${ORIGIN}/sitemap.xml
`

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
