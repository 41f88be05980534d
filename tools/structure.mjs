/**
 * `npm run structure [-- <folder of another checkout>]`: what the code is like in figures, to be held beside those of an
 * earlier checkout: files by folder, lengths of files and functions, files with a single reader, looks outside the theme,
 * and how long the parts of its last `npm test` took.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { parseAst } from 'vite'
import { root } from './setup.mjs'

const checkout = resolve(process.argv[2] ?? root)
const FULL_FOLDER = 40
const SMALL_FILE = 40
const theme = /^web\/src\/ui\/(theme\.(css|ts)|tokens\.\w+)$/

/** Faces and things, painted in colours of their own. */
const drawing = /^web\/src\/(ui\/pictures|features\/demo)\//

const names = spawnSync('git', ['ls-files'], { cwd: checkout, encoding: 'utf8' })
  .stdout.split('\n')
  .filter((name) => name !== '' && existsSync(join(checkout, name)))
const texts = new Map(
  names
    .filter((name) => /\.(tsx?|mjs|css|py)$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => [name, readFileSync(join(checkout, name), 'utf8')]),
)
const isTest = (name) => /\.test\.|(^|\/)tests?\//.test(name)
const sources = [...texts.keys()].filter((name) => !isTest(name))
const code = sources.filter((name) => /\.tsx?$/.test(name) && /^(contract|server|web)\/src\//.test(name))

print('Lines (tests apart)', roomLines())
print(`Folders with more than ${FULL_FOLDER} files`, fullFolders())
print('Lengths in lines (contract, server, web)', [
  spread('files', code.map(linesOf)),
  spread('functions', code.flatMap(functionLines)),
])
print('Small files', [
  `${singleReaders().length} of fewer than ${SMALL_FILE} lines are read by one other file alone`,
])
print('Looks', looks())
print('Seconds of each part of the last npm test', testParts())

function print(title, lines) {
  process.stdout.write(
    `${title}\n${(lines.length > 0 ? lines : ['none']).map((line) => `  ${line}\n`).join('')}\n`,
  )
}

function roomLines() {
  const rooms = new Map()
  for (const name of texts.keys()) {
    const [room = ''] = name.split('/')
    const sums = rooms.get(room) ?? { code: 0, tests: 0 }
    sums[isTest(name) ? 'tests' : 'code'] += linesOf(name)
    rooms.set(room, sums)
  }
  return [...rooms]
    .sort(([, one], [, other]) => other.code - one.code)
    .map(([room, { code: own, tests }]) => `${room.padEnd(12)}${String(own).padStart(7)}  tests ${tests}`)
}

function fullFolders() {
  const counts = new Map()
  for (const name of names) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1)
  return [...counts]
    .filter(([, count]) => count > FULL_FOLDER)
    .sort(([, one], [, other]) => other - one)
    .map(([folder, count]) => `${String(count).padStart(4)}  ${folder}`)
}

function linesOf(name) {
  return (texts.get(name) ?? '').split('\n').length - 1
}

/** Of each function with a body of its own, arrows too. */
function functionLines(name) {
  const text = texts.get(name) ?? ''
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index)
  const lineAt = (place) => ends.filter((end) => end < place).length
  const found = []
  visit(parseAst(text, { lang: name.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return
    if (node.body?.type === 'BlockStatement') found.push(lineAt(node.end) - lineAt(node.start) + 1)
  })
  return found
}

function visit(node, meet) {
  if (node === null || typeof node !== 'object') return
  if (typeof node.type === 'string') meet(node)
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const one of value) visit(one, meet)
    else visit(value, meet)
  }
}

function spread(title, values) {
  const sorted = values.sort((one, other) => one - other)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return `${title}: ${sorted.length}; p50 ${at(0.5)}, p90 ${at(0.9)}, longest ${sorted.at(-1) ?? 0}`
}

function singleReaders() {
  const readers = new Map()
  for (const from of texts.keys()) {
    if (isTest(from)) continue
    for (const [, path = ''] of (texts.get(from) ?? '').matchAll(
      /'(\.{1,2}\/[^'\n]+|@neuroloom\/contract\/[^'\n]+)'/g,
    )) {
      const to = path.startsWith('.')
        ? normalize(join(dirname(from), path))
        : `contract/src/${path.slice('@neuroloom/contract/'.length)}.ts`
      readers.set(to, (readers.get(to) ?? new Set()).add(from))
    }
  }
  return code.filter((name) => linesOf(name) < SMALL_FILE && readers.get(name)?.size === 1)
}

function testParts() {
  const path = join(checkout, '.cache', 'test-parts.tsv')
  if (!existsSync(path)) return ['not run here yet']
  const parts = readFileSync(path, 'utf8').trim().split('\n')
  const sum = parts.reduce((total, line) => total + Number(line.split('\t')[0]), 0)
  return [...parts, `${sum}\tall`].map((line) => line.replace('\t', '  '))
}

/** Colours, breakpoints and font sizes that stand anywhere but in the theme. */
function looks() {
  const styled = sources.filter((name) => name.startsWith('web/src/') && /\.(css|tsx?)$/.test(name))
  const sheets = styled.filter((name) => name.endsWith('.css'))
  const outside = styled.filter((name) => !theme.test(name))
  const found = (files, pattern) => files.flatMap((name) => (texts.get(name) ?? '').match(pattern) ?? [])
  const colours = found(
    outside.filter((name) => !drawing.test(name)),
    /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(\d[^)]*\)/gi,
  )
  // Of windows; a container asks for its own room.
  const breakpoints = found(sheets, /@media[^{]*?\d+px/g).map((query) => /\d+px$/.exec(query)?.[0])
  const sizes = found(
    outside.filter((name) => name.endsWith('.css')),
    /font-size:\s*[\d.]+\w+/g,
  )
  return [
    `style sheets: ${sheets.length}, ${sheets.reduce((sum, name) => sum + linesOf(name), 0)} lines`,
    `colours outside the theme: ${colours.length} (${new Set(colours.map((one) => one.toLowerCase())).size} different)`,
    `breakpoints: ${breakpoints.length} (${new Set(breakpoints).size} different)`,
    `font sizes outside the theme: ${sizes.length} (${new Set(sizes).size} different)`,
  ]
}
