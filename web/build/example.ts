/** Builds the page that people take along with a network into `example/dist`, and names the licences of what is in it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defaultClientConditions, type Plugin } from 'vite'
import { tokens } from './tokens.ts'

const web = fileURLToPath(new URL('..', import.meta.url))
const target = join(web, 'example/dist')

export function example(): Plugin {
  let isWatched = false
  return {
    name: 'example',
    apply: 'build',
    configResolved({ build }) {
      isWatched = build.watch !== null
    },
    // Not when the bundle closes: that happens after an error too.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        if (!isWatched) await buildExample()
      },
    },
  }
}

async function buildExample(): Promise<void> {
  const packages = new Set<string>()
  await build({
    configFile: false,
    root: join(web, 'src/example'),
    // Wherever it is put.
    base: './',
    publicDir: false,
    logLevel: 'warn',
    plugins: [react(), tokens(), packagesOf(packages)],
    resolve: { conditions: ['neuroloom-source', ...defaultClientConditions] },
    worker: { format: 'es', plugins: () => [packagesOf(packages)] },
    build: {
      ...{ outDir: target, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0 },
      chunkSizeWarningLimit: 1000,
    },
  })
  writeFileSync(join(target, 'LICENSES.txt'), licencesOf([...packages].sort()))
}

/** Gathers the names of the packages whose modules are taken in. */
function packagesOf(found: Set<string>): Plugin {
  return {
    name: 'packages',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        for (const id of file.type === 'chunk' ? file.moduleIds : []) {
          const name = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1]
          if (name) found.add(name.replace('\\', '/'))
        }
      }
    },
  }
}

/** Each with its version, its licence's name and, where it brings one along, its text. */
function licencesOf(packages: string[]): string {
  const parts = packages.map((name) => {
    const folder = folderOf(name)
    const { version, license, homepage, repository } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']
      .map((one) => join(folder, one))
      .find(existsSync)
    const source = homepage ?? repository?.url ?? ''
    return [
      `${name} ${version}: ${license} (${source})`,
      '',
      file ? readFileSync(file, 'utf8').trim() : '',
    ].join('\n')
  })
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  return `What is packed in the folder "browser", and under which licence.\n\n${parts.join(rule)}\n`
}

function folderOf(name: string): string {
  const places = [join(web, 'node_modules', name), resolve(web, '../node_modules', name)]
  const place = places.find((one) => existsSync(join(one, 'package.json')))
  if (!place) throw new Error(`${name} is packed, but its folder is not found`)
  return place
}
