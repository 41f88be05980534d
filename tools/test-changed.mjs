/**
 * `npm test -- changed`: in about two minutes what stands beside a change, by folder. It is no proof: whatever lies
 * further away, and every journey in the browser, runs in the whole run, and is told here.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { root, SetupError } from './setup.mjs'

/** What each journey walks through; one that is not listed walks through everything. */
const journeys = {
  'market.test.ts': ['market', 'payments', 'ledger', 'wallet'],
  'shop.test.ts': ['shop', 'office', 'membership', 'payments', 'ledger'],
  'accounts.test.ts': ['accounts', 'notices', 'site', 'admin'],
  'bad-input.test.ts': ['files', 'datasets', 'projects', 'runs', 'engine'],
  'classification.test.ts': ['files', 'datasets', 'projects', 'runs', 'engine'],
  'cloud.test.ts': ['files'],
  'conversions.test.ts': ['files', 'projects'],
  'demonstration.test.ts': ['demo', 'try', 'site'],
  'dripe.test.ts': ['networks', 'runs', 'engine'],
  'measuring.test.ts': ['files'],
  'flow.test.ts': ['flow', 'toolbox', 'engine'],
  'flow-run.test.ts': ['flow', 'projects', 'runs', 'reports', 'files', 'engine'],
  'labelling.test.ts': ['files', 'labelling'],
  'proposals.test.ts': ['files', 'labelling', 'datasets', 'runs', 'engine'],
  'projects.test.ts': ['projects', 'plans', 'files', 'datasets'],
  'reading.test.ts': ['files', 'labelling', 'datasets'],
  'rules.test.ts': ['projects', 'plans', 'datasets', 'runs', 'reports', 'engine'],
  'social.test.ts': ['social', 'notices'],
  'uploads.test.ts': ['files'],
  'viewer.test.ts': ['files'],
}

/** Read as text, not imported. */
const texts = /^(contract|web\/src)\/locales\//
const isTest = (file) => /(\.test\.tsx?|(^|\/)test_\w+\.py)$/.test(file)
const isLong = (file) => /\.long\.test\.tsx?$|^e2e\/long\/|(^|\/)long_\w+\.py$/.test(file)

/**
 * What runs, `[part, arguments for its runner][]` in order, and what else the change can touch. `since` is a revision;
 * without it, where the branch left its upstream, else the last commit.
 */
export function touched(since) {
  const base = since ?? startOfChange()
  const files = changedSince(base)
  return { base, files, parts: partsFor(files, base), besides: besidesOf(files) }
}

/** The same for files that are known to differ since `base`. */
export function partsFor(files, base) {
  if (files.length === 0) return []
  const near = new Set(files.flatMap(testsNear))
  const of = (room) =>
    [...near].filter((file) => file.startsWith(`${room}/`)).map((file) => file.slice(room.length + 1))
  const wholeEngine = files.some(
    (file) => file.startsWith('engine/') && file.endsWith('.py') && testsNear(file).length === 0,
  )
  const engine = wholeEngine ? [] : of('engine').map((file) => basename(file, '.py'))
  return [
    ['check', files],
    // The whole room takes less than a minute, and its graph of modules is short.
    ...(files.some((file) => file.startsWith('contract/'))
      ? [['contract', files.some((file) => texts.test(file)) ? [] : ['--changed', base, '--passWithNoTests']]]
      : []),
    ...(wholeEngine || engine.length > 0 ? [['engine', engine]] : []),
    ...['server', 'web'].flatMap((room) => (of(room).length > 0 ? [[room, of(room)]] : [])),
  ]
}

/** Short tests beside a file: of its folder, of its feature where the folder has none, or that name it. */
function testsNear(file) {
  if (isLong(file)) return []
  if (isTest(file)) return file.startsWith('e2e/') ? [] : [file]
  if (texts.test(file)) return ['web/test/locales.test.ts']
  const [room = '', top = '', area = '', name = ''] = file.split('/')
  if (room === 'server' && top === 'src') return inOrAbove(dirname(file), area === 'features' ? 4 : 3)
  if (room === 'web' && top === 'src') return ofPages(area === 'features' ? name : area, file)
  if (room === 'engine') return ofEngine(file)
  if (room === 'contract') return ofCalls(area)
  if (room === 'e2e' || room === 'docs') return []
  return shortTests('server/test').filter((test) => read(test).includes(basename(file)))
}

