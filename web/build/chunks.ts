/** Which modules share a file. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What every page needs, in few files instead of thirty small ones, which cost a first visit more than their size. */
export const groups = [
  {
    name: 'vendor',
    test: /node_modules[\\/](react|react-dom|scheduler|react-router|i18next|react-i18next)[\\/]/,
  },
  {
    name: 'frame',
    test: /contract[\\/]src[\\/]accounts[\\/]roles|web[\\/]src[\\/](app[\\/](app|guard|page-progress|starting)|lib[\\/](address|api|bring|format\.|i18n|language|reload|session|toast)|ui[\\/](button|error-state|language-select|lazy-part|pictures[\\/]logo|page|page-boundary|states|theme\.css|fonts\.css|look-toggle|hooks[\\/]use-(look|media)|toaster)[.-]?)/,
  },
  {
    name: 'site',
    test: /web[\\/]src[\\/](features[\\/]site[\\/](head|network-count|pages|picture|site-)|pages[\\/]site[\\/]layout|ui[\\/]pictures[\\/]weave)/,
  },
  // Behind sign-in, with all that these need: what every page has, what every view of a network has, and common icons.
  {
    name: 'workspace',
    test: /node_modules[\\/](@tanstack[\\/](react-query|query-core)|dayjs|antd[\\/]es[\\/](app|config-provider|button|dropdown|drawer|popover|badge|tooltip))[\\/]/,
  },
  {
    name: 'network',
    test: /contract[\\/]src[\\/]network[\\/](library|resolve[\\/]resolve|yaml[\\/]write|edit[\\/]edit)\.ts/,
  },
  // What the pages of runs share, which would be a dozen files of a few hundred bytes.
  {
    name: 'runs',
    test: /web[\\/]src[\\/](features[\\/]runs[\\/](journey|results[\\/]metrics|network-of|run-state)|lib[\\/](class-name|metric|run-progress))|run-states\.ts/,
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
  // Pictures of tools, for the pages of tools and those on which tools are made.
  {
    name: 'tool-pictures',
    test: /features[\\/]toolbox[\\/]tool-picture|icons(-svg)?[\\/].*(BarChart|Control|MedicineBox|SplitCells)Outlined/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'icons',
    test: /node_modules[\\/]@ant-design[\\/]icons(-svg)?[\\/]/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
  // All that the bar above the workspace needs, which would be twenty files.
  {
    debugName: 'shell',
    name: (id: string, graph: Graph) => (isOfShell(id, graph) ? 'workspace' : null),
    test: /[\\/](web|contract)[\\/]src[\\/]/,
    includeDependenciesRecursively: false,
  },
]

type Graph = {
  getModuleInfo(
    id: string,
  ): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

const source = join(import.meta.dirname, '../src')
const shell = join(source, 'app/workspace-layout.tsx')
const routes = join(source, 'app/routes.tsx')

/** Of the shell around every page of the workspace, and of nothing that is public. */
function isOfShell(id: string, graph: Graph): boolean {
  known ??= findShell(graph)
  return known.has(id)
}

let known: Set<string> | null = null

function findShell(graph: Graph): Set<string> {
  const site = readdirSync(join(source, 'pages/site')).map((name) => `pages/site/${name}`)
  const open = ['app/main.tsx', 'pages/login.tsx', 'pages/register.tsx', 'pages/forget.tsx', ...site]
  const seen = new Set<string>()
  for (const name of open) collect(join(source, name), { graph, into: seen, hasParts: true })
  const found = new Set<string>()
  collect(shell, { graph, into: found, hasParts: false })
  for (const id of [shell, ...seen]) found.delete(id)
  return found
}

type Walk = { graph: Graph; into: Set<string>; hasParts: boolean }

/** Everything that a module imports, with the parts that it fetches later where wanted. */
function collect(id: string, walk: Walk): void {
  if (walk.into.has(id)) return
  walk.into.add(id)
  const info = walk.graph.getModuleInfo(id)
  // The routes name every page, public or not.
  const parts = walk.hasParts && id !== routes ? (info?.dynamicallyImportedIds ?? []) : []
  for (const next of [...(info?.importedIds ?? []), ...parts]) collect(next, walk)
}
