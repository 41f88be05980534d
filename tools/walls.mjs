/**
 * Who may import whom, at every depth, that nobody does in a circle, and that no folder grows full: part of
 * `npm run check`. The linter's own rules compare the text of an import, which is another one in every sub-folder, and see
 * no circle of types; dependency-cruiser was tried and reads no TypeScript 7. What may be imported by features on the
 * right stands in service, access and tables of a server feature.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './setup.mjs'

/** From left to right; the last one alone is not the product's. */
const features =
  'accounts ledger plans payments files recipes projects datasets networks runs flow labelling reports toolbox shop wallet market custom social site operations'.split(
    ' ',
  )
const open = /^server\/src\/features\/(\w+)\/(service|access|tables)\.ts$/

/** `refuses` says why one file may not import another; `room` are the groups of `from`. */
const walls = [
  {
    from: /^contract\/src\//,
    refuses: (to) => !to.startsWith('contract/src/') && 'The contract knows itself alone.',
  },
  {
    from: /^server\/src\/(http|infra)\//,
    refuses: (to) =>
      /^server\/src\/(features\/|demo\/|features\.ts|(app|main|worker|start|admin)\.ts)/.test(to) &&
      'http and infra know no feature.',
  },
  {
    from: /^server\/src\/infra\/reader\//,
    refuses: (to) =>
      !/^server\/src\/infra\/(reader\/|own-script\.ts$)/.test(to) &&
      'The reader of images is a room of its own: hostile files meet nothing else.',
  },
  {
    from: /^server\/src\/features\/(\w+)\//,
    refuses: (to, [, own]) => {
      const [, other = ''] = /^server\/src\/features\/(\w+)\//.exec(to) ?? []
      if (other === '' || other === own) return false
      const isLeft = features.indexOf(other) < features.indexOf(own)
      return (
        !(isLeft && open.test(to)) &&
        'A feature uses only service, access and tables of features to its left.'
      )
    },
  },
  {
    from: /^web\/src\/features\/([\w-]+)\//,
    refuses: (to, [, own]) =>
      /^web\/src\/(features|pages|app)\//.test(to) &&
      !to.startsWith(`web/src/features/${own}/`) &&
      'Features do not know each other, pages or app; pages compose them.',
  },
  {
    from: /^web\/src\/pages\//,
    refuses: (to) => to.startsWith('web/src/app/') && 'Pages look right: features, ui, lib.',
  },
  {
    from: /^web\/src\/ui\//,
    refuses: (to) => /^web\/src\/(app|pages|features)\//.test(to) && 'ui knows only lib.',
  },
  {
    from: /^web\/src\/lib\//,
    refuses: (to) =>
      /^web\/src\/(app|pages|features|ui)\//.test(to) && 'lib knows only itself and the contract.',
  },
  {
    from: /^web\/src\//,
    refuses: (to) => to.startsWith('server/') && 'The browser knows no server.',
  },
]

/** Whoever looks for a file reads the names of a folder; more of them are two subjects. */
const MOST_FILES = 48
/** Texts are looked for by the name of what they say: one file each, the same in every language. */
const MOST_TEXTS = 72

const rooms = ['contract/src', 'server/src', 'web/src']
const listed = spawnSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', ...rooms, 'engine/neuroloom_engine'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
const all = listed.stdout.split('\n').filter((name) => name !== '' && existsSync(join(root, name)))
const files = all.filter((name) => /(?<!\.test)\.tsx?$/.test(name))
const breaks = files.flatMap((from) =>
  importsOf(from).flatMap((to) =>
    walls.flatMap((wall) => {
      const room = wall.from.exec(from)
      const why = room ? wall.refuses(to, room) : false
      return why ? [`${from} imports ${to}: ${why}`] : []
    }),
  ),
)
breaks.push(...circles(), ...fullFolders())
if (files.length < 500) breaks.push(`Only ${files.length} files were found.`)
process.stdout.write(breaks.map((line) => `${line}\n`).join(''))
process.exitCode = breaks.length > 0 ? 1 : 0

/** Tests beside the code count too. */
function fullFolders() {
  const counts = new Map()
  for (const name of all) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1)
  return [...counts]
    .filter(([folder, count]) => count > mostIn(folder))
    .map(
      ([folder, count]) =>
        `${folder} holds ${count} files: at most ${mostIn(folder)}, so it is time for two rooms.`,
    )
}

/** Files that reach each other by what they import, types too: a name by which that happens stands in the wrong file. */
function circles() {
  // It holds everything, so all that it holds may name it.
  const isCounted = (path) => path !== 'server/src/infra/context.ts'
  // What is fetched when it is needed may name what it is fetched for.
  const left = new Map(files.map((file) => [file, importsOf(file, 'from').filter(isCounted)]))
  for (let before = 0; before !== left.size; ) {
    before = left.size
    const read = new Set([...left].flatMap(([file, paths]) => paths.filter((path) => path !== file)))
    for (const [file, paths] of left)
      if (!read.has(file) || !paths.some((path) => left.has(path))) left.delete(file)
  }
  return left.size === 0 ? [] : [`In a circle, or between two: ${[...left.keys()].join(', ')}`]
}

/** What it imports of ours, types too, as paths from the root. */
function importsOf(file, by = 'from|import') {
  const text = readFileSync(join(root, file), 'utf8')
  const imported = new RegExp(String.raw`\b(?:${by})\s*\(?\s*'(\.{1,2}\/[^']+)'`, 'g')
  return [...text.matchAll(imported)].map(([, path]) => normalize(join(dirname(file), path ?? '')))
}

function mostIn(folder) {
  return folder.includes('/locales/') ? MOST_TEXTS : MOST_FILES
}
