/** `npm test -- changed`: which parts and files a change can touch. In doubt more runs than is needed, never less. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, SetupError } from './setup.mjs'

/** What each journey walks through; one that is not listed always runs. */
const journeys = {
  'shop.test.ts': ['shop', 'office', 'membership'],
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
  'uploads.test.ts': ['files'],
  'viewer.test.ts': ['files'],
}

/** Whatever one of these changes, everything may behave differently. */
const everywhere = /^(package(-lock)?\.json|tools\/|tsconfig|\.npmrc|\.ci\/)/
/** Read as text, not imported: no graph of modules leads from them to the tests. */
const texts = /^(contract\/(wire|locales)\/|server\/migrations\/|web\/src\/locales\/|web\/public\/)/
/** Run as programs of their own, which no test imports. */
const programs = /^server\/src\/([\w-]+\.ts$|infra\/(aside|engine|reader|own-script)\b)/
const feature =
  /^(?:web|server)\/src\/features\/([a-z]+)\/|^contract\/(?:src|locales\/\w+)\/(network)s?(?:\/|\.)|^contract\/src\/([a-z]+)\.ts$/

/** Parts in order with arguments for their runners. `since` is a revision; without it, where the branch left its upstream, else the last commit. */
export function touched(since, names) {
  const base = since ?? startOfChange()
  const files = changedSince(base)
  process.stdout.write(`${files.length} files changed since ${base}\n`)
  const long = longTests(files)
  if (long.length > 0)
    process.stdout.write(`Long tests beside them (npm run test:long -- <word>):\n${long.join('\n')}\n`)
  return partsFor(files, { base, names })
}

/** The same for files that are known to differ since `base`. */
export function partsFor(files, { base, names }) {
  if (files.length === 0) return []
  if (files.some((file) => everywhere.test(file))) return names.map((name) => [name, []])
  const has = (pattern) => files.some((file) => pattern.test(file))
  const related = has(texts) ? [] : ['--changed', base, '--passWithNoTests']
  const chosen = [
    ['check', []],
    // Each is held against the other: networks against PyTorch, programs by the code that writes them.
    ...(has(/^(contract|engine)\//) ? [['contract', has(/^engine\//) ? [] : related]] : []),
    ...(has(/^(contract|engine)\//) ? [['engine', []]] : []),
    ...serverTests(has, related),
    ...(has(/^(web|contract)\//) ? [['web', related]] : []),
    ...(has(/^(web|contract)\//) ? [['size', []]] : []),
    ...browserTests(files),
  ]
  return chosen.filter(([name]) => names.includes(name))
}

function serverTests(has, related) {
  if (!has(/^(server|contract|engine)\//)) return []
  if (has(/^engine\//) || has(programs) || related.length === 0) return [['server', []]]
  const more = has(/^(server|contract)\/src\//) ? [['server', wholeProduct()]] : []
  return [['server', related], ...more]
}

/** Tests that start the product or its worker, and so all of its code, without importing it. */
function wholeProduct() {
  const paths = readdirSync(join(root, 'server'), { recursive: true })
  return paths
    .filter((path) => /(?<!\.long)\.test\.ts$/.test(path) && !path.startsWith('node_modules'))
    .filter((path) =>
      /spawnWorker|server\/dist|\/product\.ts'/.test(readFileSync(join(root, 'server', path), 'utf8')),
    )
}

function browserTests(files) {
  const all = readdirSync(join(root, 'e2e')).filter((name) => name.endsWith('.ts'))
  const borrowed = new Set(all.flatMap((name) => borrowedBy(join(root, 'e2e', name))))
  const own = files.filter(
    (file) =>
      borrowed.has(file) ||
      (/^(web|server|contract|engine|e2e)\//.test(file) && !isUnitTest(file) && !isLongTest(file)),
  )
  if (own.length === 0) return []
  const features = new Set(own.map(featureOf))
  // Several journeys share a helper of e2e/, and whatever is no feature's own carries all of them.
  if (features.has(null)) return [['e2e', []]]
  const picked = all
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => features.has(name) || (journeys[name]?.some((one) => features.has(one)) ?? true))
  return picked.length === 0 ? [] : [['e2e', picked]]
}

/** Files of other rooms that a journey or its helper uses. */
const borrowedBy = (path) =>
  [...readFileSync(path, 'utf8').matchAll(/from '\.\.\/([^']+)'/g)].map(([, file]) => file)

const isUnitTest = (file) => !file.startsWith('e2e/') && /(^|\/)tests?\/|\.test\.tsx?$/.test(file)

/** Only `npm run test:long` runs it. */
const isLongTest = (file) => file.startsWith('e2e/long/')

/** The feature that a file belongs to, a journey's own file name, or null. */
function featureOf(file) {
  if (file.startsWith('e2e/')) return file.endsWith('.test.ts') ? file.slice('e2e/'.length) : null
  if (file.startsWith('engine/')) return 'engine'
  const match = feature.exec(file)
  const name = match?.[1] ?? match?.[3] ?? (match?.[2] && 'networks')
  return Object.values(journeys).some((features) => features.includes(name)) ? name : null
}

/** Those of the features that changed: no change runs them by itself, so their names are told. */
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
  const differing = git(['diff', '--name-only', base])
  if (differing === null) throw new SetupError(`git does not know ${base}: name a branch or commit.`)
  const untracked = git(['ls-files', '--others', '--exclude-standard']) ?? ''
  return [...new Set(`${differing}\n${untracked}`.split('\n').filter(Boolean))].sort()
}

function git(args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
