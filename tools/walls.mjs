/**
 * Who may import whom, at every depth: part of `npm run check`. The linter's own rule compares the text of an import, which
 * is another one in every sub-folder; dependency-cruiser was tried and reads no TypeScript 7. What may be imported by
 * features on the right stands in service, access and tables of a server feature.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { root } from './setup.mjs'

/** From left to right; the last one alone is not the product's. */
const features = 'accounts plans files projects datasets networks runs reports site'.split(' ')
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

const listed = spawnSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', 'contract/src', 'server/src', 'web/src'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
const files = listed.stdout
  .split('\n')
  .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && existsSync(join(root, name)))
const breaks = files.flatMap((from) =>
  importsOf(from).flatMap((to) =>
    walls.flatMap((wall) => {
      const room = wall.from.exec(from)
      const why = room ? wall.refuses(to, room) : false
      return why ? [`${from} imports ${to}: ${why}`] : []
    }),
  ),
)
if (files.length < 500) breaks.push(`Only ${files.length} files were found.`)
process.stdout.write(breaks.map((line) => `${line}\n`).join(''))
process.exitCode = breaks.length > 0 ? 1 : 0

/** What it imports of ours, types too, as paths from the root. */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, path]) =>
    normalize(join(dirname(file), path ?? '')),
  )
}
