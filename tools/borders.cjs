/** Which room may import which (the table of ARCHITECTURE.md); an arrow not listed is an error. */
const features = ['accounts', 'plans', 'files', 'projects', 'datasets', 'networks', 'runs', 'site']

/** A server feature may use only service, access and tables of features to its left. */
const featureOrder = features.flatMap((feature, index) => [
  {
    name: `server-${feature}-looks-left`,
    comment: 'A server feature uses only features to its left.',
    severity: 'error',
    from: { path: `^server/src/features/${feature}/`, pathNot: '\\.test\\.ts$' },
    to: { path: `^server/src/features/(${features.slice(index + 1).join('|') || '-'})/` },
  },
])

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'contract-is-pure',
      severity: 'error',
      from: { path: '^contract/src' },
      to: { pathNot: '^contract/(src|wire)|node_modules/(zod|yaml|@noble)/' },
    },
    { name: 'web-is-not-server', severity: 'error', from: { path: '^web/' }, to: { path: '^server/' } },
    { name: 'server-is-not-web', severity: 'error', from: { path: '^server/' }, to: { path: '^web/src' } },
    {
      name: 'http-and-infra-know-no-feature',
      severity: 'error',
      from: { path: '^server/src/(http|infra)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/(features|app|main|worker|start)' },
    },
    {
      name: 'features-share-service-access-tables',
      comment: 'Of another feature only service.ts, access.ts and tables.ts may be used.',
      severity: 'error',
      from: { path: '^server/src/features/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^server/src/features/',
        pathNot: '^server/src/features/($1/|[^/]+/(service|access|tables)\\.ts$)',
      },
    },
    ...featureOrder,
    {
      name: 'web-features-do-not-meet',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'web-features-look-right',
      severity: 'error',
      from: { path: '^web/src/features/' },
      to: { path: '^web/src/(app|pages)/' },
    },
    {
      name: 'web-pages-look-right',
      severity: 'error',
      from: { path: '^web/src/pages/' },
      to: { path: '^web/src/app/' },
    },
    {
      name: 'web-ui-looks-right',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: { path: '^web/src/(app|pages|features)/' },
    },
    {
      name: 'web-lib-is-last',
      severity: 'error',
      from: { path: '^web/src/lib/' },
      to: { path: '^web/src/(app|pages|features|ui)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|dist' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
}
