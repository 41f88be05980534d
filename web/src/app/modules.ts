/** Modules of the selector that work, each with the paths that belong to it. */
export const modules = [
  { name: 'project', to: '/projectHome', prefixes: ['/project', '/shop', '/merchandise'] },
  { name: 'ai', to: '/run', prefixes: ['/run', '/report', '/compare', '/try'] },
  { name: 'dripe', to: '/dripe', prefixes: ['/dripe', '/yamlCode'] },
  { name: 'labelling', to: '/labelling', prefixes: ['/labelling'] },
  { name: 'cloud', to: '/cloudHome', prefixes: ['/cloud'] },
  { name: 'toolbox', to: '/toolboxHome', prefixes: ['/toolbox'] },
  { name: 'social', to: '/socialHome', prefixes: ['/social', '/round', '/opinion'] },
  {
    name: 'order',
    to: '/orderHome',
    prefixes: ['/order', '/demand', '/postDemand', '/caseDetail', '/serviceProvider'],
  },
] as const

export type ModuleName = (typeof modules)[number]['name']

export function moduleOf(pathname: string): ModuleName | null {
  return modules.find(({ prefixes }) => prefixes.some((prefix) => pathname.startsWith(prefix)))?.name ?? null
}
