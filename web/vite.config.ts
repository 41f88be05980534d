import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { areas } from './build/areas.ts'
import { bringing } from './build/bringing.ts'
import { groups } from './build/chunks.ts'
import { example } from './build/example.ts'
import { pdfData } from './build/pdf-data.ts'
import { precompress } from './build/precompress.ts'
import { prerender } from './build/prerender.ts'
import { tokens } from './build/tokens.ts'

const server = process.env.API_ORIGIN ?? 'http://127.0.0.1:8080'
const proxied = { target: server, changeOrigin: true, ws: true }

export default defineConfig({
  plugins: [
    react(),
    tokens(),
    bringing(),
    areas(),
    pdfData(),
    prerender(),
    precompress({ minBytes: 1024 }),
    example(),
  ],
  resolve: { conditions: ['neuroloom-source', ...defaultClientConditions] },
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
