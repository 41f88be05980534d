/**
 * Makes one file of each of the server's programs: without it Node looks for a thousand modules at each start, and a program
 * is started for every image that is read. Runs after `tsc`, on what that wrote.
 */
import { readFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { root } from './setup.mjs'

const programs = [
  ...['start', 'main', 'worker', 'admin', 'aside-process'],
  'features/reports/pdf/pdf-process',
  'infra/reader/process',
]
/** Plain code in many files, with what it needs itself; others may look for files beside them, or are libraries of the machine's. */
const packages =
  /^(@noble\/hashes|dicom-parser|drizzle-orm|nanoid|sax|seek-bzip|tar-stream|yaml|yauzl|yazl|zod)(\/|$)/
const apart = /^pg(\/|$)/
const from = join(root, 'server', 'dist')
const to = join(root, 'server', 'bundle')

/** Each module looks for files beside it where it would lie if it had been copied instead. */
const keepPlaces = (program) => ({
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]server[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
      const place = relative(dirname(join(to, program)), join(to, relative(from, path))).replaceAll('\\', '/')
      const text = await readFile(path, 'utf8')
      return {
        contents: text.replaceAll(
          'import.meta.url',
          `new URL(${JSON.stringify(place)}, import.meta.url).href`,
        ),
        loader: 'js',
      }
    })
  },
})

const ownPackages = {
  name: 'packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isOurs = kind === 'entry-point' || packages.test(path) || path.startsWith('@neuroloom/')
      const isOfPackage = importer.includes('node_modules') && !apart.test(path)
      return isOurs || isOfPackage ? null : { path, external: true }
    })
  },
}

await rm(to, { recursive: true, force: true })
await Promise.all(
  programs.map((program) =>
    build({
      entryPoints: [join(from, `${program}.js`)],
      outfile: join(to, `${program}.js`),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      // For packages from before there were modules.
      banner: {
        js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url)",
      },
      logLevel: 'warning',
      plugins: [keepPlaces(program), ownPackages],
    }),
  ),
)
