import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { areas } from './build/areas.ts'
import { bringing } from './build/bringing.ts'
import { example } from './build/example.ts'
import { pdfData } from './build/pdf-data.ts'
import { precompress } from './build/precompress.ts'
import { prerender } from './build/prerender.ts'

const server = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080'
const proxied = { target: server, changeOrigin: true, ws: true }

/** What every page needs, in few files instead of thirty small ones, which cost a first visit more than their size. */
const groups = [
  {
    name: 'vendor',
    test: /node_modules[\\/](react|react-dom|scheduler|react-router|i18next|react-i18next)[\\/]/,
  },
  {
    name: 'frame',
    test: /web[\\/]src[\\/](app[\\/](app|guard|page-progress|starting)|lib[\\/](address|api|bring|format\.|i18n|language|reload|session|toast)|ui[\\/](button|error-state|language-select|lazy-part|pictures[\\/]logo|page|page-boundary|states|theme|toaster)[.-])/,
  },
  {
    name: 'site',
    test: /web[\\/]src[\\/](features[\\/]site[\\/](head|pages|picture|site-)|pages[\\/]site[\\/]layout|ui[\\/]pictures[\\/]weave)/,
  },
  // Behind sign-in, with all that these need: what every page has, what every view of a network has, and common icons.
  {
    name: 'workspace',
    test: /node_modules[\\/](@tanstack[\\/]react-query|antd[\\/]es[\\/](app|config-provider|button|dropdown|drawer|popover|badge|tooltip))[\\/]/,
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
  {
    name: 'icons',
    test: /node_modules[\\/]@ant-design[\\/]icons(-svg)?[\\/]/,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
]

export default defineConfig({
  plugins: [react(), bringing(), areas(), pdfData(), prerender(), precompress({ minBytes: 1024 }), example()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: { host: '127.0.0.1', proxy: { '/AI': proxied, '/api': proxied } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    sourcemap: true,
    manifest: true,
    // Files of parts are fetched by src/lib/bring.ts; browsers without it fetch the first ones a moment later.
    modulePreload: { polyfill: false },
    // Inlined files would be paid for by pages that never show them.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