/** Tests of a folder itself, else of those below it, else of the one above; not beyond `depth` parts of the path. */
function inOrAbove(folder, depth) {
  if (folder.split('/').length < depth) return []
  const below = shortTests(folder)
  const own = below.filter((test) => dirname(test) === folder)
  if (own.length > 0) return own
  return below.length > 0 ? below : inOrAbove(dirname(folder), depth)
}

/** The tests of pages stand apart from them, by feature; those of shared parts are called as these are. */
function ofPages(feature, file) {
  const stem = basename(file).replace(/\..*$/, '')
  return shortTests('web/test').filter(
    (test) => test.startsWith(`web/test/${feature}`) || basename(test).startsWith(`${stem}.`),
  )
}

function ofEngine(file) {
  if (!file.endsWith('.py')) return []
  const words = [basename(file, '.py'), basename(dirname(file))].filter((word) => word !== 'neuroloom_engine')
  const all = shortTests('engine/tests')
  for (const word of words) {
    const found = all.filter((test) => basename(test).includes(word.replace(/s$/, '')))
    if (found.length > 0) return found
  }
  return []
}

/** A call's schema is spoken by the server's feature and the pages of the same name. */
function ofCalls(area) {
  const name = area.replace(/\.ts$/, '')
  return [
    ...shortTests(`server/src/features/${name}`).filter(
      (test) => dirname(test) === `server/src/features/${name}`,
    ),
    ...shortTests(`web/test/${name}`),
  ]
}

function shortTests(folder) {
  let names = []
  try {
    names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  return names
    .filter((name) => isTest(name) && !isLong(name))
    .map((name) => `${folder}/${name}`)
    .sort()
}

const read = (file) => readFileSync(join(root, file), 'utf8')

/** What the whole run and the long one hold against this change. */
export function besidesOf(files) {
  const own = files.filter(
    (file) => /^(web|server|contract|engine|e2e)\//.test(file) && !isUnitTest(file) && !isLong(file),
  )
  const features = new Set(own.map(featureOf))
  const all = readdirSync(join(root, 'e2e')).filter((name) => name.endsWith('.test.ts'))
  const picked = all.filter(
    (name) =>
      features.has(null) ||
      features.has(name) ||
      (journeys[name]?.some((one) => features.has(one)) ?? own.length > 0),
  )
  return { journeys: picked, long: longTests(files) }
}

const isUnitTest = (file) => !file.startsWith('e2e/') && /(^|\/)tests?\/|\.test\.tsx?$/.test(file)

const feature =
  /^(?:web|server)\/src\/features\/([a-z]+)\/|^contract\/(?:src|locales\/\w+)\/(network)s?(?:\/|\.)|^contract\/src\/([a-z]+)(?:\.ts$|\/)/

/** The feature that a file belongs to, a journey's own file name, or null: everything. */
function featureOf(file) {
  if (file.startsWith('e2e/')) return file.endsWith('.test.ts') ? basename(file) : null
  if (file.startsWith('engine/')) return 'engine'
  const match = feature.exec(file)
  const name = match?.[1] ?? match?.[3] ?? (match?.[2] && 'networks')
  return Object.values(journeys).some((features) => features.includes(name)) ? name : null
}

/** Those of the features that changed: nothing but `npm run test:long` runs them. */
function longTests(files) {
  const featureOfServer = (file) => /^server\/src\/(?:features\/[a-z]+|[a-z]+)\//.exec(file)?.[0]
  const folders = new Set(files.map(featureOfServer).filter(Boolean))
  const all = (git(['ls-files', '-co', '--exclude-standard', 'server/src']) ?? '').split('\n')
  return all.filter((file) => file.endsWith('.long.test.ts') && folders.has(featureOfServer(file)))
}

function startOfChange() {
  const upstream = git(['merge-base', 'HEAD', '@{upstream}'])
  if (upstream) return upstream
  const isDirty = git(['status', '--porcelain']) !== ''
  return git(['rev-parse', isDirty ? 'HEAD' : 'HEAD~1']) || 'HEAD'
}

function changedSince(base) {
  const differing = git(['diff', '--name-only', '--diff-filter=d', base])
  if (differing === null) throw new SetupError(`git does not know ${base}: name a branch or commit.`)
  const untracked = git(['ls-files', '--others', '--exclude-standard']) ?? ''
  return [...new Set(`${differing}\n${untracked}`.split('\n').filter(Boolean))].sort()
}

function git(args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
